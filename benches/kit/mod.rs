//! Scenes that the benches share.

#![allow(dead_code, reason = "each bench takes what it needs")]

use ringsnake::bots::Bots;
use ringsnake::geom::lattice::{Point, Rect, quanta};
use ringsnake::lanes::Level;
use ringsnake::sim::Sim;
use ringsnake::wire::view::{Press, Roster, Seat, Viewer, view_extent};
use ringsnake::workload::Scenario;
use ringsnake::world::{Config, Placement, SnakeId, World};
use std::time::{Duration, Instant};

/// Ten thousand snakes in the arena of `s1`.
pub const S1_10K: Scenario = Scenario { snakes: 10_000, ..Scenario::S1 };

/// The workload's scenarios by the names that they have everywhere.
pub const SCENARIOS: [(&str, Scenario); 4] =
    [("s1", Scenario::S1), ("s2", Scenario::S2), ("s3", Scenario::S3), ("s1-10000", S1_10K)];

/// Levels that this CPU has.
pub fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.into_iter().filter(|level| level.is_here())
}

/// A scenario on one thread after so many ticks.
pub fn settled(scenario: Scenario, level: Level, ticks: u32) -> Sim {
    let mut sim = Sim::new(scenario, 1, level).expect("a scenario within the limits");
    (0..ticks).for_each(|_| _ = sim.tick());
    sim
}

/// A game of bots after so many ticks, at the best level.
pub fn game(bots: usize, ticks: u32) -> (World, Bots) {
    game_at(Level::best(), bots, ticks)
}

/// A game of bots after so many ticks.
pub fn game_at(level: Level, bots: usize, ticks: u32) -> (World, Bots) {
    let mut config = Config::default();
    config.engine.simd = level.name().to_owned();
    let mut world = World::new(config, 11).expect("the default config");
    let mut bots = Bots::new(bots, 11);
    for _ in 0..ticks {
        bots.think(&mut world);
        world.step();
    }
    (world, bots)
}

/// Names and skins of players without any.
pub struct Nameless;

impl Roster for Nameless {
    fn look(&self, _: SnakeId) -> (&str, u8) {
        ("", 0)
    }
}

/// One viewer for each living snake.
pub struct Audience {
    viewers: Vec<Viewer>,
    press: Press,
    bytes: Vec<u8>,
}

impl Audience {
    /// For so many snakes.
    pub fn new(size: usize) -> Self {
        Self { viewers: (0..size).map(|_| Viewer::default()).collect(), press: Press::default(), bytes: Vec::new() }
    }

    /// Makes the next snapshot of every viewer; how many bytes that is.
    pub fn look(&mut self, world: &World, seats: &[SnakeId]) -> usize {
        let mut total = 0;
        for (viewer, &focus) in self.viewers.iter_mut().zip(seats) {
            self.bytes.clear();
            let seat = Seat { focus, playing: true, ack: 0 };
            viewer.snapshot(world, &Nameless, &mut self.press, seat, &mut self.bytes);
            total += self.bytes.len();
        }
        total
    }
}

/// Everybody alive, by index.
pub fn ids(world: &World) -> Vec<SnakeId> {
    world.snakes().map(|snake| snake.id()).collect()
}

/// What each living snake sees.
pub fn views(world: &World) -> Vec<Rect> {
    let view = |snake: ringsnake::world::Snake<'_>| {
        let [w, h] = view_extent(snake.radius()).map(|u| i32::from(u) * 64);
        Rect::around(snake.head(), w, h)
    };
    world.snakes().map(view).collect()
}

/// A thousand snakes in a wheel that drive straight at the edge, all of which die in the same tick.
pub struct Doom {
    world: World,
}

impl Doom {
    /// How many die.
    pub const SNAKES: u32 = 1_000;

    /// Radius of the circle, u.
    const RADIUS: f64 = 20_000.0;

    /// An empty arena whose edge stands still.
    pub fn new() -> Self {
        let mut config = Config::default();
        (config.arena.radius, config.arena.radius_min) = (Self::RADIUS, Self::RADIUS);
        Self { world: World::new(config, 5).expect("a config within the limits") }
    }

    /// Time of the tick in which all die, with bodies of full length; everything up to it is not timed.
    pub fn strike(&mut self) -> Duration {
        self.fill();
        loop {
            let start = Instant::now();
            self.world.step();
            let time = start.elapsed();
            match self.world.population() {
                0 => return time,
                alive => assert_eq!(alive, Self::SNAKES as usize, "they die together"),
            }
        }
    }

    /// Seats them 400 u before the edge, at the middle of a way: rounding then moves no death to another tick.
    fn fill(&mut self) {
        let way = self.world.config().motion.speed / 30.0;
        let from = Self::RADIUS - 118.5 * way;
        for k in 0..Self::SNAKES {
            let heading = (k * 65_536 / Self::SNAKES) as u16;
            let at = along(heading, from);
            let placement = Placement { at, heading, length: 300 * 64, shield_ticks: 0 };
            self.world.spawn_at(placement).expect("room for all");
        }
    }
}

/// The point at a distance from the middle, u.
fn along(heading: u16, distance: f64) -> Point {
    let [c, s] = ringsnake::geom::angle::unit(heading).map(|v| f64::from(v) / 65_536.0);
    let coordinate = |part: f64| quanta(part * distance).expect("on the lattice");
    Point::new(coordinate(c), coordinate(s))
}
