//! A flat open-addressed table from tiles of 4 x 4 cells to what stands in them.
//!
//! Four entries share a cache line, their keys side by side: a look-up compares four keys at once and is done
//! with one line unless that line is full of others. A full line runs over into the next (linear probing by
//! lines); removal moves later entries back, so there are no tombstones and the table does not age. It doubles
//! beyond 5/8 full: then one line in nine is full. It halves below 1/8, so that memory follows the living.
//!
//! Why tiles and not cells: a head's reach spans 3.2 cells of 64 u on average but 1.4 tiles.

use super::cell::Cell;
use crate::lanes::prefetch;
use bytemuck::{Pod, Zeroable};
use wide::{i8x16, i16x8, i32x4};

/// A tile's key: that of any of its cells, each half shifted by two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct TileKey(pub u32);

impl TileKey {
    pub const NONE: Self = Self(u32::MAX);

    /// The tile of these tile coordinates, each a cell's shifted right by two.
    #[inline]
    pub fn new(tx: i32, ty: i32) -> Self {
        Self::of(Cell::new(tx << 2, ty << 2))
    }

    #[inline]
    pub fn of(cell: Cell) -> Self {
        Self(cell.0 >> 2 & 0x3FFF_3FFF)
    }

    /// The lowest cell of the tile.
    #[inline]
    pub fn corner(self) -> Cell {
        Cell(self.0 << 2)
    }
}

/// The number of a cell within its tile.
#[inline]
pub(crate) fn number_in_tile(cell: Cell) -> u32 {
    ((cell.y() & 3) << 2 | (cell.x() & 3)) as u32
}

/// One tile that holds something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub key: TileKey,
    /// Index of the tile.
    pub tile: u32,
    /// Bit k: cell k of the tile holds something.
    pub cells: u32,
}

/// Entries a line.
const WAYS: usize = 4;

/// Four entries in a cache line, a column a field; vacant places have [`TileKey::NONE`] and no cells.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Line {
    key: [u32; WAYS],
    tile: [u32; WAYS],
    cells: [u32; WAYS],
    rest: [u32; WAYS],
}

const VACANT: Line = Line { key: [TileKey::NONE.0; WAYS], tile: [0; WAYS], cells: [0; WAYS], rest: [0; WAYS] };

impl Line {
    /// All ones where a place has this key.
    #[inline(always)]
    fn equal(&self, key: TileKey) -> i32x4 {
        i32x4::from(bytemuck::cast::<_, [i32; WAYS]>(self.key)).simd_eq(i32x4::splat(key.0 as i32))
    }

    /// Bit k: place k has this key.
    #[inline(always)]
    fn places_of(&self, key: TileKey) -> u32 {
        self.equal(key).to_bitmask()
    }

    #[inline(always)]
    fn entry(&self, way: usize) -> Entry {
        let key = TileKey(self.key[way]);
        Entry { key, tile: self.tile[way], cells: self.cells[way] }
    }

    fn set(&mut self, way: usize, entry: Entry) {
        self.key[way] = entry.key.0;
        self.tile[way] = entry.tile;
        self.cells[way] = entry.cells;
    }
}

/// Where an entry stands: its line, and its place there. Good until the next entry comes or goes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    line: u32,
    way: u32,
}

const BITS_MIN: u32 = 4;

/// The line where the probe for a tile starts: the high bits of a multiplicative hash.
#[inline(always)]
fn home(key: TileKey, shift: u32) -> usize {
    (key.0.wrapping_mul(0x9E37_79B1) >> shift) as usize
}

pub(crate) struct Table {
    lines: Vec<Line>,
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
        Self { lines: vec![VACANT; 1 << bits], bits, len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn bytes(&self) -> usize {
        self.lines.capacity() * size_of::<Line>()
    }

    fn room(&self) -> usize {
        self.lines.len() * WAYS
    }

    /// Every tile that holds something, in table order.
    pub fn iter(&self) -> impl Iterator<Item = Entry> {
        let entries = self.lines.iter().flat_map(|line| (0..WAYS).map(|way| line.entry(way)));
        entries.filter(|entry| entry.key != TileKey::NONE)
    }

    #[inline(always)]
    fn home(&self, key: TileKey) -> usize {
        home(key, 32 - self.bits)
    }

    /// The table, to be asked often.
    pub fn reader(&self) -> Reader<'_> {
        Reader { lines: &self.lines, shift: 32 - self.bits }
    }

    /// Where a tile's entry stands.
    #[inline(always)]
    pub fn find(&self, key: TileKey) -> Option<Place> {
        let mut at = self.home(key);
        loop {
            let line = &self.lines[at];
            let places = line.places_of(key);
            if places != 0 {
                return Some(Place { line: at as u32, way: places.trailing_zeros() });
            }
            if line.places_of(TileKey::NONE) != 0 {
                return None;
            }
            at = (at + 1) & (self.lines.len() - 1);
        }
    }

