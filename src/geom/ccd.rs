//! Continuous collision detection for fast movers, in two and in three dimensions.
//!
//! Whoever moves farther in a tick than what stands in the way is thick must be tested along the way and not at its
//! end: see [`tunnels`]. The functions here do that for spheres (discs) and rays against boxes, spheres and segments.
//! All take points as `[f64; D]` with `D` = 2 or 3, in any unit, and answer with a *time of impact*: the part of the
//! way from `p0` to `p1`, 0..=1. The arithmetic is + - * / and square root only, so the bits are the same everywhere.
//!
//! What counts as a hit, the same in all of them:
//! - who starts inside hits at 0, wherever it goes, and also when it does not move;
//! - who starts at touching distance hits at 0 when it moves in, and not when it moves along or away;
//! - who only grazes, coming to touching distance and no closer, hits nothing;
//! - who reaches touching distance, moving in, exactly at `p1`, hits at 1;
//! - what has no thickness at all (a ray against a point, a bare segment, a flat box) is hit where it is met, to within
//!   a few roundings.
//!
//! The methods are those of Ericson, *Real-Time Collision Detection*, sections 5.3.2 (ray, sphere), 5.3.3 (ray, box),
//! 5.3.7 (ray, cylinder), 5.5.5 (moving spheres) and 5.5.7 (moving sphere, box), with two changes. A discriminant is
//! taken as `a r² - |m x d|²`, which is equal to `b² - a c` and does not cancel far from the origin. And rounded shapes
//! are not cut into faces, edges and corners, but walked along the way, piece by piece: see `pieces.rs`.

mod aabb;
mod bullet;
mod pieces;
mod segment;
mod sphere;
mod vector;

pub use aabb::{ray_aabb, swept_sphere_aabb, swept_sphere_aabb_exact};
pub use bullet::{BulletStep, SKIN, Struck, bullet_step, substeps, tunnels};
pub use segment::ray_segment;
pub use sphere::{ray_sphere, swept_sphere_sphere, swept_spheres};
pub(super) use vector::length2;

/// A box along the axes; `min` is nowhere above `max`. It may be flat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<const D: usize> {
    /// Lower corner.
    pub min: [f64; D],
    /// Upper corner.
    pub max: [f64; D],
}

/// A sphere, or a disc in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere<const D: usize> {
    /// Its centre.
    pub center: [f64; D],
    /// Its radius, not negative.
    pub radius: f64,
}

/// Where a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit<const D: usize> {
    /// Part of the way, 0..=1.
    pub toi: f64,
    /// The place.
    pub point: [f64; D],
    /// Outward normal of what was hit there, length 1; all zero when the ray starts inside, where there is none.
    pub normal: [f64; D],
}

impl<const D: usize> RayHit<D> {
    /// A ray that starts inside.
    fn inside(origin: [f64; D]) -> Self {
        Self { toi: 0.0, point: origin, normal: [0.0; D] }
    }

    /// How far the ray went, when it was `length` long from end to end.
    pub fn distance(&self, length: f64) -> f64 {
        self.toi * length
    }
}

#[cfg(test)]
mod tests;
