//! Flat passes over a few heads at a time: which tiles, which cells, which blocks, which lanes, which pairs.
//!
//! ```text
//!   heads --boxes--> probes --table--> open tiles --owners--> blocks --cull--> marks --compress--> pairs --> hits
//! ```
//! Each pass reads the list that the one before it wrote and asks for the memory that the next one will read.
//! A list grows by writing at its end and going on only if the entry counts: what depends on the scene is
//! arithmetic here and not a branch, for a mispredicted one costs as much as twenty lanes.

use super::kernel::cull;
use super::stage::{Approach, Stage};
use super::{Scene, Tally};
use crate::broadphase::{Cell, CellRect, Grid, LAST, Lane, TileKey};
use crate::lanes::Vector;
use crate::world::heads::flag;
use std::ops::Range;
use wide::u8x16;

/// Heads a pass: what the lists hold of them stays in the first-level cache.
pub(super) const PASS: usize = 64;

/// Blocks that are asked for ahead of the cull.
const AHEAD: usize = 8;

/// The lists between the passes; kept by each thread.
#[derive(Default)]
pub(super) struct Lists {
    ways: Ways,
    probes: Probes,
    open: Vec<OpenTile>,
    open_len: usize,
    visits: Visits,
    marks: Vec<Mark>,
    pub stage: Stage,
}

/// The ways of the heads of a pass; rows beyond the last head are nobody's.
struct Ways {
    /// Row of the first.
    first: usize,
    x0: [i32; PASS],
    y0: [i32; PASS],
    x1: [i32; PASS],
    y1: [i32; PASS],
    radius: [i32; PASS],
    /// Extent of the way plus twice the largest kill distance, cut to 16 bits.
    reach_x: [i32; PASS],
    reach_y: [i32; PASS],
    /// Sixteen heads a word: who can die.
    mortal: [u16; PASS / 16],
}

impl Default for Ways {
    fn default() -> Self {
        let [x0, y0, x1, y1, radius, reach_x, reach_y] = [[0; PASS]; 7];
        Self { first: 0, x0, y0, x1, y1, radius, reach_x, reach_y, mortal: [0; PASS / 16] }
    }
}

/// Parts of tiles that the reaches of heads cover.
#[derive(Default)]
struct Probes {
    len: usize,
    key: Vec<i32>,
    /// Bit k: cell k of the tile.
    cells: Vec<i32>,
    /// Which head of the pass.
    head: Vec<i32>,
}

/// A tile that holds something of others in the cells that a head asks for.
#[derive(Clone, Copy, Default)]
struct OpenTile {
    key: u32,
    tile: u32,
    head: u32,
    cells: u32,
}

/// Blocks to be culled for a head.
#[derive(Default)]
struct Visits {
    len: usize,
    block: Vec<i32>,
    head: Vec<i32>,
    /// Sum of the ends of the head's way, less twice the corner of the block's cell.
    sum_x: Vec<i32>,
    sum_y: Vec<i32>,
}

/// Lanes of a visit that passed the cull.
#[derive(Clone, Copy, Default)]
struct Mark {
    visit: u32,
    near: u32,
}

#[inline(always)]
fn sixteen(column: &[i32], at: usize) -> &[i32; 16] {
    column[at..].first_chunk().expect("the list has room")
}

#[inline(always)]
fn sixteen_mut(column: &mut [i32], at: usize) -> &mut [i32; 16] {
    column[at..].first_chunk_mut().expect("the list has room")
}

/// Lets a column have sixteen places from `len` on.
#[inline(always)]
fn make_room(columns: &mut [&mut Vec<i32>], len: usize) {
    for column in columns {
        if column.len() < len + 16 {
            column.resize(2 * len + 64, 0);
        }
    }
}

