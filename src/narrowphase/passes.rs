//! Flat passes over a few heads at a time: which tiles, which cells, which blocks, which lanes, which pairs.
//!
//! ```text
//!   heads --boxes--> probes --table--> open tiles --owners--> blocks --cull--> marks --compress--> pairs --> hits
//! ```
//! Each pass reads the list that the one before it wrote and asks for the memory that the next one will read.
//! A list grows by writing at its end and going on only if the entry counts: what depends on the scene is
//! arithmetic here and not a branch, for a mispredicted one costs as much as twenty lanes.

use super::batch::Sink;
use super::kernel::cull;
use super::list::List;
use super::stage::{Approach, Decide, Stage};
use super::{Scene, Tally};
use crate::broadphase::{Cell, CellRect, Grid, LAST, TileKey, ask_for};
use crate::lanes::{Kernel, Vector};
use crate::world::heads::{Heads, flag};
use std::ops::Range;
use wide::u8x16;

/// Heads a pass: what the lists hold of them stays in the first-level cache.
pub(super) const PASS: usize = 64;

/// The lists between the passes; kept by each thread.
#[derive(Default)]
pub(super) struct Lists {
    ways: Ways,
    probes: Probes,
    open: List<OpenTile>,
    visits: List<Visit>,
    marks: List<Mark>,
    pub stage: Stage,
}

/// The ways of the heads of a pass, each at the place of its row modulo [`PASS`]; places beyond the last head are
/// nobody's.
struct Ways {
    /// Row of the first.
    first: usize,
    x0: [i32; PASS],
    y0: [i32; PASS],
    x1: [i32; PASS],
    y1: [i32; PASS],
    radius: [i32; PASS],
    /// Of heads that have something to visit, by axis: the way, and its extent plus twice the largest kill distance.
    way: [[i32; 2]; PASS],
    reach: [[i32; 2]; PASS],
    /// Sixteen heads a word: who can die.
    mortal: [u16; PASS / 16],
}

impl Default for Ways {
    fn default() -> Self {
        let [x0, y0, x1, y1, radius] = [[0; PASS]; 5];
        let [way, reach] = [[[0; 2]; PASS]; 2];
        Self { first: 0, x0, y0, x1, y1, radius, way, reach, mortal: [0; PASS / 16] }
    }
}

/// Tiles that the reaches of heads touch.
#[derive(Default)]
struct Probes {
    len: usize,
    key: Vec<i32>,
    /// Which cells of the tile.
    cells: Vec<i32>,
    /// Row of the head.
    head: Vec<i32>,
}

/// A tile that holds something of others than the head.
#[derive(Clone, Copy, Default)]
struct OpenTile {
    key: u32,
    tile: u32,
    /// Which of its cells the head reaches and are not empty.
    cells: u32,
    /// Row of the head.
    head: u32,
}

/// A block to be culled for a head.
#[derive(Clone, Copy, Default)]
struct Visit {
    block: u32,
    /// Row of the head.
    head: u32,
    /// Sum of the ends of the head's way, less twice the corner of the block's cell.
    sum: [i32; 2],
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
    /// One grid's part in a pass: its lanes near the heads come to the stage, and from there to the sink.
    pub(super) fn pass<V: Vector, S: Sink>(
        &self,
        grid: &Grid,
        kill_max: i32,
        heads: Range<usize>,
        lists: &mut Lists,
        tally: &mut Tally,
        sink: &mut S,
    ) {
        load_ways(self.heads, heads, &mut lists.ways);
        let Lists { ways, probes, open, visits, marks, stage } = lists;
        V::call(FindProbes { grid, kill_max, ways, probes });
        V::call(FindOpen { grid, probes, open });
        tally.cells += V::call(FindVisits { grid, kill_max, ways, open: open.all(), visits }) as u64;
        V::call(FindMarks { grid, ways, visits, marks });
        tally.tiles += probes.len as u64;
        tally.blocks += visits.len() as u64;
        let (visits, mut rest) = (visits.all(), marks.all());
        while !rest.is_empty() {
            rest = V::call(StagePairs { grid, ways, visits, marks: rest, stage, tally });
            if stage.is_full() {
                tally.exact += V::call(Decide { stage, scene: self, rest: false, sink });
            }
        }
    }
}

fn load_ways(heads: &Heads, rows: Range<usize>, ways: &mut Ways) {
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
        *mortal = mortal_of(*flags);
    }
}

/// Puts the pairs of marks on the stage until it is full; the marks that are left.
struct StagePairs<'s, 'm> {
    grid: &'s Grid,
    ways: &'s Ways,
    visits: &'s [Visit],
    marks: &'m [Mark],
    stage: &'s mut Stage,
    tally: &'s mut Tally,
}

