//! Instructions of the kernels and of whole ticks, counted by callgrind: the same from run to run, so that a check can
//! hold them. `perf/instructions.sh` runs this, compares with perf/instructions.json, and blesses what is wanted.
//!
//! Levels are given, never found: valgrind has no AVX-512, and a count must not depend on the CPU.

#![allow(missing_docs, unused_qualifications, reason = "what the macros of gungraun and its attributes expand to")]

extern crate iai_callgrind as gungraun;

mod kit;

use gungraun::{library_benchmark, library_benchmark_group, main};
use kit::{Audience, game_at, ids, settled, views};
use ringsnake::geom::lattice::Point;
use ringsnake::geom::segment::{live_within, segments_within};
use ringsnake::geom::toi;
use ringsnake::lanes::Level;
use ringsnake::sim::Sim;
use ringsnake::workload::{Scenario, Workload};
use ringsnake::world::{SnakeId, World};
use std::hint::black_box;

/// Ticks before the one that is counted.
const WARMUP: u32 = 20;

fn before(scenario: Scenario, level: Level) -> Sim {
    settled(scenario, level, WARMUP)
}

#[library_benchmark(setup = before)]
#[bench::s1_sse2(Scenario::S1, Level::Base)]
#[bench::s1_avx2(Scenario::S1, Level::Avx2)]
#[bench::s2_sse2(Scenario::S2, Level::Base)]
#[bench::s2_avx2(Scenario::S2, Level::Avx2)]
#[bench::s3_sse2(Scenario::S3, Level::Base)]
#[bench::s3_avx2(Scenario::S3, Level::Avx2)]
fn tick(mut sim: Sim) -> Sim {
    black_box(sim.tick());
    sim
}

fn walkers() -> Workload {
    Workload::new(Scenario::S1).expect("a scenario within the limits").0
}

#[library_benchmark]
#[bench::s1(walkers())]
fn steering(mut workload: Workload) -> Workload {
    workload.step();
    black_box(workload.way(0));
    workload
}

/// Ways and segments of 10 u around each other, near and far.
fn pairs() -> Vec<[Point; 4]> {
    let dice = |k: u32, span: i32| (ringsnake::workload::fmix(k) % (2 * span as u32)) as i32 - span;
    let point = |k: u32, span: i32| Point::new(dice(k, span), dice(k + 1, span));
    let end = |from: Point, k: u32| Point::new(from.x + dice(k, 450), from.y + dice(k + 1, 450));
    let pair = |k: u32| {
        let (p, a) = (point(8 * k, 64), point(8 * k + 2, 1_500));
        [p, end(p, 8 * k + 4), a, end(a, 8 * k + 6)]
    };
    (0..1_000).map(pair).collect()
}

const REACH: i32 = 900;

#[library_benchmark]
#[bench::thousand(pairs())]
fn body_verdict(pairs: Vec<[Point; 4]>) -> (usize, Vec<[Point; 4]>) {
    (pairs.iter().filter(|[p0, p1, a, b]| segments_within(*p0, *p1, *a, *b, REACH)).count(), pairs)
}

#[library_benchmark]
#[bench::thousand(pairs())]
fn live_verdict(pairs: Vec<[Point; 4]>) -> (usize, Vec<[Point; 4]>) {
    (pairs.iter().filter(|[p0, p1, q0, q1]| live_within(*p0, *p1, *q0, *q1, REACH)).count(), pairs)
}

#[library_benchmark]
#[bench::thousand(pairs())]
fn time_of_impact(pairs: Vec<[Point; 4]>) -> (f64, Vec<[Point; 4]>) {
    let touching = pairs.iter().filter(|[p0, p1, a, b]| segments_within(*p0, *p1, *a, *b, REACH));
    (touching.map(|[p0, p1, a, b]| toi::body(*p0, *p1, *a, *b, REACH)).sum(), pairs)
}

/// A hundred bots that have played for four seconds, at a level that valgrind has.
fn played() -> World {
    let (mut world, mut bots) = game_at(Level::Base, 100, 120);
    bots.think(&mut world);
    world
}

#[library_benchmark]
#[bench::bots(played())]
fn game_tick(mut world: World) -> World {
    world.step();
    world
}

#[library_benchmark]
#[bench::views(played())]
fn rectangles(world: World) -> (World, Vec<SnakeId>) {
    let mut found = Vec::new();
    views(&world).into_iter().for_each(|view| world.snakes_in(view, &mut found));
    (world, found)
}

fn watched() -> (World, Vec<SnakeId>, Audience) {
    let mut world = played();
    let (seats, mut audience) = (ids(&world), Audience::new(100));
    for _ in 0..20 {
        audience.look(&world, &seats);
        world.step();
    }
    (world, seats, audience)
}

#[library_benchmark]
#[bench::players(watched())]
fn snapshots((world, seats, mut audience): (World, Vec<SnakeId>, Audience)) -> (usize, World, Audience) {
    (audience.look(&world, &seats), world, audience)
}

library_benchmark_group!(name = ticks, benchmarks = [tick, steering, game_tick]);
library_benchmark_group!(name = kernels, benchmarks = [body_verdict, live_verdict, time_of_impact]);
library_benchmark_group!(name = views_of_a_game, benchmarks = [rectangles, snapshots]);

main!(library_benchmark_groups = [ticks, kernels, views_of_a_game]);
