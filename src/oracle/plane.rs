//! Distances and times of first contact in the plane, as a textbook writes them. `f64`, units u.
//!
//! A time of first contact is the infimum of the times in [0, 1] at which something is strictly nearer than `r`.
//! Each is the least root of a linear or quadratic equation for one piece of the outline.

pub(super) type V = [f64; 2];

pub(super) fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(super) fn cross(a: V, b: V) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// The place between `a` (t = 0) and `b` (t = 1).
pub(super) fn between(a: V, b: V, t: f64) -> V {
    [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]
}

/// Part of the way from `a` to `b` at which it is nearest to `p`.
fn nearest(p: V, a: V, b: V) -> f64 {
    let ab = sub(b, a);
    let length2 = dot(ab, ab);
    if length2 == 0.0 { 0.0 } else { (dot(sub(p, a), ab) / length2).clamp(0.0, 1.0) }
}

/// Squared distance of a point from a segment.
pub(super) fn point_segment2(p: V, a: V, b: V) -> f64 {
    let away = sub(p, between(a, b, nearest(p, a, b)));
    dot(away, away)
}

/// Whether the segments cross, each with its ends strictly on both sides of the other.
fn crossing(p0: V, p1: V, a: V, b: V) -> bool {
    let side = |from: V, to: V, at: V| cross(sub(to, from), sub(at, from));
    side(p0, p1, a) * side(p0, p1, b) < 0.0 && side(a, b, p0) * side(a, b, p1) < 0.0
}

/// Squared distance of two segments: unless they cross, one of the four ends is a nearest point.
pub(super) fn segment_segment2(p0: V, p1: V, a: V, b: V) -> f64 {
    if crossing(p0, p1, a, b) {
        return 0.0;
    }
    let at_p = point_segment2(p0, a, b).min(point_segment2(p1, a, b));
    let at_q = point_segment2(a, p0, p1).min(point_segment2(b, p0, p1));
    at_p.min(at_q)
}

/// When `m + t d` first comes nearer than `r` to the origin.
pub(super) fn enters_disc(m: V, d: V, r: f64) -> Option<f64> {
    let (a, b, c) = (dot(d, d), dot(m, d), dot(m, m) - r * r);
    if c < 0.0 {
        return Some(0.0);
    }
    // b² - a c, without the cancellation: Lagrange's identity.
    let discriminant = a * r * r - cross(m, d) * cross(m, d);
    if b >= 0.0 || discriminant <= 0.0 {
        return None;
    }
    let t = c / (discriminant.sqrt() - b);
    (t <= 1.0).then_some(t)
}

/// When `m + t d` first comes nearer than `r` to the whole line through the origin along `v`. None when that is so
/// at the start, or never, or when `v` has no direction.
fn enters_strip(m: V, d: V, v: V, r: f64) -> Option<f64> {
    let (height, rate, width) = (cross(v, m), cross(v, d), r * dot(v, v).sqrt());
    let (height, rate) = if height < 0.0 { (-height, -rate) } else { (height, rate) };
    if height < width || rate >= 0.0 {
        return None;
    }
    let t = (height - width) / -rate;
    (t <= 1.0).then_some(t)
}

pub(super) fn earliest(times: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    times.into_iter().flatten().min_by(f64::total_cmp)
}

/// When the point going from `p0` to `p1` first comes nearer than `r` to the segment: to either end, or to its side.
pub(super) fn enters_capsule(p0: V, p1: V, a: V, b: V, r: f64) -> Option<f64> {
    if point_segment2(p0, a, b) < r * r {
        return Some(0.0);
    }
    let (m, d, ab) = (sub(p0, a), sub(p1, p0), sub(b, a));
    let side = enters_strip(m, d, ab, r).filter(|&t| {
        let along = dot(sub(between(p0, p1, t), a), ab);
        0.0 <= along && along <= dot(ab, ab)
    });
    earliest([enters_disc(m, d, r), enters_disc(sub(p0, b), d, r), side])
}

/// When a point going from `p0` to `p1` is nearest to the segment: the answer for a contact so slight that no root
/// is found.
pub(super) fn nearest_time(p0: V, p1: V, a: V, b: V) -> f64 {
    let times = [0.0, 1.0, nearest(a, p0, p1), nearest(b, p0, p1)];
    let distance = |t: f64| point_segment2(between(p0, p1, t), a, b);
    times.into_iter().min_by(|&s, &t| distance(s).total_cmp(&distance(t))).unwrap_or(0.0)
}

/// The two heads of a tick: `p` dies of what `q` lays behind it.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub p0: V,
    pub p1: V,
    pub q0: V,
    pub q1: V,
}

impl Pair {
    /// `p(0) - q(0)`, and the ways of both.
    fn ways(&self) -> (V, V, V) {
        (sub(self.p0, self.q0), sub(self.p1, self.p0), sub(self.q1, self.q0))
    }

