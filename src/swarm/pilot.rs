//! Steering, more or less as people do.

use super::referee::Referee;
use crate::geom::angle::{UNIT_BITS, heading_of, unit};
use crate::geom::lattice::Point;
use crate::world::{Rng, SnakeId};
use std::time::Duration;

/// Ways that are compared when something is in the way, as offsets from the heading wished for.
const WAYS: [i16; 5] = [0, 9_000, -9_000, 20_000, -20_000];
/// How far ahead is looked, quanta.
const AHEAD: i32 = 180 * 64;
/// What comes closer to the way ahead is in the way, quanta.
const WIDE: i64 = 45 * 64;
/// Distance from the edge at which a snake turns back, quanta.
const EDGE: i64 = 220 * 64;

/// One player's hands.
#[derive(Debug)]
pub struct Pilot {
    dice: Rng,
    heading: u16,
    /// Turn at each decision.
    drift: i16,
    boost: bool,
    seq: u16,
}

impl Pilot {
    /// Hands with dice of their own.
    pub fn new(seed: u64) -> Self {
        let mut dice = Rng::new(seed);
        let heading = dice.next_u64() as u16;
        Self { dice, heading, drift: 0, boost: false, seq: 0 }
    }

    /// Number of the newest input.
    pub fn seq(&self) -> u16 {
        self.seq
    }

    /// Time until the next decision: people change their mind a few times a second.
    pub fn pause(&mut self) -> Duration {
        Duration::from_millis(self.dice.between(60, 350) as u64)
    }

    /// A time between none and this one.
    pub fn within(&mut self, most: Duration) -> Duration {
        most.mul_f64(f64::from(self.dice.below(1_000)) / 1_000.0)
    }

    /// The next input, when it is another than the last: number, heading, boost.
    pub fn decide(&mut self, referee: &Referee) -> Option<(u16, u16, bool)> {
        let before = (self.heading, self.boost);
        self.drift = if self.dice.below(4) == 0 { self.dice.between(-9_000, 9_000) as i16 } else { 0 };
        if self.dice.below(30) == 0 {
            self.boost = !self.boost;
        }
        let wish = self.heading.wrapping_add_signed(self.drift);
        self.heading = sight(referee).map_or(wish, |at| steer_clear(referee, at, wish));
        if before == (self.heading, self.boost) {
            return None;
        }
        self.seq = self.seq.wrapping_add(1);
        Some((self.seq, self.heading, self.boost))
    }

    /// An input that means nothing, for those who send far too many.
    pub fn babble(&mut self) -> (u16, u16, bool) {
        self.seq = self.seq.wrapping_add(1);
        (self.seq, self.dice.next_u64() as u16, false)
    }
}

/// Where the own head is, if the client follows what it sees.
fn sight(referee: &Referee) -> Option<(SnakeId, Point)> {
    let id = referee.snake()?;
    Some((id, referee.mirror().snake(id)?.state.head))
}

/// The first way without anything in it, or the one where it comes latest; back to the middle at the edge.
fn steer_clear(referee: &Referee, (own, at): (SnakeId, Point), wish: u16) -> u16 {
    let room = i64::from(referee.mirror().header.radius) - at.distance2(Point::default()).isqrt();
    if room < EDGE {
        return heading_of(-at.x, -at.y);
    }
    let mut best = (0, wish);
    for way in WAYS {
        let heading = wish.wrapping_add_signed(way);
        let free = free_way(referee, own, at, heading);
        if free >= AHEAD {
            return heading;
        }
        best = best.max((free, heading));
    }
    best.1
}

/// How far the way is free in this direction, quanta.
fn free_way(referee: &Referee, own: SnakeId, at: Point, heading: u16) -> i32 {
    let [c, s] = unit(heading).map(i64::from);
    let mut free = AHEAD;
    for (_, snake) in referee.mirror().snakes().filter(|(id, _)| *id != own) {
        for point in snake.samples.iter().map(|sample| sample.at).chain([snake.state.head]) {
            let (x, y) = (i64::from(point.x - at.x), i64::from(point.y - at.y));
            let along = (x * c + y * s) >> UNIT_BITS;
            let across = (y * c - x * s) >> UNIT_BITS;
            if (0..i64::from(free)).contains(&along) && across.abs() < WIDE {
                free = along as i32;
            }
        }
    }
    free
}
