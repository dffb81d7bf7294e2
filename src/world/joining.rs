//! Lanes on their way into the grid of the thin: a few rows at a time, a column a field, so that one loop without
//! branches takes all of them to pieces.

use crate::broadphase::{Cell, Lane, Pressed};
use crate::geom::lattice::Point;

/// Rows at a time: what their trails' ends touch stays in the first-level cache.
pub(super) const ROWS: usize = 64;

type Column<T> = [T; ROWS];

/// What is said of each lane, and what follows from it. Sums and differences of the ends are taken apart as a
/// [`Block`](crate::broadphase::Block) keeps them.
pub(super) struct Joining {
    a: [Column<i32>; 2],
    b: [Column<i32>; 2],
    owner: Column<u32>,
    /// The number of the lane at the newest sample before this one.
    neighbour: Column<u32>,
    /// Where the new sample stands in the pool.
    place: Column<u32>,
    /// The longest side, or more than any has.
    size: Column<i32>,
    sum: Column<u32>,
    side: Column<u32>,
    cell: Column<u32>,
}

impl Default for Joining {
    fn default() -> Self {
        let (numbers, pairs) = ([0; ROWS], [[0; ROWS]; 2]);
        Self {
            a: pairs,
            b: pairs,
            owner: numbers,
            neighbour: numbers,
            place: numbers,
            size: [0; ROWS],
            sum: numbers,
            side: numbers,
            cell: numbers,
        }
    }
}

/// A lane that joins, as it is said.
pub(super) struct Newcomer {
    pub a: Point,
    pub b: Point,
    pub owner: u32,
    /// Whether it belongs into the grid of the thick.
    pub wide: bool,
    pub neighbour: u32,
    pub place: usize,
}

impl Joining {
    #[inline(always)]
    pub fn set(&mut self, k: usize, new: &Newcomer) {
        (self.a[0][k], self.a[1][k], self.b[0][k], self.b[1][k]) = (new.a.x, new.a.y, new.b.x, new.b.y);
        (self.owner[k], self.neighbour[k], self.place[k]) = (new.owner, new.neighbour, new.place as u32);
        self.size[k] = if new.wide { i32::MAX } else { 0 };
    }

    /// Takes the lanes to pieces, for cells of `1 << shift` quanta.
    pub fn press(&mut self, shift: u32) {
        let (bits, within) = (shift + 1, (2 << shift) - 1);
        for axis in 0..2 {
            let (a, b) = (&self.a[axis], &self.b[axis]);
            for k in 0..ROWS {
                let (sum, side) = (a[k] + b[k], b[k] - a[k]);
                self.size[k] = self.size[k].max(side.abs());
                let (cell, sum, side) = (Cell::along(sum >> bits), (sum & within) as u32, side as u32);
                if axis == 0 {
                    (self.cell[k], self.sum[k], self.side[k]) = (cell << 16, sum, side & 0xFFFF);
                } else {
                    self.cell[k] |= cell;
                    self.sum[k] |= sum << 16;
                    self.side[k] |= side << 16;
                }
            }
        }
    }

    /// The longest side, or more.
    #[inline(always)]
    pub fn size(&self, k: usize) -> i32 {
        self.size[k]
    }

    #[inline(always)]
    pub fn neighbour(&self, k: usize) -> u32 {
        self.neighbour[k]
    }

    #[inline(always)]
    pub fn place(&self, k: usize) -> usize {
        self.place[k] as usize
    }

    /// A lane in one piece.
    pub fn lane(&self, k: usize) -> Lane {
        let ends = [&self.a, &self.b].map(|[x, y]| Point::new(x[k], y[k]));
        Lane { a: ends[0], b: ends[1], owner: self.owner[k] }
    }

    /// A lane in pieces; of one that fits.
    #[inline(always)]
    pub fn pressed(&self, k: usize) -> Pressed {
        Pressed { cell: Cell(self.cell[k]), sum: half(self.sum[k]), side: half(self.side[k]), owner: self.owner[k] }
    }
}

/// x of the lower and y of the upper half of a word.
#[inline(always)]
fn half(word: u32) -> [i16; 2] {
    [word as i16, (word >> 16) as i16]
}
