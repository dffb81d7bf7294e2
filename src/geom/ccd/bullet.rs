//! What a bullet does in a tick.

use super::vector::{along, length2, sub};
use super::{Aabb, Sphere, swept_sphere_aabb_exact, swept_sphere_sphere};

/// The usual distance at which a bullet is stopped short of what it hits, u.
pub const SKIN: f64 = 0.005;

/// Part of a quotient that counts as rounding when it is compared with a whole number.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Whether a mover of this radius can pass through a wall of this thickness between two ticks of `dt` seconds:
/// `speed dt > thickness + 2 radius`. A difference within rounding does not count as greater.
///
/// ```
/// use ringsnake::geom::ccd::tunnels;
///
/// assert!(tunnels(60.0, 1.0 / 60.0, 0.1, 0.05));
/// assert!(!tunnels(12.0, 1.0 / 60.0, 0.1, 0.05));
/// ```
pub fn tunnels(speed: f64, dt: f64, thickness: f64, radius: f64) -> bool {
    let (way, span) = (speed * dt, thickness + 2.0 * radius);
    way - span > ROUNDING * span
}

/// Steps into which a tick must be cut so that none is longer than half of `thickness + 2 radius`; at least 1.
/// None when no number is enough (nothing has any thickness), or it is beyond 2^53.
///
/// A quotient that is a whole number but for rounding is that number, and not the next.
///
/// ```
/// use ringsnake::geom::ccd::substeps;
///
/// assert_eq!(substeps(60.0, 1.0 / 60.0, 0.1, 0.05), Some(10));
/// assert_eq!(substeps(60.0, 1.0 / 60.0, 0.0, 0.0), None);
/// ```
pub fn substeps(speed: f64, dt: f64, thickness: f64, radius: f64) -> Option<u64> {
    let (way, half) = (speed * dt, (thickness + 2.0 * radius) / 2.0);
    if way <= 0.0 {
        return Some(1);
    }
    let count = way / half;
    let whole = count.round();
    let steps = if (count - whole).abs() <= ROUNDING * count { whole } else { count.ceil() };
    (steps <= 9_007_199_254_740_992.0).then_some(steps.max(1.0) as u64)
}

/// Which collider a bullet hit, by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Struck {
    /// One of the boxes.
    Box(usize),
    /// One of the spheres.
    Sphere(usize),
}

/// Where a bullet is after a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BulletStep<const D: usize> {
    /// Its centre.
    pub position: [f64; D],
    /// When and what it hit.
    pub hit: Option<(f64, Struck)>,
}

/// Moves a bullet from `p0` towards `p1`, up to `skin` short of the first collider, measured along the way and never
/// behind `p0`. Boxes have their true, rounded outline. Of two hit at once the first counts, boxes before spheres.
///
/// ```
/// use ringsnake::geom::ccd::{Aabb, SKIN, Struck, bullet_step};
///
/// let wall = Aabb { min: [0.45, -5.0], max: [0.55, 5.0] };
/// let step = bullet_step([0.0, 0.0], [1.0, 0.0], 0.05, SKIN, &[wall], &[]);
/// assert!((step.position[0] - 0.395).abs() < 1e-15);
/// assert_eq!(step.hit.unwrap().1, Struck::Box(0));
/// ```
pub fn bullet_step<const D: usize>(
    p0: [f64; D],
    p1: [f64; D],
    radius: f64,
    skin: f64,
    boxes: &[Aabb<D>],
    spheres: &[Sphere<D>],
) -> BulletStep<D> {
    let at_box = |(i, wall)| Some((swept_sphere_aabb_exact(p0, p1, radius, wall)?, Struck::Box(i)));
    let at_sphere = |(i, ball)| Some((swept_sphere_sphere(p0, p1, radius, ball)?, Struck::Sphere(i)));
    let hits = boxes.iter().enumerate().filter_map(at_box).chain(spheres.iter().enumerate().filter_map(at_sphere));
    let hit = hits.min_by(|a, b| a.0.total_cmp(&b.0));
    let position = hit.map_or(p1, |(toi, _)| short_of(p0, p1, toi, skin));
    BulletStep { position, hit }
}

/// The place `skin` before the part `toi` of the way.
fn short_of<const D: usize>(p0: [f64; D], p1: [f64; D], toi: f64, skin: f64) -> [f64; D] {
    let d = sub(p1, p0);
    let length = length2(d).sqrt();
    let part = if length > 0.0 { toi - skin / length } else { 0.0 };
    along(p0, d, part.max(0.0))
}
