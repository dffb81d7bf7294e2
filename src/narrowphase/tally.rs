//! What it took to judge a tick.

/// Counters of the narrowphase, summed over heads and grids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tiles that hold something of others within reach.
    pub tiles: u64,
    /// Cells of them that held something of others.
    pub cells: u64,
    /// Blocks culled, eight lanes each.
    pub blocks: u64,
    /// Lanes that passed the cull and were measured.
    pub measured: u64,
    /// Pairs too near to the kill distance for `f32`, decided on integers.
    pub exact: u64,
}

impl Tally {
    /// The sum of both.
    pub fn plus(self, other: Self) -> Self {
        Self {
            tiles: self.tiles + other.tiles,
            cells: self.cells + other.cells,
            blocks: self.blocks + other.blocks,
            measured: self.measured + other.measured,
            exact: self.exact + other.exact,
        }
    }
}
