//! Static obstacles: boxes and circles, met by the sweep of a head.
//!
//! Whether one is met is decided on integers; when, by the sweeps of [`ccd`](crate::geom::ccd). Quanta are whole numbers:
//! as long as a way times a reach is below 16,000 u², the discriminants of the sweeps are exact.

use super::Contact;
use crate::broadphase::box_of;
use crate::geom::ccd::{Aabb, Sphere, swept_sphere_aabb_exact, swept_sphere_sphere};
use crate::geom::lattice::{Point, Rect, quanta};
use crate::geom::segment::{point_within, segments_within};
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

    pub fn is_empty(&self) -> bool {
        self.walls.is_empty()
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

    /// When a disc first comes strictly closer than its radius; none when it does not.
    fn toi(&self, from: Point, to: Point, radius: i32) -> Option<f64> {
        self.is_met(from, to, radius).then(|| {
            let (p0, p1) = (place(from), place(to));
            self.sweep(p0, p1, f64::from(radius)).unwrap_or_else(|| nearest_time(p0, p1, &self.core()))
        })
    }

    /// A disc that starts outside of a box meets it when it meets one of the sides. A mere point meets nothing, inside
    /// neither: nothing is closer to it than 0.
    fn is_met(&self, from: Point, to: Point, radius: i32) -> bool {
        match self.shape {
            Shape::Circle { center, radius: own } => point_within(center, from, to, radius + own),
            Shape::Box => {
                let Rect { min, max } = self.bounds;
                let corners = [min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)];
                let sides = (0..4).map(|k| [corners[k], corners[(k + 1) % 4]]);
                (radius > 0 && self.bounds.contains(from))
                    || sides.into_iter().any(|[a, b]| segments_within(from, to, a, b, radius))
            }
        }
    }

    fn sweep(&self, p0: [f64; 2], p1: [f64; 2], radius: f64) -> Option<f64> {
        match self.shape {
            Shape::Circle { center, radius: own } => {
                swept_sphere_sphere(p0, p1, radius, &Sphere { center: place(center), radius: f64::from(own) })
            }
            Shape::Box => swept_sphere_aabb_exact(p0, p1, radius, &self.core()),
        }
    }

    /// The box, or the centre of the circle.
    fn core(&self) -> Aabb<2> {
        match self.shape {
            Shape::Circle { center, .. } => Aabb { min: place(center), max: place(center) },
            Shape::Box => Aabb { min: place(self.bounds.min), max: place(self.bounds.max) },
        }
    }
}

fn place(at: Point) -> [f64; 2] {
    [f64::from(at.x), f64::from(at.y)]
}

