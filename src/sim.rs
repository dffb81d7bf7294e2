//! The engine alone on the canonical workload: its own rings, grid and narrowphase, and nobody dies.
//!
//! The phases are those of [`World::step`](crate::World::step) in the workload's order: everyone moves, the
//! indexes follow, then every head counts the segments of others that it touches, all of them.

use crate::body::Ring;
use crate::broadphase::{Fronts, Lane};
use crate::geom::lattice::Point;
use crate::lanes::Level;
use crate::limits::RADIUS_THICK;
use crate::narrowphase::{Hits, Scene, Walls};
use crate::oracle::Counter;
use crate::workload::{Scenario, ScenarioError, Workload};
use crate::world::bodies::{Bodies, Tails};
use crate::world::heads::{Heads, flag};
use crate::world::{EngineConfig, HeadOn, Threads};
use std::time::{Duration, Instant};

/// A scenario in the engine's hands.
pub struct Sim {
    workload: Workload,
    heads: Heads,
    bodies: Bodies,
    fronts: Fronts,
    walls: Walls,
    kill_max: [i32; 2],
    points: Vec<u32>,
    due: Vec<u16>,
    threads: Threads,
    level: Level,
}

/// What a tick of a [`Sim`] did.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimTick {
    /// Hits and what it took to find them.
    pub hits: Hits,
    /// Time of the tick by the wall clock.
    pub time: Duration,
    /// What of it went into moving, into the indexes (+1 sample, -1 sample), and into counting.
    pub phases: [Duration; 3],
}

/// How a tick compares with brute force.
#[derive(Clone, Copy, Debug, Default)]
pub struct Comparison {
    /// Hits that brute force finds and the engine does not.
    pub misses: u64,
    /// Hits that the engine finds and brute force does not.
    pub ghosts: u64,
    /// Smallest |distance - kill distance| of the tick, u.
    pub margin: f64,
}

impl Comparison {
    /// Both ticks together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            misses: self.misses + other.misses,
            ghosts: self.ghosts + other.ghosts,
            margin: self.margin.min(other.margin),
        }
    }
}

impl Sim {
    /// Lays out the scenario. `threads` (1..) share the counting of many snakes, at a level that this CPU has.
    pub fn new(scenario: Scenario, threads: u32, level: Level) -> Result<Self, ScenarioError> {
        let (mut workload, trails) = Workload::new(scenario)?;
        workload.set_level(level);
        let mut sim = Self {
            heads: Heads::default(),
            bodies: Bodies::default(),
            fronts: Fronts::default(),
            walls: Walls::default(),
            kill_max: [0; 2],
            points: (0..scenario.snakes).map(|id| scenario.points(id)).collect(),
            due: Vec::new(),
            threads: Threads::new(threads, EngineConfig::default().share_from),
            workload,
            level,
        };
        for trail in &trails {
            sim.enter(trail);
        }
        Ok(sim)
    }

    fn enter(&mut self, trail: &[Point]) {
        let i = self.heads.enter(trail[trail.len() - 1], 0);
        self.heads.radius[i] = self.workload.radius(i as u32);
        self.heads.kill[i] = self.workload.kill_radius(i as u32);
        let wide = usize::from(self.heads.radius[i] > RADIUS_THICK);
        self.heads.set(i, flag::WIDE, wide == 1);
        self.kill_max[wide] = self.kill_max[wide].max(self.heads.kill[i]);
        self.bodies.start(i, trail[0], 0);
        trail[1..].iter().for_each(|&at| self.bodies.lay(i, wide, at));
    }

    /// Shares the counting out from so many snakes on, instead of [`EngineConfig::share_from`].
    pub fn share_from(&mut self, snakes: u32) {
        self.threads.share_from = snakes as usize;
    }

    /// The scenario.
    pub fn scenario(&self) -> Scenario {
        self.workload.scenario()
    }

    /// The SIMD level that counts.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Samples on the ground.
    pub fn points(&self) -> u64 {
        self.bodies.rings.iter().map(|ring| u64::from(ring.len())).sum()
    }

