//! Counting mode: every touched segment of every head, for measurements. Same passes, same verdicts.

use super::batch::Sink;
use super::stage::Batch;
use super::{BATCH, Scene, Tally};
use crate::broadphase::Lane;
use crate::lanes::Vector;
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

/// Hits that are added up at the end of a batch, or before there are too many: the sum of many is a loop that the
/// compiler makes vectors of.
struct Count {
    hits: Hits,
    len: usize,
    heads: [i32; Self::ROOM],
    owners: [i32; Self::ROOM],
}

impl Count {
    const ROOM: usize = 256;

    fn new() -> Self {
        Self { hits: Hits::default(), len: 0, heads: [0; Self::ROOM], owners: [0; Self::ROOM] }
    }

    #[inline(always)]
    fn add_up(&mut self) {
        let rows = self.heads[..self.len].iter().zip(&self.owners[..self.len]);
        let sum = rows.map(|(&head, &owner)| hit_sum(head as u32, owner as u32)).fold(0, u32::wrapping_add);
        self.hits.hits += self.len as u64;
        self.hits.hsum = self.hits.hsum.wrapping_add(sum);
        self.len = 0;
    }
}

impl Sink for Count {
    fn hit(&mut self, head: u32, lane: &Lane) {
        self.hits.hits += 1;
        self.hits.hsum = self.hits.hsum.wrapping_add(hit_sum(head, lane.owner));
    }

    #[inline(always)]
    fn hits<V: Vector>(&mut self, mask: u16, pairs: &Batch<'_>) {
        let [heads, owners] = pairs.rows();
        for (rows, kept) in [(heads, &mut self.heads), (owners, &mut self.owners)] {
            V::compress_p(V::load_p(rows), mask, &mut kept[self.len..]);
        }
        self.len += mask.count_ones() as usize;
        if self.len > Self::ROOM - V::PAIRS {
            self.add_up();
        }
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
        let (mut count, mut tally) = (Count::new(), Tally::default());
        self.touch_batch(heads, &mut tally, &mut count);
        count.add_up();
        Hits { tally, ..count.hits }
    }

    /// Calls `hit` with the head and the lane of every hit.
    pub fn each_hit(&self, hit: impl FnMut(u32, &Lane)) {
        self.touch_batch(0..self.heads.len(), &mut Tally::default(), &mut Each(hit));
    }
}
