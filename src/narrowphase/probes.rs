//! The first pass: the ways of a few heads, and the tiles and cells that each reaches.

use super::columns::{append, make_room, sixteen, sixteen_mut};
use super::stage::Approach;
use crate::broadphase::{CellRect, Grid, LAST, TileKey};
use crate::lanes::{Kernel, Vector, first_lanes};
use crate::world::heads::{Heads, flag};
use std::ops::Range;

/// Heads a pass: what the lists hold of them stays in the first-level cache.
pub(super) const PASS: usize = 128;

/// The ways of the heads of a pass, each at the place of its row modulo [`PASS`]; places beyond the last head are
/// nobody's.
pub(super) struct Ways {
    /// Row of the first.
    first: usize,
    x0: [i32; PASS],
    y0: [i32; PASS],
    x1: [i32; PASS],
    y1: [i32; PASS],
    radius: [i32; PASS],
    /// Twice the way.
    ux: [i32; PASS],
    uy: [i32; PASS],
    /// Extent of the way plus twice the largest kill distance, cut to 16 bits: x in the lower half.
    reach: [i32; PASS],
    /// Sixteen heads a word: who can die.
    mortal: [u16; PASS / 16],
}

impl Default for Ways {
    fn default() -> Self {
        let [x0, y0, x1, y1, radius, ux, uy, reach] = [[0; PASS]; 8];
        Self { first: 0, x0, y0, x1, y1, radius, ux, uy, reach, mortal: [0; PASS / 16] }
    }
}

/// Tiles that the reaches of heads touch.
#[derive(Default)]
pub(super) struct Probes {
    len: usize,
    key: Vec<i32>,
    /// Which cells of the tile.
    cells: Vec<i32>,
    /// Row of the head.
    head: Vec<i32>,
    /// Of those that are left: the number of the tile.
    tile: Vec<i32>,
}

/// Takes the ways of these rows.
pub(super) fn load_ways(heads: &Heads, rows: Range<usize>, ways: &mut Ways) {
    let len = rows.len();
    debug_assert!(rows.start.is_multiple_of(PASS));
    ways.first = rows.start;
    ways.x0[..len].copy_from_slice(&heads.x0[rows.clone()]);
    ways.y0[..len].copy_from_slice(&heads.y0[rows.clone()]);
    ways.x1[..len].copy_from_slice(&heads.x[rows.clone()]);
    ways.y1[..len].copy_from_slice(&heads.y[rows.clone()]);
    ways.radius[..len].copy_from_slice(&heads.radius[rows.clone()]);
    let mut flags = [0; PASS];
    flags[..len].copy_from_slice(&heads.flags[rows]);
    for (mortal, flags) in ways.mortal.iter_mut().zip(flags.as_chunks::<16>().0) {
        *mortal = flag::which(*flags, flag::ALIVE | flag::SHIELD, flag::ALIVE);
    }
}

impl Ways {
    /// Of a head's way: the sum of its ends, and its extent plus twice the largest kill distance.
    #[inline(always)]
    pub fn sum_and_reach(&self, head: u32) -> ([i32; 2], i32) {
        let k = head as usize % PASS;
        ([self.x0[k] + self.x1[k], self.y0[k] + self.y1[k]], self.reach[k])
    }

    /// A head's way towards a cell with this corner, doubled.
    #[inline(always)]
    pub fn approach<'w>(&'w self, head: &'w i32, corner: [i32; 2]) -> Approach<'w> {
        let k = *head as usize % PASS;
        Approach {
            head,
            corner: [corner[0] - 2 * self.x0[k], corner[1] - 2 * self.y0[k]],
            way: [&self.ux[k], &self.uy[k]],
            radius: &self.radius[k],
        }
    }
}

/// The tiles that the reach of each head touches: one, two, or four in a square.
pub(super) struct FindProbes<'s> {
    pub grid: &'s Grid,
    pub kill_max: i32,
    pub ways: &'s mut Ways,
    pub probes: &'s mut Probes,
}

