//! The engine's verdict on a tick held against the oracle's.

use super::{Contact, Scene, SceneSnake, Verdict};
use crate::world::{Contestant, HeadOn, JudgeError, JudgeRules, JudgedDeath, Obstacle, judge};

/// Within what the two may differ, because the oracle rounds.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// Verdicts of heads that stay this near to a kill distance are not compared, u.
    pub margin: f64,
    /// Difference of a time of impact, as u along the head's way.
    pub way: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { margin: 1e-7, way: 1e-5 }
    }
}

/// Lets the engine and the oracle judge the same tick; tells the first thing they disagree on.
/// Names of snakes must be different.
pub fn disagreement(
    snakes: &[Contestant],
    rules: &JudgeRules,
    tolerance: Tolerance,
) -> Result<Option<String>, JudgeError> {
    let deaths = judge(snakes, rules)?;
    let scene = scene(snakes, rules);
    let verdict = scene.judge();
    let differ = (0..snakes.len()).find_map(|k| {
        let engine = deaths.iter().find(|death| death.victim == snakes[k].id);
        differs(&scene, &verdict, k, engine, tolerance)
    });
    Ok(differ)
}

/// The oracle's scene of a judged tick, with everything on the lattice as the engine takes it there.
pub fn scene(snakes: &[Contestant], rules: &JudgeRules) -> Scene {
    Scene {
        snakes: snakes.iter().map(scene_snake).collect(),
        arena: rules.arena_radius.map(|radius| [on_lattice(radius); 2]),
        obstacles: rules.obstacles.iter().map(obstacle_on_lattice).collect(),
        longer_survives: rules.head_on == HeadOn::LongerSurvives,
        own_body: rules.own_body,
    }
}

fn on_lattice(length: f64) -> f64 {
    (length * 64.0).round() / 64.0
}

fn obstacle_on_lattice(obstacle: &Obstacle) -> Obstacle {
    match *obstacle {
        Obstacle::Box { min, max } => Obstacle::Box { min: min.map(on_lattice), max: max.map(on_lattice) },
        Obstacle::Circle { center, radius } => {
            Obstacle::Circle { center: center.map(on_lattice), radius: on_lattice(radius) }
        }
    }
}

fn scene_snake(snake: &Contestant) -> SceneSnake {
    let point = |at: [f64; 2]| at.map(on_lattice);
    let radius = on_lattice(snake.radius);
    let mut body: Vec<[f64; 2]> = snake.body.iter().copied().map(point).collect();
    let mut gaps = vec![false; body.len()];
    snake.gaps.iter().for_each(|&gap| gaps[gap] = true);
    if body.is_empty() {
        body.push(point(snake.from));
        gaps.push(false);
    }
    let mut scene = SceneSnake {
        id: snake.id,
        radius,
        kill_radius: (radius * 64.0 * 9.0 / 10.0).floor() / 64.0,
        body,
        gaps,
        from: point(snake.from),
        to: point(snake.to),
        length: 0.0,
        ghost: false,
    };
    scene.length = scene.stretches().iter().map(|[a, b]| (64.0 * (a[0] - b[0]).hypot(a[1] - b[1])).floor()).sum();
    scene
}

fn differs(
    scene: &Scene,
    verdict: &Verdict,
    k: usize,
    engine: Option<&JudgedDeath>,
    tolerance: Tolerance,
) -> Option<String> {
    let id = scene.snakes[k].id;
    let close = verdict.clearance[k].abs() < tolerance.margin;
    let oracle = verdict.deaths.iter().find(|death| death.victim == id).map(|death| death.contact);
    match (engine, oracle) {
        (None, None) => None,
        (Some(_), None) | (None, Some(_)) if close => None,
        (Some(death), None) => Some(format!("ghost: {death:?}, clearance {}", verdict.clearance[k])),
        (None, Some(contact)) => Some(format!("miss: {id} {contact:?}")),
        (Some(death), Some(contact)) => {
            let agree = scene.contacts(k).iter().any(|other| is_as_good(scene, k, other, &contact, death, tolerance));
            (!agree).then(|| format!("engine {death:?}, oracle {contact:?}"))
        }
    }
}

/// Whether the engine's death is this contact, and this contact comes as early as the first one.
fn is_as_good(
    scene: &Scene,
    k: usize,
    other: &Contact,
    first: &Contact,
    death: &JudgedDeath,
    tolerance: Tolerance,
) -> bool {
    let (from, to) = (scene.snakes[k].from, scene.snakes[k].to);
    let way = (from[0] - to[0]).hypot(from[1] - to[1]);
    let near = |a: f64, b: f64| (a - b).abs() * way <= tolerance.way || grazing(first, tolerance);
    other.owner == death.killer
        && other.cause == death.cause
        && near(other.toi, death.toi)
        && near(first.toi, death.toi)
}

/// At a grazing touch the way runs along the kill distance: a time there is not well defined.
fn grazing(contact: &Contact, tolerance: Tolerance) -> bool {
    contact.margin < tolerance.margin.max(1e-6)
}
