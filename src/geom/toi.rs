//! Times of impact on the lattice: the earliest part of the tick at which a verdict of
//! [`segment`](super::segment) becomes true.
//!
//! The discriminants are formed on integers, exactly; what follows is `f64` division and square root, which
//! IEEE 754 rounds the same everywhere. Each function may be asked only where the verdict is a hit: should
//! rounding hide a grazing root, the time of the closest end stands in for it.

use super::lattice::Point;
use super::segment::{Delta, heads_within, point_within};

/// The first `t` in 0..=1 at which `w0 + t (w1 - w0)` is at `reach` from the origin, coming from outside;
/// 0 from inside.
fn circle(w0: Delta, w1: Delta, reach: i64) -> Option<f64> {
    let c = w0.length2() - reach * reach;
    if c < 0 {
        return Some(0.0);
    }
    let along = w1.minus(w0);
    let (a, b) = (along.length2(), w0.dot(along));
    let disc = i128::from(b) * i128::from(b) - i128::from(a) * i128::from(c);
    if b >= 0 || disc < 0 {
        return None;
    }
    let t = c as f64 / ((disc as f64).sqrt() - b as f64);
    (t <= 1.0).then_some(t)
}

/// The first time at which a point comes within `reach` of the line through a segment `e`, from outside, with
/// the foot of its perpendicular between the times' own bounds: `foot(t)` as a part of the segment is asked
/// to lie in 0..=limit(t).
fn strip(w0: Delta, along: Delta, e: Delta, reach: i64, limit: impl Fn(f64) -> f64) -> Option<f64> {
    let length2 = e.length2();
    let (h0, slope) = (e.cross(w0) as f64, e.cross(along) as f64);
    let edge = reach as f64 * (length2 as f64).sqrt();
    if length2 == 0 || h0.abs() < edge || h0 * slope >= 0.0 {
        return None;
    }
    let t = (h0.abs() - edge) / slope.abs();
    let foot = (e.dot(w0) as f64 + t * e.dot(along) as f64) / length2 as f64;
    (t <= 1.0 && foot >= 0.0 && foot <= limit(t)).then_some(t)
}

fn earliest(times: [Option<f64>; 3]) -> Option<f64> {
    times.into_iter().flatten().min_by(f64::total_cmp)
}

/// When a head going from `p0` to `p1` first comes within `reach` (quanta) of the segment `a`-`b`:
/// a swept disc against a capsule.
pub fn body(p0: Point, p1: Point, a: Point, b: Point, reach: i32) -> f64 {
    if point_within(p0, a, b, reach) {
        return 0.0;
    }
    let reach = i64::from(reach);
    let (e, u) = (Delta::between(a, b), Delta::between(p0, p1));
    let (w0, w1) = (Delta::between(a, p0), Delta::between(a, p1));
    earliest([
        circle(w0, w1, reach),
        circle(Delta::between(b, p0), Delta::between(b, p1), reach),
        strip(w0, u, e, reach, |_| 1.0),
    ])
    .unwrap_or_else(|| closest(w0, w1, Delta::between(b, p0), Delta::between(b, p1)))
}

/// The time of the nearest pass of either end of a segment, both given relative to the moving point.
fn closest(a0: Delta, a1: Delta, b0: Delta, b1: Delta) -> f64 {
    let pass = |w0: Delta, w1: Delta| {
        let along = w1.minus(w0);
        let t = (-w0.dot(along) as f64 / (along.length2() as f64).max(1.0)).clamp(0.0, 1.0);
        let (x, y) = (w0.x as f64 + t * along.x as f64, w0.y as f64 + t * along.y as f64);
        (x * x + y * y, t)
    };
    let (a, b) = (pass(a0, a1), pass(b0, b1));
    if a.0 <= b.0 { a.1 } else { b.1 }
}

/// The first contact with a trail that is being laid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiveContact {
    /// When, 0..=1.
    pub toi: f64,
    /// Whether it is the other head itself, at the same time, that is touched.
    pub head: bool,
}