/// When a point on its way is nearest to a box that it does not enter: for a contact so slight that the sweep rounds it
/// away. It is nearest at an end of the way, or beside a corner.
fn nearest_time(p0: [f64; 2], p1: [f64; 2], core: &Aabb<2>) -> f64 {
    let way = [p1[0] - p0[0], p1[1] - p0[1]];
    let length2 = (way[0] * way[0] + way[1] * way[1]).max(1.0);
    let beside = |x: f64, y: f64| (((x - p0[0]) * way[0] + (y - p0[1]) * way[1]) / length2).clamp(0.0, 1.0);
    let ([x0, y0], [x1, y1]) = (core.min, core.max);
    let distance2 = |t: f64| {
        let off = |i: usize| p0[i] + t * way[i] - (p0[i] + t * way[i]).clamp(core.min[i], core.max[i]);
        off(0) * off(0) + off(1) * off(1)
    };
    let times = [0.0, 1.0, beside(x0, y0), beside(x1, y0), beside(x0, y1), beside(x1, y1)];
    times.into_iter().min_by(|&s, &t| distance2(s).total_cmp(&distance2(t))).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::toi;
    use crate::world::Rng;

    fn boxed(min: Point, max: Point) -> Wall {
        Wall { bounds: Rect { min, max }, shape: Shape::Box }
    }

    fn circle(center: Point, radius: i32) -> Wall {
        Wall { bounds: Rect::around(center, radius, radius), shape: Shape::Circle { center, radius } }
    }

    /// The same from the times of impact that bodies have: a box is its sides, a circle is a body of one point.
    fn by_sides(wall: &Wall, from: Point, to: Point, radius: i32) -> Option<f64> {
        if let Shape::Circle { center, radius: own } = wall.shape {
            let reach = radius + own;
            return point_within(center, from, to, reach).then(|| toi::body(from, to, center, center, reach));
        }
        let Rect { min, max } = wall.bounds;
        if wall.bounds.contains(from) {
            return Some(0.0);
        }
        let corners = [min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)];
        (0..4)
            .map(|k| (corners[k], corners[(k + 1) % 4]))
            .filter(|&(a, b)| segments_within(from, to, a, b, radius))
            .map(|(a, b)| toi::body(from, to, a, b, radius))
            .min_by(f64::total_cmp)
    }

    struct Draw(Rng);

    impl Draw {
        fn to(&mut self, bound: i32) -> i32 {
            (self.0.next_u64() % (bound as u64 + 1)) as i32
        }

        fn near(&mut self, center: Point, far: i32) -> Point {
            Point::new(center.x - far + self.to(2 * far), center.y - far + self.to(2 * far))
        }

        fn wall(&mut self, center: Point, far: i32) -> Wall {
            if self.to(1) == 0 {
                return circle(self.near(center, far), 1 + self.to(far));
            }
            let (a, b) = (self.near(center, far), self.near(center, far));
            boxed(Point::new(a.x.min(b.x), a.y.min(b.y)), Point::new(a.x.max(b.x), a.y.max(b.y)))
        }
    }

    /// Largest difference in time between the sweeps and the sides, and how many ways met the wall on the way.
    fn worst(seed: u64, center: Point, far: i32, way: i32) -> (f64, u32) {
        let mut draw = Draw(Rng::new(seed));
        let (mut worst, mut met) = (0.0_f64, 0);
        for _ in 0..200_000 {
            let (wall, from, radius) = (draw.wall(center, far), draw.near(center, far), 1 + draw.to(far.min(80 * 64)));
            let to = draw.near(from, way);
            let (found, expected) = (wall.toi(from, to, radius), by_sides(&wall, from, to, radius));
            assert_eq!(found.is_some(), expected.is_some(), "{wall:?} {from:?} {to:?} {radius}");
            let (Some(found), Some(expected)) = (found, expected) else { continue };
            assert_eq!(found == 0.0, expected == 0.0, "{wall:?} {from:?} {to:?} {radius}: {found} {expected}");
            worst = worst.max((found - expected).abs());
            met += u32::from(found > 0.0);
        }
        (worst, met)
    }

    #[test]
    fn sweeps_meet_a_wall_when_the_first_of_its_sides_is_met() {
        for (seed, center) in [(1, Point::default()), (2, Point::new(1_280_000, -1_280_000))] {
            for (far, way) in [(30, 30), (640, 1_000), (20_000, 460), (64_000, 64_000), (4_000_000, 4_000_000)] {
                let (worst, met) = worst(seed, center, far, way);
                assert!(met > 500 && worst < 1e-13, "{far} {way}: {worst:e} in {met}");
                assert!(way > 20_000 || worst == 0.0, "every figure of play is exact: {far} {way}: {worst:e}");
            }
        }
    }

    /// A way along `(k e + 1, e)` that passes the origin at the distance `across / |(k e + 1, e)|`, beside it midway.
    fn passing(k: i64, e: i64, across: i64) -> Option<(Point, Point)> {
        let d = k * e + 1;
        // As -k is the inverse of e modulo d, this solves x e - y d = across.
        let x = (-k * across.rem_euclid(d)).rem_euclid(d);
        let y = (x * e - across) / d;
        let point = |x: i64, y: i64| Point::new(x as i32, y as i32);
        (d / 8..d - d / 8).contains(&x).then(|| (point(x - d, y - e), point(x, y)))
    }

    #[test]
    fn the_slightest_contact_has_a_time_and_a_graze_has_none() {
        let (mut draw, mut rounded_away) = (Draw(Rng::new(3)), [0; 2]);
        for _ in 0..20_000 {
            let [k, e] = [0; 2].map(|_| i64::from(3_000 + draw.to(1_000)));
            let reach = 500_000 + draw.to(500_000);
            let square = i128::from(reach).pow(2) * i128::from((k * e + 1).pow(2) + e * e);
            let across = (square - 1).isqrt() as i64;
            let walls = [circle(Point::default(), reach - 128), boxed(Point::new(-900, 0), Point::new(0, 900))];
            for ((wall, radius), count) in walls.into_iter().zip([128, reach]).zip(&mut rounded_away) {
                if let Some((from, to)) = passing(k, e, across + 1) {
                    assert_eq!(wall.toi(from, to, radius), None, "{k} {e} {reach}");
                }
                let Some((from, to)) = passing(k, e, across) else { continue };
                let toi = wall.toi(from, to, radius).unwrap();
                let at = [0, 1].map(|i| place(from)[i] + toi * (place(to)[i] - place(from)[i]));
                assert!((at[0].hypot(at[1]) - f64::from(reach)).abs() < 1e-6, "{k} {e} {reach}: {toi}");
                *count += u32::from(wall.sweep(place(from), place(to), f64::from(radius)).is_none());
            }
        }
        assert!(rounded_away.iter().all(|&n| n > 0), "no contact so slight: {rounded_away:?}");
    }

    #[test]
    fn from_inside_the_time_is_zero_and_on_the_border_too() {
        let p = Point::new;
        for from in [p(50, 50), p(0, 0), p(0, 50), p(-9, 50), p(-7, -7)] {
            for to in [p(50, 50), from, p(-900, -900), p(900, 50)] {
                assert_eq!(boxed(p(0, 0), p(100, 100)).toi(from, to, 10), Some(0.0), "{from:?} {to:?}");
                assert_eq!(circle(p(50, 50), 71).toi(from, to, 20), Some(0.0), "{from:?} {to:?}");
            }
        }
        assert_eq!(boxed(p(0, 0), p(100, 100)).toi(p(-10, 50), p(-10, 90), 10), None, "along a side");
        assert_eq!(boxed(p(0, 0), p(100, 100)).toi(p(50, 50), p(60, 50), 0), None, "a point");
        assert_eq!(boxed(p(0, 0), p(100, 100)).toi(p(-10, 50), p(-9, 50), 10), Some(0.0), "moving in");
    }
}
