//! What a death costs: the tick in which a giant of 5,600 samples dies, and one in which half of a thousand do, against
//! the ordinary tick of the same world.
//!
//! ```sh
//! cargo run --release --no-default-features --example deaths
//! ```

#![allow(missing_docs, reason = "a program")]

use ringsnake::geom::angle::unit;
use ringsnake::geom::lattice::Point;
use ringsnake::world::{Config, Event, Placement, SnakeId, World};
use std::time::{Duration, Instant};

/// Radius of the circle, u.
const ARENA: f64 = 20_000.0;
/// Snakes that circle, each where nobody else is, and live on.
const BYSTANDERS: u32 = 500;
const DOOMED: u32 = 500;
const GIANT_SAMPLES: u32 = 5_600;
/// Ordinary ticks before the death, of which the median is taken.
const ORDINARY: usize = 300;
const ROUNDS: usize = 5;

fn main() {
    let (giants, masses): (Vec<Figures>, Vec<Figures>) = (0..ROUNDS).map(|_| (giant(), mass())).unzip();
    println!("{:<42}{:>12}{:>12}{:>9}", "", "tick, µs", "death, µs", "times");
    print("a giant of 5,600 samples, among 1,000", giants);
    print("500 of 1,000 at once, 380 u each", masses);
}

/// The median tick, and the one in which it happened.
#[derive(Clone, Copy)]
struct Figures {
    median: Duration,
    death: Duration,
}

impl Figures {
    fn ratio(self) -> f64 {
        self.death.as_secs_f64() / self.median.as_secs_f64()
    }
}

/// The round in the middle.
fn print(what: &str, mut rounds: Vec<Figures>) {
    rounds.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    let middle = rounds[rounds.len() / 2];
    let us = |time: Duration| time.as_secs_f64() * 1e6;
    println!("{what:<42}{:>12.0}{:>12.0}{:>9.1}", us(middle.median), us(middle.death), middle.ratio());
}

/// A circle whose edge stands still.
fn arena() -> World {
    let mut config = Config::default();
    (config.arena.radius, config.arena.radius_min) = (ARENA, ARENA);
    config.survival.alone_factor = 1.0; // all go at one speed
    World::new(config, 5).expect("a config within the limits")
}

/// Bystanders in rings of a hundred between a quarter and two thirds of the way out; the way along heading 0 stays
/// free. They come in three ticks: a third of them lays a sample in each.
fn bystanders(world: &mut World, count: u32) -> Vec<SnakeId> {
    let mut ids = Vec::new();
    for k in 0..count {
        let heading = (2_000 + (k % 100) * 615) as u16;
        ids.push(place(world, heading, 5_000.0 + 900.0 * f64::from(k / 100), heading, 400.0));
        if k % count.div_ceil(3) == 0 {
            tick(world, &ids);
        }
    }
    ids
}

fn place(world: &mut World, direction: u16, from: f64, heading: u16, length: f64) -> SnakeId {
    let [x, y] = unit(direction).map(|part| (f64::from(part) / 65_536.0 * from * 64.0).round() as i32);
    let length = (length * 64.0) as i32;
    world.spawn_at(Placement { at: Point::new(x, y), heading, length, shield_ticks: 0 }).expect("room for all")
}

/// A tick in which these go on along circles of 400 u.
fn tick(world: &mut World, circling: &[SnakeId]) -> Duration {
    for &id in circling {
        let heading = world.snake(id).map_or(0, |snake| snake.heading());
        world.steer(id, heading.wrapping_add(550), false);
    }
    let start = Instant::now();
    world.step();
    start.elapsed()
}

fn deaths(world: &World) -> usize {
    world.events().iter().filter(|event| matches!(event, Event::Died(_))).count()
}

/// Goes on until so many die in one tick.
fn until(world: &mut World, circling: &[SnakeId], dead: usize) -> Figures {
    let mut times = Vec::new();
    loop {
        let time = tick(world, circling);
        match deaths(world) {
            0 => times.push(time),
            found => {
                assert_eq!(found, dead, "they die together");
                let mut last: Vec<Duration> = times.split_off(times.len().saturating_sub(ORDINARY));
                last.sort();
                return Figures { median: last[last.len() / 2], death: time };
            }
        }
    }
}

/// It circles in the middle until it has all its samples, and then goes straight into the edge.
fn giant() -> Figures {
    let mut world = arena();
    let giant = place(&mut world, 0, 0.0, 0, f64::from(GIANT_SAMPLES) * 10.3);
    while world.snake(giant).is_some_and(|snake| snake.end().wrapping_sub(snake.first()) < GIANT_SAMPLES) {
        tick(&mut world, &[giant]);
    }
    let circling = bystanders(&mut world, BYSTANDERS + DOOMED - 1);
    world.steer(giant, 0, false);
    until(&mut world, &circling, 1)
}

/// A wheel of snakes that go straight into the edge, all in the same tick.
fn mass() -> Figures {
    let mut world = arena();
    let circling = bystanders(&mut world, BYSTANDERS);
    let way = world.config().motion.speed / 30.0;
    for k in 0..DOOMED {
        let heading = (k * 65_536 / DOOMED) as u16;
        place(&mut world, heading, ARENA - 118.5 * way, heading, 400.0);
    }
    until(&mut world, &circling, DOOMED as usize)
}
