//! The canonical workload: snakes that wander by a hash of their number and the tick, and never die.
//!
//! Integers only, and a fixed text, so that any engine in any language can move the same snakes along the same lattice
//! points (1/64 u) and be compared by the number of hits it counts. Nothing here knows of the engine.
//!
//! Every 32 ticks a snake draws a turn rate, every 64 it draws whether to boost (one in three does); beyond
//! `arena - 256` u it turns back. A new sample is laid when the head is 10 u from the newest. A *hit* is a pair of
//! consecutive samples of another snake to which a head comes, in its straight way of a tick, strictly closer than
//! [`Workload::radius`] of the head plus [`Workload::kill_radius`] of the other.

use crate::geom::angle::sine;
use crate::geom::lattice::Point;
use crate::lanes::{Kernel, Level, Vector};
use crate::limits;
use std::f64::consts::TAU;
use std::fmt;

/// Number of the first measured tick. The ways before it, from 8 ticks a sample earlier, lay the bodies.
const START: u32 = 32_768;

/// Square of the distance (quanta) at which a sample is laid.
const SPACING2: i64 = 640 * 640;

/// A size of the workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// How many snakes.
    pub snakes: u32,
    /// Arena radius, u.
    pub arena: u32,
    /// How many of them, counted from the first, have 2,000 samples instead of 16..=64.
    pub giants: u32,
}

impl Scenario {
    /// A thousand snakes in the whole arena: thin.
    pub const S1: Self = Self { snakes: 1_000, arena: 20_000, giants: 0 };
    /// A thousand snakes in a hundredth of its area: a crowd.
    pub const S2: Self = Self { snakes: 1_000, arena: 2_000, giants: 0 };
    /// `S1` with fifty giants.
    pub const S3: Self = Self { snakes: 1_000, arena: 20_000, giants: 50 };

    /// The scenario of a name: `s1`, `s2` or `s3`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "s1" => Some(Self::S1),
            "s2" => Some(Self::S2),
            "s3" => Some(Self::S3),
            _ => None,
        }
    }

    /// Samples of a snake when it is fully laid.
    pub fn points(&self, id: u32) -> u32 {
        if id < self.giants { 2_000 } else { 16 + draw(id, 0, 7) % 49 }
    }

    /// Radius of the circle beyond which snakes turn back, quanta.
    fn inner(&self) -> i64 {
        (i64::from(self.arena) - 256) * 64
    }

    fn validate(&self) -> Result<(), ScenarioError> {
        if self.snakes == 0 || self.snakes > limits::SNAKES_MAX {
            return Err(ScenarioError::Snakes(self.snakes));
        }
        if self.giants > self.snakes {
            return Err(ScenarioError::Giants(self.giants, self.snakes));
        }
        if self.arena <= 256 || f64::from(self.arena) > limits::ARENA_RADIUS_MAX {
            return Err(ScenarioError::Arena(self.arena));
        }
        Ok(())
    }
}

/// A size that the workload cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScenarioError {
    /// Nobody, or more snakes than there are ids.
    Snakes(u32),
    /// More giants than snakes.
    Giants(u32, u32),
    /// An arena that is all margin, or larger than the lattice.
    Arena(u32),
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Snakes(n) => write!(f, "{n} snakes: allowed is 1..={}", limits::SNAKES_MAX),
            Self::Giants(n, snakes) => write!(f, "{n} giants: allowed is 0..={snakes}, they are among the snakes"),
            Self::Arena(r) => write!(f, "an arena of {r} u: allowed is 257..={}", limits::ARENA_RADIUS_MAX),
        }
    }
}

impl std::error::Error for ScenarioError {}

/// The finalizer of MurmurHash3 (32 bits).
pub const fn fmix(mut h: u32) -> u32 {
    h ^= h >> 16;
    h = h.wrapping_mul(0x85EB_CA6B);
    h ^= h >> 13;
    h = h.wrapping_mul(0xC2B2_AE35);
    h ^ (h >> 16)
}

