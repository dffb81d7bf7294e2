//! Brute force in `f64`: every head against everything, as plain as a textbook. What the engine must agree with.
//!
//! It shares no arithmetic with the engine. Its one shortcut is to skip what lies in a far away rectangle.
//!
//! *What a contact is.* A head of radius ra goes straight from `from` to `to`; a body kills with its kill radius
//! rb; rr = ra + rb. There is contact when the head's centre comes strictly closer than rr to
//! - a stretch between two consecutive samples, a sample that both neighbours are broken off from, or the stretch from
//!   the newest sample to the other's `from`: [`Cause::Body`];
//! - the place of the other head at the same time: [`Cause::Head`];
//! - what the other head has laid in this tick until then: [`Cause::Live`];
//! - its own body, if the rules say so, except the neck: every stretch that begins (seen from the head) less
//!   than 11/7 rr of arc behind `from`, lengths and limit rounded down to the lattice: [`Cause::Own`];
//! - an obstacle, closer than ra: [`Cause::Obstacle`];
//!
//! or when the centre is strictly outside the circle, whose radius changes evenly in the tick: [`Cause::Edge`].
//!
//! *Who is blamed.* The earliest contact; at the same time the first of the list Head, Body, Live, Own, Obstacle, Edge;
//! then the lower id. Where the longer of two heads survives, and the first contact with another snake is its head,
//! nothing of that snake touches the longer one in this tick: its trail lies where the heads met.
//!
//! *When.* The infimum of the times at which the contact holds. See [`Contact::toi`].

mod against;
mod count;
mod pair;
mod plane;
mod trail;

pub use against::{Tolerance, disagreement};
pub use count::{Count, Counter};
pub use pair::{distance, heads_distance, leaves_circle, live_distance, live_toi, toi};

use crate::world::{Cause, Obstacle};
use plane::{Pair, V, between, dot, sub};
use trail::{Bounds, Trail};

/// A snake of a [`Scene`]. Lengths in u.
#[derive(Clone, Debug, Default)]
pub struct SceneSnake {
    /// Its name.
    pub id: u32,
    /// Radius of the head.
    pub radius: f64,
    /// The part of the radius with which the body kills, as the caller rounds it.
    pub kill_radius: f64,
    /// Samples, oldest first.
    pub body: Vec<[f64; 2]>,
    /// Whether the trail is broken before the sample of the same index; missing ones are not.
    pub gaps: Vec<bool>,
    /// The head at the start of the tick.
    pub from: [f64; 2],
    /// The head at its end.
    pub to: [f64; 2],
    /// Length, for the rule that the longer survives.
    pub length: f64,
    /// A ghost neither kills nor dies.
    pub ghost: bool,
}

/// One tick: who is where, and by which rules.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Everybody.
    pub snakes: Vec<SceneSnake>,
    /// Radius of the circle at the start and at the end of the tick, u; none for a plane without end.
    pub arena: Option<[f64; 2]>,
    /// What stands in it.
    pub obstacles: Vec<Obstacle>,
    /// Whether a head that is longer than the one it meets goes on.
    pub longer_survives: bool,
    /// Whether a snake dies of its own body.
    pub own_body: bool,
}

/// A head that came too close.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Who was touched; nobody for edge, obstacle and own body.
    pub owner: Option<u32>,
    /// What was touched.
    pub cause: Cause,
    /// When, in [0, 1]: the infimum of the times at which the head is too close.
    pub toi: f64,
    /// Where the head is then, u.
    pub at: [f64; 2],
    /// By how much the head came too close, u, positive.
    pub margin: f64,
}

/// One victim and the contact that it dies of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Death {
    /// Who.
    pub victim: u32,
    /// Of what.
    pub contact: Contact,
}

/// What becomes of a [`Scene`].
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// One a victim, by the order of the snakes.
    pub deaths: Vec<Death>,
    /// For each snake how much farther away it stayed than kills, from whatever it came nearest to by that measure, u:
    /// negative when it was touched, and no more than 1 seen. Near 0 the verdict hangs on rounding.
    pub clearance: Vec<f64>,
    /// Smallest |distance - kill distance| of any test, u, deciding or not.
    pub margin: f64,
}

/// What one head met, and how near it came to the rest.
struct Report {
    contacts: Vec<Contact>,
    clearance: f64,
    margin: f64,
}

impl Report {
    fn new() -> Self {
        Self { contacts: Vec::new(), clearance: f64::INFINITY, margin: f64::INFINITY }
    }

