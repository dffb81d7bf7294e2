//! A flat open-addressed table from tiles of 4 x 4 cells to what stands in them.
//!
//! Linear probing over entries of 16 bytes, four to a cache line; removal shifts later entries back, so
//! there are no tombstones and the table does not age. It doubles beyond 5/8 full: an unsuccessful look-up,
//! the common one in a sparse arena, then reads 1.9 entries on average, nearly always one line. It halves
//! below 1/8, so that memory follows the living.
//!
//! Why tiles and not cells: a head's reach spans 3.2 cells of 64 u on average but 1.4 tiles, and one entry
//! answers both usual questions, "is anything there" and "is it all mine", without a second cache line.

use super::cell::Cell;
use bytemuck::{Pod, Zeroable};

/// A tile's key: the key of its lowest cell with both coordinates shifted by two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct TileKey(pub u32);

impl TileKey {
    pub const NONE: Self = Self(u32::MAX);

    /// The tile of these tile coordinates, each a cell's shifted right by two.
    #[inline]
    pub fn new(tx: i32, ty: i32) -> Self {
        Self(Cell::new(tx, ty).0)
    }

    #[inline]
    pub fn of(cell: Cell) -> Self {
        Self::new(cell.x() >> 2, cell.y() >> 2)
    }

    /// The cell in it with this number, 0..16.
    pub fn cell(self, number: u32) -> Cell {
        let corner = Cell(self.0);
        Cell::new((corner.x() << 2) + (number & 3) as i32, (corner.y() << 2) + (number >> 2) as i32)
    }
}

/// The number of a cell within its tile.
#[inline]
pub(crate) fn number_in_tile(cell: Cell) -> u32 {
    ((cell.y() & 3) << 2 | (cell.x() & 3)) as u32
}

/// One tile that holds something.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Entry {
    pub key: TileKey,
    /// Index of the tile.
    pub tile: u32,
    /// Who owns every lane of the tile, or [`MIXED`]. A head passes over its own tiles without reading on.
    pub owner: u32,
    /// Bit k: cell k of the tile holds something.
    pub cells: u32,
}

/// More than one owner, now or since the place was last empty.
pub(crate) const MIXED: u32 = u32::MAX;

const VACANT: Entry = Entry { key: TileKey::NONE, tile: 0, owner: MIXED, cells: 0 };

const BITS_MIN: u32 = 6;

pub(crate) struct Table {
    entries: Vec<Entry>,
    bits: u32,
    len: usize,
}

impl Default for Table {
    fn default() -> Self {
        Self::with_bits(BITS_MIN)
    }
}

impl Table {
    fn with_bits(bits: u32) -> Self {
        Self { entries: vec![VACANT; 1 << bits], bits, len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    /// Every tile that holds something, in table order.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.key != TileKey::NONE)
    }

    /// Where the probe for a tile starts: the high bits of a multiplicative hash.
    #[inline]
    pub fn home(&self, key: TileKey) -> usize {
        (key.0.wrapping_mul(0x9E37_79B1) >> (32 - self.bits)) as usize
    }

    /// The entry at which a probe starts, for a prefetch.
    #[inline]
    pub fn home_entry(&self, key: TileKey) -> *const Entry {
        &raw const self.entries[self.home(key)]
    }

    /// The index of a tile's entry, or of the vacant one where it belongs.
    #[inline]
    fn probe(&self, key: TileKey) -> usize {
        let wrap = self.entries.len() - 1;
        let mut at = self.home(key);
        while self.entries[at].key != key && self.entries[at].key != TileKey::NONE {
            at = (at + 1) & wrap;
        }
        at
    }

    /// A tile's entry; of a tile that holds nothing, a vacant one with no cells.
    #[inline]
    pub fn look(&self, key: TileKey) -> &Entry {
        &self.entries[self.probe(key)]
    }

    #[inline]
    pub fn get_mut(&mut self, key: TileKey) -> Option<&mut Entry> {
        let at = self.probe(key);
        let entry = &mut self.entries[at];
        (entry.key != TileKey::NONE).then_some(entry)
    }

    /// Enters a tile that is not in the table.
    pub fn insert(&mut self, entry: Entry) {
        if (self.len + 1) * 8 > self.entries.len() * 5 {
            self.resize(self.bits + 1);
        }
        let at = self.probe(entry.key);
        debug_assert!(self.entries[at].key == TileKey::NONE);
        self.entries[at] = entry;
        self.len += 1;
    }

    /// Takes a tile out and closes the hole: each entry after it that may stand nearer to its home moves up.
    pub fn remove(&mut self, key: TileKey) {
        let wrap = self.entries.len() - 1;
        let mut hole = self.probe(key);
        debug_assert!(self.entries[hole].key == key);
        let mut at = (hole + 1) & wrap;
        while self.entries[at].key != TileKey::NONE {
            let home = self.home(self.entries[at].key);
            if (at.wrapping_sub(home) & wrap) >= (at.wrapping_sub(hole) & wrap) {
                self.entries[hole] = self.entries[at];
                hole = at;
            }
            at = (at + 1) & wrap;
        }
        self.entries[hole] = VACANT;
        self.len -= 1;
        if self.bits > BITS_MIN && self.len * 8 < self.entries.len() {
            self.resize(self.bits - 1);
        }
    }

    /// The one place where the table's memory changes.
    fn resize(&mut self, bits: u32) {
        let old = std::mem::replace(self, Self::with_bits(bits));
        for entry in old.iter() {
            self.insert(*entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn entry(tx: i32, ty: i32, tile: u32) -> Entry {
        Entry { key: TileKey::new(tx, ty), tile, owner: 7, cells: 1 }
    }

    #[test]
    fn the_table_agrees_with_a_plain_map_through_growth_and_decay() {
        let mut table = Table::default();
        let mut model = BTreeMap::new();
        let mut seed = 1_u32;
        for step in 0..60_000_u32 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let new = entry((seed >> 8) as i32 % 40 - 20, (seed >> 20) as i32 % 40 - 20, step);
            let growing = (step / 10_000) % 2 == 0;
            if model.contains_key(&new.key.0) && (!growing || seed & 1 == 0) {
                model.remove(&new.key.0);
                table.remove(new.key);
            } else if growing && !model.contains_key(&new.key.0) {
                model.insert(new.key.0, step);
                table.insert(new);
            }
            assert_eq!(table.get_mut(new.key).map(|e| e.tile), model.get(&new.key.0).copied());
            assert_eq!(table.len(), model.len());
        }
        for (&key, &tile) in &model {
            assert_eq!(table.look(TileKey(key)).tile, tile);
        }
    }

    #[test]
    fn an_emptied_table_gives_its_memory_back() {
        let mut table = Table::default();
        for k in 0..10_000 {
            table.insert(entry(k, k / 3, 0));
        }
        let full = table.bytes();
        for k in 0..10_000 {
            table.remove(TileKey::new(k, k / 3));
        }
        assert!(table.bytes() * 100 < full);
    }

    #[test]
    fn a_tile_knows_its_cells_on_both_sides_of_zero() {
        for (cx, cy) in [(0, 0), (3, 3), (-1, 2), (-4, -5), (1_000, -1_001)] {
            let cell = Cell::new(cx, cy);
            assert_eq!(TileKey::of(cell).cell(number_in_tile(cell)), cell);
        }
    }
}