impl Scene<'_> {
    /// One grid's part in a pass: its lanes near the heads come to the stage, and from there to `hit`.
    #[inline(always)]
    pub(super) fn pass<V: Vector>(
        &self,
        grid: &Grid,
        kill_max: i32,
        heads: Range<usize>,
        lists: &mut Lists,
        tally: &mut Tally,
        hit: &mut impl FnMut(u32, &Lane),
    ) {
        self.load_ways(heads, &mut lists.ways);
        find_probes::<V>(grid, kill_max, &mut lists.ways, &mut lists.probes);
        find_open(grid, lists);
        find_visits::<V>(grid, lists);
        tally.tiles += lists.probes.len as u64;
        tally.cells += lists.visits.len as u64;
        let marks = find_marks::<V>(grid, lists);
        tally.blocks += lists.visits.len as u64;
        self.stage_pairs::<V>(grid, marks, lists, tally, hit);
    }

    #[inline(always)]
    fn load_ways(&self, heads: Range<usize>, ways: &mut Ways) {
        let len = heads.len();
        ways.first = heads.start;
        ways.x0[..len].copy_from_slice(&self.heads.x0[heads.clone()]);
        ways.y0[..len].copy_from_slice(&self.heads.y0[heads.clone()]);
        ways.x1[..len].copy_from_slice(&self.heads.x[heads.clone()]);
        ways.y1[..len].copy_from_slice(&self.heads.y[heads.clone()]);
        ways.radius[..len].copy_from_slice(&self.heads.radius[heads.clone()]);
        let mut flags = [0; PASS];
        flags[..len].copy_from_slice(&self.heads.flags[heads]);
        for (mortal, flags) in ways.mortal.iter_mut().zip(flags.as_chunks::<16>().0) {
            *mortal = mortal_of(*flags);
        }
    }

    #[inline(always)]
    fn stage_pairs<V: Vector>(
        &self,
        grid: &Grid,
        marks: usize,
        lists: &mut Lists,
        tally: &mut Tally,
        hit: &mut impl FnMut(u32, &Lane),
    ) {
        let Lists { ways, visits, stage, .. } = lists;
        for mark in &lists.marks[..marks] {
            let visit = mark.visit as usize;
            let k = visits.head[visit] as usize % PASS;
            let way = [ways.x1[k] - ways.x0[k], ways.y1[k] - ways.y0[k]];
            let corner = [way[0] - visits.sum_x[visit], way[1] - visits.sum_y[visit]];
            let approach = Approach { head: (ways.first + k) as u32, corner, way, radius: ways.radius[k] };
            stage.add::<V>(grid.block(visits.block[visit] as u32), mark.near as u8, &approach);
            tally.measured += u64::from(mark.near.count_ones());
            if stage.is_full() {
                tally.exact += stage.decide::<V>(self, false, &mut *hit);
            }
        }
    }
}

/// The parts of tiles that the reach of each head covers: one tile, two, or four in a square.
///
/// Within a tile the cells covered are columns times rows. With p = 2^k the columns from k on are 15 p, those up
/// to k 2 p - 1; rows likewise with 16^k, of four bits each.
#[inline(always)]
fn find_probes<V: Vector>(grid: &Grid, kill_max: i32, ways: &mut Ways, probes: &mut Probes) {
    let more = V::splat(kill_max + grid.overhang());
    let three = V::splat(3);
    probes.len = 0;
    for block in (0..PASS / 16).filter(|&block| ways.mortal[block] != 0) {
        let mortal = ways.mortal[block];
        let radius = V::load(sixteen(&ways.radius, 16 * block));
        let kill = V::add(radius, V::splat(kill_max));
        let (x0, x1) = ordered::<V>(sixteen(&ways.x0, 16 * block), sixteen(&ways.x1, 16 * block));
        let (y0, y1) = ordered::<V>(sixteen(&ways.y0, 16 * block), sixteen(&ways.y1, 16 * block));
        V::store(extent::<V>(x0, x1, kill), sixteen_mut(&mut ways.reach_x, 16 * block));
        V::store(extent::<V>(y0, y1, kill), sixteen_mut(&mut ways.reach_y, 16 * block));
        let reach = V::add(radius, more);
        let (x0, x1) = covered::<V>(x0, x1, reach, grid);
        let (y0, y1) = covered::<V>(y0, y1, reach, grid);
        let (tx, ty) = (V::shift_right::<2>(x0), V::shift_right::<2>(y0));
        let (tx1, ty1) = (V::shift_right::<2>(x1), V::shift_right::<2>(y1));
        let (next_x, next_y) = (V::add(tx, V::splat(1)), V::add(ty, V::splat(1)));
        let wide = (V::less(next_x, tx1) | V::less(next_y, ty1)) & mortal;
        let mortal = mortal & !wide;
        let (two_x, two_y) = (V::less(tx, tx1) & mortal, V::less(ty, ty1) & mortal);

        let four = V::splat(4);
        let up_to_x = power::<V>(V::min(V::sub(x1, V::mul(tx, four)), three));
        let up_to_y = fourth::<V>(power::<V>(V::min(V::sub(y1, V::mul(ty, four)), three)));
        let columns = V::and(V::mul(power::<V>(V::and(x0, three)), V::splat(15)), below::<V>(up_to_x, 2));
        let rows_from = V::mul(fourth::<V>(power::<V>(V::and(y0, three))), V::splat(0xFFFF));
        let rows = V::and(rows_from, below::<V>(up_to_y, 16));
        let right_columns = below::<V>(power::<V>(V::and(x1, three)), 2);
        let upper_rows = below::<V>(fourth::<V>(power::<V>(V::and(y1, three))), 16);
        let all_rows = V::splat(0x1111);
        let (columns, right_columns) = (V::mul(columns, all_rows), V::mul(right_columns, all_rows));

        let key = V::add(V::add(V::mul(tx, V::splat(1 << 16)), ty), V::splat(TileKey::new(0, 0).0 as i32));
        let heads = V::add(V::load(&NUMBERS), V::splat(16 * block as i32));
        let (right, upper) = (V::splat(1 << 16), V::splat(1));
        probes.add::<V>(mortal, key, V::and(columns, rows), heads);
        probes.add::<V>(two_x, V::add(key, right), V::and(right_columns, rows), heads);
        probes.add::<V>(two_y, V::add(key, upper), V::and(columns, upper_rows), heads);
        probes.add::<V>(two_x & two_y, V::add(V::add(key, right), upper), V::and(right_columns, upper_rows), heads);
        probes.add_wide::<V>(wide, block, [x0, y0, x1, y1]);
    }
    for &key in &probes.key[..probes.len] {
        grid.table.ask_for(TileKey(key as u32));
    }
}