    /// Takes note of a test; true when it is a contact.
    fn note(&mut self, distance2: f64, reach: f64) -> bool {
        let clearance = distance2.sqrt() - reach;
        self.clearance = self.clearance.min(clearance);
        self.margin = self.margin.min(clearance.abs());
        distance2 < reach * reach
    }

    fn merge(&mut self, other: Self) {
        self.contacts.extend(other.contacts);
        self.clearance = self.clearance.min(other.clearance);
        self.margin = self.margin.min(other.margin);
    }
}

impl Scene {
    /// Tests everybody against the same scene. The order of the snakes has no influence.
    pub fn judge(&self) -> Verdict {
        let trails: Vec<Trail> = self.snakes.iter().map(|snake| Trail::new(snake.stretches())).collect();
        let mut verdict = Verdict { deaths: Vec::new(), clearance: Vec::new(), margin: f64::INFINITY };
        for (victim, snake) in self.snakes.iter().enumerate() {
            let report = self.report(victim, &trails);
            verdict.clearance.push(report.clearance);
            verdict.margin = verdict.margin.min(report.margin);
            let first = report.contacts.first();
            verdict.deaths.extend(first.map(|&contact| Death { victim: snake.id, contact }));
        }
        verdict
    }

    /// Everything that the snake of this index touches: for each other snake the first contact of each cause. In the
    /// order in which they are blamed.
    ///
    /// # Panics
    /// When there are not that many snakes.
    pub fn contacts(&self, victim: usize) -> Vec<Contact> {
        let trails: Vec<Trail> = self.snakes.iter().map(|snake| Trail::new(snake.stretches())).collect();
        self.report(victim, &trails).contacts
    }

    fn report(&self, victim: usize, trails: &[Trail]) -> Report {
        let mut report = Report::new();
        let head = &self.snakes[victim];
        if head.ghost {
            return report;
        }
        for (owner, trail) in self.snakes.iter().zip(trails).filter(|(owner, _)| !owner.ghost && owner.id != head.id) {
            report.merge(self.meet(head, owner, trail));
        }
        if self.own_body {
            report.merge(meet_own(head));
        }
        report.merge(self.meet_obstacles(head));
        report.merge(self.meet_edge(head));
        report.contacts.sort_by(blame);
        report
    }

    fn meet(&self, head: &SceneSnake, owner: &SceneSnake, trail: &Trail) -> Report {
        let mut report = meet_body(head, owner, trail);
        meet_live(head, owner, &mut report);
        report.contacts.sort_by(blame);
        let head_first = report.contacts.first().is_some_and(|contact| contact.cause == Cause::Head);
        if self.longer_survives && head_first && head.length > owner.length {
            report.contacts.clear();
            report.clearance = f64::INFINITY;
        }
        report
    }

    fn meet_obstacles(&self, head: &SceneSnake) -> Report {
        let mut report = Report::new();
        for obstacle in &self.obstacles {
            let (distance2, reach, time) = obstacle_test(head, obstacle);
            if report.note(distance2, reach) {
                head.touch(&mut report, None, Cause::Obstacle, time.unwrap_or(0.0), reach - distance2.sqrt());
            }
        }
        report
    }

    fn meet_edge(&self, head: &SceneSnake) -> Report {
        let mut report = Report::new();
        let Some([r0, r1]) = self.arena else { return report };
        let inside = (r0 - dot(head.from, head.from).sqrt()).min(r1 - dot(head.to, head.to).sqrt());
        (report.clearance, report.margin) = (inside, inside.abs());
        if let Some(toi) = plane::leaves_circle(head.from, head.to, r0, r1) {
            head.touch(&mut report, None, Cause::Edge, toi, -inside);
        }
        report
    }
}

/// Earlier first; then by cause, then by owner.
fn blame(a: &Contact, b: &Contact) -> std::cmp::Ordering {
    a.toi.total_cmp(&b.toi).then(a.cause.cmp(&b.cause)).then(a.owner.cmp(&b.owner))
}

fn meet_body(head: &SceneSnake, owner: &SceneSnake, trail: &Trail) -> Report {
    meet_stretches(head, trail, head.radius + owner.kill_radius, Some(owner.id), Cause::Body)
}

fn meet_own(head: &SceneSnake) -> Report {
    let reach = head.radius + head.kill_radius;
    meet_stretches(head, &Trail::new(head.beyond_neck(reach)), reach, None, Cause::Own)
}

