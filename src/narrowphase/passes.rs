//! Flat passes over a few heads at a time: which tiles, which cells, which blocks, which lanes, which pairs.
//!
//! ```text
//!   heads --boxes--> probes --table--> open tiles --owners--> blocks --cull--> marks --compress--> pairs --> hits
//! ```
//! Each pass reads the list that the one before it wrote and asks for the memory that the next one will read.
//! A list grows by writing at its end and going on only if the entry counts: what depends on the scene is
//! arithmetic here and not a branch, for a mispredicted one costs as much as twenty lanes.

use super::batch::Sink;
use super::kernel::{Pair, cull};
use super::stage::{Approach, Decide, Stage};
use super::{Scene, Tally};
use crate::broadphase::{Cell, CellRect, Grid, LAST, Place, Table, TileKey};
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
    open: Vec<OpenTile>,
    visits: Vec<Visit>,
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
    /// Extent of the way plus twice the largest kill distance.
    reach: [Pair; PASS],
    /// The cells within reach, both corners included.
    cells: [[i32; PASS]; 4],
    /// Sixteen heads a word: who can die.
    mortal: [u16; PASS / 16],
}

impl Default for Ways {
    fn default() -> Self {
        let [x0, y0, x1, y1, radius] = [[0; PASS]; 5];
        Self {
            first: 0,
            x0,
            y0,
            x1,
            y1,
            radius,
            reach: [Pair::default(); PASS],
            cells: [[0; PASS]; 4],
            mortal: [0; PASS / 16],
        }
    }
}

/// Tiles that the reaches of heads touch.
#[derive(Default)]
struct Probes {
    len: usize,
    key: Vec<i32>,
    /// Which head of the pass.
    head: Vec<i32>,
}

/// A tile that holds something of others than the head.
#[derive(Clone, Copy, Default)]
struct OpenTile {
    place: Place,
    /// Which head of the pass.
    head: u32,
}

/// A block to be culled for a head.
#[derive(Clone, Copy, Default)]
struct Visit {
    block: u32,
    /// Which head of the pass.
    head: u32,
    /// Sum of the ends of the head's way, less twice the corner of the block's cell.
    sum: Pair,
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
        V::call(FindProbes { grid, kill_max, ways: &mut lists.ways, probes: &mut lists.probes });
        let Lists { ways, probes, open, visits, marks, stage } = lists;
        V::call(FindOpen { table: &grid.table, first: ways.first as u32, probes, open });
        tally.cells += V::call(FindVisits { grid, ways, open, visits }) as u64;
        V::call(FindMarks { grid, ways, visits, marks });
        tally.tiles += probes.len as u64;
        tally.blocks += visits.len() as u64;
        let mut rest = &marks[..];
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
        for (n, mark) in marks.iter().enumerate() {
            if stage.is_full() {
                return &marks[n..];
            }
            let visit = visits[mark.visit as usize];
            let (block, k) = (grid.block(visit.block), visit.head as usize % PASS);
            let (from, corner) = ([ways.x0[k], ways.y0[k]], grid.corner(block.cell));
            let corner = [2 * (corner.x - from[0]), 2 * (corner.y - from[1])];
            let way = [ways.x1[k] - from[0], ways.y1[k] - from[1]];
            let approach = Approach { head: (ways.first + k) as u32, corner, way, radius: ways.radius[k] };
            stage.add::<V>(block, mark.near as u8, &approach);
            tally.measured += u64::from(mark.near.count_ones());
        }
        &[]
    }
}

/// The tiles that the reach of each head touches: one, two, or four in a square.
struct FindProbes<'s> {
    grid: &'s Grid,
    kill_max: i32,
    ways: &'s mut Ways,
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
            let radius = V::load(sixteen(&ways.radius, at));
            let kill = V::add(radius, V::splat(kill_max));
            let (x0, x1) = ordered::<V>(sixteen(&ways.x0, at), sixteen(&ways.x1, at));
            let (y0, y1) = ordered::<V>(sixteen(&ways.y0, at), sixteen(&ways.y1, at));
            let (extent_x, extent_y) = (extent::<V>(x0, x1, kill), extent::<V>(y0, y1, kill));
            V::store(
                V::add(extent_x, V::mul(extent_y, right)),
                sixteen_mut(bytemuck::cast_slice_mut(&mut ways.reach), at),
            );
            let reach = V::add(radius, more);
            let (x0, x1) = covered::<V>(x0, x1, reach, grid);
            let (y0, y1) = covered::<V>(y0, y1, reach, grid);
            for (column, corner) in ways.cells.iter_mut().zip([x0, y0, x1, y1]) {
                V::store(corner, sixteen_mut(column, at));
            }
            let (tx, ty) = (V::shift_right::<2>(x0), V::shift_right::<2>(y0));
            let (tx1, ty1) = (V::shift_right::<2>(x1), V::shift_right::<2>(y1));
            let (two_x, two_y) = (V::less(tx, tx1) & mortal, V::less(ty, ty1) & mortal);
            let wide = V::less(V::add(tx, upper), tx1) & mortal | V::less(V::add(ty, upper), ty1) & mortal;

            let key = V::add(V::add(V::mul(tx, right), ty), V::splat(TileKey::new(0, 0).0 as i32));
            let heads = V::add(V::load(&NUMBERS), V::splat(at as i32));
            probes.add::<V>(mortal & !wide, key, heads);
            probes.add::<V>(two_x & !wide, V::add(key, right), heads);
            probes.add::<V>(two_y & !wide, V::add(key, upper), heads);
            probes.add::<V>(two_x & two_y & !wide, V::add(V::add(key, right), upper), heads);
            if wide != 0 {
                probes.add_wide(wide, at, ways);
            }
        }
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