/// The lower and the higher end along an axis of sixteen ways.
#[inline(always)]
fn ordered<V: Vector>(a: &[i32; 16], b: &[i32; 16]) -> (V::I, V::I) {
    let (a, b) = (V::load(a), V::load(b));
    (V::min(a, b), V::max(a, b))
}

/// Extent of a way plus twice a kill distance, cut to 16 bits.
#[inline(always)]
fn extent<V: Vector>(low: V::I, high: V::I, kill: V::I) -> V::I {
    V::min(V::add(V::sub(high, low), V::add(kill, kill)), V::splat(i32::from(i16::MAX)))
}

/// The first and the last cell within reach.
#[inline(always)]
fn covered<V: Vector>(low: V::I, high: V::I, reach: V::I, grid: &Grid) -> (V::I, V::I) {
    let (low, high) = (V::sub(low, reach), V::add(high, reach));
    if grid.shift() == 12 {
        (V::shift_right::<12>(low), V::shift_right::<12>(high))
    } else {
        (V::shift_right::<13>(low), V::shift_right::<13>(high))
    }
}

/// Which of sixteen heads can die.
#[inline(always)]
fn mortal_of(flags: [u8; 16]) -> u16 {
    let state = u8x16::from(flags) & u8x16::splat(flag::ALIVE | flag::SHIELD);
    state.simd_eq(u8x16::splat(flag::ALIVE)).to_bitmask() as u16
}