impl Kernel for FindProbes<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { grid, kill_max, ways, probes } = self;
        let (kill_max, overhang) = (V::splat(kill_max), V::splat(grid.overhang()));
        let (right, upper) = (V::splat(1 << 16), V::splat(1));
        probes.len = 0;
        for block in (0..PASS / 16).filter(|&block| ways.mortal[block] != 0) {
            let (mortal, at) = (ways.mortal[block], 16 * block);
            probes.make_room(probes.len + 5 * 16);
            let kill = V::add(V::load(sixteen(&ways.radius, at)), kill_max);
            let x = sorted::<V>(sixteen(&ways.x0, at), sixteen(&ways.x1, at));
            let y = sorted::<V>(sixteen(&ways.y0, at), sixteen(&ways.y1, at));
            for (from, to, twice) in [(&ways.x0, &ways.x1, &mut ways.ux), (&ways.y0, &ways.y1, &mut ways.uy)] {
                let way = V::sub(V::load(sixteen(to, at)), V::load(sixteen(from, at)));
                V::store(V::add(way, way), sixteen_mut(twice, at));
            }
            let [reach_x, reach_y] = [x, y].map(|ends| reach::<V>(ends, kill));
            V::store(V::pair(reach_x, reach_y), sixteen_mut(&mut ways.reach, at));
            let kill = V::add(kill, overhang);
            let [(x0, x1), (y0, y1)] = [x, y].map(|ends| covered::<V>(ends, kill, grid));
            let (tx, ty) = (V::shift_right::<2>(x0), V::shift_right::<2>(y0));
            let (tx1, ty1) = (V::shift_right::<2>(x1), V::shift_right::<2>(y1));
            let (two_x, two_y) = (V::less(tx, tx1) & mortal, V::less(ty, ty1) & mortal);
            let wide = V::less(V::add(tx, upper), tx1) & mortal | V::less(V::add(ty, upper), ty1) & mortal;

            let columns = columns::<V>(x0, x1);
            let [rows, rows_above] = rows::<V>(y0, y1);
            let key = V::add(V::add(V::mul(tx, right), ty), V::splat(TileKey::new(0, 0).0 as i32));
            let heads = V::count_from((ways.first + at) as i32);
            probes.add::<V>(mortal & !wide, key, V::and(columns[0], rows), heads);
            probes.add::<V>(two_x & !wide, V::add(key, right), V::and(columns[1], rows), heads);
            probes.add::<V>(two_y & !wide, V::add(key, upper), V::and(columns[0], rows_above), heads);
            let corner = V::add(V::add(key, right), upper);
            probes.add::<V>(two_x & two_y & !wide, corner, V::and(columns[1], rows_above), heads);
            if wide != 0 {
                let [mut low, mut high] = [[[0; 16]; 2]; 2];
                V::store(x0, &mut low[0]);
                V::store(y0, &mut low[1]);
                V::store(x1, &mut high[0]);
                V::store(y1, &mut high[1]);
                probes.add_wide(grid, wide, ways.first + at, low, high);
            }
        }
    }
}

/// Leaves of the probes those of cells in which others have a part, and finds their tiles.
pub(super) struct FindTiles<'s> {
    pub grid: &'s Grid,
    pub probes: &'s mut Probes,
}

impl Kernel for FindTiles<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { grid, probes: Probes { len, key, cells, head, tile } } = self;
        let (glance, tiles) = (grid.glance.reader(), &grid.tiles.all[..]);
        make_room([&mut *key, &mut *cells, &mut *head, &mut *tile], *len + 16);
        glance.ask_for_owners(&key[..*len]);
        let mut kept = 0;
        for at in (0..*len).step_by(16) {
            let [keys, reached, heads] = [&*key, &*cells, &*head].map(|column| V::load(sixteen(column, at)));
            let (places, others) = glance.others_of::<V>(keys, heads);
            let keep = others & first_lanes(*len - at);
            append::<V, 4>([keys, reached, heads, places], keep, [&mut *key, cells, head, tile], &mut kept);
        }
        glance.ask_for_tiles(&tile[..kept]);
        for at in (0..kept).step_by(16) {
            let places = V::pick(first_lanes(kept - at), V::load(sixteen(tile, at)), V::splat(0));
            V::store(glance.tiles_at::<V>(places), sixteen_mut(tile, at));
        }
        tile[..kept].iter().for_each(|&tile| grid.tiles.ask_for(tile as u32));
        for ((cells, &head), &tile) in cells[..kept].iter_mut().zip(&head[..kept]).zip(&tile[..kept]) {
            let tile = &tiles[tile as u32 as usize];
            let own = V::equal(V::load(bytemuck::cast_ref(&tile.owner)), V::splat(head));
            let empty = V::equal(V::load(bytemuck::cast_ref(&tile.first)), V::splat(LAST as i32));
            *cells = (*cells as u16 & !(own | empty)).into();
        }
        *len = 0;
        for at in (0..kept).step_by(16) {
            let all = [&*key, &*cells, &*head, &*tile].map(|column| V::load(sixteen(column, at)));
            let keep = first_lanes(kept - at) & !V::equal(all[1], V::splat(0));
            append::<V, 4>(all, keep, [&mut *key, cells, head, tile], len);
        }
    }
}