impl Probes {
    #[inline(always)]
    fn add<V: Vector>(&mut self, mask: u16, key: V::I, heads: V::I) {
        make_room(&mut [&mut self.key, &mut self.head], self.len);
        V::compress(key, mask, sixteen_mut(&mut self.key, self.len));
        V::compress(heads, mask, sixteen_mut(&mut self.head, self.len));
        self.len += mask.count_ones() as usize;
    }

    /// Heads whose reach touches more than two tiles along an axis, one by one.
    #[cold]
    fn add_wide(&mut self, wide: u16, at: usize, ways: &Ways) {
        for head in (at..at + 16).filter(|head| wide & 1 << (head - at) != 0) {
            let tiles = ways.cells_of(head).tiles();
            for ty in tiles.y0..=tiles.y1 {
                for tx in tiles.x0..=tiles.x1 {
                    make_room(&mut [&mut self.key, &mut self.head], self.len);
                    self.key[self.len] = TileKey::new(tx, ty).0 as i32;
                    self.head[self.len] = head as i32;
                    self.len += 1;
                }
            }
        }
    }
}

impl Ways {
    #[inline(always)]
    fn cells_of(&self, head: usize) -> CellRect {
        let [x0, y0, x1, y1] = &self.cells;
        CellRect { x0: x0[head], y0: y0[head], x1: x1[head], y1: y1[head] }
    }
}

/// The tiles that hold something and do not belong to the asking head.
struct FindOpen<'s> {
    table: &'s Table,
    /// Row of the first head.
    first: u32,
    probes: &'s Probes,
    open: &'s mut Vec<OpenTile>,
}

impl Kernel for FindOpen<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { table, first, probes, open } = self;
        let (keys, heads) = (&probes.key[..probes.len], &probes.head[..probes.len]);
        for &key in keys {
            table.ask_for(TileKey(key as u32));
        }
        open.clear();
        open.resize(keys.len(), OpenTile::default());
        let (mut len, out) = (0, &mut open[..]);
        for (&key, &head) in keys.iter().zip(heads) {
            let (place, owner) = table.owner_of(TileKey(key as u32), first + head as u32);
            out[len] = OpenTile { place, head: head as u32 };
            len += usize::from(owner != first + head as u32);
        }
        open.truncate(len);
    }
}

/// The first blocks of the cells that others have a part in.
struct FindVisits<'s> {
    grid: &'s Grid,
    ways: &'s Ways,
    open: &'s [OpenTile],
    visits: &'s mut Vec<Visit>,
}

impl Kernel for FindVisits<'_> {
    /// How many visits.
    type Out = usize;

    #[inline(always)]
    fn run<V: Vector>(self) -> usize {
        let Self { grid, ways, open, visits } = self;
        open.iter().for_each(|open| grid.tiles.ask_for(grid.table.entry(open.place).tile));
        let (tiles, bits) = (&grid.tiles.all[..], grid.shift() + 1);
        visits.clear();
        for open in open {
            let (entry, k) = (grid.table.entry(open.place), open.head as usize % PASS);
            let (tile, corner, own) = (&tiles[entry.tile as usize], Cell(entry.key.0), (ways.first + k) as u32);
            let sum_x = ways.x0[k] + ways.x1[k] - (corner.x() << (bits + 2));
            let sum_y = ways.y0[k] + ways.y1[k] - (corner.y() << (bits + 2));
            let mut cells = entry.cells & ways.cells_of(k).cells_of_tile(corner.x(), corner.y());
            visits.reserve(16);
            while cells != 0 {
                let number = cells.trailing_zeros();
                cells &= cells - 1;
                let block = tile.first[number as usize & 15];
                if tile.owner[number as usize & 15] != own {
                    let (x, y) = ((number & 3) << bits, (number >> 2) << bits);
                    grid.ask_for(block);
                    visits.push(Visit { block, head: open.head, sum: Pair::new(sum_x - x as i32, sum_y - y as i32) });
                }
            }
        }
        visits.len()
    }
}

/// The lanes near the heads, block by block; a block's successor in its chain joins the list's end.
struct FindMarks<'s> {
    grid: &'s Grid,
    ways: &'s Ways,
    visits: &'s mut Vec<Visit>,
    marks: &'s mut Vec<Mark>,
}

impl Kernel for FindMarks<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { grid, ways, visits, marks } = self;
        marks.clear();
        let mut done = 0;
        while done < visits.len() {
            let (begin, end) = (done, visits.len());
            // Room for a mark and a successor of each: written always, counted if they are any.
            visits.resize(2 * end - begin, Visit::default());
            let (todo, rest) = visits[begin..].split_at_mut(end - begin);
            let marked = marks.len();
            marks.resize(marked + todo.len(), Mark::default());
            let new = &mut marks[marked..];
            let (mut marks_len, mut rest_len) = (0, 0);
            for (n, visit) in todo.iter().enumerate() {
                let (block, k) = (grid.block(visit.block), visit.head as usize % PASS);
                let near = cull::<V>(block, visit.sum, ways.reach[k], (ways.first + k) as u32);
                new[marks_len] = Mark { visit: (begin + n) as u32, near: u32::from(near) };
                marks_len += usize::from(near != 0);
                grid.ask_for(block.next);
                rest[rest_len] = Visit { block: block.next, ..*visit };
                rest_len += usize::from(block.next != LAST);
            }
            visits.truncate(end + rest_len);
            marks.truncate(marked + marks_len);
            done = end;
        }
    }
}
