//! The game's own paths: a tick with bots in it, deaths and births in bulk, queries, snapshots.

#![allow(missing_docs, reason = "what criterion's macros expand to")]

mod kit;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kit::{Audience, Doom, game, ids, views};
use std::hint::black_box;
use std::time::{Duration, Instant};

const PLAYERS: usize = 1_000;

/// [`World::step`](ringsnake::World::step) alone; the bots think between the ticks.
fn tick(c: &mut Criterion) {
    let (mut world, mut bots) = game(PLAYERS, 300);
    let mut step = || {
        bots.think(&mut world);
        let start = Instant::now();
        world.step();
        start.elapsed()
    };
    c.bench_function("game/tick of 1,000 bots", |b| b.iter_custom(|n| (0..n).map(|_| step()).sum()));
}

/// A tick in which a thousand snakes of 300 u die.
fn mass_death(c: &mut Criterion) {
    let mut doom = Doom::new();
    let mut group = c.benchmark_group("game");
    group.sample_size(10).throughput(Throughput::Elements(u64::from(Doom::SNAKES)));
    group.bench_function("mass death of 1,000", |b| b.iter_custom(|n| (0..n).map(|_| doom.strike()).sum()));
    group.finish();
}

/// A hundred newcomers at safe places of an arena in which a thousand play.
fn spawn_storm(c: &mut Criterion) {
    let (mut world, _) = game(PLAYERS, 300);
    let mut storm = || -> Duration {
        let start = Instant::now();
        let born: Vec<_> = (0..100).map(|_| world.spawn().expect("room for all")).collect();
        let time = start.elapsed();
        born.into_iter().for_each(|id| assert!(world.remove(id)));
        time
    };
    let mut group = c.benchmark_group("game");
    group.sample_size(20).throughput(Throughput::Elements(100));
    group.bench_function("spawn storm of 100", |b| b.iter_custom(|n| (0..n).map(|_| storm()).sum()));
    group.finish();
}

/// Who is in the view of each of a thousand.
fn rectangles(c: &mut Criterion) {
    let (world, _) = game(PLAYERS, 300);
    let (views, mut found) = (views(&world), Vec::new());
    let mut group = c.benchmark_group("game");
    group.throughput(Throughput::Elements(views.len() as u64));
    group.bench_function("snakes in 1,000 views", |b| {
        b.iter(|| {
            found.clear();
            views.iter().for_each(|view| world.snakes_in(*view, &mut found));
            found.len()
        });
    });
    group.finish();
}

/// The snapshots of a thousand viewers, every second tick as on a server.
fn snapshots(c: &mut Criterion) {
    let (mut world, mut bots) = game(PLAYERS, 300);
    let mut audience = Audience::new(PLAYERS);
    let mut look = || {
        for _ in 0..2 {
            bots.think(&mut world);
            world.step();
        }
        let seats = ids(&world);
        let start = Instant::now();
        black_box(audience.look(&world, &seats));
        start.elapsed()
    };
    let mut group = c.benchmark_group("game");
    group.sample_size(20).throughput(Throughput::Elements(PLAYERS as u64));
    group.bench_function("snapshots of 1,000", |b| b.iter_custom(|n| (0..n).map(|_| look()).sum()));
    group.finish();
}

criterion_group!(benches, tick, mass_death, spawn_storm, rectangles, snapshots);
criterion_main!(benches);