/// The cells `x0..=x1` of two neighbouring tiles, the first of which holds `x0`: bits of four rows each.
#[inline(always)]
fn columns<V: Vector>(x0: V::I, x1: V::I) -> [V::I; 2] {
    let first = V::and(x0, V::splat(3));
    let after = V::add(V::sub(x1, x0), V::add(first, V::splat(1)));
    let columns = V::sub(V::power(after), V::power(first));
    let row = V::splat(0x1111);
    [V::mul(V::and(columns, V::splat(0xF)), row), V::mul(V::shift_right::<4>(columns), row)]
}

/// The rows `y0..=y1` of two tiles, one above the other; the upper bits of a word do not matter.
#[inline(always)]
fn rows<V: Vector>(y0: V::I, y1: V::I) -> [V::I; 2] {
    let four = V::splat(4);
    let first = V::and(y0, V::splat(3));
    let after = V::add(V::sub(y1, y0), V::add(first, V::splat(1)));
    let rows = V::sub(V::power(V::mul(after, four)), V::power(V::mul(first, four)));
    [rows, V::shift_right::<16>(rows)]
}

/// The lower and the higher ends of sixteen ways along an axis.
#[inline(always)]
fn sorted<V: Vector>(a: &[i32; 16], b: &[i32; 16]) -> (V::I, V::I) {
    let (a, b) = (V::load(a), V::load(b));
    (V::min(a, b), V::max(a, b))
}

/// How far sixteen ways extend along an axis, plus twice the kill distance; cut to 16 bits.
#[inline(always)]
fn reach<V: Vector>((low, high): (V::I, V::I), kill: V::I) -> V::I {
    V::min(V::add(V::sub(high, low), V::add(kill, kill)), V::splat(i32::from(i16::MAX)))
}

/// The first and the last cell along an axis that sixteen ways reach.
#[inline(always)]
fn covered<V: Vector>((low, high): (V::I, V::I), reach: V::I, grid: &Grid) -> (V::I, V::I) {
    let (low, high) = (V::sub(low, reach), V::add(high, reach));
    if grid.shift() == 12 {
        (V::shift_right::<12>(low), V::shift_right::<12>(high))
    } else {
        (V::shift_right::<13>(low), V::shift_right::<13>(high))
    }
}

impl Probes {
    pub fn len(&self) -> usize {
        self.len
    }

    /// Keys, cells, heads and tiles.
    #[inline(always)]
    pub fn all(&self) -> [&[i32]; 4] {
        [&self.key, &self.cells, &self.head, &self.tile].map(|column| &column[..self.len])
    }

    #[inline(always)]
    fn make_room(&mut self, places: usize) {
        make_room([&mut self.key, &mut self.cells, &mut self.head, &mut self.tile], places);
    }

    /// Adds the probes of a mask. There is room.
    #[inline(always)]
    fn add<V: Vector>(&mut self, mask: u16, key: V::I, cells: V::I, heads: V::I) {
        let columns: [&mut [i32]; 3] = [&mut self.key, &mut self.cells, &mut self.head];
        append::<V, 3>([key, cells, heads], mask, columns, &mut self.len);
    }

    /// Heads whose reach touches more than two tiles along an axis, one by one. One that reaches many more tiles than there
    /// are goes through those instead.
    #[cold]
    fn add_wide(&mut self, grid: &Grid, wide: u16, first: usize, low: [[i32; 16]; 2], high: [[i32; 16]; 2]) {
        for k in (0..16).filter(|k| wide & 1 << k != 0) {
            let cells = CellRect { x0: low[0][k], y0: low[1][k], x1: high[0][k], y1: high[1][k] };
            let (tiles, head) = (cells.tiles(), (first + k) as i32);
            if tiles.count() > 4 * grid.tiles() as u64 + 16 {
                grid.table.iter().for_each(|entry| self.add_one(entry.key, cells, head));
                continue;
            }
            for key in (tiles.y0..=tiles.y1).flat_map(|ty| (tiles.x0..=tiles.x1).map(move |tx| TileKey::new(tx, ty))) {
                self.add_one(key, cells, head);
            }
        }
    }

    fn add_one(&mut self, key: TileKey, reach: CellRect, head: i32) {
        let cells = reach.cells_of_tile(key.corner());
        if cells != 0 {
            self.make_room(self.len + 16);
            (self.key[self.len], self.cells[self.len], self.head[self.len]) = (key.0 as i32, cells as i32, head);
            self.len += 1;
        }
    }
}