/// When a head going from `p0` to `p1` first comes within `reach` (quanta) of the trail laid from `q0`
/// towards `q1` in the same tick.
///
/// The contacts in (s, t) are an ellipse cut by the triangle 0 <= s <= t <= 1, a convex set: its earliest t
/// lies at the ellipse's extreme when that is inside, else on the edge s = 0 or s = t.
pub fn live(p0: Point, p1: Point, q0: Point, q1: Point, reach: i32) -> LiveContact {
    let r = i64::from(reach);
    let (start0, start1) = (Delta::between(q0, p0), Delta::between(q0, p1));
    let heads = if heads_within(p0, p1, q0, q1, reach) { circle(start0, Delta::between(q1, p1), r) } else { None };
    let start = circle(start0, start1, r);
    let side = strip(start0, Delta::between(p0, p1), Delta::between(q0, q1), r, |t| t);
    let trail = earliest([start, side, None]);
    match (heads, trail) {
        (Some(toi), Some(laid)) if toi <= laid => LiveContact { toi, head: true },
        (Some(toi), None) => LiveContact { toi, head: true },
        (_, Some(toi)) => LiveContact { toi, head: false },
        (None, None) => LiveContact { toi: 1.0, head: false },
    }
}

/// When a point going from `p0` to `p1` first is outside a circle around the origin whose radius goes from
/// `r0` to `r1` (quanta); none when it stays inside. On the circle is inside.
///
/// The distance is convex in time and the radius is linear, so it is enough to look at both ends.
pub fn leaves_circle(p0: Point, p1: Point, r0: i32, r1: i32) -> Option<f64> {
    let origin = Point::default();
    let (w0, u) = (Delta::between(origin, p0), Delta::between(p0, p1));
    let out = |p: Point, r: i32| p.distance2(origin) > i64::from(r) * i64::from(r);
    if out(p0, r0) {
        return Some(0.0);
    }
    if !out(p1, r1) {
        return None;
    }
    let (r0, dr) = (i64::from(r0), i64::from(r1) - i64::from(r0));
    let a = u.length2() - dr * dr;
    let b = w0.dot(u) - r0 * dr;
    let c = w0.length2() - r0 * r0;
    Some(outward_root(a, b, c))
}

/// The root in 0..=1 of `a t² + 2 b t + c` with `c <= 0` and a positive value at 1.
fn outward_root(a: i64, b: i64, c: i64) -> f64 {
    let disc = (i128::from(b) * i128::from(b) - i128::from(a) * i128::from(c)).max(0) as f64;
    let (a, b, c, root) = (a as f64, b as f64, c as f64, disc.sqrt());
    let t = if b > 0.0 { -c / (b + root) } else { (root - b) / a };
    if t.is_finite() { t.clamp(0.0, 1.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: f64, y: f64) -> Point {
        Point::from_units([x, y]).unwrap()
    }

    #[test]
    fn a_head_over_a_body_touches_it_at_the_kill_distance() {
        let toi = body(p(5.0, -4.0), p(5.0, 3.0), p(0.0, 0.0), p(10.0, 0.0), 243);
        assert!((toi - (4.0 - 243.0 / 64.0) / 7.0).abs() < 1e-12, "{toi}");
    }

    #[test]
    fn from_inside_the_time_is_zero() {
        assert_eq!(body(p(0.0, 1.0), p(9.0, 9.0), p(-5.0, 0.0), p(5.0, 0.0), 128), 0.0);
    }

    #[test]
    fn two_heads_that_arrive_together_touch_head_on() {
        let contact = live(p(0.0, 0.0), p(4.0, 0.0), p(4.0, -4.0), p(4.0, 0.0), 243);
        assert!(contact.head);
        assert!((contact.toi - (1.0 - 243.0 / 64.0 / 32f64.sqrt())).abs() < 1e-12);
    }

    #[test]
    fn a_head_reaches_a_fresh_trail() {
        let contact = live(p(-6.0, -7.5), p(-6.0, -3.5), p(-8.0, 0.0), p(-4.0, 0.0), 243);
        assert!(!contact.head && (contact.toi - (7.5 - 243.0 / 64.0) / 4.0).abs() < 1e-12, "{contact:?}");
    }

    #[test]
    fn the_edge_may_come_to_the_head() {
        assert_eq!(leaves_circle(p(9.0, 0.0), p(9.0, 0.0), 640, 576), None);
        let toi = leaves_circle(p(9.0, 0.0), p(9.0, 0.0), 640, 512).unwrap();
        assert!((toi - 0.5).abs() < 1e-12, "{toi}");
        assert_eq!(leaves_circle(p(9.0, 0.0), p(11.0, 0.0), 640, 640), Some(0.5));
    }
}
