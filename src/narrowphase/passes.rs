//! Flat passes over a few heads at a time: which tiles, which cells, which blocks, which lanes, which pairs.
//!
//! ```text
//!   heads --boxes--> probes --glance--> tiles --owners--> looks --> blocks --cull--> marks --compress--> pairs --> hits
//! ```
//! Each pass reads the list that the one before it wrote and asks for the memory that the next one will read.
//! A list grows by writing at its end and going on only if the entry counts: what depends on the scene is
//! arithmetic here and not a branch, for a mispredicted one costs as much as twenty lanes.

use super::batch::Sink;
use super::columns::{first_lanes, make_room, sixteen, sixteen_mut};
use super::kernel::cull;
use super::list::List;
use super::probes::{FindProbes, FindTiles, Probes, Ways, load_ways};
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
    looks: List<Look>,
    visits: Visits,
    marks: Marks,
    pub stage: Stage,
}

/// A head that looks into a cell.
#[derive(Clone, Copy, Default)]
#[repr(C, align(16))]
struct Look {
    /// Row of the head.
    head: u32,
    /// Sum of the ends of the head's way, less twice the corner of the cell.
    sum: Half,
    /// Extent of its way plus twice the largest kill distance.
    reach: Half,
}

/// Blocks to be culled, and what came of it.
#[derive(Default)]
struct Visits {
    len: usize,
    /// Numbers of blocks, and for which looks.
    block: Vec<i32>,
    look: Vec<i32>,
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
    look: Vec<i32>,
    near: Vec<i32>,
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
        let Lists { ways, probes, looks, visits, marks, stage } = lists;
        V::call(FindProbes { grid, kill_max, ways, probes });
        V::call(FindTiles { grid, probes });
        V::call(FindLooks { grid, ways, probes, looks, visits });
        V::call(FindMarks { grid, looks: looks.all(), visits, marks });
        tally.tiles += probes.len() as u64;
        tally.cells += looks.len() as u64;
        tally.blocks += visits.len as u64;
        let mut done = 0;
        while done < marks.len {
            V::call(StagePairs { grid, ways, looks: looks.all(), marks, done: &mut done, stage, tally });
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
    looks: &'s [Look],
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
        let Self { grid, ways, looks, marks, done, stage, tally } = self;
        let (blocks, bits, before) = (grid.blocks(), grid.shift() + 1, stage.len());
        let rest = *done..marks.len;
        let [block, look, near] = [&marks.block, &marks.look, &marks.near].map(|column| &column[rest.clone()]);
        for ((&block, &look), &near) in block.iter().zip(look).zip(near) {
            if stage.is_full() {
                break;
            }
            let (block, head) = (&blocks[block as u32 as usize], &looks[look as usize].head);
            let approach = ways.approach(head, [block.cell.x() << bits, block.cell.y() << bits]);
            stage.add::<V>(block, near as u8, &approach);
            *done += 1;
        }
        tally.measured += (stage.len() - before) as u64;
    }
}

/// The cells that others have a part in, and their first blocks.
struct FindLooks<'s> {
    grid: &'s Grid,
    ways: &'s Ways,
    probes: &'s Probes,
    looks: &'s mut List<Look>,
    visits: &'s mut Visits,
}

impl Kernel for FindLooks<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { grid, ways, probes, looks, visits } = self;
        let (tiles, blocks, bits) = (&grid.tiles.all[..], grid.blocks(), grid.shift() + 1);
        let [keys, cells, heads, numbers] = probes.all();
        let corners: [[i32; 2]; 16] = std::array::from_fn(|k| [k & 3, k >> 2].map(|cell| (cell as i32) << bits));
        looks.clear();
        let room = 16 * probes.len();
        make_room([&mut visits.block, &mut visits.look], room + 16);
        let (mut len, places, firsts) = (0, looks.with_room(room).1, &mut visits.block[..room]);
        for (((&key, &cells), &head), &tile) in keys.iter().zip(cells).zip(heads).zip(numbers) {
            let (tile, corner, head) = (&tiles[tile as u32 as usize], TileKey(key as u32).corner(), head as u32);
            let mut cells = cells as u32;
            let (sum, reach) = ways.sum_and_reach(head);
            let sum = [sum[0] - (corner.x() << bits), sum[1] - (corner.y() << bits)];
            let places: &mut [Look; 16] = places[len..].first_chunk_mut().expect("there is room");
            let firsts = sixteen_mut(firsts, len);
            len += cells.count_ones() as usize;
            // Two at a time, whether they are there or not: most tiles are done then, and nothing was guessed.
            for (places, firsts) in places.as_chunks_mut::<2>().0.iter_mut().zip(firsts.as_chunks_mut::<2>().0) {
                for (place, first) in places.iter_mut().zip(firsts) {
                    let number = cells.trailing_zeros() as usize % 16;
                    cells &= cells.wrapping_sub(1);
                    let block = tile.first[number];
                    ask_for(blocks, block);
                    *place = Look { head, sum: V::between(sum, &corners[number]), reach };
                    *first = block as i32;
                }
                if cells == 0 {
                    break;
                }
            }
        }
        looks.count(len);
        visits.len = len;
        for (n, look) in visits.look.as_chunks_mut().0[..visits.len.div_ceil(16)].iter_mut().enumerate() {
            V::store(V::count_from(16 * n as i32), look);
        }
    }
}

/// The lanes near the heads, block by block; a block's successor in its chain joins the list's end.
struct FindMarks<'s> {
    grid: &'s Grid,
    looks: &'s [Look],
    visits: &'s mut Visits,
    marks: &'s mut Marks,
}

impl Kernel for FindMarks<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { grid, looks, visits: Visits { len, block, look, near, next }, marks } = self;
        let blocks = grid.blocks();
        marks.len = 0;
        let mut done = 0;
        while done < *len {
            let (begin, end) = (done, *len);
            make_room([&mut *block, &mut *look, &mut *near, &mut *next], 2 * end - begin + 16);
            make_room([&mut marks.block, &mut marks.look, &mut marks.near], end + 16);
            let rows = block[begin..end].iter().zip(&look[begin..end]);
            for ((&block, &look), (near, next)) in rows.zip(near[begin..end].iter_mut().zip(&mut next[begin..end])) {
                let (block, look) = (&blocks[block as u32 as usize], &looks[look as usize]);
                *near = cull::<V>(block, look.sum, look.reach, look.head).into();
                *next = block.next as i32;
                ask_for(blocks, block.next);
            }
            for at in (begin..end).step_by(16) {
                let there = first_lanes(end - at);
                let [its_block, its_look] = [&*block, &*look].map(|column| V::load(sixteen(column, at)));
                let [its_near, its_next] = [&*near, &*next].map(|column| V::load(sixteen(column, at)));
                let more = there & !V::equal(its_next, V::splat(LAST as i32));
                V::compress(its_next, more, sixteen_mut(block, *len));
                V::compress(its_look, more, sixteen_mut(look, *len));
                *len += more.count_ones() as usize;
                let marked = there & !V::equal(its_near, V::splat(0));
                V::compress(its_block, marked, sixteen_mut(&mut marks.block, marks.len));
                V::compress(its_look, marked, sixteen_mut(&mut marks.look, marks.len));
                V::compress(its_near, marked, sixteen_mut(&mut marks.near, marks.len));
                marks.len += marked.count_ones() as usize;
            }
            done = end;
        }
    }
}