/// What a hit adds to the checksum `hsum`, which wraps.
pub const fn hit_sum(head: u32, owner: u32) -> u32 {
    fmix(head.wrapping_mul(65_599).wrapping_add(owner))
}

/// The draw of snake `id`, number `k`, for the purpose `salt`.
const fn draw(id: u32, k: u32, salt: u32) -> u32 {
    let mixed = id.wrapping_mul(0x9E37_79B1).wrapping_add(k.wrapping_mul(0x85EB_CA77));
    fmix(mixed.wrapping_add(salt.wrapping_mul(0xC2B2_AE3D)).wrapping_add(0x27D4_EB2F))
}

/// `round(2^14 (cos, sin))` of 1,024 directions, the sine in the upper half of each word.
static DIRECTION: [i32; 1_024] = directions();

const fn directions() -> [i32; 1_024] {
    let mut table = [0; 1_024];
    let mut k = 0;
    while k < 1_024 {
        table[k] = (sine14(k) as i32) << 16 | sine14(k + 256) as u16 as i32;
        k += 1;
    }
    table
}

/// `round(2^14 sin(2 pi k / 1024))`, halves (there are none) away from zero.
const fn sine14(k: usize) -> i16 {
    let within = k & 511;
    let folded = if within > 256 { 512 - within } else { within };
    let value = (sine(folded as f64 * (TAU / 1_024.0)) * 16_384.0 + 0.5) as i16;
    if k & 512 == 0 { value } else { -value }
}

/// The way of a snake in one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move {
    /// Where the head was.
    pub from: Point,
    /// Where it is now.
    pub to: Point,
    /// Whether `to` became the newest sample. The oldest goes when there are then more than
    /// [`Scenario::points`].
    pub pushed: bool,
}

/// One snake's state: all that the next tick depends on.
#[derive(Clone, Copy, Debug)]
struct Walker {
    id: u32,
    at: Point,
    newest: Point,
    angle: u16,
    /// Turn of a tick while inside, drawn anew every 32 ticks.
    turn: i32,
    /// Way of a tick in quanta, drawn anew every 64 ticks.
    speed: i32,
}

impl Walker {
    fn new(id: u32, inner: i64, tick: u32) -> Self {
        let at = start(id, inner);
        let angle = draw(id, 0, 4) as u16;
        Self { id, at, newest: at, angle, turn: turn(id, tick), speed: speed(id, tick) }
    }

    fn step(&mut self, tick: u32, inner2: i64) -> Move {
        let shifted = tick.wrapping_add(self.id);
        if shifted & 31 == 0 {
            self.turn = turn(self.id, tick);
        }
        if shifted & 63 == 0 {
            self.speed = speed(self.id, tick);
        }
        let turn = self.turn_back(inner2).unwrap_or(self.turn);
        self.angle = self.angle.wrapping_add(turn as u16);
        self.go()
    }

    /// The turn of a snake that is out of bounds and heads farther out.
    fn turn_back(&self, inner2: i64) -> Option<i32> {
        let (x, y) = (i64::from(self.at.x), i64::from(self.at.y));
        let [c, s] = direction(self.angle).map(i64::from);
        let outward = x * x + y * y > inner2 && x * c + y * s > 0;
        outward.then_some(if x * s - y * c > 0 { 1_024 } else { -1_024 })
    }

    fn go(&mut self) -> Move {
        let from = self.at;
        let [c, s] = direction(self.angle);
        self.at = Point::new(from.x + ((self.speed * c) >> 14), from.y + ((self.speed * s) >> 14));
        let pushed = self.at.distance2(self.newest) >= SPACING2;
        if pushed {
            self.newest = self.at;
        }
        Move { from, to: self.at, pushed }
    }
}

fn direction(angle: u16) -> [i32; 2] {
    let both = DIRECTION[usize::from(angle >> 6)];
    [i32::from(both as i16), both >> 16]
}

fn turn(id: u32, tick: u32) -> i32 {
    (draw(id, tick.wrapping_add(id) >> 5, 1) % 1_025) as i32 - 512
}