    /// Bytes that the engine holds.
    pub fn bytes(&self) -> usize {
        self.heads.bytes() + self.bodies.bytes()
    }

    /// A hash of all heads and samples.
    pub fn state_hash(&self) -> u64 {
        crate::world::digest::trails(&self.heads, &self.bodies)
    }

    /// One tick of the workload.
    pub fn tick(&mut self) -> SimTick {
        let start = Instant::now();
        self.advance();
        let moved = start.elapsed();
        self.maintain();
        let maintained = start.elapsed();
        let hits = self.scene().count(self.threads.for_heads(self.heads.len()));
        let time = start.elapsed();
        SimTick { hits, time, phases: [moved, maintained - moved, time - maintained] }
    }

    fn advance(&mut self) {
        self.workload.step();
        let len = self.heads.len();
        let (ways, heads) = (&self.workload.columns, &mut self.heads);
        heads.x0.copy_from_slice(&ways.x0[..len]);
        heads.y0.copy_from_slice(&ways.y0[..len]);
        heads.x.copy_from_slice(&ways.x[..len]);
        heads.y.copy_from_slice(&ways.y[..len]);
    }

    /// +1 sample at the head, -1 at the tail, where a head has come far enough.
    fn maintain(&mut self) {
        self.due.clone_from(&self.workload.columns.pushed);
        // Rows that only pad the last sixteen lay samples too.
        let len = self.due.len();
        if let Some(last) = self.due.last_mut() {
            *last &= u16::MAX >> (16 * len - self.heads.len());
        }
        let Self { bodies, heads, due, points, level, .. } = self;
        let is_spare = |tails: &mut Tails<'_>, i: usize| tails.rings.get(i).len() == points[i];
        bodies.renew(due, heads, *level, |samples, at| samples.ask_for_seat(at), is_spare);
    }

    fn scene(&self) -> Scene<'_> {
        Scene {
            heads: &self.heads,
            pool: &self.bodies.pool,
            rings: &self.bodies.rings,
            grids: &self.bodies.grids,
            kill_max: self.kill_max,
            fronts: &self.fronts,
            walls: &self.walls,
            circle: [i32::MAX; 2],
            head_on: HeadOn::BothDie,
            own_body: false,
            level: self.level,
        }
    }

    /// Holds the last tick against brute force in `f64` over bodies that are kept on their own in `counter`.
    pub fn compare(&self, counter: &mut Counter) -> Comparison {
        let moves = self.workload.ways();
        counter.follow(&self.workload, &moves);
        let truth = counter.count(&self.workload, &moves);
        let mut found = Vec::new();
        self.scene().each_hit(|head, lane: &Lane| found.push((head, lane.owner)));
        found.sort_unstable();
        let (misses, ghosts) = difference(&truth.pairs, &found);
        Comparison { misses, ghosts, margin: truth.margin }
    }

    /// The bodies as they stand, to start a [`Counter`] from.
    pub fn trails(&self) -> Vec<Vec<Point>> {
        let trail = |ring: Ring| ring.numbers().map(|n| self.bodies.pool.point(ring.at(n))).collect();
        self.bodies.rings.iter().map(trail).collect()
    }
}

/// How many of `a` are not in `b`, and of `b` not in `a`; both sorted, repeats count.
fn difference(a: &[(u32, u32)], b: &[(u32, u32)]) -> (u64, u64) {
    let (mut i, mut k, mut only_a, mut only_b) = (0, 0, 0, 0);
    while i < a.len() || k < b.len() {
        match (a.get(i), b.get(k)) {
            (Some(x), Some(y)) if x == y => (i, k) = (i + 1, k + 1),
            (Some(x), Some(y)) if x < y => (i, only_a) = (i + 1, only_a + 1),
            (Some(_), None) => (i, only_a) = (i + 1, only_a + 1),
            _ => (k, only_b) = (k + 1, only_b + 1),
        }
    }
    (only_a, only_b)
}
