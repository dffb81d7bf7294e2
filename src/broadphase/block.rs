//! A block: sixteen lanes, each a segment with its owner, laid out for vectors.

use super::cell::Cell;
use crate::geom::lattice::Point;
use bytemuck::{Pod, Zeroable};

/// Lanes of a block.
pub(crate) const SLOTS: usize = 16;

/// A segment as the grid knows it, taken to pieces: the sum of its ends less twice the cell's corner, and
/// their difference. Both fit 16 bits, and the ends come back exactly: (sum -+ difference) / 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lane {
    pub a: Point,
    pub b: Point,
    pub owner: u32,
}

/// Sixteen lanes in 192 bytes, three cache lines; 12 bytes a lane.
///
/// ```text
///   0        32       64       96       128                       192
///   | sx 16x | sy 16x | dx 16x | dy 16x | owner 16x               |
/// ```
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Block {
    pub sx: [i16; SLOTS],
    pub sy: [i16; SLOTS],
    pub dx: [i16; SLOTS],
    pub dy: [i16; SLOTS],
    pub owner: [u32; SLOTS],
}

impl Block {
    #[inline]
    pub fn write(&mut self, slot: usize, lane: &Lane, cell: Cell, shift: u32) {
        let (ox, oy) = (cell.x() << (shift + 1), cell.y() << (shift + 1));
        self.sx[slot] = (lane.a.x + lane.b.x - ox) as i16;
        self.sy[slot] = (lane.a.y + lane.b.y - oy) as i16;
        self.dx[slot] = (lane.b.x - lane.a.x) as i16;
        self.dy[slot] = (lane.b.y - lane.a.y) as i16;
        self.owner[slot] = lane.owner;
    }

    #[inline]
    pub fn read(&self, slot: usize, cell: Cell, shift: u32) -> Lane {
        let sx = i32::from(self.sx[slot]) + (cell.x() << (shift + 1));
        let sy = i32::from(self.sy[slot]) + (cell.y() << (shift + 1));
        let (dx, dy) = (i32::from(self.dx[slot]), i32::from(self.dy[slot]));
        Lane {
            a: Point::new((sx - dx) >> 1, (sy - dy) >> 1),
            b: Point::new((sx + dx) >> 1, (sy + dy) >> 1),
            owner: self.owner[slot],
        }
    }
}

/// What a block says of itself without being read.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Header {
    pub cell: Cell,
    /// The next block of the same cell, or [`LAST`]; of a free block, the next free one.
    pub next: u32,
    /// Bit k: slot k holds a lane.
    pub mask: u32,
}

/// The end of a chain of blocks.
pub(crate) const LAST: u32 = u32::MAX;
