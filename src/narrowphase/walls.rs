//! Static obstacles: boxes and circles, met by the sweep of a head.

use super::Contact;
use crate::broadphase::box_of;
use crate::geom::lattice::{Point, Rect, quanta};
use crate::geom::segment::{point_within, segments_within};
use crate::geom::toi;
use crate::world::{Cause, Obstacle};

/// An obstacle on the lattice.
#[derive(Clone, Copy, Debug)]
struct Wall {
    bounds: Rect,
    shape: Shape,
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    Box,
    Circle { center: Point, radius: i32 },
}

/// The obstacles in order of their lower x.
#[derive(Default)]
pub(crate) struct Walls {
    walls: Vec<Wall>,
    width_max: i32,
}

impl Walls {
    /// Obstacles of a validated config; their figures go to the nearest quantum.
    pub fn new(obstacles: &[Obstacle]) -> Self {
        let mut walls: Vec<Wall> = obstacles.iter().filter_map(Wall::new).collect();
        walls.sort_by_key(|wall| (wall.bounds.min.x, wall.bounds.min.y));
        let width_max = walls.iter().map(|w| w.bounds.max.x - w.bounds.min.x).max().unwrap_or(0);
        Self { walls, width_max }
    }

    /// The first obstacle that a disc comes strictly closer to than its radius.
    pub fn contact(&self, from: Point, to: Point, radius: i32, best: &mut Option<Contact>) {
        let bounds = box_of(from, to);
        for wall in self.near(bounds, radius) {
            if let Some(toi) = wall.toi(from, to, radius) {
                Contact::of_nobody(toi, Cause::Obstacle).or_earlier(best);
            }
        }
    }

    fn near(&self, bounds: Rect, reach: i32) -> impl Iterator<Item = &Wall> {
        let first = bounds.min.x - reach - self.width_max;
        let start = self.walls.partition_point(|wall| wall.bounds.min.x < first);
        self.walls[start..]
            .iter()
            .take_while(move |wall| wall.bounds.min.x <= bounds.max.x + reach)
            .filter(move |wall| super::near(bounds, wall.bounds.min, wall.bounds.max, reach))
    }
}

impl Wall {
    fn new(obstacle: &Obstacle) -> Option<Self> {
        match *obstacle {
            Obstacle::Box { min, max } => {
                let bounds = Rect { min: Point::from_units(min)?, max: Point::from_units(max)? };
                Some(Self { bounds, shape: Shape::Box })
            }
            Obstacle::Circle { center, radius } => {
                let (center, radius) = (Point::from_units(center)?, quanta(radius)?);
                let bounds = Rect::around(center, radius, radius);
                Some(Self { bounds, shape: Shape::Circle { center, radius } })
            }
        }
    }

    fn toi(&self, from: Point, to: Point, radius: i32) -> Option<f64> {
        match self.shape {
            Shape::Circle { center, radius: own } => {
                let reach = radius + own;
                point_within(center, from, to, reach).then(|| toi::body(from, to, center, center, reach))
            }
            Shape::Box => self.box_toi(from, to, radius),
        }
    }

    /// A disc against a box is a disc against its four sides, unless it starts inside.
    fn box_toi(&self, from: Point, to: Point, radius: i32) -> Option<f64> {
        let Rect { min, max } = self.bounds;
        if self.bounds.contains(from) {
            return Some(0.0);
        }
        let corners = [min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)];
        (0..4)
            .map(|k| (corners[k], corners[(k + 1) % 4]))
            .filter(|&(a, b)| segments_within(from, to, a, b, radius))
            .map(|(a, b)| toi::body(from, to, a, b, radius))
            .min_by(f64::total_cmp)
    }
}
