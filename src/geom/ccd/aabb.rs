//! Against boxes.

use super::pieces::{Cuts, Piece, first_within};
use super::vector::{along, sub, widen};
use super::{Aabb, RayHit};

/// When a moving sphere hits a box, judged by the box grown by the radius: the slab method, RTCD 5.3.3.
///
/// Cheap and safe: it never misses and is never late. Beside a corner it is up to 0.42 radii (in space 0.74) too
/// eager, since the grown box has sharp corners; [`swept_sphere_aabb_exact`] tells those apart.
///
/// ```
/// use ringsnake::geom::ccd::{Aabb, swept_sphere_aabb};
///
/// let wall = Aabb { min: [0.45, -5.0], max: [0.55, 5.0] };
/// let toi = swept_sphere_aabb([0.0, 0.0], [1.0, 0.0], 0.05, &wall).unwrap();
/// assert!((toi - 0.4).abs() < 1e-15);
/// assert_eq!(swept_sphere_aabb([0.0, 7.0], [1.0, 7.0], 0.05, &wall), None);
/// ```
pub fn swept_sphere_aabb<const D: usize>(p0: [f64; D], p1: [f64; D], radius: f64, wall: &Aabb<D>) -> Option<f64> {
    let grown = Aabb { min: wall.min.map(|x| x - radius), max: wall.max.map(|x| x + radius) };
    slabs(p0, sub(p1, p0), &grown).map(|entry| entry.toi)
}

/// When a moving sphere hits a box with its true, rounded outline. Never earlier than [`swept_sphere_aabb`].
///
/// RTCD 5.5.7 casts the centre's way against the grown box, then against the capsules around the edges. Here the way is
/// cut where it crosses the planes of the faces; between two cuts the distance is that of one corner, edge or face.
///
/// ```
/// use ringsnake::geom::ccd::{Aabb, swept_sphere_aabb, swept_sphere_aabb_exact};
///
/// let crate_ = Aabb { min: [0.0, 0.0], max: [1.0, 1.0] };
/// let (p0, p1) = ([-1.0, 0.9], [0.1, 2.0]);
/// assert!(swept_sphere_aabb(p0, p1, 0.5, &crate_).is_some());
/// assert_eq!(swept_sphere_aabb_exact(p0, p1, 0.5, &crate_), None);
/// ```
pub fn swept_sphere_aabb_exact<const D: usize>(p0: [f64; D], p1: [f64; D], radius: f64, wall: &Aabb<D>) -> Option<f64> {
    let d = sub(p1, p0);
    if within(p0, wall) {
        return Some(0.0);
    }
    if radius <= 0.0 {
        return slabs(p0, d, wall).map(|entry| entry.toi);
    }
    let mut cuts = Cuts::default();
    for i in (0..D).filter(|&i| d[i] != 0.0) {
        cuts.add((wall.min[i] - p0[i]) / d[i]);
        cuts.add((wall.max[i] - p0[i]) / d[i]);
    }
    first_within(cuts.stretches().map(|(mid, end)| nearest_feature(p0, d, wall, mid, end)), radius)
}

/// Where a ray from `origin` to `to` hits a box. RTCD 5.3.3.
///
/// ```
/// use ringsnake::geom::ccd::{Aabb, ray_aabb};
///
/// let cube = Aabb { min: [2.0, -1.0, -1.0], max: [4.0, 1.0, 1.0] };
/// let hit = ray_aabb([0.0; 3], [8.0, 0.0, 0.0], &cube).unwrap();
/// assert_eq!((hit.toi, hit.point, hit.normal), (0.25, [2.0, 0.0, 0.0], [-1.0, 0.0, 0.0]));
/// ```
pub fn ray_aabb<const D: usize>(origin: [f64; D], to: [f64; D], wall: &Aabb<D>) -> Option<RayHit<D>> {
    let d = sub(to, origin);
    let Entry { toi, face } = slabs(origin, d, wall)?;
    let Some(axis) = face else { return Some(RayHit::inside(origin)) };
    let mut hit = RayHit { toi, point: along(origin, d, toi), normal: [0.0; D] };
    // On the face to the last bit: the product above may round to a spot behind it.
    hit.point[axis] = if d[axis] > 0.0 { wall.min[axis] } else { wall.max[axis] };
    hit.normal[axis] = if d[axis] > 0.0 { -1.0 } else { 1.0 };
    Some(hit)
}

/// Whether a point is strictly inside.
fn within<const D: usize>(p: [f64; D], wall: &Aabb<D>) -> bool {
    (0..D).all(|i| wall.min[i] < p[i] && p[i] < wall.max[i])
}

/// When a ray enters a box, and across a face of which axis; no face when it starts inside.
struct Entry {
    toi: f64,
    face: Option<usize>,
}

fn slabs<const D: usize>(p: [f64; D], d: [f64; D], wall: &Aabb<D>) -> Option<Entry> {
    let (mut enter, mut exit, mut face) = (f64::NEG_INFINITY, f64::INFINITY, None);
    for i in 0..D {
        let (lo, hi) = (wall.min[i], wall.max[i]);
        if d[i] == 0.0 {
            let inside = (lo < p[i] && p[i] < hi) || (lo == hi && p[i] == lo);
            inside.then_some(())?;
            continue;
        }
        let (near, far) = if d[i] > 0.0 { (lo, hi) } else { (hi, lo) };
        let crossed = (near - p[i]) / d[i];
        if crossed > enter {
            (enter, face) = (crossed, Some(i));
        }
        exit = exit.min((far - p[i]) / d[i]);
    }
    // Leaving at 0 with an entry before is a start on a face, going away from it.
    let behind = exit < 0.0 || (exit == 0.0 && enter < 0.0);
    if enter > exit || enter > 1.0 || behind {
        return None;
    }
    Some(if enter < 0.0 { Entry { toi: 0.0, face: None } } else { Entry { toi: enter + 0.0, face } })
}

/// The feature of the box that is nearest at the time `mid`: of each axis, the face beyond which the way is.
fn nearest_feature<const D: usize>(p: [f64; D], d: [f64; D], wall: &Aabb<D>, mid: f64, end: f64) -> Piece {
    let at = along(p, d, mid);
    let beyond = |i: usize| {
        if at[i] < wall.min[i] {
            Some(wall.min[i])
        } else if at[i] > wall.max[i] {
            Some(wall.max[i])
        } else {
            None
        }
    };
    let offset = std::array::from_fn(|i| beyond(i).map_or(0.0, |face| p[i] - face));
    let rate = std::array::from_fn(|i| beyond(i).map_or(0.0, |_| d[i]));
    Piece { end, m: widen::<D>(offset), d: widen::<D>(rate) }
}