/// The first contact with any of the stretches.
fn meet_stretches(head: &SceneSnake, trail: &Trail, reach: f64, owner: Option<u32>, cause: Cause) -> Report {
    let mut report = Report::new();
    let (p0, p1) = (head.from, head.to);
    for [a, b] in trail.near(&Bounds::of([p0, p1]), reach) {
        let distance2 = plane::segment_segment2(p0, p1, a, b);
        if report.note(distance2, reach) {
            let toi = plane::enters_capsule(p0, p1, a, b, reach);
            let toi = toi.unwrap_or_else(|| plane::nearest_time(p0, p1, a, b));
            head.touch(&mut report, owner, cause, toi, reach - distance2.sqrt());
        }
    }
    report.contacts.sort_by(blame);
    report.contacts.truncate(1);
    report
}

fn meet_live(head: &SceneSnake, owner: &SceneSnake, report: &mut Report) {
    let pair = Pair { p0: head.from, p1: head.to, q0: owner.from, q1: owner.to };
    let reach = head.radius + owner.kill_radius;
    let ways = [Bounds::of([pair.p0, pair.p1]), Bounds::of([pair.q0, pair.q1])];
    if !ways[0].within(&ways[1], reach) {
        return;
    }
    let distance2 = pair.distance2();
    if !report.note(distance2, reach) {
        return;
    }
    let (heads, trail) = (pair.heads_meet(reach), pair.trail_met(reach));
    let trail = if heads.is_none() { trail.or_else(|| Some(pair.nearest_time())) } else { trail };
    for (cause, toi) in [(Cause::Head, heads), (Cause::Live, trail)] {
        if let Some(toi) = toi {
            head.touch(report, Some(owner.id), cause, toi, reach - distance2.sqrt());
        }
    }
}

/// Squared distance to the obstacle's outline or inside, the distance that kills, and the time of contact.
fn obstacle_test(head: &SceneSnake, obstacle: &Obstacle) -> (f64, f64, Option<f64>) {
    let (p0, p1) = (head.from, head.to);
    match *obstacle {
        Obstacle::Box { min, max } => {
            let distance2 = plane::segment_box2(p0, p1, min, max);
            (distance2, head.radius, plane::enters_box(p0, p1, min, max, head.radius))
        }
        Obstacle::Circle { center, radius } => {
            let reach = head.radius + radius;
            let distance2 = plane::point_segment2(center, p0, p1);
            (distance2, reach, plane::enters_disc(sub(p0, center), sub(p1, p0), reach))
        }
    }
}

impl SceneSnake {
    fn touch(&self, report: &mut Report, owner: Option<u32>, cause: Cause, toi: f64, margin: f64) {
        let at = between(self.from, self.to, toi);
        report.contacts.push(Contact { owner, cause, toi, at, margin });
    }

    fn broken_before(&self, sample: usize) -> bool {
        sample == 0 || self.gaps.get(sample).copied().unwrap_or(false)
    }

    /// Everything of the body that kills, oldest first: pairs of samples, lone samples, the neck.
    fn stretches(&self) -> Vec<[V; 2]> {
        self.stretches_with_arc().into_iter().map(|(stretch, _)| stretch).collect()
    }

    /// The stretches that do not belong to the neck: those whose newer end is at least 11/7 `reach` of arc behind the
    /// head, in quanta. Across a break the arc is counted straight.
    fn beyond_neck(&self, reach: f64) -> Vec<[V; 2]> {
        let exempt = (reach * 64.0 * 11.0 / 7.0).floor();
        self.stretches_with_arc().into_iter().filter(|&(_, arc)| arc >= exempt).map(|(stretch, _)| stretch).collect()
    }

    /// Each stretch with the arc from its newer end to the head's place at the start: whole quanta a stretch.
    fn stretches_with_arc(&self) -> Vec<([V; 2], f64)> {
        let ends: Vec<V> = self.body.iter().copied().chain([self.from]).collect();
        let (mut arc, mut out) = (0.0, Vec::new());
        for newer in (1..ends.len()).rev() {
            let stretch = [ends[newer - 1], ends[newer]];
            let joined = newer == self.body.len() || !self.broken_before(newer);
            if joined {
                out.push((stretch, arc));
            }
            let way = sub(stretch[1], stretch[0]);
            arc += (64.0 * dot(way, way).sqrt()).floor();
            if !joined && self.broken_before(newer - 1) {
                out.push(([stretch[0]; 2], arc));
            }
        }
        out.reverse();
        out
    }
}

#[cfg(test)]
mod tests;
