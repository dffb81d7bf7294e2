//! Who stands in which tile, at a glance: one word a tile, in a flat map of all tiles between the outermost ones.
//!
//! Nineteen probes in twenty of a thin arena end at an empty tile or at the head's own. The table could tell, at
//! the price of a hash, a line of its own for each tile and two comparisons of four keys; here neighbours share a line, and
//! the answer is one load. It is an answer about tiles alone: what stands in them, the table knows.

use super::table::TileKey;
use crate::lanes::{Vector, prefetch};
use crate::limits::COORD_MAX;

/// More than one owner, now or since the place was last empty.
pub(crate) const MIXED: u32 = u32::MAX;

/// Nobody; zero, so that the map of a wide arena is memory that nobody has touched yet.
const NOBODY: u32 = 0;

/// A map of so many words (256 KB) is in the second-level cache anyhow.
const WORDS_NEAR: usize = 1 << 16;

/// Tiles an axis of the smallest map, as a power of two, and of the lattice.
const BITS_MIN: u32 = 4;
const BITS_MAX: u32 = 11;

const _: () = assert!(COORD_MAX >> 14 < 1 << (BITS_MAX - 1), "a tile is at least 2^14 quanta wide");

/// A map that wraps around along both axes, wide enough that no two occupied tiles share a place. So a tile beyond the
/// outermost ones reads as some other: what that says is either that nobody else is there, which is true, or that the
/// table is to be asked.
pub(crate) struct Glance {
    /// [`NOBODY`], an owner plus one, or [`MIXED`].
    seen: Vec<u32>,
    /// Powers of two: columns of the map, and places of a column.
    bits: [u32; 2],
    /// Lowest and highest halves of the keys that were noted since the map was made.
    low: [u32; 2],
    high: [u32; 2],
}

impl Default for Glance {
    fn default() -> Self {
        Self { seen: vec![NOBODY; 1 << (2 * BITS_MIN)], bits: [BITS_MIN; 2], low: [u32::MAX; 2], high: [0; 2] }
    }
}

/// Both halves of a key.
#[inline(always)]
fn halves(key: TileKey) -> [u32; 2] {
    [key.0 >> 16, key.0 & 0xFFFF]
}

impl Glance {
    pub fn bytes(&self) -> usize {
        self.seen.capacity() * size_of::<u32>()
    }

    #[inline(always)]
    fn place(&self, key: TileKey) -> usize {
        self.reader().place(key)
    }

    /// The map, to be asked often.
    #[inline(always)]
    pub fn reader(&self) -> Reader<'_> {
        Reader { seen: &self.seen, masks: self.bits.map(|bits| (1 << bits) - 1) }
    }

    /// Notes that this owner has a part in a tile.
    #[inline]
    pub fn note(&mut self, key: TileKey, owner: u32) {
        let at = halves(key);
        if (0..2).any(|axis| at[axis] < self.low[axis] || self.high[axis] < at[axis]) {
            self.widen(at);
        }
        let place = self.place(key);
        let seen = &mut self.seen[place];
        *seen = if *seen == NOBODY || *seen == owner + 1 { owner + 1 } else { MIXED };
    }

    /// Notes that a tile is empty.
    #[inline]
    pub fn forget(&mut self, key: TileKey) {
        let place = self.place(key);
        self.seen[place] = NOBODY;
    }

    /// Makes a tile lie between the outermost ones.
    #[cold]
    fn widen(&mut self, at: [u32; 2]) {
        let old = (self.low, self.high);
        self.include(at);
        if (0..2).any(|axis| self.high[axis] - self.low[axis] >= 1 << self.bits[axis]) {
            self.rebuild(old, at);
        }
    }

    fn include(&mut self, at: [u32; 2]) {
        for axis in 0..2 {
            self.low[axis] = self.low[axis].min(at[axis]);
            self.high[axis] = self.high[axis].max(at[axis]);
        }
    }

    /// The one place where the map's memory changes: a map for one tile more than those that are still occupied, and a
    /// quarter wider than it must be, so that a crowd that moves on does not come here at every step. The lattice
    /// is 2^11 tiles wide, so it ends at 16 MB.
    fn rebuild(&mut self, (low, high): ([u32; 2], [u32; 2]), at: [u32; 2]) {
        let old = std::mem::take(self);
        let keys = (low[0]..=high[0]).flat_map(|x| (low[1]..=high[1]).map(move |y| TileKey(x << 16 | y)));
        let seen = keys.map(|key| (key, old.seen[old.place(key)])).filter(|&(_, seen)| seen != NOBODY);
        self.include(at);
        seen.clone().for_each(|(key, _)| self.include(halves(key)));
        self.bits = [0, 1].map(|axis| {
            let tiles = self.high[axis] - self.low[axis] + 1;
            (tiles + tiles / 4).next_power_of_two().trailing_zeros().clamp(BITS_MIN, BITS_MAX)
        });
        self.seen = vec![NOBODY; 1 << (self.bits[0] + self.bits[1])];
        for (key, seen) in seen {
            let place = self.place(key);
            self.seen[place] = seen;
        }
    }
}

