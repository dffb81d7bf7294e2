//! A flat open-addressed table from cells to chains of blocks.
//!
//! Linear probing over entries of 16 bytes, four to a cache line; removal shifts later entries back, so
//! there are no tombstones and the table does not age. It doubles beyond 5/8 full: an unsuccessful look-up,
//! the common one in a sparse arena, then reads 1.9 entries on average, nearly always one line. It halves
//! below 1/8, so that memory follows the living.

use super::cell::Cell;
use bytemuck::{Pod, Zeroable};

/// One cell that holds something.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Entry {
    pub cell: Cell,
    /// First block of the cell's chain.
    pub block: u32,
    /// Who owns every lane of the cell, or [`MIXED`]. A head passes over its own cells without reading on.
    pub owner: u32,
    _pad: u32,
}

/// More than one owner, now or since the cell was last empty.
pub(crate) const MIXED: u32 = u32::MAX;

const VACANT: Entry = Entry { cell: Cell::NONE, block: 0, owner: 0, _pad: 0 };

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

    /// Every cell that holds something, in table order.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.cell != Cell::NONE)
    }

    /// Where the probe for a cell starts: the high bits of a multiplicative hash.
    #[inline]
    fn home(&self, cell: Cell) -> usize {
        (cell.0.wrapping_mul(0x9E37_79B1) >> (32 - self.bits)) as usize
    }

    /// The index of a cell's entry, or of the vacant one where it belongs.
    #[inline]
    fn probe(&self, cell: Cell) -> usize {
        let wrap = self.entries.len() - 1;
        let mut at = self.home(cell);
        while self.entries[at].cell != cell && self.entries[at].cell != Cell::NONE {
            at = (at + 1) & wrap;
        }
        at
    }

    #[inline]
    pub fn get(&self, cell: Cell) -> Option<&Entry> {
        let entry = &self.entries[self.probe(cell)];
        (entry.cell != Cell::NONE).then_some(entry)
    }

    #[inline]
    pub fn get_mut(&mut self, cell: Cell) -> Option<&mut Entry> {
        let at = self.probe(cell);
        let entry = &mut self.entries[at];
        (entry.cell != Cell::NONE).then_some(entry)
    }

    /// Enters a cell that is not in the table.
    pub fn insert(&mut self, cell: Cell, block: u32, owner: u32) {
        if (self.len + 1) * 8 > self.entries.len() * 5 {
            self.resize(self.bits + 1);
        }
        let at = self.probe(cell);
        debug_assert!(self.entries[at].cell == Cell::NONE);
        self.entries[at] = Entry { cell, block, owner, _pad: 0 };
        self.len += 1;
    }

    /// Takes a cell out and closes the hole: each entry after it that may stand nearer to its home moves up.
    pub fn remove(&mut self, cell: Cell) {
        let wrap = self.entries.len() - 1;
        let mut hole = self.probe(cell);
        debug_assert!(self.entries[hole].cell == cell);
        let mut at = (hole + 1) & wrap;
        while self.entries[at].cell != Cell::NONE {
            let home = self.home(self.entries[at].cell);
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
            self.insert(entry.cell, entry.block, entry.owner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_table_agrees_with_a_plain_map_through_growth_and_decay() {
        let mut table = Table::default();
        let mut model = BTreeMap::new();
        let mut seed = 1_u32;
        for step in 0..60_000_u32 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let cell = Cell::new((seed >> 8) as i32 % 40 - 20, (seed >> 20) as i32 % 40 - 20);
            let growing = (step / 10_000) % 2 == 0;
            if model.contains_key(&cell.0) && (!growing || seed & 1 == 0) {
                model.remove(&cell.0);
                table.remove(cell);
            } else if growing && !model.contains_key(&cell.0) {
                model.insert(cell.0, step);
                table.insert(cell, step, 7);
            }
            assert_eq!(table.get(cell).map(|e| e.block), model.get(&cell.0).copied());
            assert_eq!(table.len(), model.len());
        }
        for (&key, &block) in &model {
            assert_eq!(table.get(Cell(key)).unwrap().block, block);
        }
    }

    #[test]
    fn an_emptied_table_gives_its_memory_back() {
        let mut table = Table::default();
        for k in 0..10_000 {
            table.insert(Cell::new(k, k / 3), 0, 0);
        }
        let full = table.bytes();
        for k in 0..10_000 {
            table.remove(Cell::new(k, k / 3));
        }
        assert!(table.bytes() * 100 < full);
    }
}
