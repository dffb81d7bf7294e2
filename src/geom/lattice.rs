//! Points on the lattice of 1/64 u, and rectangles of them.

use crate::limits::{COORD_MAX, QUANTA_PER_UNIT};

/// A point in quanta (1/64 u). Coordinates of a world stay within ±(2^24 - 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// Quanta along x.
    pub x: i32,
    /// Quanta along y.
    pub y: i32,
}

impl Point {
    /// The point with these coordinates, in quanta.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The nearest lattice point to a place in u; none when a coordinate is not finite or off the lattice.
    pub fn from_units(at: [f64; 2]) -> Option<Self> {
        Some(Self { x: quanta(at[0])?, y: quanta(at[1])? })
    }

    /// The place in u, exact.
    pub fn to_units(self) -> [f64; 2] {
        [units(self.x), units(self.y)]
    }

    /// The square of the distance to `other`, in quanta².
    pub fn distance2(self, other: Self) -> i64 {
        let (dx, dy) = (i64::from(self.x) - i64::from(other.x), i64::from(self.y) - i64::from(other.y));
        dx * dx + dy * dy
    }
}

/// The nearest number of quanta to a length in u; none when it is not finite or beyond the lattice.
pub fn quanta(length: f64) -> Option<i32> {
    let scaled = (length * f64::from(QUANTA_PER_UNIT)).round();
    (scaled.abs() <= f64::from(COORD_MAX)).then_some(scaled as i32)
}

/// A number of quanta in u, exact.
pub fn units(quanta: i32) -> f64 {
    f64::from(quanta) / f64::from(QUANTA_PER_UNIT)
}

/// A rectangle of lattice points, both corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Lower corner.
    pub min: Point,
    /// Upper corner.
    pub max: Point,
}

impl Rect {
    /// The square or oblong of these half extents (quanta) around a centre, cut at the lattice's end.
    pub fn around(center: Point, half_w: i32, half_h: i32) -> Self {
        let cut = |v: i32| v.clamp(-COORD_MAX, COORD_MAX);
        Self {
            min: Point::new(cut(center.x.saturating_sub(half_w)), cut(center.y.saturating_sub(half_h))),
            max: Point::new(cut(center.x.saturating_add(half_w)), cut(center.y.saturating_add(half_h))),
        }
    }

    /// Whether the point lies inside or on the border.
    pub fn contains(&self, point: Point) -> bool {
        point.x >= self.min.x && point.x <= self.max.x && point.y >= self.min.y && point.y <= self.max.y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_on_the_lattice_is_refused() {
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200, 262_144.0] {
            assert_eq!(Point::from_units([0.0, odd]), None, "{odd}");
        }
    }

    #[test]
    fn units_come_back_exact() {
        for q in [-COORD_MAX, -65, -1, 0, 1, 64, COORD_MAX] {
            assert_eq!(quanta(units(q)), Some(q));
        }
    }
}
