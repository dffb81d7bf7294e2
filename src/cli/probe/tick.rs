//! The question that goes to the engine: who of these dies in this tick?

use super::question::{Coords, Length, Object, dimension, present, read};
use crate::geom::lattice::Point;
use crate::limits::{ARENA_RADIUS_MAX, RADIUS_MAX};
use crate::world::HeadOn;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::collections::BTreeSet;

/// A tick to judge. Everything in it lies on the lattice's range, but is not yet rounded to it.
#[derive(Clone, Debug, PartialEq)]
pub struct TickQuestion {
    /// Who is there; no id stands twice.
    pub snakes: Vec<TickSnake>,
    /// By which rules.
    pub rules: TickRules,
}

/// A snake in a tick to judge. Lengths in u.
#[derive(Clone, Debug, PartialEq)]
pub struct TickSnake {
    /// Its name, in the answer too.
    pub id: u32,
    /// Radius of head and body.
    pub radius: f64,
    /// Samples, oldest first, at least one.
    pub body: Vec<[f64; 2]>,
    /// For each sample whether the trail is broken before it.
    pub gaps: Vec<bool>,
    /// The head at the start.
    pub from: [f64; 2],
    /// The head at the end.
    pub to: [f64; 2],
}

/// Rules of a tick to judge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TickRules {
    /// Two heads that meet.
    pub head_on: HeadOn,
    /// Whether the own body kills.
    pub own_body: bool,
    /// Radius of the circle, u; none: nobody leaves it.
    pub arena_radius: Option<f64>,
}

/// Answers a line whose op is `tick`.
pub(super) fn answer(line: &[u8]) -> Result<Value, String> {
    answer_tick(&read::<TickLine>(line)?.check()?)
}

/// Takes the snakes to the engine and lists who dies, by id.
fn answer_tick(_question: &TickQuestion) -> Result<Value, String> {
    Err("tick: not connected yet".to_owned())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TickLine {
    #[serde(rename = "op")]
    _op: IgnoredAny,
    snakes: Vec<Object<SnakeLine>>,
    #[serde(default, deserialize_with = "present")]
    rules: Option<Object<RulesLine>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SnakeLine {
    id: u32,
    radius: Length,
    body: Vec<Coords>,
    from: Coords,
    to: Coords,
    #[serde(default)]
    gaps: Vec<usize>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesLine {
    #[serde(default, deserialize_with = "present")]
    head_on: Option<HeadOn>,
    #[serde(default)]
    own_body: bool,
    #[serde(default, deserialize_with = "present")]
    arena_radius: Option<Length>,
}

impl TickLine {
    fn check(self) -> Result<TickQuestion, String> {
        let Object(rules) = self.rules.unwrap_or(Object(RulesLine::default()));
        let rules = rules.check().map_err(|what| format!("rules: {what}"))?;
        let snake = |(i, Object(snake)): (usize, Object<SnakeLine>)| {
            snake.check().map_err(|what| format!("snakes[{i}]: {what}"))
        };
        let snakes = self.snakes.into_iter().enumerate().map(snake).collect::<Result<Vec<_>, _>>()?;
        let mut ids = BTreeSet::new();
        match snakes.iter().find(|snake| !ids.insert(snake.id)) {
            Some(snake) => Err(format!("snakes: id {} stands twice", snake.id)),
            None => Ok(TickQuestion { snakes, rules }),
        }
    }
}

impl RulesLine {
    fn check(self) -> Result<TickRules, String> {
        let arena_radius = self.arena_radius.map(|radius| radius.0);
        if let Some(radius) = arena_radius.filter(|&radius| radius > ARENA_RADIUS_MAX) {
            return Err(format!("arena_radius: {radius} is above {ARENA_RADIUS_MAX}"));
        }
        Ok(TickRules { head_on: self.head_on.unwrap_or(HeadOn::BothDie), own_body: self.own_body, arena_radius })
    }
}

impl SnakeLine {
    fn check(self) -> Result<TickSnake, String> {
        if self.radius.0 > RADIUS_MAX {
            return Err(format!("radius: {} is above {RADIUS_MAX}", self.radius.0));
        }
        if self.body.is_empty() {
            return Err("body: no samples".to_owned());
        }
        let body: Vec<_> = self.body.iter().map(|sample| on_lattice("body", sample)).collect::<Result<_, _>>()?;
        let mut gaps = vec![false; body.len()];
        for gap in self.gaps {
            *gaps.get_mut(gap).ok_or_else(|| format!("gaps: there is no sample {gap}"))? = true;
        }
        let (from, to) = (on_lattice("from", &self.from)?, on_lattice("to", &self.to)?);
        Ok(TickSnake { id: self.id, radius: self.radius.0, body, gaps, from, to })
    }
}

/// The point, if it is one of the plane and within the range of the lattice.
fn on_lattice(name: &str, point: &Coords) -> Result<[f64; 2], String> {
    if dimension([(name, point)])? != 2 {
        return Err(format!("{name}: a tick is in the plane, a point has 2 numbers"));
    }
    let at = point.get();
    Point::from_units(at).map(|_| at).ok_or_else(|| format!("{name}: {at:?} is off the lattice"))
}