impl<'m> Kernel for StagePairs<'_, 'm> {
    type Out = &'m [Mark];

    #[inline(always)]
    fn run<V: Vector>(self) -> &'m [Mark] {
        let Self { grid, ways, visits, marks, stage, tally } = self;
        let blocks = grid.blocks();
        for (n, mark) in marks.iter().enumerate() {
            if stage.is_full() {
                return &marks[n..];
            }
            let visit = &visits[mark.visit as usize];
            let (block, k) = (&blocks[visit.block as usize], visit.head as usize % PASS);
            let (way, sum) = (ways.way[k], visit.sum);
            let corner = [way[0] - sum[0], way[1] - sum[1]];
            let approach = Approach { head: visit.head, corner, way, radius: ways.radius[k] };
            stage.add::<V>(block, mark.near as u8, &approach);
            tally.measured += u64::from(mark.near.count_ones());
        }
        &[]
    }
}

impl Ways {
    /// Fills in what is kept by head and axis; the sum of the ends.
    #[inline(always)]
    fn prepare(&mut self, head: u32, kill_max: i32) -> [i32; 2] {
        let k = head as usize % PASS;
        let ([x0, y0], [x1, y1]) = ([self.x0[k], self.y0[k]], [self.x1[k], self.y1[k]]);
        let kill = 2 * (self.radius[k] + kill_max);
        self.way[k] = [x1 - x0, y1 - y0];
        self.reach[k] = [(x1 - x0).abs() + kill, (y1 - y0).abs() + kill];
        [x0 + x1, y0 + y1]
    }
}

/// The tiles that the reach of each head touches: one, two, or four in a square.
struct FindProbes<'s> {
    grid: &'s Grid,
    kill_max: i32,
    ways: &'s Ways,
    probes: &'s mut Probes,
}

impl Kernel for FindProbes<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { grid, kill_max, ways, probes } = self;
        let more = V::splat(kill_max + grid.overhang());
        let (right, upper) = (V::splat(1 << 16), V::splat(1));
        probes.len = 0;
        for block in (0..PASS / 16).filter(|&block| ways.mortal[block] != 0) {
            let (mortal, at) = (ways.mortal[block], 16 * block);
            let reach = V::add(V::load(sixteen(&ways.radius, at)), more);
            let (x0, x1) = covered::<V>(sixteen(&ways.x0, at), sixteen(&ways.x1, at), reach, grid);
            let (y0, y1) = covered::<V>(sixteen(&ways.y0, at), sixteen(&ways.y1, at), reach, grid);
            let (tx, ty) = (V::shift_right::<2>(x0), V::shift_right::<2>(y0));
            let (tx1, ty1) = (V::shift_right::<2>(x1), V::shift_right::<2>(y1));
            let (two_x, two_y) = (V::less(tx, tx1) & mortal, V::less(ty, ty1) & mortal);
            let wide = V::less(V::add(tx, upper), tx1) & mortal | V::less(V::add(ty, upper), ty1) & mortal;

            let columns = columns::<V>(x0, x1);
            let [rows, rows_above] = rows::<V>(y0, y1);
            let key = V::add(V::add(V::mul(tx, right), ty), V::splat(TileKey::new(0, 0).0 as i32));
            let heads = V::add(V::load(&NUMBERS), V::splat((ways.first + at) as i32));
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
                probes.add_wide(wide, ways.first + at, low, high);
            }
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

/// The first and the last cell along an axis that sixteen ways reach.
#[inline(always)]
fn covered<V: Vector>(a: &[i32; 16], b: &[i32; 16], reach: V::I, grid: &Grid) -> (V::I, V::I) {
    let (a, b) = (V::load(a), V::load(b));
    let (low, high) = (V::sub(V::min(a, b), reach), V::add(V::max(a, b), reach));
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

impl Probes {
    #[inline(always)]
    fn add<V: Vector>(&mut self, mask: u16, key: V::I, cells: V::I, heads: V::I) {
        make_room(&mut [&mut self.key, &mut self.cells, &mut self.head], self.len);
        V::compress(key, mask, sixteen_mut(&mut self.key, self.len));
        V::compress(cells, mask, sixteen_mut(&mut self.cells, self.len));
        V::compress(heads, mask, sixteen_mut(&mut self.head, self.len));
        self.len += mask.count_ones() as usize;
    }

    /// Heads whose reach touches more than two tiles along an axis, one by one.
    #[cold]
    fn add_wide(&mut self, wide: u16, first: usize, low: [[i32; 16]; 2], high: [[i32; 16]; 2]) {
        for k in (0..16).filter(|k| wide & 1 << k != 0) {
            let cells = CellRect { x0: low[0][k], y0: low[1][k], x1: high[0][k], y1: high[1][k] };
            let tiles = cells.tiles();
            for ty in tiles.y0..=tiles.y1 {
                for tx in tiles.x0..=tiles.x1 {
                    make_room(&mut [&mut self.key, &mut self.cells, &mut self.head], self.len);
                    self.key[self.len] = TileKey::new(tx, ty).0 as i32;
                    self.cells[self.len] = cells.cells_of_tile(tx, ty) as i32;
                    self.head[self.len] = (first + k) as i32;
                    self.len += 1;
                }
            }
        }
    }
}

/// The tiles that hold something within reach and do not belong to the asking head.
struct FindOpen<'s> {
    grid: &'s Grid,
    probes: &'s Probes,
    open: &'s mut List<OpenTile>,
}

