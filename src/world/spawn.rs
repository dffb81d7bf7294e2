//! Birth: at a place asked for, or at a safe one that the world finds.

use super::heads::flag;
use super::{Event, SnakeId, World};
use crate::broadphase::box_of;
use crate::geom::angle::heading_of;
use crate::geom::lattice::Point;
use crate::geom::segment::point_within;
use std::fmt;

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

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "the arena holds as many snakes as it may",
            Self::NoRoom => "no free place was found",
            Self::Outside => "the place is outside the arena",
        })
    }
}

impl std::error::Error for SpawnError {}

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

/// Safe places that are compared before the one in the best company is taken.
const CHOICES: u32 = 6;

impl World {
    /// Spawns at a safe place: farther than every kill distance plus the configured clearance (half of it in
    /// the second half of the attempts) from every living body, obstacle and the edge. Of a few such places
    /// the one is taken whose distance to the nearest other head is closest to the configured company, so that a
    /// newcomer is neither alone nor in somebody's way.
    pub fn spawn(&mut self) -> Result<SnakeId, SpawnError> {
        self.check_capacity()?;
        let at = self.safe_place().ok_or(SpawnError::NoRoom)?;
        let inward = heading_of(-at.x, -at.y).wrapping_add(self.rng.between(-16_384, 16_384) as u16);
        let length = (self.config.spawn.length * f64::from(crate::limits::QUANTA_PER_UNIT)) as i32;
        self.spawn_at(Placement { at, heading: inward, length, shield_ticks: self.tuning.shield_ticks })
    }

    /// Spawns just there, whoever is near.
    pub fn spawn_at(&mut self, placement: Placement) -> Result<SnakeId, SpawnError> {
        self.check_capacity()?;
        if !self.is_inside(placement.at) {
            return Err(SpawnError::Outside);
        }
        let i = self.heads.enter(placement.at, placement.heading);
        let number = if i < self.bodies.rings.len() { self.bodies.rings.end[i] } else { 0 };
        self.bodies.start(i, placement.at, number);
        self.heads.length[i] = placement.length.clamp(self.tuning.length_min, self.tuning.length_max);
        self.heads.born[i] = self.tick;
        self.heads.shield_until[i] = self.tick + u64::from(placement.shield_ticks);
        self.heads.set(i, flag::SHIELD, placement.shield_ticks > 0);
        self.set_radius(i, self.tuning.radius_of(self.heads.length[i]));
        self.unlisted.push(i as u32);
        let id = self.heads.id(i);
        self.report(Event::Spawned { id, at: placement.at });
        Ok(id)
    }

    fn check_capacity(&self) -> Result<(), SpawnError> {
        let full = self.heads.alive() >= self.config.capacity as usize;
        if full { Err(SpawnError::Full) } else { Ok(()) }
    }

    fn safe_place(&mut self) -> Option<Point> {
        let attempts = self.config.spawn.attempts;
        let mut best: Option<(i64, Point)> = None;
        let mut found = 0;
        for attempt in 0..attempts {
            let clearance = if 2 * attempt < attempts { self.tuning.clearance } else { self.tuning.clearance / 2 };
            let margin = self.tuning.radius_min + clearance.min(self.circle[0] / 4);
            let Some(at) = self.place_in_circle(margin) else { continue };
            if !self.is_clear(at, usize::MAX, clearance) {
                continue;
            }
            let astray = (self.nearest_head(at, usize::MAX) - self.tuning.spawn_company).abs();
            if best.is_none_or(|(least, _)| astray < least) {
                best = Some((astray, at));
            }
            found += 1;
            if found == CHOICES {
                break;
            }
        }
        best.map(|(_, at)| at)
    }

    /// A random place at least `margin` from the edge; none when the dice miss the circle, one time in five.
    pub(super) fn place_in_circle(&mut self, margin: i32) -> Option<Point> {
        let radius = (self.circle[0].min(self.circle[1]) - margin).max(0);
        let at = Point::new(self.rng.between(-radius, radius), self.rng.between(-radius, radius));
        (at.distance2(Point::default()) <= i64::from(radius).pow(2)).then_some(at)
    }

    /// Whether a newborn at this point would be farther than its kill distance plus `clearance` from every
    /// body, head and obstacle; `except` is left out.
    pub(super) fn is_clear(&self, at: Point, except: usize, clearance: i32) -> bool {
        let own = if except < self.heads.len() { self.heads.radius[except] } else { self.tuning.radius_min };
        let reach = own + clearance;
        let mut walls = None;
        self.walls.contact(at, at, reach, &mut walls);
        walls.is_none() && !self.someone_within(at, except, reach)
    }

    /// Whether any body or front, others than `except`, is closer than `reach` and its kill distance.
    fn someone_within(&self, at: Point, except: usize, reach: i32) -> bool {
        let mut touched = false;
        self.segments_near(box_of(at, at), reach, except, |i, a, b| {
            touched |= point_within(at, a, b, reach + self.heads.kill[i]);
        });
        touched
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Config, World};
    use super::*;

    /// A world with one snake in the middle, and how far from it so many newborns are placed, u.
    fn distances(company: f64) -> Vec<i64> {
        let mut config = Config::default();
        config.arena.radius_min = 1_300.0;
        config.spawn.company = company;
        let mut world = World::new(config, 3).unwrap();
        let middle = Placement { at: Point::default(), heading: 0, length: 20_000, shield_ticks: 0 };
        let other = world.spawn_at(middle).unwrap();
        world.step();
        let placed = (0..40).map(|_| {
            let id = world.spawn().unwrap();
            let [at, other] = [id, other].map(|id| world.snake(id).unwrap().head());
            world.remove(id);
            at.distance2(other).isqrt() / i64::from(crate::limits::QUANTA_PER_UNIT)
        });
        placed.collect()
    }

    #[test]
    fn a_newborn_is_placed_at_the_distance_asked_for() {
        for company in [400.0, 700.0, 1_000.0] {
            let distances = distances(company);
            let near = distances.iter().filter(|&&u| (u as f64 - company).abs() < 200.0).count();
            assert!(near > distances.len() / 2, "{company}: {distances:?}");
        }
    }

    #[test]
    fn company_never_outweighs_clearance() {
        assert!(distances(0.0).into_iter().all(|u| u >= Config::default().spawn.clearance as i64 / 2));
    }
}
