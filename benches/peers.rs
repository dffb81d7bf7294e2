//! The engine beside other indexes on the same workload: parry2d's hierarchy, rstar's R*-tree, a hash map of cells.
//!
//! All of them use the engine's exact verdict and have to find the engine's hits, tick by tick, before any of them is
//! timed. The game as published, on Node.js, is measured by `perf/peer.sh`.

#![allow(missing_docs, reason = "what criterion's macros expand to")]

mod kit;
#[path = "kit/rivals.rs"]
mod rivals;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use kit::settled;
use ringsnake::lanes::Level;
use ringsnake::workload::Scenario;
use rivals::{Hashed, Index, Parry, Rival, Star};

/// Ticks that have to agree.
const TICKS: u32 = 50;

fn time<I: Index>(c: &mut Criterion, peer: &str, name: &str, scenario: Scenario) {
    let (mut sim, mut rival) = (settled(scenario, Level::best(), 0), Rival::<I>::new(scenario));
    for tick in 0..TICKS {
        assert_eq!(rival.tick(), sim.tick().hits.hits, "{peer}, {name}, tick {tick}");
    }
    let mut group = c.benchmark_group("peers");
    group.sample_size(20).bench_function(BenchmarkId::new(name, peer), |b| b.iter(|| rival.tick()));
    group.finish();
}

fn peers(c: &mut Criterion) {
    for (name, scenario) in [("s1", Scenario::S1), ("s2", Scenario::S2)] {
        let mut sim = settled(scenario, Level::best(), TICKS);
        c.bench_function(&format!("peers/{name}/ringsnake"), |b| b.iter(|| sim.tick().hits));
        time::<Parry>(c, "parry2d", name, scenario);
        time::<Star>(c, "rstar", name, scenario);
        time::<Hashed>(c, "hash map", name, scenario);
    }
}

criterion_group!(benches, peers);
criterion_main!(benches);
