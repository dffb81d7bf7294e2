//! Distances on the lattice, decided exactly: the truth that every faster path is held against.
//!
//! A verdict is "strictly closer than `reach`", with all points and the reach in quanta. The square of a
//! distance to a segment is a fraction of integers, so the comparison is done on integers, without division
//! and without rounding. Differences of lattice points stay below 2^25, products below 2^51 (`i64`), and
//! their products below 2^102 (`i128`).
//!
//! Two segments in a plane are closest at an end of one of them unless they cross (Ericson, Real-Time
//! Collision Detection, 5.1.9, seen the other way round): four point-segment distances and a crossing test,
//! no denominator that could cancel.

use super::lattice::Point;

/// A difference of lattice points, in quanta.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delta {
    pub x: i64,
    pub y: i64,
}

impl Delta {
    #[inline]
    pub fn between(from: Point, to: Point) -> Self {
        Self { x: i64::from(to.x) - i64::from(from.x), y: i64::from(to.y) - i64::from(from.y) }
    }

    #[inline]
    pub fn minus(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }

    #[inline]
    pub fn dot(self, other: Self) -> i64 {
        self.x * other.x + self.y * other.y
    }

    #[inline]
    pub fn cross(self, other: Self) -> i64 {
        self.x * other.y - self.y * other.x
    }

    #[inline]
    pub fn length2(self) -> i64 {
        self.dot(self)
    }
}

/// The length of a segment, rounded down to quanta.
///
/// Below 2^52 the square and its root are exact enough in `f64` for the floor to be right: the root of n² - 1
/// is more than an ulp below n.
#[inline]
pub fn length(a: Point, b: Point) -> i32 {
    let square = a.distance2(b);
    if square < 1 << 52 { (square as f64).sqrt() as i32 } else { (square as u64).isqrt() as i32 }
}

/// Whether the origin is strictly closer than `reach` to the segment from `w0` to `w1`.
#[inline]
fn origin_within(w0: Delta, w1: Delta, reach: i64) -> bool {
    let reach2 = reach * reach;
    let along = w1.minus(w0);
    let foot = -w0.dot(along);
    if foot <= 0 {
        return w0.length2() < reach2;
    }
    let length2 = along.length2();
    if foot >= length2 {
        return w1.length2() < reach2;
    }
    let across = i128::from(w0.cross(along));
    across * across < i128::from(reach2) * i128::from(length2)
}

/// Whether a point is strictly closer than `reach` (quanta) to the segment from `a` to `b`.
#[inline]
pub fn point_within(p: Point, a: Point, b: Point, reach: i32) -> bool {
    origin_within(Delta::between(p, a), Delta::between(p, b), i64::from(reach))
}

/// Whether the segments cross in a point inside both. Touching ends are left to the point distances.
#[inline]
fn cross_inside(p0: Point, p1: Point, a: Point, b: Point) -> bool {
    let (p, e) = (Delta::between(p0, p1), Delta::between(a, b));
    let a0 = p.cross(Delta::between(p0, a)).signum();
    let b0 = p.cross(Delta::between(p0, b)).signum();
    let p0a = e.cross(Delta::between(a, p0)).signum();
    let p1a = e.cross(Delta::between(a, p1)).signum();
    a0 * b0 < 0 && p0a * p1a < 0
}

/// Whether two segments are strictly closer than `reach` (quanta); never for a reach of 0.
///
/// ```
/// use ringsnake::geom::{lattice::Point, segment::segments_within};
/// let p = |x, y| Point::new(x, y);
/// assert!(segments_within(p(0, 0), p(4, 0), p(-4, 1), p(10, 1), 2));
/// assert!(!segments_within(p(0, 0), p(4, 0), p(-4, 2), p(10, 2), 2));
/// ```
#[inline]
pub fn segments_within(p0: Point, p1: Point, a: Point, b: Point, reach: i32) -> bool {
    reach > 0
        && (point_within(a, p0, p1, reach)
            || point_within(b, p0, p1, reach)
            || point_within(p0, a, b, reach)
            || point_within(p1, a, b, reach)
            || cross_inside(p0, p1, a, b))
}