/// The places of a block.
const NUMBERS: [i32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// 2^k for k in 0..=3.
#[inline(always)]
fn power<V: Vector>(k: V::I) -> V::I {
    let (one, two) = (V::and(k, V::splat(1)), V::and(k, V::splat(2)));
    let by_two = V::add(V::add(two, V::shift_right::<1>(two)), V::splat(1));
    V::mul(V::add(one, V::splat(1)), by_two)
}

#[inline(always)]
fn fourth<V: Vector>(a: V::I) -> V::I {
    let square = V::mul(a, a);
    V::mul(square, square)
}

/// All bits below that of `a` times `unit`.
#[inline(always)]
fn below<V: Vector>(a: V::I, unit: i32) -> V::I {
    V::sub(V::mul(a, V::splat(unit)), V::splat(1))
}

impl Probes {
    #[inline(always)]
    fn add<V: Vector>(&mut self, mask: u16, key: V::I, cells: V::I, heads: V::I) {
        make_room(&mut [&mut self.key, &mut self.cells, &mut self.head], self.len);
        V::compress(key, mask, sixteen_mut(&mut self.key, self.len));
        V::compress(cells, mask, sixteen_mut(&mut self.cells, self.len));
        V::compress(heads, mask, sixteen_mut(&mut self.head, self.len));
        self.len += mask.count_ones() as usize;
    }

    /// Heads whose reach covers more than two tiles along an axis, one by one.
    #[inline(always)]
    fn add_wide<V: Vector>(&mut self, wide: u16, block: usize, corners: [V::I; 4]) {
        if wide == 0 {
            return;
        }
        let mut lanes = [[0; 16]; 4];
        for (lanes, corner) in lanes.iter_mut().zip(corners) {
            V::store(corner, lanes);
        }
        for lane in (0..16).filter(|lane| wide & 1 << lane != 0) {
            let [x0, y0, x1, y1] = lanes.map(|corner| corner[lane]);
            self.add_all(&CellRect { x0, y0, x1, y1 }, 16 * block + lane);
        }
    }

    #[cold]
    fn add_all(&mut self, cells: &CellRect, head: usize) {
        let tiles = cells.tiles();
        for ty in tiles.y0..=tiles.y1 {
            for tx in tiles.x0..=tiles.x1 {
                make_room(&mut [&mut self.key, &mut self.cells, &mut self.head], self.len);
                self.key[self.len] = TileKey::new(tx, ty).0 as i32;
                self.cells[self.len] = cells.cells_of_tile(tx, ty) as i32;
                self.head[self.len] = head as i32;
                self.len += 1;
            }
        }
    }
}

/// The tiles that hold something in the cells asked for and do not belong to the asking head.
#[inline(always)]
fn find_open(grid: &Grid, lists: &mut Lists) {
    let Lists { ways, probes, open, open_len, .. } = lists;
    if open.len() <= probes.len {
        open.resize(2 * probes.len + 64, OpenTile::default());
    }
    let (keys, cells, heads) = (&probes.key[..probes.len], &probes.cells[..probes.len], &probes.head[..probes.len]);
    let (mut len, first) = (0, ways.first as u32);
    for ((&key, &cells), &head) in keys.iter().zip(cells).zip(heads) {
        let entry = grid.table.look(TileKey(key as u32));
        let cells = entry.cells & cells as u32;
        open[len] = OpenTile { key: key as u32, tile: entry.tile, head: head as u32, cells };
        len += usize::from((cells != 0) & (entry.owner != first + head as u32));
    }
    *open_len = len;
    for tile in &open[..len] {
        grid.tiles.ask_for(tile.tile);
    }
}

/// The first blocks of the cells that others have a part in.
#[inline(always)]
fn find_visits<V: Vector>(grid: &Grid, lists: &mut Lists) {
    let Lists { ways, open, open_len, visits, .. } = lists;
    let bits = grid.shift() + 1;
    let steps_x = V::load(&NUMBERS.map(|number| (number & 3) << bits));
    let steps_y = V::load(&NUMBERS.map(|number| (number >> 2) << bits));
    visits.len = 0;
    for open in &open[..*open_len] {
        let tile = &grid.tiles.all[open.tile as usize];
        let k = open.head as usize % PASS;
        let own = V::equal(V::load(bytemuck::cast_ref(&tile.owner)), V::splat((ways.first + k) as i32));
        let corner = Cell(open.key);
        let sum_x = V::splat(ways.x0[k] + ways.x1[k] - (corner.x() << (bits + 2)));
        let sum_y = V::splat(ways.y0[k] + ways.y1[k] - (corner.y() << (bits + 2)));
        let first = V::load(bytemuck::cast_ref(&tile.first));
        visits.add::<V>(open.cells as u16 & !own, first, k, V::sub(sum_x, steps_x), V::sub(sum_y, steps_y));
    }
}

impl Visits {
    #[inline(always)]
    fn add<V: Vector>(&mut self, mask: u16, blocks: V::I, head: usize, sum_x: V::I, sum_y: V::I) {
        self.make_room();
        let at = self.len;
        V::compress(blocks, mask, sixteen_mut(&mut self.block, at));
        V::compress(sum_x, mask, sixteen_mut(&mut self.sum_x, at));
        V::compress(sum_y, mask, sixteen_mut(&mut self.sum_y, at));
        V::store(V::splat(head as i32), sixteen_mut(&mut self.head, at));
        self.len = at + mask.count_ones() as usize;
    }

    #[inline(always)]
    fn make_room(&mut self) {
        make_room(&mut [&mut self.block, &mut self.head, &mut self.sum_x, &mut self.sum_y], self.len);
    }
}

/// The lanes near the heads, block by block; a block's successor in its chain joins the list's end. Returns how
/// many visits have such lanes.
#[inline(always)]
fn find_marks<V: Vector>(grid: &Grid, lists: &mut Lists) -> usize {
    let Lists { ways, visits, marks, .. } = lists;
    let (mut at, mut len) = (0, 0);
    visits.block[..visits.len.min(AHEAD)].iter().for_each(|&block| grid.ask_for(block as u32));
    while at < visits.len {
        visits.make_room();
        if marks.len() < visits.block.len() {
            marks.resize(visits.block.len(), Mark::default());
        }
        grid.ask_for(visits.block[at + AHEAD] as u32);
        let (block, k) = (grid.block(visits.block[at] as u32), visits.head[at] as usize % PASS);
        let sum = [visits.sum_x[at], visits.sum_y[at]];
        let reach = [ways.reach_x[k] as i16, ways.reach_y[k] as i16];
        let near = cull::<V>(block, sum, reach, (ways.first + k) as u32);
        marks[len] = Mark { visit: at as u32, near: u32::from(near) };
        len += usize::from(near != 0);
        let end = visits.len;
        (visits.block[end], visits.head[end]) = (block.next as i32, k as i32);
        (visits.sum_x[end], visits.sum_y[end]) = (sum[0], sum[1]);
        visits.len += usize::from(block.next != LAST);
        at += 1;
    }
    len
}
