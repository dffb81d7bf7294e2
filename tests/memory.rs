//! What a body point costs, what a large arena takes, and that the dead leave nothing behind.

use ringsnake::geom::lattice::Point;
use ringsnake::lanes::Level;
use ringsnake::sim::Sim;
use ringsnake::workload::Scenario;
use ringsnake::world::{Config, Placement, World};

const MB: usize = 1_000_000;

/// The large arena: a hundred thousand snakes, four million points.
const LARGE: Scenario = Scenario { snakes: 100_000, ..Scenario::S1 };

/// Most bytes that a point may take, all told: its place, its seat in the grid, its part of a block and of the table,
/// and what is spare. Measured at the density of [`LARGE`].
const BYTES_A_POINT_MAX: f64 = 50.0;

fn settled(scenario: Scenario, ticks: u32) -> Sim {
    let mut sim = Sim::new(scenario, 1, Level::best()).unwrap();
    (0..ticks).for_each(|_| _ = sim.tick());
    sim
}

fn bytes_a_point(sim: &Sim) -> f64 {
    let bytes = sim.bytes() as f64 / sim.points() as f64;
    println!("{} points in {} bytes: {bytes:.1} a point", sim.points(), sim.bytes());
    bytes
}

/// A tenth of the arena and of the snakes: the same density.
#[test]
fn a_body_point_takes_no_more_bytes_than_stated() {
    let tenth = Scenario { snakes: LARGE.snakes / 10, arena: 6_325, ..LARGE };
    assert!(bytes_a_point(&settled(tenth, 30)) < BYTES_A_POINT_MAX);
}

/// Slow without optimisation, so it is not part of every run: see perf/README.md.
#[test]
#[ignore = "takes a minute unless it is built with --release"]
fn a_hundred_thousand_snakes_fit_into_two_hundred_megabytes() {
    let sim = settled(LARGE, 40);
    assert!(bytes_a_point(&sim) < BYTES_A_POINT_MAX);
    assert!(sim.points() > 3_900_000);
    assert!(sim.bytes() < 200 * MB, "{} bytes", sim.bytes());
}

/// Seats snakes in rows, far from each other, all with the same way.
fn crowded_world(snakes: i32) -> World {
    let mut config = Config::default();
    (config.arena.radius, config.arena.radius_min) = (20_000.0, 20_000.0);
    let mut world = World::new(config, 9).unwrap();
    for k in 0..snakes {
        let at = Point::new((k % 50 - 25) * 500 * 64, (k / 50 - 20) * 100 * 64);
        world.spawn_at(Placement { at, heading: 0, length: 300 * 64, shield_ticks: 0 }).unwrap();
    }
    world
}

#[test]
fn the_memory_of_the_dead_comes_back() {
    let mut world = crowded_world(2_000);
    let empty = world.bytes();
    (0..120).for_each(|_| world.step());
    let full = world.bytes();
    let ids: Vec<_> = world.snakes().map(|snake| snake.id()).collect();
    let (last, others) = ids.split_last().unwrap();
    assert_eq!(ids.len(), 2_000, "nobody has died yet");
    assert!(others.iter().all(|&id| world.remove(id)));
    (0..120).for_each(|_| world.step());
    println!("{empty} bytes at birth, {full} bytes of 2,000, {} of the last one", world.bytes());
    assert!(world.snake(*last).is_some());
    assert!(world.bytes() < full / 4, "{} of {full} bytes", world.bytes());
}
