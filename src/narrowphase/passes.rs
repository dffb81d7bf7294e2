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
use super::probes::{FindProbes, KeepProbes, Probes, Ways, load_ways};
use super::stage::{Decide, Stage};
use super::{Scene, Tally};
use crate::broadphase::{Grid, Half, LAST, TileKey, ask_for};
use crate::lanes::{Kernel, Vector};
use std::ops::Range;

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
    sum: Half,
    /// Extent of its way plus twice the largest kill distance.
    reach: Half,
}

/// Lanes of a visit that passed the cull.
#[derive(Clone, Copy, Default)]
struct Mark {
    visit: u32,
    near: u32,
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
        V::call(KeepProbes { glance: grid.glance.reader(), probes });
        V::call(FindOpen { grid, probes, open });
        tally.cells += V::call(FindVisits { grid, ways, open: open.all(), visits }) as u64;
        V::call(FindMarks { grid, visits, marks });
        tally.tiles += probes.len() as u64;
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
        let (blocks, bits) = (grid.blocks(), grid.shift() + 1);
        for (n, mark) in marks.iter().enumerate() {
            if stage.is_full() {
                return &marks[n..];
            }
            let visit = &visits[mark.visit as usize];
            let block = &blocks[visit.block as usize];
            let approach = ways.approach(visit.head, [block.cell.x() << bits, block.cell.y() << bits]);
            stage.add::<V>(block, mark.near as u8, &approach);
            tally.measured += u64::from(mark.near.count_ones());
        }
        &[]
    }
}

/// The tiles that hold something within reach.
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
        let [keys, cells, heads] = probes.all();
        let table = grid.table.reader();
        table.ask_for_all(keys);
        open.clear();
        let (mut len, out) = (0, open.with_room(keys.len()).1);
        for ((&key, &cells), &head) in keys.iter().zip(cells).zip(heads) {
            let entry = table.look(TileKey(key as u32));
            let cells = entry.cells & cells as u32;
            out[len] = OpenTile { key: key as u32, tile: entry.tile, cells, head: head as u32 };
            len += usize::from(cells != 0);
        }
        open.count(len);
    }
}

/// The first blocks of the cells that others have a part in.
struct FindVisits<'s> {
    grid: &'s Grid,
    ways: &'s Ways,
    open: &'s [OpenTile],
    visits: &'s mut List<Visit>,
}

impl Kernel for FindVisits<'_> {
    /// How many visits.
    type Out = usize;

    #[inline(always)]
    fn run<V: Vector>(self) -> usize {
        let Self { grid, ways, open, visits } = self;
        let (tiles, blocks, bits) = (&grid.tiles.all[..], grid.blocks(), grid.shift() + 1);
        open.iter().for_each(|open| grid.tiles.ask_for(open.tile));
        let corners: [[i32; 2]; 16] = std::array::from_fn(|k| [k & 3, k >> 2].map(|cell| (cell as i32) << bits));
        visits.clear();
        for &OpenTile { key, tile, cells, head } in open {
            let (tile, corner) = (&tiles[tile as usize], TileKey(key).corner());
            let own = V::equal(V::load(bytemuck::cast_ref(&tile.owner)), V::splat(head as i32));
            let mut cells = cells & !u32::from(own);
            if cells == 0 {
                continue;
            }
            let (sum, reach) = ways.sum_and_reach(head);
            let sum = [sum[0] - (corner.x() << bits), sum[1] - (corner.y() << bits)];
            let room: &mut [Visit; 16] = visits.with_room(16).1.first_chunk_mut().expect("there is room");
            let found = cells.count_ones() as usize;
            // Two at a time, whether they are there or not: most tiles are done then, and nothing was guessed.
            for pair in room.as_chunks_mut::<2>().0 {
                for visit in pair {
                    let number = cells.trailing_zeros() as usize % 16;
                    cells &= cells.wrapping_sub(1);
                    let block = tile.first[number];
                    ask_for(blocks, block);
                    *visit = Visit { block, head, sum: V::between(sum, &corners[number]), reach };
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
    visits: &'s mut List<Visit>,
    marks: &'s mut List<Mark>,
}

impl Kernel for FindMarks<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { grid, visits, marks } = self;
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
                let near = cull::<V>(block, visit.sum, visit.reach, visit.head);
                new[marks_len] = Mark { visit: (begin + n) as u32, near: u32::from(near) };
                marks_len += usize::from(near != 0);
                ask_for(blocks, block.next);
                // Copied whole and not field by field: one vector.
                rest[rest_len] = *visit;
                rest[rest_len].block = block.next;
                rest_len += usize::from(block.next != LAST);
            }
            visits.count(rest_len);
            marks.count(marks_len);
            done = end;
        }
    }
}
