//! The snake test on plain numbers: two segments in `f64`, as given, off any lattice.

use super::ccd::{self, length2};

/// What the way of a head has to do with a stretch of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptHit {
    /// When the head first comes closer than the kill distance, 0..=1; none when it does not.
    pub toi: Option<f64>,
    /// Distance of the two segments.
    pub distance: f64,
}

/// Distance of two segments, each `[x0, y0, x1, y1]`.
///
/// Unless they cross, an end of one is a nearest point: the least of four point distances. The closed form of RTCD
/// 5.1.9 divides by a determinant that nearly parallel segments bring near zero; here is none.
///
/// ```
/// use ringsnake::geom::swept::segment_distance;
///
/// assert_eq!(segment_distance([0.0, 0.0, 4.0, 0.0], [-4.0, 1.0, 10.0, 1.0]), 1.0);
/// assert_eq!(segment_distance([0.0, 0.0, 4.0, 4.0], [0.0, 4.0, 4.0, 0.0]), 0.0);
/// ```
pub fn segment_distance(p: [f64; 4], q: [f64; 4]) -> f64 {
    if cross(p, q) && cross(q, p) {
        return 0.0;
    }
    let [p0, p1, q0, q1] = [start(p), end(p), start(q), end(q)];
    let at_p = from_segment(p0, q).min(from_segment(p1, q));
    at_p.min(from_segment(q0, p)).min(from_segment(q1, p))
}

/// Whether a head going along `head` comes strictly closer than `kill` to the stretch `body`, and when.
///
/// ```
/// use ringsnake::geom::swept::swept_hit;
///
/// let body = [-3.0, 0.0, 10.0, 0.0];
/// assert_eq!(swept_hit([0.0, 3.8, 7.0, 3.8], body, 3.8).toi, None);
/// assert_eq!(swept_hit([0.0, 3.7, 7.0, 3.7], body, 3.8).toi, Some(0.0));
/// ```
pub fn swept_hit(head: [f64; 4], body: [f64; 4], kill: f64) -> SweptHit {
    let distance = segment_distance(head, body);
    let toi = (distance < kill).then(|| {
        let met = ccd::ray_segment(start(head), end(head), start(body), end(body), kill);
        met.map_or_else(|| nearest_time(head, body), |hit| hit.toi)
    });
    SweptHit { toi, distance }
}

/// When the head is nearest: for a contact so slight that the sweep rounds it away.
fn nearest_time(head: [f64; 4], body: [f64; 4]) -> f64 {
    let times = [0.0, 1.0, nearest(start(body), head), nearest(end(body), head)];
    let at = |t: f64| [head[0] + t * (head[2] - head[0]), head[1] + t * (head[3] - head[1])];
    let distance = |t: f64| from_segment(at(t), body);
    times.into_iter().min_by(|&s, &t| distance(s).total_cmp(&distance(t))).unwrap_or(0.0)
}

fn start(s: [f64; 4]) -> [f64; 2] {
    [s[0], s[1]]
}

fn end(s: [f64; 4]) -> [f64; 2] {
    [s[2], s[3]]
}

/// Whether the ends of `q` lie strictly on both sides of the line through `p`.
fn cross(p: [f64; 4], q: [f64; 4]) -> bool {
    let side = |x: f64, y: f64| (p[2] - p[0]) * (y - p[1]) - (p[3] - p[1]) * (x - p[0]);
    let (a, b) = (side(q[0], q[1]), side(q[2], q[3]));
    (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0)
}

/// Part of the segment at which it is nearest to the point.
fn nearest([x, y]: [f64; 2], s: [f64; 4]) -> f64 {
    let (dx, dy) = (s[2] - s[0], s[3] - s[1]);
    let length2 = length2([dx, dy]);
    if length2 == 0.0 { 0.0 } else { (((x - s[0]) * dx + (y - s[1]) * dy) / length2).clamp(0.0, 1.0) }
}

fn from_segment(point: [f64; 2], s: [f64; 4]) -> f64 {
    let t = nearest(point, s);
    let (x, y) = (point[0] - s[0] - t * (s[2] - s[0]), point[1] - s[1] - t * (s[3] - s[1]));
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_parallel_segments_keep_their_distance() {
        let p = [0.0, 0.0, -3.2857, -7.479];
        let q = [1.22623, -0.12396, -2.0262, -7.51854];
        assert!((segment_distance(p, q) - 1.16905).abs() < 2e-5);
    }

    #[test]
    fn the_reversed_segment_is_the_same_segment() {
        let turned = |s: [f64; 4]| [s[2], s[3], s[0], s[1]];
        for k in 0..1_000_u32 {
            let [p, q] = [1, 2].map(|n| [3, 5, 7, 11].map(|m| f64::from(k * n * m * 7_919 % 1_009) - 504.0));
            let distance = segment_distance(p, q);
            for other in [segment_distance(q, p), segment_distance(turned(p), q), segment_distance(p, turned(q))] {
                assert!((distance - other).abs() < 1e-12 * 504.0, "{p:?} {q:?}");
            }
        }
    }

    #[test]
    fn every_hit_has_a_time_and_no_miss_has() {
        for k in 0..20_000_u32 {
            let [head, body] = [1, 2].map(|n| [3, 5, 7, 11].map(|m| f64::from(k * n * m * 7_919 % 61) - 30.0));
            let kill = f64::from(k % 40) / 4.0;
            let SweptHit { toi, distance } = swept_hit(head, body, kill);
            assert_eq!(toi.is_some(), distance < kill);
            let Some(t) = toi.filter(|&t| t > 0.0) else { continue };
            let at = [head[0] + t * (head[2] - head[0]), head[1] + t * (head[3] - head[1])];
            assert!((from_segment(at, body) - kill).abs() < 1e-6, "{head:?} {body:?} {kill}");
        }
    }

    #[test]
    fn what_is_shorter_than_any_square_is_a_point() {
        let tiny = |exponent: i32| 10_f64.powi(exponent);
        for exponent in -323..-100 {
            let e = tiny(exponent);
            let stretches = [[e, e, 2.0 * e, e], [-e, e, -e, -e], [e, e, e, 3.4 * e], [-2.0 * e, 0.0, e, 7.0 * e]];
            for short in stretches {
                let head = [5.0, 0.0, 0.0, 0.0];
                let SweptHit { toi, distance } = swept_hit(head, short, 4.0);
                assert!(distance < 1e-99 && toi.is_some_and(|t| (t - 0.2).abs() < 1e-15), "{short:?}: {toi:?}");
                assert_eq!(swept_hit(short, head, 1.0).toi, Some(0.0), "{short:?}");
                assert!((swept_hit(short, [3.0, 4.0, 9.0, 4.0], 1.0).distance - 5.0).abs() < 1e-15, "{short:?}");
            }
        }
    }
}
