//! The rings of all rows: a column a field, so that a loop over rows is one of vectors.

use super::Ring;

/// Struct of arrays of [`Ring`].
#[derive(Default)]
pub(crate) struct Rings {
    pub base: Vec<u32>,
    pub mask: Vec<u32>,
    pub first: Vec<u32>,
    pub end: Vec<u32>,
}

/// The columns of [`Rings`], all of the same length.
pub(crate) struct Columns<'r> {
    base: &'r [u32],
    mask: &'r [u32],
    pub first: &'r mut [u32],
    end: &'r [u32],
}

impl Columns<'_> {
    #[inline(always)]
    pub fn get(&self, i: usize) -> Ring {
        Ring { base: self.base[i], mask: self.mask[i], first: self.first[i], end: self.end[i] }
    }
}

impl Rings {
    /// Rows, with a ring or without.
    pub fn len(&self) -> usize {
        self.end.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of::<Ring>() * self.end.capacity()
    }

    /// The one place where the columns grow; a new row's ring is empty.
    pub fn grow_to(&mut self, rows: usize) {
        for column in [&mut self.base, &mut self.mask, &mut self.first, &mut self.end] {
            column.resize(rows, 0);
        }
    }

    #[inline]
    pub fn get(&self, i: usize) -> Ring {
        Ring { base: self.base[i], mask: self.mask[i], first: self.first[i], end: self.end[i] }
    }

    pub fn set(&mut self, i: usize, ring: Ring) {
        (self.base[i], self.mask[i], self.first[i], self.end[i]) = (ring.base, ring.mask, ring.first, ring.end);
    }

    /// All columns at once, for a loop over many rows.
    #[inline(always)]
    pub fn columns(&mut self) -> Columns<'_> {
        let len = self.len();
        let Self { base, mask, first, end } = self;
        Columns { base: &base[..len], mask: &mask[..len], first: &mut first[..len], end: &end[..len] }
    }

    /// All of them, by row.
    pub fn iter(&self) -> impl Iterator<Item = Ring> {
        (0..self.len()).map(|i| self.get(i))
    }
}
