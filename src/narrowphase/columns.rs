//! Lists of words, a column a field, that vectors of sixteen read and write.

use crate::lanes::Vector;

/// Lets columns that grow together have so many places.
#[inline(always)]
pub(super) fn make_room<const N: usize>(columns: [&mut Vec<i32>; N], places: usize) {
    if columns[0].len() < places {
        grow(columns, places);
    }
}

#[cold]
#[inline(never)]
fn grow<const N: usize>(columns: [&mut Vec<i32>; N], places: usize) {
    columns.into_iter().for_each(|column| column.resize(2 * places, 0));
}

/// The sixteen places from `at` on.
#[inline(always)]
pub(super) fn sixteen(column: &[i32], at: usize) -> &[i32; 16] {
    column[at..].first_chunk().expect("the column has room")
}

/// As [`sixteen`].
#[inline(always)]
pub(super) fn sixteen_mut(column: &mut [i32], at: usize) -> &mut [i32; 16] {
    column[at..].first_chunk_mut().expect("the column has room")
}

/// Appends the lanes of a mask to columns of this length, one vector to each. There is room for sixteen.
#[inline(always)]
pub(super) fn append<V: Vector, const N: usize>(
    values: [V::I; N],
    mask: u16,
    columns: [&mut [i32]; N],
    len: &mut usize,
) {
    V::compress(values, mask, columns.map(|column| sixteen_mut(column, *len)));
    *len += mask.count_ones() as usize;
}
