//! The cost of exactness: one question, "does this head die of that body?", asked in three ways of the same pairs.
//!
//! - *point*: where the head is at the end of the tick against the samples, as simple games do. It misses.
//! - *swept*: the head's way against the segment between two samples, as the game was published.
//! - *full*: that, the trail that the other lays in this very tick, and when the first contact is.
//!
//! What each of them finds is printed first: an answer that misses hits has no price worth knowing.

#![allow(missing_docs, reason = "what criterion's macros expand to")]

mod kit;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ringsnake::geom::lattice::Point;
use ringsnake::geom::segment::{live_within, segments_within};
use ringsnake::geom::toi;
use ringsnake::workload::{Move, Scenario, Workload};
use std::hint::black_box;

/// How near a sample has to be to a head to be asked about, quanta: what a grid of 64 u would hand over.
const NEAR: i64 = 96 * 64;

/// A head on its way, a segment of another, and that one's own way of the tick.
struct Pair {
    head: Move,
    a: Point,
    b: Point,
    other: Move,
    reach: i32,
}

impl Pair {
    fn point(&self) -> bool {
        self.head.to.distance2(self.b) < i64::from(self.reach).pow(2)
    }

    fn swept(&self) -> bool {
        segments_within(self.head.from, self.head.to, self.a, self.b, self.reach)
    }

    /// The earliest contact, as a part of the tick.
    fn full(&self) -> Option<f64> {
        let (p, q) = (self.head, self.other);
        let body = self.swept().then(|| toi::body(p.from, p.to, self.a, self.b, self.reach));
        let meets = live_within(p.from, p.to, q.from, q.to, self.reach);
        let live = meets.then(|| toi::live(p.from, p.to, q.from, q.to, self.reach).toi);
        body.into_iter().chain(live).reduce(f64::min)
    }
}

/// Pairs of the brawl after its pre-roll, every 50th head.
fn pairs() -> Vec<Pair> {
    let (mut workload, bodies) = Workload::new(Scenario::S2).expect("a scenario within the limits");
    workload.step();
    let moves = workload.ways();
    let mut pairs = Vec::new();
    for (head, &way) in (0..).zip(&moves).step_by(50) {
        for (owner, body) in (0..).zip(&bodies).filter(|&(owner, _)| owner != head) {
            let reach = workload.radius(head) + workload.kill_radius(owner);
            let near = body.windows(2).filter(|pair| pair[1].distance2(way.to) < NEAR * NEAR);
            let other = moves[owner as usize];
            pairs.extend(near.map(|pair| Pair { head: way, a: pair[0], b: pair[1], other, reach }));
        }
    }
    pairs
}

fn exactness(c: &mut Criterion) {
    let pairs = pairs();
    let found = |test: fn(&Pair) -> bool| pairs.iter().filter(|pair| test(pair)).count();
    let [point, swept, full] = [found(Pair::point), found(Pair::swept), found(|pair| pair.full().is_some())];
    println!("of {} pairs, deadly by point: {point}, by sweep: {swept}, with live trails: {full}", pairs.len());
    let mut group = c.benchmark_group("exactness");
    group.throughput(Throughput::Elements(pairs.len() as u64));
    group.bench_function("point", |b| b.iter(|| black_box(&pairs).iter().filter(|pair| pair.point()).count()));
    group.bench_function("swept", |b| b.iter(|| black_box(&pairs).iter().filter(|pair| pair.swept()).count()));
    group.bench_function("full", |b| b.iter(|| black_box(&pairs).iter().filter_map(Pair::full).sum::<f64>()));
    group.finish();
}

criterion_group!(benches, exactness);
criterion_main!(benches);
