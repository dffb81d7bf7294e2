//! Against segments, bare or with a radius.

use super::RayHit;
use super::pieces::{Cuts, Piece, first_within};
use super::sphere::outward;
use super::vector::{along, cross, dot, length2, sub, thin, unit, widen};

/// Where a ray from `origin` to `to` hits the segment from `a` to `b` with a radius around it: a capsule, or a
/// stadium in the plane. A segment of no length is a sphere. After RTCD 5.3.7.
///
/// With radius 0 it is the bare segment, and the normal is square to it, facing the ray. In space a ray almost never
/// meets a bare segment: give it a radius.
///
/// ```
/// use ringsnake::geom::ccd::ray_segment;
///
/// let hit = ray_segment([0.0, 0.0], [20.0, 0.0], [10.0, 1.0], [10.0, 1.0], 2.0).unwrap();
/// assert!((hit.point[0] - (10.0 - 3.0_f64.sqrt())).abs() < 1e-12);
/// assert!(ray_segment([3.0, 0.0], [3.0, 100.0], [2.0, 1.0], [2.0, 0.0], 0.0).is_none());
/// ```
pub fn ray_segment<const D: usize>(
    origin: [f64; D],
    to: [f64; D],
    a: [f64; D],
    b: [f64; D],
    radius: f64,
) -> Option<RayHit<D>> {
    let (m, d, ab) = (sub(origin, a), sub(to, origin), sub(b, a));
    let reach = radius.max(thin(m, d)).max(thin(ab, ab));
    let toi = first_within(pieces(m, d, ab), reach)?;
    let away = from_segment(along(m, d, toi), ab);
    if toi == 0.0 && dot(away, away) < radius * radius {
        return Some(RayHit::inside(origin));
    }
    let normal = if radius > reach / 2.0 { outward(away, d, radius) } else { facing(d, ab) };
    Some(RayHit { toi, point: along(origin, d, toi), normal })
}

/// The distance from the segment `0..ab` along `m + t d`: that of an end, of the line, of the other end.
fn pieces<const D: usize>(m: [f64; D], d: [f64; D], ab: [f64; D]) -> impl Iterator<Item = Piece> {
    let (length2, start, rate) = (length2(ab), dot(m, ab), dot(d, ab));
    let mut cuts = Cuts::default();
    if rate != 0.0 {
        cuts.add(-start / rate);
        cuts.add((length2 - start) / rate);
    }
    cuts.stretches().map(move |(mid, end)| {
        let at = start + mid * rate;
        let (m, d) = if length2 == 0.0 || at < 0.0 {
            (widen(m), widen(d))
        } else if at > length2 {
            (widen(sub(m, ab)), widen(d))
        } else {
            (beside(m, ab), beside(d, ab))
        };
        Piece { end, m, d }
    })
}

/// A vector as long as the part of `v` that is square to `ab`, itself square to both.
fn beside<const D: usize>(v: [f64; D], ab: [f64; D]) -> [f64; 3] {
    let length = length2(ab).sqrt();
    cross(widen(ab), widen(v)).map(|x| x / length)
}

/// From the nearest place of the segment `0..ab` to `p`.
fn from_segment<const D: usize>(p: [f64; D], ab: [f64; D]) -> [f64; D] {
    let length2 = length2(ab);
    let t = if length2 == 0.0 { 0.0 } else { (dot(p, ab) / length2).clamp(0.0, 1.0) };
    sub(p, ab.map(|x| t * x))
}

/// The unit vector square to the segment that faces a ray along `d`; straight back when the two are in line.
fn facing<const D: usize>(d: [f64; D], ab: [f64; D]) -> [f64; D] {
    let back = d.map(|x| 0.0 - x);
    let length2 = length2(ab);
    let part = if length2 == 0.0 { 0.0 } else { dot(back, ab) / length2 };
    let square = sub(back, ab.map(|x| part * x));
    let in_line = dot(square, square).sqrt() <= thin(back, ab);
    unit(if in_line { back } else { square }).unwrap_or([0.0; D])
}
