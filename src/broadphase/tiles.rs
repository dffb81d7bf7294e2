//! What a tile of 4 x 4 cells holds: a chain of blocks a cell, and who owns it.

use super::block::LAST;
use super::glance::MIXED;
use crate::lanes::prefetch;
use crate::limits::grow_by_parts;
use bytemuck::{Pod, Zeroable};

/// Two cache lines: the first block of each cell's chain, or [`LAST`]; and the owner of all its lanes.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Tile {
    pub first: [u32; 16],
    pub owner: [u32; 16],
}

const EMPTY: Tile = Tile { first: [LAST; 16], owner: [MIXED; 16] };

/// All tiles; freed ones are used again, chained through the first word of each.
pub(crate) struct Tiles {
    pub all: Vec<Tile>,
    free: u32,
}

impl Default for Tiles {
    fn default() -> Self {
        Self { all: Vec::with_capacity(CAPACITY_MIN), free: LAST }
    }
}

/// Room that a grid has from the start.
const CAPACITY_MIN: usize = 1_024;

impl Tiles {
    pub fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Tile>()
    }

    /// Asks for a tile's two lines.
    #[inline(always)]
    pub fn ask_for(&self, tile: u32) {
        let tile = self.all.as_ptr().wrapping_add(tile as usize);
        prefetch(tile);
        prefetch(tile.cast::<[u32; 16]>().wrapping_add(1));
    }

    /// An empty tile. The one place where the tiles' memory grows.
    pub fn take(&mut self) -> u32 {
        let tile = self.free;
        if tile != LAST {
            self.free = self.all[tile as usize].first[0];
            self.all[tile as usize] = EMPTY;
            return tile;
        }
        grow_by_parts(&mut self.all, 1);
        self.all.push(EMPTY);
        self.all.len() as u32 - 1
    }

    pub fn give_back(&mut self, tile: u32) {
        self.all[tile as usize].first[0] = self.free;
        self.free = tile;
    }
}
