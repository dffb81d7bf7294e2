//! Counting mode: every touched segment of every head, for measurements. Same queries, same verdicts.

use super::{BATCH, PARALLEL_MIN, Scene};
use crate::broadphase::Lane;
use crate::workload::hit_sum;
use rayon::prelude::*;

/// Touched segments, summed over heads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// Segments touched.
    pub hits: u64,
    /// Sum of [`hit_sum`] over them, wrapping.
    pub hsum: u32,
    /// Lanes of others that were looked at.
    pub candidates: u64,
}

impl Hits {
    /// The sum of both.
    pub fn plus(self, other: Self) -> Self {
        Self {
            hits: self.hits + other.hits,
            hsum: self.hsum.wrapping_add(other.hsum),
            candidates: self.candidates + other.candidates,
        }
    }
}

impl Scene<'_> {
    /// All hits of all heads.
    pub fn count(&self, pool: Option<&rayon::ThreadPool>) -> Hits {
        let heads = self.heads.len();
        match pool {
            Some(pool) if heads >= PARALLEL_MIN => pool.install(|| {
                let batches = (0..heads.div_ceil(BATCH)).into_par_iter();
                batches
                    .map(|k| self.count_batch(k * BATCH, ((k + 1) * BATCH).min(heads)))
                    .reduce(Hits::default, Hits::plus)
            }),
            _ => self.count_batch(0, heads),
        }
    }

    fn count_batch(&self, first: usize, end: usize) -> Hits {
        let mut hits = Hits::default();
        for i in first..end {
            let sweep = self.sweep(i);
            hits.candidates += self.touch_bodies(&sweep, |lane| {
                hits.hits += 1;
                hits.hsum = hits.hsum.wrapping_add(hit_sum(sweep.index, lane.owner));
            });
        }
        hits
    }

    /// Calls `hit` with the head and the lane of every hit.
    pub fn each_hit(&self, mut hit: impl FnMut(u32, &Lane)) {
        for i in 0..self.heads.len() {
            let sweep = self.sweep(i);
            self.touch_bodies(&sweep, |lane| hit(sweep.index, lane));
        }
    }
}
