//! One tick for given snakes, judged as [`World::step`] judges it: same phases, same code.

use super::heads::flag;
use super::{Cause, Config, HeadOn, Obstacle, SnakeId, World};
use crate::geom::lattice::{Point, quanta};
use crate::geom::segment::length;
use crate::limits::{ARENA_RADIUS_MAX, RADIUS_THICK};
use crate::narrowphase::Walls;
use std::fmt;

/// A snake as a [`judge`] is given it. Lengths in u; all goes to the nearest quantum (1/64 u).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contestant {
    /// What it is called in the verdict.
    pub id: u32,
    /// Radius.
    pub radius: f64,
    /// Samples, oldest first; none: the trail starts at `from`.
    pub body: Vec<[f64; 2]>,
    /// Indices of the samples before which the trail is broken.
    pub gaps: Vec<usize>,
    /// The head at the start of the tick.
    pub from: [f64; 2],
    /// The head at its end.
    pub to: [f64; 2],
}

/// By which rules a tick is judged.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeRules {
    /// Two heads that meet.
    pub head_on: HeadOn,
    /// Whether a snake dies of its own body.
    pub own_body: bool,
    /// Radius of the circle, u; none for a plane without an edge.
    pub arena_radius: Option<f64>,
    /// What stands in it, overlapping or not. All goes to the nearest quantum.
    pub obstacles: Vec<Obstacle>,
}

impl Default for JudgeRules {
    fn default() -> Self {
        Self { head_on: HeadOn::BothDie, own_body: false, arena_radius: None, obstacles: Vec::new() }
    }
}

/// A death in a judged tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedDeath {
    /// Who died.
    pub victim: u32,
    /// Of whom; none for edge, obstacle and own body.
    pub killer: Option<u32>,
    /// How.
    pub cause: Cause,
    /// When, as a part of the tick.
    pub toi: f64,
    /// The victim's head then, u.
    pub at: [f64; 2],
}

/// What cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeError {
    /// A place of the snake with this id is not finite or lies off the lattice (2^18 u).
    Place(u32),
    /// Its radius is negative, not finite or larger than the lattice.
    Radius(u32),
    /// A gap's index is not that of a sample.
    Gap(u32),
    /// The circle's radius is out of range.
    Circle,
    /// The obstacle of this index lies off the lattice, or its size is negative or not finite.
    Obstacle(usize),
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(id) => write!(f, "snake {id}: a place is not on the lattice"),
            Self::Radius(id) => write!(f, "snake {id}: radius is out of range"),
            Self::Gap(id) => write!(f, "snake {id}: a gap is not the index of a sample"),
            Self::Circle => write!(f, "arena radius is out of range"),
            Self::Obstacle(k) => write!(f, "obstacle {k} is out of range"),
        }
    }
}

impl std::error::Error for JudgeError {}

/// Lets each head go from `from` to `to` and tells who dies, by victim's id.
///
/// ```
/// use ringsnake::world::{Contestant, JudgeRules, judge};
/// let wall = Contestant { id: 1, radius: 2.0, body: vec![[0.0, -9.0], [0.0, 9.0]], from: [0.0, 12.0], to: [0.0, 15.0], ..Default::default() };
/// let head = Contestant { id: 2, radius: 2.0, body: vec![[-20.0, 0.0]], from: [-8.0, 0.0], to: [-1.0, 0.0], ..Default::default() };
/// let deaths = judge(&[wall, head], &JudgeRules::default()).unwrap();
/// assert_eq!((deaths[0].victim, deaths[0].killer), (2, Some(1)));
/// ```
pub fn judge(snakes: &[Contestant], rules: &JudgeRules) -> Result<Vec<JudgedDeath>, JudgeError> {
    let mut world = empty_world(rules)?;
    for snake in snakes {
        world.seat(snake)?;
    }
    world.sort_fronts();
    world.meet();
    world.judge();
    let name = |id: SnakeId| (id != SnakeId::NOBODY).then(|| snakes[id.index()].id);
    let deaths = world.deaths().map(|(row, death)| JudgedDeath {
        victim: snakes[row].id,
        killer: name(death.killer),
        cause: death.cause,
        toi: death.toi,
        at: death.at,
    });
    let mut deaths: Vec<JudgedDeath> = deaths.collect();
    deaths.sort_by_key(|death| death.victim);
    Ok(deaths)
}

fn empty_world(rules: &JudgeRules) -> Result<World, JudgeError> {
    let mut config = Config { capacity: crate::limits::SNAKES_MAX, ..Config::default() };
    config.rules.head_on = rules.head_on;
    config.rules.own_body = rules.own_body;
    config.arena.radius = ARENA_RADIUS_MAX;
    if let Some(k) = rules.obstacles.iter().position(|obstacle| obstacle.validate("").is_err()) {
        return Err(JudgeError::Obstacle(k));
    }
    let mut world = World::new(config, 0).map_err(|_| JudgeError::Circle)?;
    world.walls = Walls::new(&rules.obstacles);
    let circle = match rules.arena_radius {
        Some(radius) => quanta(radius).filter(|&radius| radius >= 0).ok_or(JudgeError::Circle)?,
        None => i32::MAX,
    };
    world.circle = [circle; 2];
    Ok(world)
}

impl World {
    /// Puts a snake into the next row as it is described.
    fn seat(&mut self, snake: &Contestant) -> Result<(), JudgeError> {
        let point = |at: [f64; 2]| Point::from_units(at).ok_or(JudgeError::Place(snake.id));
        let (from, to) = (point(snake.from)?, point(snake.to)?);
        let body = snake.body.iter().copied().map(point).collect::<Result<Vec<Point>, _>>()?;
        let radius = quanta(snake.radius).filter(|_| snake.radius >= 0.0).ok_or(JudgeError::Radius(snake.id))?;
        if snake.gaps.iter().any(|&gap| gap >= body.len()) {
            return Err(JudgeError::Gap(snake.id));
        }
        let i = self.heads.enter(from, 0);
        (self.heads.x[i], self.heads.y[i]) = (to.x, to.y);
        let wide = usize::from(radius > RADIUS_THICK);
        self.heads.set(i, flag::WIDE, wide == 1);
        self.heads.radius[i] = radius;
        self.heads.kill[i] = self.tuning.kill_of(radius);
        self.kill_max[wide] = self.kill_max[wide].max(self.heads.kill[i]);
        self.lay_given(i, wide, from, &body, &snake.gaps);
        Ok(())
    }

    fn lay_given(&mut self, i: usize, wide: usize, from: Point, body: &[Point], gaps: &[usize]) {
        self.bodies.start(i, body.first().copied().unwrap_or(from), 0);
        let mut broken = vec![false; body.len()];
        gaps.iter().for_each(|&n| broken[n] = true);
        for (n, &at) in body.iter().enumerate().skip(1) {
            if broken[n] {
                self.bodies.lay_broken(i, wide, at);
            } else {
                self.bodies.grow(i, wide, at);
            }
        }
        let arc = self.bodies.arc[i] + i64::from(length(self.bodies.newest(i), from));
        self.heads.length[i] = arc.min(i64::from(i32::MAX)) as i32;
    }
}