fn speed(id: u32, tick: u32) -> i32 {
    if draw(id, tick.wrapping_add(id) >> 6, 5).is_multiple_of(3) { 459 } else { 216 }
}

/// The first drawn place that lies in the inner circle.
fn start(id: u32, inner: i64) -> Point {
    let side = 2 * inner + 1;
    let place = |a| [2, 3].map(|salt| i64::from(draw(id, a, salt)) % side - inner);
    let [x, y] = (0..).map(place).find(|[x, y]| x * x + y * y <= inner * inner).unwrap_or([0, 0]);
    Point::new(x as i32, y as i32)
}

/// The snakes of a scenario, at some tick.
///
/// ```
/// use ringsnake::workload::{Scenario, Workload};
///
/// let (mut workload, bodies) = Workload::new(Scenario::S2).unwrap();
/// let newest = *bodies[7].last().unwrap();
/// workload.step();
/// let first = workload.way(7);
/// assert!(newest.distance2(first.from) < 640 * 640);
/// ```
#[derive(Clone, Debug)]
pub struct Workload {
    scenario: Scenario,
    level: Level,
    tick: u32,
    pub(crate) columns: Columns,
    radii: Vec<i32>,
}

/// The state of all snakes, a column a field, padded to sixteen rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub x0: Vec<i32>,
    pub y0: Vec<i32>,
    pub x: Vec<i32>,
    pub y: Vec<i32>,
    newest_x: Vec<i32>,
    newest_y: Vec<i32>,
    angle: Vec<i32>,
    turn: Vec<i32>,
    speed: Vec<i32>,
    /// Sixteen rows a word: who laid a sample in the last step.
    pub pushed: Vec<u16>,
}

impl Columns {
    fn new(walkers: &[Walker]) -> Self {
        let len = walkers.len().next_multiple_of(16);
        let column = |field: fn(&Walker) -> i32| {
            let mut column: Vec<i32> = walkers.iter().map(field).collect();
            column.resize(len, 0);
            column
        };
        Self {
            x0: column(|w| w.at.x),
            y0: column(|w| w.at.y),
            x: column(|w| w.at.x),
            y: column(|w| w.at.y),
            newest_x: column(|w| w.newest.x),
            newest_y: column(|w| w.newest.y),
            angle: column(|w| i32::from(w.angle)),
            turn: column(|w| w.turn),
            speed: column(|w| w.speed),
            pushed: vec![0; len / 16],
        }
    }

    /// Which of sixteen rows may be beyond the inner circle; `f32` errs by less than the margin.
    #[inline(always)]
    fn may_be_beyond<V: Vector>(&self, first: usize, inner2: i64) -> u16 {
        let limit = V::splat_f(inner2 as f32 * (1.0 - 1e-5));
        let mut beyond = 0;
        for at in (0..16).step_by(V::PAIRS) {
            let [x, y] = [&self.x, &self.y].map(|column| V::float(V::load_p(&column[first + at..])));
            beyond |= V::less_f(limit, V::add_f(V::mul_f(x, x), V::mul_f(y, y))) << at;
        }
        beyond
    }

    fn walker(&self, i: usize) -> Walker {
        Walker {
            id: i as u32,
            at: Point::new(self.x[i], self.y[i]),
            newest: Point::new(self.newest_x[i], self.newest_y[i]),
            angle: self.angle[i] as u16,
            turn: self.turn[i],
            speed: self.speed[i],
        }
    }