    /// Least squared distance of `p(t)` and `q(s)` over 0 <= s <= t <= 1.
    ///
    /// It is convex in (s, t), so it lies where the ways cross inside the triangle, or on one of the triangle's edges:
    /// s = 0 (the place where `q` started), t = 1 (where `p` ends), s = t (both at the same time).
    pub fn distance2(&self) -> f64 {
        if self.crosses_laid_trail() {
            return 0.0;
        }
        let start = point_segment2(self.q0, self.p0, self.p1);
        let end = point_segment2(self.p1, self.q0, self.q1);
        start.min(end).min(self.heads_distance2())
    }

    pub fn heads_distance2(&self) -> f64 {
        point_segment2([0.0, 0.0], sub(self.p0, self.q0), sub(self.p1, self.q1))
    }

    /// Whether `p(t) = q(s)` for some 0 <= s <= t <= 1.
    fn crosses_laid_trail(&self) -> bool {
        let (w, u, v) = self.ways();
        let det = cross(u, v);
        if det == 0.0 {
            return false;
        }
        let (t, s) = (-cross(w, v) / det, -cross(w, u) / det);
        0.0 <= s && s <= t && t <= 1.0
    }

    /// When the heads first come nearer than `r` to each other: the edge s = t.
    pub fn heads_meet(&self, r: f64) -> Option<f64> {
        let (w, u, v) = self.ways();
        enters_disc(w, sub(u, v), r)
    }

    /// When `p` first comes nearer than `r` to laid trail otherwise: the edge s = 0, or the extreme of the ellipse,
    /// which is where `p` enters the strip around the way of `q`, if that spot is laid by then.
    pub fn trail_met(&self, r: f64) -> Option<f64> {
        let (w, u, v) = self.ways();
        let beside = enters_strip(w, u, v, r).filter(|&t| {
            let s = dot(between(w, sub(self.p1, self.q0), t), v) / dot(v, v);
            0.0 <= s && s <= t
        });
        earliest([enters_disc(w, u, r), beside])
    }

    /// When contact is closest: the answer for a contact so slight that no root is found.
    pub fn nearest_time(&self) -> f64 {
        let (w, end) = (sub(self.p0, self.q0), sub(self.p1, self.q1));
        let times = [(self.heads_distance2(), nearest([0.0, 0.0], w, end)), self.at_start(), self.at_end()];
        times.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |best| best.1)
    }

    fn at_start(&self) -> (f64, f64) {
        (point_segment2(self.q0, self.p0, self.p1), nearest(self.q0, self.p0, self.p1))
    }

    fn at_end(&self) -> (f64, f64) {
        (point_segment2(self.p1, self.q0, self.q1), 1.0)
    }
}

/// Squared distance of a segment from a box, 0 inside.
pub(super) fn segment_box2(p0: V, p1: V, min: V, max: V) -> f64 {
    let inside = (0..2).all(|i| min[i] <= p0[i] && p0[i] <= max[i]);
    if inside {
        return 0.0;
    }
    let sides = box_sides(min, max);
    sides.into_iter().map(|[a, b]| segment_segment2(p0, p1, a, b)).fold(f64::INFINITY, f64::min)
}

fn box_sides(min: V, max: V) -> [[V; 2]; 4] {
    let corners = [min, [max[0], min[1]], max, [min[0], max[1]]];
    [0, 1, 2, 3].map(|i| [corners[i], corners[(i + 1) % 4]])
}

/// When the point first comes nearer than `r` to the box: to one of its sides, unless it starts inside.
pub(super) fn enters_box(p0: V, p1: V, min: V, max: V, r: f64) -> Option<f64> {
    let inside = (0..2).all(|i| min[i] <= p0[i] && p0[i] <= max[i]);
    if inside {
        return Some(0.0);
    }
    earliest(box_sides(min, max).map(|[a, b]| enters_capsule(p0, p1, a, b, r)))
}

/// When the point leaves a circle around the origin whose radius goes from `r0` to `r1`.
///
/// `|p(t)| - r(t)` is convex, so whoever is out at some time is out at the start or at the end; and being in at the
/// start it crosses once: the root of `a t² + 2 b t + c` with c <= 0 at which it turns positive.
pub(super) fn leaves_circle(p0: V, p1: V, r0: f64, r1: f64) -> Option<f64> {
    let out = |p: V, r: f64| dot(p, p) > r * r;
    if out(p0, r0) {
        return Some(0.0);
    }
    if !out(p1, r1) {
        return None;
    }
    let (d, dr) = (sub(p1, p0), r1 - r0);
    let (a, b, c) = (dot(d, d) - dr * dr, dot(p0, d) - r0 * dr, dot(p0, p0) - r0 * r0);
    let root = (b * b - a * c).max(0.0).sqrt();
    let t = if b > 0.0 { -c / (b + root) } else { (root - b) / a };
    Some(if t.is_finite() { t.clamp(0.0, 1.0) } else { 1.0 })
}
