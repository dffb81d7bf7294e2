//! What several tests build their scenes from.
#![allow(dead_code, unused_imports, reason = "no test needs all of it")]

mod game;

pub use game::Game;

use ringsnake::geom::lattice::Point;
use ringsnake::world::{Config, Contestant, Death, Event, Placement, RuleSet, SnakeId, World};

/// Nothing but motion: 4 u a tick for everybody, no growth, no food, a circle that stays.
pub fn quiet(radius: f64) -> Config {
    let mut config = Config::default();
    config.arena.radius = radius;
    config.arena.radius_min = radius;
    config.motion.speed = 120.0;
    config.motion.boost = 120.0;
    config.survival.growth = 0.0;
    config.survival.alone_factor = 1.0;
    config.pellets.per_snake = 0;
    config.rules.set = RuleSet::Survival;
    config
}

pub fn at(x: f64, y: f64) -> Point {
    Point::from_units([x, y]).unwrap()
}

/// Heading 0 goes along x, 16384 along y. Length in u.
pub fn place(world: &mut World, x: f64, y: f64, heading: u16, length: f64) -> SnakeId {
    let length = (length * 64.0) as i32;
    world.spawn_at(Placement { at: at(x, y), heading, length, shield_ticks: 0 }).unwrap()
}

pub fn steps(world: &mut World, n: u32) {
    (0..n).for_each(|_| world.step());
}

pub fn deaths(world: &World) -> Vec<Death> {
    world.events().iter().filter_map(|event| if let Event::Died(death) = event { Some(*death) } else { None }).collect()
}

/// A thin snake with samples in a row.
pub fn thin(id: u32, body: &[[f64; 2]], from: [f64; 2], to: [f64; 2]) -> Contestant {
    Contestant { id, radius: 2.0, body: body.to_vec(), from, to, ..Contestant::default() }
}

/// Every order of `0..n`.
pub fn permutations(n: u32) -> Vec<Vec<u32>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(n - 1);
    let with = |list: &Vec<u32>, k: usize| [&list[..k], &[n - 1], &list[k..]].concat();
    shorter.iter().flat_map(|list| (0..=list.len()).map(|k| with(list, k)).collect::<Vec<_>>()).collect()
}