impl Kernel for FindOpen<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { grid, probes, open } = self;
        let Probes { len, key, cells, head } = probes;
        let (keys, cells, heads) = (&key[..*len], &cells[..*len], &head[..*len]);
        let table = grid.table.reader();
        for &key in keys {
            table.ask_for(TileKey(key as u32));
        }
        open.clear();
        let (mut len, out) = (0, open.with_room(keys.len()).1);
        for ((&key, &cells), &head) in keys.iter().zip(cells).zip(heads) {
            let entry = table.look(TileKey(key as u32));
            let cells = entry.cells & cells as u32;
            out[len] = OpenTile { key: key as u32, tile: entry.tile, cells, head: head as u32 };
            len += usize::from(entry.owner != head as u32 && cells != 0);
        }
        open.count(len);
    }
}

/// The first blocks of the cells that others have a part in.
struct FindVisits<'s> {
    grid: &'s Grid,
    kill_max: i32,
    ways: &'s mut Ways,
    open: &'s [OpenTile],
    visits: &'s mut List<Visit>,
}

impl Kernel for FindVisits<'_> {
    /// How many visits.
    type Out = usize;

    #[inline(always)]
    fn run<V: Vector>(self) -> usize {
        let Self { grid, kill_max, ways, open, visits } = self;
        let (tiles, blocks, bits) = (&grid.tiles.all[..], grid.blocks(), grid.shift() + 1);
        open.iter().for_each(|open| grid.tiles.ask_for(open.tile));
        let corners: [[i32; 2]; 16] = std::array::from_fn(|k| [k & 3, k >> 2].map(|cell| (cell as i32) << bits));
        visits.clear();
        for &OpenTile { key, tile, cells, head } in open {
            let (tile, corner) = (&tiles[tile as usize], Cell(key));
            let own = V::equal(V::load(bytemuck::cast_ref(&tile.owner)), V::splat(head as i32));
            let mut cells = cells & !u32::from(own);
            if cells == 0 {
                continue;
            }
            let sum = ways.prepare(head, kill_max);
            let sum = [sum[0] - (corner.x() << (bits + 2)), sum[1] - (corner.y() << (bits + 2))];
            let room: &mut [Visit; 16] = visits.with_room(16).1.first_chunk_mut().expect("there is room");
            let found = cells.count_ones() as usize;
            // Two at a time, whether they are there or not: most tiles are done then, and nothing was guessed.
            for pair in room.as_chunks_mut::<2>().0 {
                for visit in pair {
                    let number = cells.trailing_zeros() as usize % 16;
                    cells &= cells.wrapping_sub(1);
                    let (block, corner) = (tile.first[number], corners[number]);
                    ask_for(blocks, block);
                    *visit = Visit { block, head, sum: [sum[0] - corner[0], sum[1] - corner[1]] };
                }
                if cells == 0 {
                    break;
                }
            }
            visits.count(found);
        }
        visits.len()
    }
}

/// The lanes near the heads, block by block; a block's successor in its chain joins the list's end.
struct FindMarks<'s> {
    grid: &'s Grid,
    ways: &'s Ways,
    visits: &'s mut List<Visit>,
    marks: &'s mut List<Mark>,
}

impl Kernel for FindMarks<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { grid, ways, visits, marks } = self;
        let blocks = grid.blocks();
        marks.clear();
        let mut done = 0;
        while done < visits.len() {
            let (begin, end) = (done, visits.len());
            // Room for a mark and a successor of each: written always, counted if they are any.
            let (filled, rest) = visits.with_room(end - begin);
            let new = marks.with_room(end - begin).1;
            let (mut marks_len, mut rest_len) = (0, 0);
            for (n, visit) in filled[begin..].iter().enumerate() {
                let block = &blocks[visit.block as usize];
                let near = cull::<V>(block, &visit.sum, &ways.reach[visit.head as usize % PASS], visit.head);
                new[marks_len] = Mark { visit: (begin + n) as u32, near: u32::from(near) };
                marks_len += usize::from(near != 0);
                ask_for(blocks, block.next);
                rest[rest_len] = Visit { block: block.next, ..*visit };
                rest_len += usize::from(block.next != LAST);
            }
            visits.count(rest_len);
            marks.count(marks_len);
            done = end;
        }
    }
}