/// A map that does not change.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'g> {
    seen: &'g [u32],
    /// What counts of both halves of a key.
    masks: [u32; 2],
}

impl Reader<'_> {
    #[inline(always)]
    fn place(&self, key: TileKey) -> usize {
        let ([x, y], [columns, places]) = (halves(key), self.masks);
        ((x & columns) * (places + 1) + (y & places)) as usize
    }

    /// Asks for the word of a tile.
    #[inline(always)]
    pub fn ask_for(&self, key: TileKey) {
        prefetch(self.seen.as_ptr().wrapping_add(self.place(key)));
    }

    /// Whether somebody else than this owner may have a part in a tile. Any number will do.
    #[inline]
    pub fn others(&self, key: TileKey, owner: u32) -> bool {
        let seen = self.seen[self.place(key)];
        seen == MIXED || (seen != NOBODY && seen != owner.wrapping_add(1))
    }

    /// Asks for the words of tiles, if the map is a large one.
    #[inline(always)]
    pub fn ask_for_all(&self, keys: &[i32]) {
        if self.seen.len() > WORDS_NEAR {
            keys.iter().for_each(|&key| self.ask_for(TileKey(key as u32)));
        }
    }

    /// The same of sixteen tiles and owners.
    #[inline(always)]
    pub fn others_of<V: Vector>(&self, keys: V::I, owners: V::I) -> u16 {
        let splat = |value: u32| V::splat(value as i32);
        let [columns, places] = self.masks;
        let column = V::mul(V::and(V::shift_right::<16>(keys), splat(columns)), splat(places + 1));
        let seen = V::look_up(self.seen, V::add(column, V::and(keys, splat(places))));
        !(V::equal(seen, splat(NOBODY)) | V::equal(seen, V::add(owners, splat(1))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_glance_at_any_tile_of_the_lattice_tells_who_is_there() {
        let mut glance = Glance::default();
        let mut model: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut seed = 5_u32;
        let mut next = |span: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % span
        };
        for step in 0..20_000 {
            // First a corner of the lattice, at last all of it.
            let span = if step < 10_000 { 40 } else { 2_048 };
            let key = TileKey::new(next(span) as i32 - 1_024, next(span) as i32 - 1_024);
            if step % 3 == 2 {
                if let Some((&old, _)) = model.range(key.0..).next() {
                    model.remove(&old);
                    glance.forget(TileKey(old));
                }
            } else {
                let owner = next(3);
                glance.note(key, owner);
                model.entry(key.0).or_default().push(owner);
            }
            let owner = next(3);
            let others = |key: TileKey| glance.reader().others(key, owner);
            let there = |key: TileKey| model.get(&key.0).is_some_and(|owners| owners.iter().any(|&o| o != owner));
            assert_eq!(others(key), there(key));
            let beyond = TileKey::new(next(2_200) as i32 - 1_100, next(2_200) as i32 - 1_100);
            assert!(others(beyond) || !there(beyond));
        }
        assert!(glance.bytes() <= 16 << 20);
        for (&key, owners) in &model {
            assert!(glance.reader().others(TileKey(key), 3));
            assert_eq!(glance.reader().others(TileKey(key), owners[0]), owners.iter().any(|&o| o != owners[0]));
        }
    }
}
