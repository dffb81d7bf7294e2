//! Who stands in which tile, at a glance: a flat map of all tiles between the outermost ones.
//!
//! Nineteen probes in twenty of a thin arena end at an empty tile or at the head's own. The table could tell, at
//! the price of a hash, a line of its own for each tile and two comparisons of four keys; here neighbours share a line, and
//! sixteen answers are one gathering load. The map repeats what the table says, for those who only read: what comes and
//! goes is looked up in the table.

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

/// A map that wraps around along both axes, wide enough that no two occupied tiles share a place.
pub(crate) struct Glance {
    /// [`NOBODY`], an owner plus one, or [`MIXED`].
    seen: Vec<u32>,
    /// The number of the tile, if there is one.
    tile: Vec<u32>,
    /// Powers of two: columns of the map, and places of a column.
    bits: [u32; 2],
    /// Lowest and highest halves of the keys that were noted since the map was made.
    low: [u32; 2],
    high: [u32; 2],
}

impl Default for Glance {
    fn default() -> Self {
        Self::with_bits([BITS_MIN; 2])
    }
}

/// Both halves of a key.
#[inline(always)]
fn halves(key: TileKey) -> [u32; 2] {
    [key.0 >> 16, key.0 & 0xFFFF]
}

impl Glance {
    fn with_bits(bits: [u32; 2]) -> Self {
        let tiles = 1 << (bits[0] + bits[1]);
        Self { seen: vec![NOBODY; tiles], tile: vec![0; tiles], bits, low: [u32::MAX; 2], high: [0; 2] }
    }

    pub fn bytes(&self) -> usize {
        (self.seen.capacity() + self.tile.capacity()) * size_of::<u32>()
    }

    #[inline(always)]
    fn place(&self, key: TileKey) -> usize {
        self.reader().place(key)
    }

    /// The map, to be asked often.
    #[inline(always)]
    pub fn reader(&self) -> Reader<'_> {
        let Self { seen, tile, bits, low, high } = self;
        Reader { seen, tile, masks: bits.map(|bits| (1 << bits) - 1), low: *low, high: *high }
    }

    /// Notes that this owner has a part in the tile of this number.
    #[inline]
    pub fn note(&mut self, key: TileKey, tile: u32, owner: u32) {
        let at = halves(key);
        if (0..2).any(|axis| at[axis] < self.low[axis] || self.high[axis] < at[axis]) {
            self.widen(at);
        }
        let place = self.place(key);
        self.tile[place] = tile;
        let seen = &mut self.seen[place];
        *seen = if *seen == NOBODY || *seen == owner + 1 { owner + 1 } else { MIXED };
    }

    /// Notes that a tile is empty.
    #[inline]
    pub fn forget(&mut self, key: TileKey) {
        let place = self.place(key);
        self.seen[place] = NOBODY;
    }

    /// For checks: whether this is the tile's number, and this owner has a part in it.
    pub fn is_noted(&self, key: TileKey, tile: u32, owner: u32) -> bool {
        let place = self.place(key);
        self.tile[place] == tile && (self.seen[place] == owner + 1 || self.seen[place] == MIXED)
    }

    /// For checks: in how many tiles somebody is.
    pub fn occupied(&self) -> usize {
        self.seen.iter().filter(|&&seen| seen != NOBODY).count()
    }

    /// Makes a tile lie between the outermost ones.
    #[cold]
    fn widen(&mut self, at: [u32; 2]) {
        let old = (self.low, self.high);
        self.include(at);
        if (0..2).any(|axis| self.high[axis] - self.low[axis] >= 1 << self.bits[axis]) {
            self.rebuild(old);
        }
    }

    fn include(&mut self, at: [u32; 2]) {
        for (axis, at) in at.into_iter().enumerate() {
            self.low[axis] = self.low[axis].min(at);
            self.high[axis] = self.high[axis].max(at);
        }
    }

    /// The one place where the map's memory changes: twice as wide at least along the axis on which it was too narrow, so
    /// that it comes here seven times an axis at most. The lattice is 2^11 tiles wide, so it ends at 32 MB.
    fn rebuild(&mut self, (low, high): ([u32; 2], [u32; 2])) {
        let keys = (low[0]..=high[0]).flat_map(|x| (low[1]..=high[1]).map(move |y| TileKey(x << 16 | y)));
        let bits = [0, 1].map(|axis| {
            let needed = (self.high[axis] - self.low[axis] + 1).next_power_of_two().trailing_zeros();
            needed.max(self.bits[axis]).min(BITS_MAX)
        });
        let wider = Self { low: self.low, high: self.high, ..Self::with_bits(bits) };
        let old = std::mem::replace(self, wider);
        for (key, from) in keys.map(|key| (key, old.place(key))).filter(|&(_, place)| old.seen[place] != NOBODY) {
            let to = self.place(key);
            (self.seen[to], self.tile[to]) = (old.seen[from], old.tile[from]);
        }
    }
}

