//! A tick of the canonical workload: whole, at every SIMD level, and taken apart as far as it can be from outside.

#![allow(missing_docs, reason = "what criterion's macros expand to")]

mod kit;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use kit::{SCENARIOS, levels, settled};
use ringsnake::lanes::Level;
use ringsnake::workload::{Scenario, Workload};

/// Moving, indexes and counting, on one thread, at the best level.
fn whole(c: &mut Criterion) {
    let mut group = c.benchmark_group("tick");
    for (name, scenario) in SCENARIOS {
        let mut sim = settled(scenario, Level::best(), 100);
        group.throughput(Throughput::Elements(u64::from(scenario.snakes)));
        group.bench_function(name, |b| b.iter(|| sim.tick().hits));
    }
    group.finish();
}

/// The same scenes at every level. The tick but its narrowphase is the same code at each of them, and `s2`, the
/// brawl, is nearly all narrowphase.
fn narrowphase(c: &mut Criterion) {
    let mut group = c.benchmark_group("narrowphase");
    for (name, scenario) in [("s2", Scenario::S2), ("s3", Scenario::S3)] {
        for level in levels() {
            let mut sim = settled(scenario, level, 100);
            group.bench_function(BenchmarkId::new(name, level), |b| b.iter(|| sim.tick().hits));
        }
    }
    group.finish();
}

/// What a tick costs when nobody is near anybody: the way of every head, its sample in and its oldest out of ring
/// and grid, and a look at empty cells. `steering` is the first part alone.
fn maintenance(c: &mut Criterion) {
    let mut group = c.benchmark_group("maintenance");
    let thin = Scenario { arena: 250_000, ..Scenario::S1 };
    let mut sim = settled(thin, Level::best(), 100);
    group.bench_function("grid", |b| b.iter(|| sim.tick().hits));
    let (mut workload, _) = Workload::new(thin).expect("a scenario within the limits");
    group.bench_function("steering", |b| b.iter(|| workload.step()));
    group.finish();
}

criterion_group!(benches, whole, narrowphase, maintenance);
criterion_main!(benches);
