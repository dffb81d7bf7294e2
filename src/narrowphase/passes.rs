//! Flat passes over a few heads at a time: which tiles, which cells, which blocks, which lanes, which pairs.
//!
//! ```text
//!   heads --boxes--> probes --map--> tiles --cells--> visits --cull--> marks --compress--> pairs --> hits
//! ```
//! Each pass reads the columns that the one before it wrote and asks for the memory that the next one will read.
//! Columns grow by writing at their ends and going on only by what counts: what depends on the scene is
//! arithmetic here and not a branch, for a mispredicted one costs as much as twenty lanes.

use super::batch::Sink;
use super::columns::{append, make_room, sixteen, sixteen_mut};
use super::kernel::cull;
use super::probes::{FindProbes, FindTiles, Probes, Ways, load_ways};
use super::stage::{Decide, Stage};
use super::{Scene, Tally};
use crate::broadphase::{Grid, LAST, TileKey, ask_for};
use crate::lanes::{Kernel, Vector, first_lanes};
use crate::world::heads::Heads;
use std::ops::Range;

/// The lists between the passes; kept by each thread.
#[derive(Default)]
pub(super) struct Lists {
    ways: Ways,
    probes: Probes,
    visits: Visits,
    marks: Marks,
    pub stage: Stage,
}

/// Heads and blocks to be culled for them, and what came of it.
#[derive(Default)]
struct Visits {
    len: usize,
    /// Numbers of the blocks.
    block: Vec<i32>,
    /// Rows of the heads.
    head: Vec<i32>,
    /// Sum of the ends of the head's way, less twice the corner of the block's cell: cut to 16 bits an axis, x in the
    /// lower half.
    sum: Vec<i32>,
    /// Extent of the way plus twice the largest kill distance, likewise.
    reach: Vec<i32>,
    /// Which lanes are near.
    near: Vec<i32>,
    /// The next block of the cell.
    next: Vec<i32>,
}

/// Visits with lanes that passed the cull.
#[derive(Default)]
struct Marks {
    len: usize,
    block: Vec<i32>,
    head: Vec<i32>,
    near: Vec<i32>,
}

impl Lists {
    /// Takes the heads of a pass.
    pub fn load(&mut self, heads: &Heads, rows: Range<usize>) {
        load_ways(heads, rows, &mut self.ways);
    }
}

impl Scene<'_> {
    /// One grid's part in a pass: its lanes near the heads come to the stage, and from there to the sink.
    pub(super) fn pass<V: Vector, S: Sink>(
        &self,
        grid: &Grid,
        kill_max: i32,
        lists: &mut Lists,
        tally: &mut Tally,
        sink: &mut S,
    ) {
        let Lists { ways, probes, visits, marks, stage } = lists;
        V::call(FindProbes { grid, kill_max, ways, probes });
        V::call(FindTiles { grid, probes });
        V::call(FindVisits { grid, ways, probes, visits });
        tally.tiles += probes.len() as u64;
        tally.cells += visits.len as u64;
        V::call(FindMarks { grid, visits, marks });
        tally.blocks += visits.len as u64;
        let mut done = 0;
        while done < marks.len {
            V::call(StagePairs { grid, ways, marks, done: &mut done, stage, tally });
            if stage.is_full() {
                tally.exact += V::call(Decide { stage, scene: self, rest: false, sink });
            }
        }
    }
}

/// Puts the pairs of marks on the stage until it is full.
struct StagePairs<'s> {
    grid: &'s Grid,
    ways: &'s Ways,
    marks: &'s Marks,
    /// How many marks are done.
    done: &'s mut usize,
    stage: &'s mut Stage,
    tally: &'s mut Tally,
}

impl Kernel for StagePairs<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { grid, ways, marks, done, stage, tally } = self;
        let (blocks, bits, before) = (grid.blocks(), grid.shift() + 1, stage.len());
        let rest = *done..marks.len;
        let [block, head, near] = [&marks.block, &marks.head, &marks.near].map(|column| &column[rest.clone()]);
        for ((&block, head), &near) in block.iter().zip(head).zip(near) {
            if stage.is_full() {
                break;
            }
            let block = &blocks[block as u32 as usize];
            let approach = ways.approach(head, [block.cell.x() << bits, block.cell.y() << bits]);
            stage.add::<V>(block, near as u8, &approach);
            *done += 1;
        }
        tally.measured += (stage.len() - before) as u64;
    }
}

