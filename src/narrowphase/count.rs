//! Counting mode: every touched segment of every head, for measurements. Same passes, same verdicts.

use super::batch::Sink;
use super::stage::Eight;
use super::{BATCH, Scene, Tally};
use crate::broadphase::Lane;
use crate::workload::hit_sum;
use rayon::prelude::*;
use std::ops::Range;

/// Touched segments, summed over heads, and what it took to find them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// Segments touched.
    pub hits: u64,
    /// Sum of [`hit_sum`] over them, wrapping.
    pub hsum: u32,
    /// Work done.
    pub tally: Tally,
}

impl Hits {
    /// The sum of both.
    pub fn plus(self, other: Self) -> Self {
        Self {
            hits: self.hits + other.hits,
            hsum: self.hsum.wrapping_add(other.hsum),
            tally: self.tally.plus(other.tally),
        }
    }
}

impl Sink for Hits {
    #[inline]
    fn hit(&mut self, head: u32, lane: &Lane) {
        self.hits += 1;
        self.hsum = self.hsum.wrapping_add(hit_sum(head, lane.owner));
    }

    /// All eight sums, whether they count or not: a loop that the compiler makes vectors of.
    #[inline(always)]
    fn hits(&mut self, mask: u8, pairs: &Eight<'_>) {
        let [heads, owners] = pairs.rows();
        let mut sum = 0_u32;
        for k in 0..8 {
            let counts = 0_u32.wrapping_sub(u32::from(mask) >> k & 1);
            sum = sum.wrapping_add(hit_sum(heads[k] as u32, owners[k] as u32) & counts);
        }
        self.hits += u64::from(mask.count_ones());
        self.hsum = self.hsum.wrapping_add(sum);
    }
}

/// Calls a function with each hit.
struct Each<F>(F);

impl<F: FnMut(u32, &Lane)> Sink for Each<F> {
    fn hit(&mut self, head: u32, lane: &Lane) {
        self.0(head, lane);
    }
}

impl Scene<'_> {
    /// All hits of all heads; shared out, if there is a pool.
    pub fn count(&self, pool: Option<&rayon::ThreadPool>) -> Hits {
        let heads = self.heads.len();
        match pool {
            Some(pool) => pool.install(|| {
                let batches = (0..heads.div_ceil(BATCH)).into_par_iter();
                let count = |k: usize| self.count_batch(k * BATCH..((k + 1) * BATCH).min(heads));
                batches.map(count).reduce(Hits::default, Hits::plus)
            }),
            None => self.count_batch(0..heads),
        }
    }

    fn count_batch(&self, heads: Range<usize>) -> Hits {
        let (mut hits, mut tally) = (Hits::default(), Tally::default());
        self.touch_batch(heads, &mut tally, &mut hits);
        hits.tally = tally;
        hits
    }

    /// Calls `hit` with the head and the lane of every hit.
    pub fn each_hit(&self, hit: impl FnMut(u32, &Lane)) {
        self.touch_batch(0..self.heads.len(), &mut Tally::default(), &mut Each(hit));
    }
}