/// A map that does not change.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'g> {
    seen: &'g [u32],
    tile: &'g [u32],
    /// What counts of both halves of a key.
    masks: [u32; 2],
    low: [u32; 2],
    high: [u32; 2],
}

impl Reader<'_> {
    #[inline(always)]
    fn place(&self, key: TileKey) -> usize {
        let ([x, y], [columns, places]) = (halves(key), self.masks);
        ((x & columns) * (places + 1) + (y & places)) as usize
    }

    /// Asks for the words of a tile.
    #[inline(always)]
    pub fn ask_for(&self, key: TileKey) {
        let place = self.place(key);
        prefetch(self.seen.as_ptr().wrapping_add(place));
        prefetch(self.tile.as_ptr().wrapping_add(place));
    }

    /// Asks who is in these tiles, if the map is a large one.
    #[inline(always)]
    pub fn ask_for_owners(&self, keys: &[i32]) {
        if self.seen.len() > WORDS_NEAR {
            keys.iter().for_each(|&key| prefetch(self.seen.as_ptr().wrapping_add(self.place(TileKey(key as u32)))));
        }
    }

    /// Asks for the numbers of the tiles at these places, if the map is a large one.
    #[inline(always)]
    pub fn ask_for_tiles(&self, places: &[i32]) {
        if self.tile.len() > WORDS_NEAR {
            places.iter().for_each(|&place| prefetch(self.tile.as_ptr().wrapping_add(place as usize)));
        }
    }

    /// The places of sixteen tiles, and in which of them somebody else than these owners may have a part.
    #[inline(always)]
    pub fn others_of<V: Vector>(&self, keys: V::I, owners: V::I) -> (V::I, u16) {
        let splat = |value: u32| V::splat(value as i32);
        let [columns, places] = self.masks;
        let (x, y) = (V::shift_right::<16>(keys), V::and(keys, V::splat(0xFFFF)));
        let [low_x, low_y] = self.low.map(splat);
        let [high_x, high_y] = self.high.map(splat);
        let beyond = V::less(x, low_x) | V::less(high_x, x) | V::less(y, low_y) | V::less(high_y, y);
        let place = V::add(V::mul(V::and(x, splat(columns)), splat(places + 1)), V::and(y, splat(places)));
        let seen = V::look_up(self.seen, place);
        (place, !(beyond | V::equal(seen, splat(NOBODY)) | V::equal(seen, V::add(owners, splat(1)))))
    }

    /// The numbers of the tiles at sixteen places.
    #[inline(always)]
    pub fn tiles_at<V: Vector>(&self, places: V::I) -> V::I {
        V::look_up(self.tile, places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Kernel, Level};
    use std::collections::BTreeMap;

    /// Who else is in sixteen tiles, and the numbers of those tiles.
    struct Ask<'g>(Reader<'g>, [i32; 16], [i32; 16]);

    impl Kernel for Ask<'_> {
        type Out = (u16, [i32; 16]);

        #[inline(always)]
        fn run<V: Vector>(self) -> (u16, [i32; 16]) {
            let (places, others) = self.0.others_of::<V>(V::load(&self.1), V::load(&self.2));
            let mut tiles = [0; 16];
            V::store(self.0.tiles_at::<V>(places), &mut tiles);
            (others, tiles)
        }
    }

    #[test]
    fn a_glance_at_any_tile_of_the_lattice_tells_who_is_there() {
        let mut glance = Glance::default();
        let mut model: BTreeMap<u32, (u32, Vec<u32>)> = BTreeMap::new();
        let mut seed = 5_u32;
        let mut next = |span: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % span
        };
        for step in 0..20_000 {
            // First a corner of the lattice, at last all of it.
            let span = if step < 10_000 { 40 } else { 2_048 };
            let mut any = |span: u32, from: i32| TileKey::new(next(span) as i32 - from, next(span) as i32 - from);
            let (key, mut keys) = (any(span, 1_024), [0; 16].map(|_| any(2_200, 1_100)));
            if step % 3 == 2 {
                if let Some((&old, _)) = model.range(key.0..).next() {
                    model.remove(&old);
                    glance.forget(TileKey(old));
                }
            } else {
                let owner = next(3);
                let (tile, owners) = model.entry(key.0).or_insert((step, Vec::new()));
                owners.push(owner);
                glance.note(key, *tile, owner);
            }
            keys[0] = key;
            if let Some((&near, _)) = model.range(key.0..).next() {
                keys[1] = TileKey(near);
            }
            let owners = [0; 16].map(|_| next(3) as i32);
            for level in Level::ALL.into_iter().filter(|level| level.is_here()) {
                let (others, tiles) = level.call(Ask(glance.reader(), keys.map(|key| key.0 as i32), owners));
                for (k, key) in keys.iter().enumerate() {
                    let there = model.get(&key.0).filter(|(_, all)| all.iter().any(|&owner| owner != owners[k] as u32));
                    assert_eq!(others >> k & 1 == 1, there.is_some());
                    assert!(there.is_none_or(|&(tile, _)| tile == tiles[k] as u32));
                }
            }
        }
        assert!(glance.bytes() <= 32 << 20);
    }
}