    /// Moves sixteen snakes.
    #[inline(always)]
    fn go<V: Vector>(&mut self, block: usize, inner2: i64) {
        let first = block * 16;
        let mut turn = *sixteen(&self.turn, first);
        let mut beyond = self.may_be_beyond::<V>(first, inner2);
        while beyond != 0 {
            let k = beyond.trailing_zeros() as usize;
            turn[k] = self.walker(first + k).turn_back(inner2).unwrap_or(turn[k]);
            beyond &= beyond - 1;
        }
        let angle = V::add(V::load(sixteen(&self.angle, first)), V::load(&turn));
        let angle = V::and(angle, V::splat(0xFFFF));
        V::store(angle, sixteen_mut(&mut self.angle, first));
        let directions = V::look_up(bytemuck::cast_slice(&DIRECTION), V::shift_right::<6>(angle));
        let (c, s) = (V::shift_right::<16>(V::mul(directions, V::splat(1 << 16))), V::shift_right::<16>(directions));
        let speed = V::load(sixteen(&self.speed, first));
        let (way_x, way_y) = (V::mul(speed, c), V::mul(speed, s));
        let (x0, y0) = (V::load(sixteen(&self.x, first)), V::load(sixteen(&self.y, first)));
        let (x, y) = (V::add(x0, V::shift_right::<14>(way_x)), V::add(y0, V::shift_right::<14>(way_y)));
        let (newest_x, newest_y) = (V::load(sixteen(&self.newest_x, first)), V::load(sixteen(&self.newest_y, first)));
        let (dx, dy) = (V::sub(x, newest_x), V::sub(y, newest_y));
        let near = V::less(V::add(V::mul(dx, dx), V::mul(dy, dy)), V::splat(SPACING2 as i32));
        V::store(x0, sixteen_mut(&mut self.x0, first));
        V::store(y0, sixteen_mut(&mut self.y0, first));
        V::store(x, sixteen_mut(&mut self.x, first));
        V::store(y, sixteen_mut(&mut self.y, first));
        V::store(V::pick(near, newest_x, x), sixteen_mut(&mut self.newest_x, first));
        V::store(V::pick(near, newest_y, y), sixteen_mut(&mut self.newest_y, first));
        self.pushed[block] = !near;
    }
}

/// One tick of all snakes.
struct Go<'w> {
    columns: &'w mut Columns,
    /// Square of the radius beyond which snakes turn back.
    inner2: i64,
}

impl Kernel for Go<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        for block in 0..self.columns.pushed.len() {
            self.columns.go::<V>(block, self.inner2);
        }
    }
}

#[inline(always)]
fn sixteen(column: &[i32], first: usize) -> &[i32; 16] {
    column[first..].first_chunk().expect("columns are padded to sixteen")
}

#[inline(always)]
fn sixteen_mut(column: &mut [i32], first: usize) -> &mut [i32; 16] {
    column[first..].first_chunk_mut().expect("columns are padded to sixteen")
}

impl Workload {
    /// The snakes at the first measured tick, and the samples of each, oldest first.
    pub fn new(scenario: Scenario) -> Result<(Self, Vec<Vec<Point>>), ScenarioError> {
        scenario.validate()?;
        let (walkers, bodies): (Vec<Walker>, _) = (0..scenario.snakes).map(|id| lay(&scenario, id)).unzip();
        let radii = (0..scenario.snakes).map(|id| radius(scenario.points(id))).collect();
        let columns = Columns::new(&walkers);
        Ok((Self { scenario, level: Level::best(), tick: START, columns, radii }, bodies))
    }

    /// Moves snakes at another SIMD level, which this CPU must have. The ways are the same.
    pub fn set_level(&mut self, level: Level) {
        assert!(level.is_here(), "this CPU has no {level}");
        self.level = level;
    }

    /// The size.
    pub fn scenario(&self) -> Scenario {
        self.scenario
    }

    /// Radius of a snake, quanta.
    ///
    /// # Panics
    /// When there are not that many snakes.
    pub fn radius(&self, id: u32) -> i32 {
        self.radii[id as usize]
    }

    /// The part of its radius with which a snake's body kills, quanta.
    ///
    /// # Panics
    /// When there are not that many snakes.
    pub fn kill_radius(&self, id: u32) -> i32 {
        9 * self.radii[id as usize] / 10
    }

    /// Moves every snake by one tick.
    pub fn step(&mut self) {
        self.draw_anew();
        let inner2 = self.scenario.inner() * self.scenario.inner();
        self.level.call(Go { columns: &mut self.columns, inner2 });
        self.tick = self.tick.wrapping_add(1);
    }

