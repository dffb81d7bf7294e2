//! The question that goes to the engine: who of these dies in this tick?

use super::question::{Coords, Length, Object, dimension, present, read};
use crate::geom::lattice::Point;
use crate::limits::{ARENA_RADIUS_MAX, RADIUS_MAX};
use crate::world::{Cause, Contestant, HeadOn, JudgeRules, judge};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Answers a line whose op is `tick`: takes the snakes to the engine and lists who dies, by id.
pub(super) fn answer(line: &[u8]) -> Result<Value, String> {
    let (snakes, rules) = read::<TickLine>(line)?.check()?;
    let deaths = judge(&snakes, &rules).map_err(|error| error.to_string())?;
    let deaths: Vec<Value> = deaths.iter().map(|death| {
        json!({"victim": death.victim, "killer": death.killer, "toi": death.toi, "kind": kind(death.cause), "at": death.at})
    }).collect();
    Ok(json!({ "deaths": deaths }))
}

fn kind(cause: Cause) -> &'static str {
    match cause {
        Cause::Head => "head",
        Cause::Body => "body",
        Cause::Live => "live",
        Cause::Own => "own",
        Cause::Obstacle => "obstacle",
        Cause::Edge => "edge",
    }
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
    fn check(self) -> Result<(Vec<Contestant>, JudgeRules), String> {
        let Object(rules) = self.rules.unwrap_or(Object(RulesLine::default()));
        let rules = rules.check().map_err(|what| format!("rules: {what}"))?;
        let snake = |(i, Object(snake)): (usize, Object<SnakeLine>)| {
            snake.check().map_err(|what| format!("snakes[{i}]: {what}"))
        };
        let snakes = self.snakes.into_iter().enumerate().map(snake).collect::<Result<Vec<_>, _>>()?;
        let mut ids = BTreeSet::new();
        match snakes.iter().find(|snake| !ids.insert(snake.id)) {
            Some(snake) => Err(format!("snakes: id {} stands twice", snake.id)),
            None => Ok((snakes, rules)),
        }
    }
}

impl RulesLine {
    fn check(self) -> Result<JudgeRules, String> {
        let arena_radius = self.arena_radius.map(|radius| radius.0);
        if let Some(radius) = arena_radius.filter(|&radius| radius > ARENA_RADIUS_MAX) {
            return Err(format!("arena_radius: {radius} is above {ARENA_RADIUS_MAX}"));
        }
        let head_on = self.head_on.unwrap_or(HeadOn::BothDie);
        Ok(JudgeRules { head_on, own_body: self.own_body, arena_radius, obstacles: Vec::new() })
    }
}

impl SnakeLine {
    fn check(self) -> Result<Contestant, String> {
        if self.radius.0 > RADIUS_MAX {
            return Err(format!("radius: {} is above {RADIUS_MAX}", self.radius.0));
        }
        if self.body.is_empty() {
            return Err("body: no samples".to_owned());
        }
        let body: Vec<_> = self.body.iter().map(|sample| on_lattice("body", sample)).collect::<Result<_, _>>()?;
        if let Some(gap) = self.gaps.iter().find(|&&gap| gap >= body.len()) {
            return Err(format!("gaps: there is no sample {gap}"));
        }
        let (from, to) = (on_lattice("from", &self.from)?, on_lattice("to", &self.to)?);
        Ok(Contestant { id: self.id, radius: self.radius.0, body, gaps: self.gaps, from, to })
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
