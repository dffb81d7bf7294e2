//! Pairs of a head and a lane on their way from the cull to the verdict.

use super::Scene;
use super::batch::Sink;
use super::kernel::{Pairs, Verdict, verdict};
use crate::broadphase::{Block, Half, Lane};
use crate::geom::lattice::Point;
use crate::lanes::{Kernel, Vector, first_lanes};
use crate::world::heads::Heads;

/// Pairs that are gathered before any is decided: a vector that was written in parts is slow to read at once.
const ROOM: usize = 256;

/// The widest vector may begin at the last place.
type Column = [i32; ROOM + 16];

/// Struct of arrays; coordinates relative to the start of the head's way.
pub(super) struct Stage {
    len: usize,
    /// Sum of the lane's ends.
    sx: Column,
    sy: Column,
    /// Their difference, 16 bits an axis: x in the lower half.
    side: Column,
    /// Twice the head's way.
    ux: Column,
    uy: Column,
    radius: Column,
    owner: Column,
    head: Column,
}

impl Default for Stage {
    fn default() -> Self {
        let [sx, sy, side, ux, uy, radius, owner, head] = [[0; ROOM + 16]; 8];
        Self { len: 0, sx, sy, side, ux, uy, radius, owner, head }
    }
}

/// What all pairs of a head and a block have in common.
#[derive(Clone, Copy)]
pub(super) struct Approach<'w> {
    /// Row of the head.
    pub head: &'w i32,
    /// Twice the way from the start of the head's to the corner of the block's cell.
    pub corner: [i32; 2],
    /// Twice the head's way.
    pub way: [&'w i32; 2],
    pub radius: &'w i32,
}

#[inline(always)]
fn eight_mut(column: &mut Column, at: usize) -> &mut [i32; 8] {
    column[at % ROOM..].first_chunk_mut().expect("columns end sixteen places later")
}

/// The places from `at` on.
#[inline(always)]
fn from(column: &Column, at: usize) -> &[i32] {
    &column[at % ROOM..]
}

impl Stage {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_full(&self) -> bool {
        self.len + 8 > ROOM
    }

    /// Adds the lanes of a mask. There is room.
    #[inline(always)]
    pub fn add<V: Vector>(&mut self, block: &Block, mask: u8, approach: &Approach<'_>) {
        debug_assert!(!self.is_full());
        let at = self.len;
        let [x, y] = V::split_e(&block.sum);
        V::compress_e(V::add_e(x, V::splat_e(approach.corner[0])), mask, eight_mut(&mut self.sx, at));
        V::compress_e(V::add_e(y, V::splat_e(approach.corner[1])), mask, eight_mut(&mut self.sy, at));
        V::compress_e(V::load_e(bytemuck::cast_ref(&block.side)), mask, eight_mut(&mut self.side, at));
        V::compress_e(V::load_e(bytemuck::cast_ref(&block.owner)), mask, eight_mut(&mut self.owner, at));
        V::store_e(V::splat_e(*approach.way[0]), eight_mut(&mut self.ux, at));
        V::store_e(V::splat_e(*approach.way[1]), eight_mut(&mut self.uy, at));
        V::store_e(V::splat_e(*approach.radius), eight_mut(&mut self.radius, at));
        V::store_e(V::splat_e(*approach.head), eight_mut(&mut self.head, at));
        self.len = at + mask.count_ones() as usize;
    }

    /// Pairs as the kernel wants them.
    #[inline(always)]
    fn pairs<V: Vector>(&self, heads: &Heads, at: usize) -> Pairs<V> {
        let kill = V::look_up_p(&heads.kill, V::load_p(from(&self.owner, at)));
        let reach = V::add_p(kill, V::load_p(from(&self.radius, at)));
        let sum = [&self.sx, &self.sy].map(|column| V::load_p(from(column, at)));
        let side = V::split_p(from(&self.side, at));
        Pairs {
            a: [0, 1].map(|axis| V::float(V::sub_p(sum[axis], side[axis]))),
            b: [0, 1].map(|axis| V::float(V::add_p(sum[axis], side[axis]))),
            u: [&self.ux, &self.uy].map(|column| V::float(V::load_p(from(column, at)))),
            reach: V::float(V::add_p(reach, reach)),
        }
    }

    /// The head of a pair, by row, and its lane.
    #[inline(always)]
    fn pair(&self, heads: &Heads, at: usize) -> (u32, Lane) {
        let head = self.head[at] as u32;
        let from = heads.from(head as usize);
        let [side_x, side_y]: Half = bytemuck::cast(self.side[at]);
        let (sum, side) = ([self.sx[at], self.sy[at]], [side_x, side_y].map(i32::from));
        let end = |x: i32, y: i32| Point::new((x >> 1) + from.x, (y >> 1) + from.y);
        let (a, b) = (end(sum[0] - side[0], sum[1] - side[1]), end(sum[0] + side[0], sum[1] + side[1]));
        (head, Lane { a, b, owner: self.owner[at] as u32 })
    }

    /// Moves what is left after the first `count`, less than a vector, to the front.
    #[inline(always)]
    fn drop_first(&mut self, count: usize) {
        self.len -= count;
        debug_assert!(self.len < 16);
        let Self { sx, sy, side, ux, uy, radius, owner, head, .. } = self;
        for column in [sx, sy, side, ux, uy, radius, owner, head] {
            column.copy_within(count..count + 16, 0);
        }
    }
}

/// Pairs of a stage that are decided at once.
pub(super) struct Batch<'s> {
    stage: &'s Stage,
    heads: &'s Heads,
    at: usize,
}

impl Batch<'_> {
    /// The head of a pair, by row, and its lane.
    #[inline(always)]
    pub fn pair(&self, k: u32) -> (u32, Lane) {
        self.stage.pair(self.heads, self.at + k as usize)
    }

    /// Heads and owners, by row.
    #[inline(always)]
    pub fn rows(&self) -> [&[i32]; 2] {
        [&self.stage.head, &self.stage.owner].map(|column| from(column, self.at))
    }
}

/// Decides as many pairs as make whole vectors; with `rest`, those after them too. Returns how many were decided on
/// integers.
pub(super) struct Decide<'s, 'w, S> {
    pub stage: &'s mut Stage,
    pub scene: &'s Scene<'w>,
    pub rest: bool,
    pub sink: &'s mut S,
}

impl<S: Sink> Kernel for Decide<'_, '_, S> {
    type Out = u64;

    #[inline(always)]
    fn run<V: Vector>(self) -> u64 {
        let Self { stage, scene, rest, sink } = self;
        let (mut exact, mut at) = (0, 0);
        if rest {
            // What stands beyond the last pair may be rows of another world.
            stage.owner[stage.len..].first_chunk_mut::<16>().expect("columns end sixteen places later").fill(0);
        }
        while at + V::PAIRS <= stage.len || (rest && at < stage.len) {
            let wanted = first_lanes(stage.len - at) & first_lanes(V::PAIRS);
            let Verdict { mut hit, mut unsure } = verdict::<V>(&stage.pairs(scene.heads, at));
            unsure &= wanted;
            while unsure != 0 {
                exact += 1;
                let k = unsure.trailing_zeros();
                unsure &= unsure - 1;
                let (head, lane) = stage.pair(scene.heads, at + k as usize);
                hit |= u16::from(scene.is_touched(head as usize, &lane)) << k;
            }
            sink.hits::<V>(hit & wanted, &Batch { stage, heads: scene.heads, at });
            at += V::PAIRS;
        }
        stage.drop_first(at.min(stage.len));
        exact
    }
}
