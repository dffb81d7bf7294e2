//! A block: eight lanes, each a segment with its owner, laid out for vectors.

use super::cell::Cell;
use crate::geom::lattice::Point;
use bytemuck::{Pod, Zeroable};

/// Lanes of a block.
pub(crate) const SLOTS: usize = 8;

/// The mask of a block without a free slot.
pub(crate) const FULL: u32 = (1 << SLOTS) - 1;

/// Two figures of 16 bits, x and y.
pub(crate) type Half = [i16; 2];

/// A segment as the grid knows it, taken to pieces: the sum of its ends less twice the cell's corner, and
/// their difference. Both fit 16 bits, and the ends come back exactly: (sum -+ difference) / 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lane {
    pub a: Point,
    pub b: Point,
    pub owner: u32,
}

/// A lane taken to pieces as a block keeps it; of one whose difference fits 16 bits.
#[derive(Clone, Copy)]
pub(crate) struct Pressed {
    pub cell: Cell,
    pub sum: Half,
    pub side: Half,
    pub owner: u32,
}

impl Lane {
    /// The longer of its sides.
    #[inline]
    pub fn size(&self) -> i32 {
        (self.b.x - self.a.x).abs().max((self.b.y - self.a.y).abs())
    }

    /// For cells of `1 << shift` quanta: a sum's lower bits are what it has beyond twice the corner.
    #[inline]
    pub fn pressed(&self, shift: u32) -> Pressed {
        let (bits, within) = (shift + 1, (2 << shift) - 1);
        let (x, y) = (self.a.x + self.b.x, self.a.y + self.b.y);
        Pressed {
            cell: Cell::new(x >> bits, y >> bits),
            sum: [(x & within) as i16, (y & within) as i16],
            side: [(self.b.x - self.a.x) as i16, (self.b.y - self.a.y) as i16],
            owner: self.owner,
        }
    }
}

/// Eight lanes in two cache lines: one is all that a new lane writes besides its owner, the other all that the
/// removal of one touches. x and y lie side by side, so that one vector of 256 bits culls both at once.
///
/// ```text
///   0                 32                64            96     100    104
///   | sum (x, y) 8x   | side (x, y) 8x  | owner 8x    | cell | next | mask |
/// ```
/// Eight and not sixteen: a snake leaves six lanes in a cell of a thin arena, so that blocks of sixteen are two
/// thirds empty, and the ends of a thousand trails then do not fit the second-level cache. Seven with mask and next in
/// the first line make every cull one line instead of two, and cost more: owners come too late to leave out the own.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Block {
    /// Sum of the ends less twice the cell's corner.
    pub sum: [Half; SLOTS],
    /// Difference of the ends.
    pub side: [Half; SLOTS],
    pub owner: [u32; SLOTS],
    pub cell: Cell,
    /// The next block of the same cell, or [`LAST`]; of a free block, the next free one.
    pub next: u32,
    /// Bit k: slot k holds a lane.
    pub mask: u32,
    rest: [u32; 5],
}

impl Block {
    /// An empty block of a cell.
    pub fn new(cell: Cell, next: u32) -> Self {
        Self { cell, next, ..Self::zeroed() }
    }

    /// Puts a lane into a free slot, and says which.
    #[inline(always)]
    pub fn put(&mut self, lane: &Pressed) -> u32 {
        let slot = (!self.mask).trailing_zeros() as usize % SLOTS;
        (self.sum[slot], self.side[slot], self.owner[slot]) = (lane.sum, lane.side, lane.owner);
        self.mask |= 1 << slot;
        slot as u32
    }

    #[inline]
    pub fn read(&self, slot: usize, shift: u32) -> Lane {
        let ([sx, sy], [dx, dy]) = (self.sum[slot].map(i32::from), self.side[slot].map(i32::from));
        let (sx, sy) = (sx + (self.cell.x() << (shift + 1)), sy + (self.cell.y() << (shift + 1)));
        Lane {
            a: Point::new((sx - dx) >> 1, (sy - dy) >> 1),
            b: Point::new((sx + dx) >> 1, (sy + dy) >> 1),
            owner: self.owner[slot],
        }
    }

    /// The lanes that are there.
    #[inline]
    pub fn lanes(&self, shift: u32) -> impl Iterator<Item = Lane> + '_ {
        let mut mask = self.mask;
        std::iter::from_fn(move || {
            let slot = mask.trailing_zeros() as usize;
            (mask != 0).then(|| {
                mask &= mask - 1;
                self.read(slot, shift)
            })
        })
    }
}

/// The end of a chain of blocks.
pub(crate) const LAST: u32 = u32::MAX;