    /// A tile's entry; of a tile that holds nothing, one that has no cells.
    #[inline]
    pub fn look(&self, key: TileKey) -> Entry {
        self.reader().look(key)
    }

    #[inline]
    pub fn entry(&self, place: Place) -> Entry {
        self.lines[place.line as usize].entry(place.way as usize % WAYS)
    }

    /// Marks a cell of a tile as holding something.
    #[inline]
    pub fn mark(&mut self, place: Place, cell: u32) {
        self.lines[place.line as usize].cells[place.way as usize % WAYS] |= cell;
    }

    /// Marks a cell as empty; the cells that are left.
    #[inline]
    pub fn unmark(&mut self, place: Place, cell: u32) -> u32 {
        let cells = &mut self.lines[place.line as usize].cells[place.way as usize % WAYS];
        *cells &= !cell;
        *cells
    }

    /// Enters a tile that is not in the table.
    pub fn insert(&mut self, entry: Entry) {
        if (self.len + 1) * 8 > self.room() * 5 {
            self.resize(self.bits + 1);
        }
        debug_assert!(self.find(entry.key).is_none());
        let mut at = self.home(entry.key);
        while self.lines[at].places_of(TileKey::NONE) == 0 {
            at = (at + 1) & (self.lines.len() - 1);
        }
        let way = self.lines[at].places_of(TileKey::NONE).trailing_zeros() as usize;
        self.lines[at].set(way, entry);
        self.len += 1;
    }

    /// Takes a tile out. Where its line was full, entries that ran over it may stand in later lines: the first
    /// that finds its way through the hole moves into it, and leaves a hole itself.
    pub fn remove(&mut self, place: Place) {
        let wrap = self.lines.len() - 1;
        let (mut hole, mut way) = (place.line as usize, place.way as usize);
        let mut full = self.lines[hole].places_of(TileKey::NONE) == 0;
        let mut at = hole;
        while full {
            at = (at + 1) & wrap;
            let line = self.lines[at];
            let passed = |way: &usize| {
                let key = TileKey(line.key[*way]);
                let from_home = at.wrapping_sub(self.home(key)) & wrap;
                key != TileKey::NONE && from_home >= at.wrapping_sub(hole) & wrap
            };
            full = line.places_of(TileKey::NONE) == 0;
            if let Some(moved) = (0..WAYS).find(passed) {
                self.lines[hole].set(way, line.entry(moved));
                (hole, way) = (at, moved);
            }
        }
        self.lines[hole].set(way, VACANT.entry(0));
        self.len -= 1;
        if self.bits > BITS_MIN && self.len * 8 < self.room() {
            self.resize(self.bits - 1);
        }
    }

    /// The one place where the table's memory changes.
    fn resize(&mut self, bits: u32) {
        let old = std::mem::replace(self, Self::with_bits(bits));
        for entry in old.iter() {
            self.insert(entry);
        }
    }
}

/// A table that does not change.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'t> {
    lines: &'t [Line],
    shift: u32,
}

impl Reader<'_> {
    #[inline(always)]
    fn home(&self, key: TileKey) -> usize {
        home(key, self.shift)
    }

    #[inline(always)]
    fn line(&self, key: TileKey) -> *const Line {
        self.lines.as_ptr().wrapping_add(self.home(key))
    }

    /// Asks for the line of a tile.
    #[inline(always)]
    pub fn ask_for(&self, key: TileKey) {
        prefetch(self.line(key));
    }

    /// A tile's entry; of a tile that holds nothing, one that has no cells.
    #[inline(always)]
    pub fn look(&self, key: TileKey) -> Entry {
        let mut at = self.home(key);
        loop {
            let line = &self.lines[at];
            // A vacant place has no cells: it is the answer if the tile is not there. No branch, for nobody knows
            // which it will be. Two bits a place: those of the tile, then the vacant ones.
            let places = i16x8::from_i32x8_saturate(bytemuck::cast([line.equal(key), line.equal(TileKey::NONE)]));
            let places = bytemuck::cast::<_, i8x16>(places).to_bitmask();
            if places != 0 {
                let way = places.trailing_zeros() as usize / 2 % WAYS;
                return Entry { key, tile: line.tile[way], cells: line.cells[way] };
            }
            at = (at + 1) & (self.lines.len() - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn entry(tx: i32, ty: i32, tile: u32) -> Entry {
        Entry { key: TileKey::new(tx, ty), tile, cells: 1 }
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
                table.remove(table.find(new.key).unwrap());
            } else if growing && !model.contains_key(&new.key.0) {
                model.insert(new.key.0, step);
                table.insert(new);
            }
            let found = table.find(new.key).map(|place| table.entry(place).tile);
            assert_eq!(found, model.get(&new.key.0).copied());
            assert_eq!(table.look(new.key).cells, u32::from(found.is_some()));
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
            table.remove(table.find(TileKey::new(k, k / 3)).unwrap());
        }
        assert!(table.bytes() * 100 < full);
    }
}