    /// Draws turns and speeds of the snakes whose time it is, one in 32.
    fn draw_anew(&mut self) {
        let tick = self.tick;
        for id in (tick.wrapping_neg() & 31..self.scenario.snakes).step_by(32) {
            self.columns.turn[id as usize] = turn(id, tick);
            if tick.wrapping_add(id) & 63 == 0 {
                self.columns.speed[id as usize] = speed(id, tick);
            }
        }
    }

    /// The last way of a snake.
    ///
    /// # Panics
    /// When there are not that many snakes.
    pub fn way(&self, id: u32) -> Move {
        let i = id as usize;
        let c = &self.columns;
        Move {
            from: Point::new(c.x0[i], c.y0[i]),
            to: Point::new(c.x[i], c.y[i]),
            pushed: c.pushed[i / 16] & 1 << (i % 16) != 0,
        }
    }

    /// The last ways of all snakes, by number.
    pub fn ways(&self) -> Vec<Move> {
        (0..self.scenario.snakes).map(|id| self.way(id)).collect()
    }
}

/// Radius of a snake of that many samples, quanta: its length in metres over 7, between 2 u and 80 u.
fn radius(points: u32) -> i32 {
    (points as i32 * 64 / 7).clamp(128, 5_120)
}

/// A snake at the first measured tick, and its samples.
fn lay(scenario: &Scenario, id: u32) -> (Walker, Vec<Point>) {
    let points = scenario.points(id);
    let (inner, first) = (scenario.inner(), START - 8 * points);
    let mut walker = Walker::new(id, inner, first);
    let mut body = vec![walker.at];
    body.extend((first..START).map(|tick| walker.step(tick, inner * inner)).filter(|way| way.pushed).map(|way| way.to));
    body.drain(..body.len().saturating_sub(points as usize));
    (walker, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directions_are_those_of_libm() {
        for k in 0..1_024_u16 {
            let angle = TAU * f64::from(k) / 1_024.0;
            let rounded = [angle.cos(), angle.sin()].map(|v| (16_384.0 * v).round() as i32);
            assert_eq!(direction(k << 6), rounded, "direction {k}");
        }
    }

    #[test]
    fn the_caches_hold_what_the_draws_say() {
        let (mut workload, _) = Workload::new(Scenario { snakes: 100, ..Scenario::S1 }).unwrap();
        for tick in START..START + 200 {
            workload.step();
            for id in 0..100 {
                assert_eq!(workload.columns.turn[id as usize], turn(id, tick));
                assert_eq!(workload.columns.speed[id as usize], speed(id, tick));
            }
        }
    }

    #[test]
    fn bodies_are_laid_at_ten_units_and_no_longer_than_they_may_be() {
        let scenario = Scenario { snakes: 60, arena: 2_000, giants: 2 };
        let (workload, bodies) = Workload::new(scenario).unwrap();
        for (id, body) in (0..).zip(&bodies) {
            assert!(body.len() <= scenario.points(id) as usize);
            assert!(body.windows(2).all(|pair| pair[0].distance2(pair[1]) >= SPACING2));
            assert_eq!(*body.last().unwrap(), workload.columns.walker(id as usize).newest);
        }
        assert_eq!((workload.radius(0), workload.kill_radius(0)), (5_120, 4_608));
    }

    #[test]
    fn nobody_leaves_the_arena() {
        let scenario = Scenario { snakes: 300, arena: 600, giants: 0 };
        let (mut workload, _) = Workload::new(scenario).unwrap();
        for _ in 0..2_000 {
            workload.step();
            assert!(workload.ways().iter().all(|way| way.to.distance2(Point::default()) < (600 * 64) * (600 * 64)));
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        for (snakes, arena) in [(0, 2_000), (limits::SNAKES_MAX + 1, 2_000), (10, 256), (10, 250_001)] {
            assert!(Workload::new(Scenario { snakes, arena, giants: 0 }).is_err(), "{snakes} in {arena}");
        }
        assert!(Workload::new(Scenario { snakes: 1, arena: 257, giants: 0 }).is_ok());
    }
}