/// Whether a head on its way from `p0` to `p1` comes strictly closer than `reach` (quanta) to the trail that
/// another lays in the same tick on its way from `q0` to `q1`: some `0 <= s <= t <= 1` with
/// `|p(t) - q(s)| < reach`.
///
/// The square of that distance is a convex quadratic over a triangle in (s, t). Its minimum is 0 where the
/// ways cross with s <= t, or it lies on an edge: s = 0 (the place where the trail starts), t = 1 (the end
/// of the head's way) or s = t (head against head, in relative motion).
#[inline]
pub fn live_within(p0: Point, p1: Point, q0: Point, q1: Point, reach: i32) -> bool {
    reach > 0
        && (point_within(q0, p0, p1, reach)
            || point_within(p1, q0, q1, reach)
            || heads_within(p0, p1, q0, q1, reach)
            || cross_in_time(p0, p1, q0, q1))
}

/// Whether two heads on their ways come strictly closer than `reach` (quanta) at the same time of the tick.
#[inline]
pub fn heads_within(p0: Point, p1: Point, q0: Point, q1: Point, reach: i32) -> bool {
    reach > 0 && origin_within(Delta::between(q0, p0), Delta::between(q1, p1), i64::from(reach))
}

/// Whether the ways cross with the trail laid no later than the head is there.
fn cross_in_time(p0: Point, p1: Point, q0: Point, q1: Point) -> bool {
    let (u, v, w) = (Delta::between(p0, p1), Delta::between(q0, q1), Delta::between(q0, p0));
    let det = u.cross(v);
    let sign = det.signum();
    let (s, t) = (sign * u.cross(w), sign * v.cross(w));
    det != 0 && 0 <= s && s <= t && t <= sign * det
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: i32, y: i32) -> Point {
        Point::new(x, y)
    }

    #[test]
    fn exactly_at_the_reach_is_not_within() {
        assert!(!segments_within(p(0, 300), p(700, 300), p(-300, 0), p(1_000, 0), 300));
        assert!(segments_within(p(0, 300), p(700, 300), p(-300, 0), p(1_000, 0), 301));
        assert!(!point_within(p(3, 4), p(0, 0), p(0, 0), 5));
        assert!(point_within(p(3, 4), p(0, 0), p(0, 0), 6));
    }

    #[test]
    fn a_slanted_grazing_is_decided_to_the_last_quantum() {
        // The distance of (0, 1) from the line through (0,0) and (2^20, 1) is just below 1.
        assert!(point_within(p(500_000, 1), p(0, 0), p(1 << 20, 1), 1));
        assert!(!point_within(p(0, 1), p(0, 0), p(-(1 << 20), -1), 1));
    }

    #[test]
    fn crossing_segments_are_within_any_reach_but_zero() {
        assert!(segments_within(p(-9, -9), p(9, 9), p(-9, 9), p(9, -9), 1));
        assert!(!segments_within(p(-9, -9), p(9, 9), p(-9, 9), p(9, -9), 0));
    }

    #[test]
    fn the_far_corners_of_the_lattice_do_not_overflow() {
        let m = crate::limits::COORD_MAX;
        assert!(segments_within(p(-m, -m), p(m, m), p(-m, m), p(m, -m), 1));
        assert!(!segments_within(p(-m, -m), p(-m, m), p(m, -m), p(m, m), 64_000));
    }

    #[test]
    fn a_length_is_the_integer_root() {
        for n in [1_i64, 2, 3, 640, 1 << 20, (1 << 25) - 1] {
            for d in [-1, 0, 1] {
                let square = n * n + d;
                let (x, root) = (square as f64, (square as u64).isqrt());
                assert_eq!(x.sqrt() as u64, root, "{square}");
            }
        }
        assert_eq!(length(p(0, 0), p(300, 400)), 500);
    }

    #[test]
    fn a_trail_kills_only_after_it_is_laid() {
        // The other goes right along y = 0; we cross its way ahead of it, or behind.
        let (q0, q1) = (p(0, 0), p(1_000, 0));
        assert!(!live_within(p(900, -450), p(900, 550), q0, q1, 200));
        assert!(live_within(p(100, -900), p(100, 100), q0, q1, 200));
        assert!(cross_in_time(p(100, -900), p(100, 100), q0, q1));
        assert!(!cross_in_time(p(900, -100), p(900, 900), q0, q1));
    }
}