/// The first blocks of the cells that others have a part in.
struct FindVisits<'s> {
    grid: &'s Grid,
    ways: &'s Ways,
    probes: &'s Probes,
    visits: &'s mut Visits,
}

impl Kernel for FindVisits<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { grid, ways, probes, visits: Visits { len: visits, block, head, sum, reach, near, next } } = self;
        let (tiles, blocks, bits) = (&grid.tiles.all[..], grid.blocks(), grid.shift() + 1);
        let room = 16 * probes.len() + 16;
        make_room([&mut *block, &mut *head, &mut *sum, &mut *reach, near, next], room);
        let [block, head, sum, reach] = [block, head, sum, reach].map(|column| &mut column[..room]);
        let [cell_x, cell_y] = [0, 2].map(|from| V::load(&std::array::from_fn(|k| ((k as i32 >> from) & 3) << bits)));
        let mut len = 0;
        let [keys, cells, rows, numbers] = probes.all();
        for (((&key, &cells), &row), &tile) in keys.iter().zip(cells).zip(rows).zip(numbers) {
            let (tile, corner) = (&tiles[tile as u32 as usize], TileKey(key as u32).corner());
            let ([x, y], its_reach) = ways.sum_and_reach(row as u32);
            let x = V::sub(V::splat(x - (corner.x() << bits)), cell_x);
            let y = V::sub(V::splat(y - (corner.y() << bits)), cell_y);
            // All sixteen cells, whichever count: nothing is guessed.
            V::store(V::splat(row), sixteen_mut(head, len));
            V::store(V::splat(its_reach), sixteen_mut(reach, len));
            let values = [V::load(bytemuck::cast_ref(&tile.first)), V::halves(x, y)];
            append::<V, 2>(values, cells as u16, [block, sum], &mut len);
        }
        *visits = len;
        block[..len].iter().for_each(|&block| ask_for(blocks, block as u32));
    }
}

/// The lanes near the heads, block by block; a block's successor in its chain joins the list's end.
struct FindMarks<'s> {
    grid: &'s Grid,
    visits: &'s mut Visits,
    marks: &'s mut Marks,
}

impl Kernel for FindMarks<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { grid, visits: Visits { len, block, head, sum, reach, near, next }, marks } = self;
        let blocks = grid.blocks();
        marks.len = 0;
        let mut done = 0;
        while done < *len {
            let (begin, end) = (done, *len);
            make_room([&mut *block, &mut *head, &mut *sum, &mut *reach, &mut *near, &mut *next], 2 * end - begin + 16);
            make_room([&mut marks.block, &mut marks.head, &mut marks.near], end + 16);
            let heads = block[begin..end].iter().zip(&head[begin..end]);
            let boxes = sum[begin..end].iter().zip(&reach[begin..end]);
            let found = near[begin..end].iter_mut().zip(&mut next[begin..end]);
            for (((&block, &head), (&sum, &reach)), (near, next)) in heads.zip(boxes).zip(found) {
                let block = &blocks[block as u32 as usize];
                *near = cull::<V>(block, sum, reach, head).into();
                *next = block.next as i32;
                ask_for(blocks, block.next);
            }
            for at in (begin..end).step_by(16) {
                let there = first_lanes(end - at);
                let [its_block, its_head] = [&*block, &*head].map(|column| V::load(sixteen(column, at)));
                let [its_sum, its_reach] = [&*sum, &*reach].map(|column| V::load(sixteen(column, at)));
                let [its_near, its_next] = [&*near, &*next].map(|column| V::load(sixteen(column, at)));
                let more = there & !V::equal(its_next, V::splat(LAST as i32));
                append::<V, 4>([its_next, its_head, its_sum, its_reach], more, [&mut *block, head, sum, reach], len);
                let marked = there & !V::equal(its_near, V::splat(0));
                let columns: [&mut [i32]; 3] = [&mut marks.block, &mut marks.head, &mut marks.near];
                append::<V, 3>([its_block, its_head, its_near], marked, columns, &mut marks.len);
            }
            done = end;
        }
    }
}
