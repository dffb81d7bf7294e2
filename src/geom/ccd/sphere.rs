//! Against spheres.

use super::pieces::{Piece, first_within};
use super::vector::{along, sub, thin, unit, widen};
use super::{RayHit, Sphere};

/// When a moving sphere hits a sphere that stands still. RTCD 5.5.5.
///
/// ```
/// use ringsnake::geom::ccd::{Sphere, swept_sphere_sphere};
///
/// let post = Sphere { center: [10.0, 0.0], radius: 1.0 };
/// assert_eq!(swept_sphere_sphere([0.0, 0.0], [20.0, 0.0], 1.0, &post), Some(0.4));
/// assert_eq!(swept_sphere_sphere([13.0, 0.0], [20.0, 0.0], 1.0, &post), None);
/// ```
pub fn swept_sphere_sphere<const D: usize>(p0: [f64; D], p1: [f64; D], radius: f64, other: &Sphere<D>) -> Option<f64> {
    enters(sub(p0, other.center), sub(p1, p0), radius + other.radius)
}

/// When two spheres hit that move at the same time, `other` from its centre to `center_to`: the same test in the frame
/// of the other. RTCD 5.5.5.
///
/// ```
/// use ringsnake::geom::ccd::{Sphere, swept_spheres};
///
/// let other = Sphere { center: [50.0, 0.0], radius: 1.8 };
/// let toi = swept_spheres([-50.0, 0.0], [50.0, 0.0], 2.0, &other, [-50.0, 0.0]);
/// assert_eq!(toi, Some(0.481));
/// ```
pub fn swept_spheres<const D: usize>(
    p0: [f64; D],
    p1: [f64; D],
    radius: f64,
    other: &Sphere<D>,
    center_to: [f64; D],
) -> Option<f64> {
    let relative = sub(sub(p1, p0), sub(center_to, other.center));
    enters(sub(p0, other.center), relative, radius + other.radius)
}

/// Where a ray from `origin` to `to` hits a sphere. RTCD 5.3.2.
///
/// ```
/// use ringsnake::geom::ccd::{Sphere, ray_sphere};
///
/// let ball = Sphere { center: [5.0, 0.0, 0.0], radius: 1.0 };
/// let hit = ray_sphere([0.0; 3], [8.0, 0.0, 0.0], &ball).unwrap();
/// assert_eq!((hit.toi, hit.point, hit.normal), (0.5, [4.0, 0.0, 0.0], [-1.0, 0.0, 0.0]));
/// ```
pub fn ray_sphere<const D: usize>(origin: [f64; D], to: [f64; D], sphere: &Sphere<D>) -> Option<RayHit<D>> {
    let (m, d) = (sub(origin, sphere.center), sub(to, origin));
    let toi = enters(m, d, sphere.radius)?;
    if toi == 0.0 && super::vector::dot(m, m) < sphere.radius * sphere.radius {
        return Some(RayHit::inside(origin));
    }
    Some(RayHit { toi, point: along(origin, d, toi), normal: outward(along(m, d, toi), d, sphere.radius) })
}

/// When `m + t d` comes within `r` of the origin.
pub(super) fn enters<const D: usize>(m: [f64; D], d: [f64; D], r: f64) -> Option<f64> {
    first_within([Piece { end: 1.0, m: widen(m), d: widen(d) }], r.max(thin(m, d)))
}

/// The normal at `offset` from the centre; of what has no thickness, the one that faces the ray.
pub(super) fn outward<const D: usize>(offset: [f64; D], d: [f64; D], radius: f64) -> [f64; D] {
    let facing = d.map(|x| 0.0 - x);
    let normal = if radius > thin(offset, d) { unit(offset) } else { None };
    normal.or_else(|| unit(facing)).unwrap_or([0.0; D])
}
