//! One snake's ring: a power-of-two stretch of the pool, addressed by sample number.

use super::Pool;
use crate::geom::lattice::Point;

/// A ring of the pool. Sample `n` (numbers go up by one and wrap at 2^32) stands at `base + (n & mask)`.
///
/// ```text
///            base                                base + mask
///   pool ... [ n=8 | n=9 |     |     | n=4 | n=5 | n=6 | n=7 ] ...      first = 4, end = 10
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ring {
    pub base: u32,
    pub mask: u32,
    /// Number of the oldest sample.
    pub first: u32,
    /// Number after that of the newest.
    pub end: u32,
}

impl Ring {
    #[inline]
    pub fn len(&self) -> u32 {
        self.end.wrapping_sub(self.first)
    }

    #[inline]
    pub fn capacity(&self) -> u32 {
        self.mask + 1
    }

    /// Whether a further sample needs a larger ring.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.len() > self.mask
    }

    /// Index into the pool's arrays of sample `n`.
    #[inline]
    pub fn at(&self, n: u32) -> usize {
        (self.base + (n & self.mask)) as usize
    }

    #[inline]
    pub fn newest(&self) -> u32 {
        self.end.wrapping_sub(1)
    }

    /// Index into the pool's arrays of the newest sample.
    #[inline]
    pub fn newest_at(&self) -> usize {
        self.at(self.newest())
    }

    /// Numbers of all samples, oldest first.
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = u32> + DoubleEndedIterator + use<> {
        let first = self.first;
        (0..self.len()).map(move |k| first.wrapping_add(k))
    }

    /// The segment or lone point whose lane ends at sample `n`, if one does.
    pub fn stretch(&self, pool: &Pool, n: u32) -> Option<(Point, Point)> {
        let at = self.at(n);
        let seat = pool.seat(at);
        seat.lane()?;
        let end = pool.point(at);
        let alone = n == self.first || seat.gap();
        Some((if alone { end } else { pool.point(self.at(n.wrapping_sub(1))) }, end))
    }
}
