//! The world: a config, snakes, and a step that is a list of phases.

mod audit;
pub(crate) mod bodies;
mod config;
pub(crate) mod digest;
mod event;
mod food;
pub(crate) mod heads;
mod id;
mod joining;
mod judge;
mod motion;
mod query;
mod rng;
mod spawn;
mod step;
mod threads;
mod tuning;

pub use config::*;
pub use event::{Cause, Death, Event};
pub use food::Food;
pub use id::SnakeId;
pub use judge::{Contestant, JudgeError, JudgeRules, JudgedDeath, judge};
pub use query::{CastHit, Snake};
pub use rng::Rng;
pub use spawn::{Placement, SpawnError};
pub use step::Phase;
pub(crate) use threads::Threads;

use crate::broadphase::Fronts;
use crate::lanes::Level;
use crate::narrowphase::{Found, Tally, Walls};
use bodies::Bodies;
use food::Larder;
use heads::{Heads, flag};
use tuning::Tuning;

/// An arena and everybody in it.
///
/// Nothing in it depends on a clock, a socket, a thread or the order of a hash map: the same config, seed and
/// calls give the same [`World::state_hash`] at every tick on every machine.
///
/// ```
/// use ringsnake::{Config, World};
/// let mut world = World::new(Config::default(), 7)?;
/// let id = world.spawn().unwrap();
/// for _ in 0..120 {
///     world.steer(id, 16_384, false); // towards +y
///     world.step();
/// }
/// let snake = world.snake(id).unwrap();
/// assert!(snake.end() - snake.first() > 1, "it leaves a trail");
/// # Ok::<(), ringsnake::world::ConfigError>(())
/// ```
pub struct World {
    config: Config,
    tuning: Tuning,
    rng: Rng,
    tick: u64,
    /// Radius of the circle at the start and at the end of the tick to come, quanta.
    circle: [i32; 2],
    heads: Heads,
    bodies: Bodies,
    fronts: Fronts,
    /// The largest kill distance of a body in each grid, quanta.
    kill_max: [i32; 2],
    walls: Walls,
    larder: Larder,
    /// Rows that came, moved or lost their shield since the fronts were last put in order.
    unlisted: Vec<u32>,
    events: Vec<Event>,
    /// The events are of a step that is over; the next one to come starts a new list.
    events_over: bool,
    found: Found,
    threads: Threads,
    level: Level,
    tally: Tally,
    /// Sixteen rows a word: who lays a sample.
    due: Vec<u16>,
}

impl World {
    /// A world without snakes, at tick 0. Fails when a field of the config is out of its range.
    pub fn new(config: Config, seed: u64) -> Result<Self, ConfigError> {
        config.validate()?;
        let tuning = Tuning::new(&config);
        let radius = tuning.arena_for(0);
        Ok(Self {
            rng: Rng::new(seed),
            tick: 0,
            circle: [radius; 2],
            heads: Heads::default(),
            bodies: Bodies::default(),
            fronts: Fronts::default(),
            kill_max: [0; 2],
            walls: Walls::new(&config.arena.obstacles),
            larder: Larder::default(),
            unlisted: Vec::new(),
            events: Vec::new(),
            events_over: false,
            found: Found::default(),
            threads: Threads::new(config.engine.threads, config.engine.share_from),
            level: config.engine.level()?,
            tally: Tally::default(),
            due: Vec::new(),
            tuning,
            config,
        })
    }

    /// What the world was made from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The threads that a step is shared out to, for what else is done with the world; none: there is one thread only.
    #[cfg(feature = "server")]
    pub(crate) fn thread_pool(&self) -> Option<&rayon::ThreadPool> {
        self.threads.pool()
    }

    /// Steps taken.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Current radius of the circle, quanta.
    pub fn radius(&self) -> i32 {
        self.circle[0]
    }

    /// Snakes alive.
    pub fn population(&self) -> usize {
        self.heads.alive()
    }

    /// Bytes that the world holds for snakes, their bodies, the grid and food, used or spare.
    pub fn bytes(&self) -> usize {
        self.heads.bytes() + self.bodies.bytes() + self.fronts.bytes() + self.larder.bytes()
    }

    /// Sets the heading to turn towards and whether to boost; false when nobody alive has that id.
    pub fn steer(&mut self, id: SnakeId, heading: u16, boost: bool) -> bool {
        let Some(i) = self.heads.row(id) else { return false };
        self.heads.want[i] = heading;
        self.heads.set(i, flag::WANTS_BOOST, boost);
        true
    }

    /// Takes a snake out at once, without a death; false when nobody alive has that id.
    pub fn remove(&mut self, id: SnakeId) -> bool {
        let Some(i) = self.heads.row(id) else { return false };
        self.take_out(i);
        self.report(Event::Removed { id });
        true
    }

    /// Puts a head somewhere else. Its trail stays where it is, broken before the new place; nothing between
    /// the two is touched. False when nobody alive has that id or the place is outside the circle.
    pub fn teleport(&mut self, id: SnakeId, to: crate::geom::lattice::Point) -> bool {
        let Some(i) = self.heads.row(id).filter(|_| self.is_inside(to)) else { return false };
        (self.heads.x[i], self.heads.y[i], self.heads.x0[i], self.heads.y0[i]) = (to.x, to.y, to.x, to.y);
        if self.heads.has(i, flag::SHIELD) {
            self.bodies.drag(i, to);
        } else {
            self.bodies.lay_broken(i, self.wide(i), to);
        }
        self.unlisted.push(i as u32);
        true
    }

    /// What happened in the last step, and the spawns and removals between it and the step before.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    fn report(&mut self, event: Event) {
        if std::mem::take(&mut self.events_over) {
            self.events.clear();
        }
        self.events.push(event);
    }

    /// The grid that holds a row's lanes.
    fn wide(&self, i: usize) -> usize {
        usize::from(self.heads.has(i, flag::WIDE))
    }

    /// Frees a row and everything that stands for it anywhere.
    fn take_out(&mut self, i: usize) {
        self.bodies.clear(i, self.wide(i));
        self.heads.leave(i);
        self.unlisted.retain(|&row| row as usize != i);
    }
}
