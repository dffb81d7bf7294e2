//! The oracle asked about one pair at a time: distances and times in `f64`, off any lattice. For fuzz targets and
//! for the measurement of the engine's exactness.
//!
//! A segment or a way is the list of its two ends, u.

use super::plane::{self, Pair, earliest};

type Way = [[f64; 2]; 2];

fn pair([p0, p1]: Way, [q0, q1]: Way) -> Pair {
    Pair { p0, p1, q0, q1 }
}

/// Distance of two segments, u.
pub fn distance([p0, p1]: Way, [a, b]: Way) -> f64 {
    plane::segment_segment2(p0, p1, a, b).sqrt()
}

/// Least distance, u, of a head on the way `p` from what another has laid by then on its way `q` of the same tick.
pub fn live_distance(p: Way, q: Way) -> f64 {
    pair(p, q).distance2().sqrt()
}

/// Least distance of two heads at the same time of the tick, u.
pub fn heads_distance(p: Way, q: Way) -> f64 {
    pair(p, q).heads_distance2().sqrt()
}

/// When a head on the way `p` is first nearer than `reach` u to a segment, as a part of the way; none when it is not.
pub fn toi(p: Way, [a, b]: Way, reach: f64) -> Option<f64> {
    let touched = distance(p, [a, b]) < reach;
    let enters = || plane::enters_capsule(p[0], p[1], a, b, reach);
    touched.then(|| enters().unwrap_or_else(|| plane::nearest_time(p[0], p[1], a, b)))
}

/// When a head on the way `p` is first nearer than `reach` u to the other head or to what that has laid by then.
pub fn live_toi(p: Way, q: Way, reach: f64) -> Option<f64> {
    let pair = pair(p, q);
    let touched = live_distance(p, q) < reach;
    let first = || earliest([pair.heads_meet(reach), pair.trail_met(reach)]);
    touched.then(|| first().unwrap_or_else(|| pair.nearest_time()))
}

/// When a head on the way `p` is first outside a circle around the origin whose radius goes from `r0` to `r1` u.
pub fn leaves_circle([p0, p1]: Way, [r0, r1]: [f64; 2]) -> Option<f64> {
    plane::leaves_circle(p0, p1, r0, r1)
}
