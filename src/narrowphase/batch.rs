//! Every lane that a batch of heads touches: by passes at a SIMD level, or one by one in integers.

use super::passes::Lists;
use super::probes::PASS;
use super::stage::{Batch, Decide};
use super::{Scene, Tally};
use crate::broadphase::{Grid, Lane};
use crate::geom::segment::segments_within;
#[cfg(target_arch = "x86_64")]
use crate::lanes::{Avx2, Avx512};
use crate::lanes::{Base, Level, Vector};
use std::cell::Cell;
use std::ops::Range;

/// What becomes of the lanes that heads touch.
pub(super) trait Sink {
    /// A head (by row) comes strictly too close to a lane of another.
    fn hit(&mut self, head: u32, lane: &Lane);

    /// The same for those pairs that a mask names.
    #[inline(always)]
    fn hits<V: Vector>(&mut self, mask: u16, pairs: &Batch<'_>) {
        let mut mask = mask;
        while mask != 0 {
            let (head, lane) = pairs.pair(mask.trailing_zeros());
            self.hit(head, &lane);
            mask &= mask - 1;
        }
    }
}

thread_local! {
    static LISTS: Cell<Option<Box<Lists>>> = const { Cell::new(None) };
}

impl Scene<'_> {
    /// Finds every lane of others that the mortal heads of these rows touch.
    pub(super) fn touch_batch<S: Sink>(&self, heads: Range<usize>, tally: &mut Tally, sink: &mut S) {
        match self.level {
            Level::Scalar => self.touch_one_by_one(heads, tally, sink),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => self.passes::<Avx2, S>(heads, tally, sink),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => self.passes::<Avx512, S>(heads, tally, sink),
            _ => self.passes::<Base, S>(heads, tally, sink),
        }
    }

    fn passes<V: Vector, S: Sink>(&self, heads: Range<usize>, tally: &mut Tally, sink: &mut S) {
        let mut lists = LISTS.take().unwrap_or_default();
        for first in heads.clone().step_by(PASS) {
            lists.load(self.heads, first..(first + PASS).min(heads.end));
            for (grid, &kill_max) in self.grids.iter().zip(&self.kill_max).filter(|(grid, _)| grid.len() > 0) {
                self.pass::<V, S>(grid, kill_max, &mut lists, tally, sink);
            }
        }
        self.grids.iter().for_each(|grid| self.touch_overlong(grid, heads.clone(), sink));
        tally.exact += V::call(Decide { stage: &mut lists.stage, scene: self, rest: true, sink });
        LISTS.set(Some(lists));
    }

    /// The truth of one pair.
    pub(super) fn is_touched(&self, head: usize, lane: &Lane) -> bool {
        let reach = self.heads.radius[head] + self.heads.kill[lane.owner as usize];
        segments_within(self.heads.from(head), self.heads.to(head), lane.a, lane.b, reach)
    }

    fn touch_overlong<S: Sink>(&self, grid: &Grid, heads: Range<usize>, sink: &mut S) {
        for lane in grid.overlong() {
            for i in heads.clone().filter(|&i| self.heads.is_mortal(i) && lane.owner as usize != i) {
                if self.is_touched(i, lane) {
                    sink.hit(i as u32, lane);
                }
            }
        }
    }

    /// The scalar way: the same questions, one after the other, every answer on integers.
    fn touch_one_by_one<S: Sink>(&self, heads: Range<usize>, tally: &mut Tally, sink: &mut S) {
        for i in heads.clone().filter(|&i| self.heads.is_mortal(i)) {
            let sweep = self.sweep(i);
            for (grid, &kill_max) in self.grids.iter().zip(&self.kill_max).filter(|(grid, _)| grid.len() > 0) {
                let cells = grid.cells_near(sweep.bounds, sweep.radius + kill_max);
                grid.query(cells, sweep.index, |block| {
                    tally.blocks += 1;
                    for lane in block.lanes(grid.shift()).filter(|lane| lane.owner != sweep.index) {
                        tally.measured += 1;
                        if self.is_near(&sweep, &lane) && self.is_touched(i, &lane) {
                            sink.hit(sweep.index, &lane);
                        }
                    }
                });
            }
        }
        self.grids.iter().for_each(|grid| self.touch_overlong(grid, heads.clone(), sink));
    }
}
