//! What a tile of 4 x 4 cells holds: a chain of blocks a cell, and who owns it.

use super::block::LAST;
use super::table::MIXED;
use bytemuck::{Pod, Zeroable};

/// Two cache lines: the first block of each cell's chain, or [`LAST`]; and the owner of all its lanes.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Tile {
    pub first: [u32; 16],
    pub owner: [u32; 16],
}

const EMPTY: Tile = Tile { first: [LAST; 16], owner: [MIXED; 16] };

/// All tiles; freed ones are used again.
#[derive(Default)]
pub(crate) struct Tiles {
    pub all: Vec<Tile>,
    free: Vec<u32>,
}

impl Tiles {
    pub fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Tile>() + self.free.capacity() * 4
    }

    /// An empty tile.
    pub fn take(&mut self) -> u32 {
        if let Some(tile) = self.free.pop() {
            self.all[tile as usize] = EMPTY;
            return tile;
        }
        self.all.push(EMPTY);
        self.all.len() as u32 - 1
    }

    pub fn give_back(&mut self, tile: u32) {
        self.free.push(tile);
    }
}
