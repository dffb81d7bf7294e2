//! The world: a config, snakes, and a step that is a list of phases.

mod config;
mod event;
mod id;

pub use config::*;
pub use event::{Cause, Death, Event};
pub use id::SnakeId;

use crate::geom::lattice::{Point, Rect};

/// An arena and everybody in it.
pub struct World {}

/// Why nobody was spawned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpawnError {
    /// The world holds as many snakes as its config allows.
    Full,
    /// No place with enough clearance was found in the configured number of attempts.
    NoRoom,
    /// The place asked for is outside the arena.
    Outside,
}

/// Where and how a snake is placed by [`World::spawn_at`].
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// Head, quanta.
    pub at: Point,
    /// Heading.
    pub heading: u16,
    /// Length, quanta.
    pub length: i32,
    /// Ticks of spawn shield.
    pub shield_ticks: u32,
}

/// A living snake, read only. Lengths in quanta.
#[derive(Clone, Copy)]
pub struct Snake<'w> {
    world: &'w World,
    index: usize,
}

/// A piece of food.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Food {
    /// Its id; ids of eaten pieces are used again, with another generation in the high 8 bits.
    pub id: u32,
    /// Where, quanta.
    pub at: Point,
    /// Size, 1..: multiples of the configured length.
    pub size: u8,
}

/// What a cast disc met first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// When, as a part of the way, 0..=1.
    pub toi: f64,
    /// Who; [`SnakeId::NOBODY`] for the edge and obstacles.
    pub owner: SnakeId,
}

#[allow(missing_docs, unused_variables)]
impl World {
    /// A world without snakes, at tick 0.
    pub fn new(config: Config, seed: u64) -> Result<Self, ConfigError> { todo!() }
    pub fn config(&self) -> &Config { todo!() }
    /// Steps taken.
    pub fn tick(&self) -> u64 { todo!() }
    /// Current radius of the circle, quanta.
    pub fn radius(&self) -> i32 { todo!() }
    /// Snakes alive.
    pub fn population(&self) -> usize { todo!() }
    /// Spawns at a safe place chosen by the world.
    pub fn spawn(&mut self) -> Result<SnakeId, SpawnError> { todo!() }
    pub fn spawn_at(&mut self, placement: Placement) -> Result<SnakeId, SpawnError> { todo!() }
    /// Sets the heading to turn towards and whether to boost; false when nobody has that id.
    pub fn steer(&mut self, id: SnakeId, heading: u16, boost: bool) -> bool { todo!() }
    pub fn remove(&mut self, id: SnakeId) -> bool { todo!() }
    pub fn step(&mut self) { todo!() }
    /// Events since the step before the last began (spawns and removals between steps included).
    pub fn events(&self) -> &[Event] { todo!() }
    pub fn snake(&self, id: SnakeId) -> Option<Snake<'_>> { todo!() }
    /// Everybody alive, in index order.
    pub fn snakes(&self) -> impl Iterator<Item = Snake<'_>> { (0..0).map(|index| Snake { world: self, index }) }
    /// Everybody with a part of the body in the rectangle; appended, each once, in ascending index order.
    pub fn snakes_in(&self, rect: Rect, out: &mut Vec<SnakeId>) { todo!() }
    pub fn food(&self, id: u32) -> Option<Food> { todo!() }
    /// Food in the rectangle, appended.
    pub fn food_in(&self, rect: Rect, out: &mut Vec<Food>) { todo!() }
    /// Sweeps a disc (radius in quanta) and returns the first thing that it would come closer to than
    /// radius + 0.9 r(body): bodies and heads of all but `ignore`, obstacles, the edge. Ignores motion.
    pub fn cast(&self, from: Point, to: Point, radius: i32, ignore: SnakeId) -> Option<CastHit> { todo!() }
    /// The longest `n`, longest first, ties by index; appended.
    pub fn longest(&self, n: usize, out: &mut Vec<SnakeId>) { todo!() }
    pub fn state_hash(&self) -> u64 { todo!() }
}

#[allow(missing_docs)]
impl<'w> Snake<'w> {
    pub fn id(&self) -> SnakeId { let _ = (self.world, self.index); todo!() }
    /// Head, quanta.
    pub fn head(&self) -> Point { todo!() }
    pub fn heading(&self) -> u16 { todo!() }
    /// Radius, quanta.
    pub fn radius(&self) -> i32 { todo!() }
    /// Length (the score), quanta.
    pub fn length(&self) -> i32 { todo!() }
    pub fn boosting(&self) -> bool { todo!() }
    pub fn shielded(&self) -> bool { todo!() }
    pub fn kills(&self) -> u32 { todo!() }
    /// Tick of birth.
    pub fn born(&self) -> u64 { todo!() }
    /// Number of the oldest sample; numbers go up by one a sample and wrap.
    pub fn first(&self) -> u32 { todo!() }
    /// Number after that of the newest sample. end - first = samples, at least 1.
    pub fn end(&self) -> u32 { todo!() }
    /// Sample by number, first <= n < end (wrapping).
    pub fn sample(&self, n: u32) -> Point { todo!() }
    /// Whether the trail is broken before that sample.
    pub fn gap_before(&self, n: u32) -> bool { todo!() }
}
