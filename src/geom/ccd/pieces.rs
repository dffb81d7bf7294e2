//! The distance from a convex shape, seen along a straight way.
//!
//! On its way a point passes through regions in each of which one feature of the shape is the nearest: a corner, an
//! edge, a face. Within one, the squared distance is `|m + t d|²` for some vectors; over all of them it is convex and
//! continuous. So the first time below `r²` is found by walking the regions in order: in the first whose end lies lower
//! than that, or whose lowest spot does, it is the lesser root. Roots are held within their region: where two of them
//! meet nothing can slip through.

use super::vector::{along, cross, dot};

/// Most regions on a way: two faces an axis cut it.
const CUTS: usize = 6;

/// A region: until `end` the squared distance is `|m + t d|²`.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub end: f64,
    pub m: [f64; 3],
    pub d: [f64; 3],
}

impl Piece {
    fn distance2(&self, t: f64) -> f64 {
        let at = along(self.m, self.d, t);
        dot(at, at)
    }

    /// Whether the distance gets smaller at `t`.
    fn falls(&self, t: f64) -> bool {
        dot(along(self.m, self.d, t), self.d) < 0.0
    }

    /// Whether the distance is below `r` at the end; at the end of the whole way, or just arrives there.
    fn ends_within(&self, r: f64) -> bool {
        let distance2 = self.distance2(self.end);
        distance2 < r * r || (distance2 == r * r && self.end == 1.0 && self.falls(1.0))
    }

    /// The first time from `start` on at which the distance falls below `r`.
    fn first_within(&self, start: f64, r: f64) -> Option<f64> {
        if self.distance2(start) < r * r {
            return Some(start);
        }
        let (a, b) = (dot(self.d, self.d), dot(self.m, self.d));
        let spread = cross(self.m, self.d);
        let discriminant = a * r * r - dot(spread, spread);
        let turns = -b < a * self.end;
        let reaches = if turns { discriminant > 0.0 } else { self.ends_within(r) };
        if !(self.falls(start) && reaches) {
            return None;
        }
        let c = dot(self.m, self.m) - r * r;
        Some((c / (discriminant.max(0.0).sqrt() - b)).clamp(start, self.end))
    }
}

/// The first time in 0..=1 at which the distance falls below `r`, over the pieces in order; the last ends at 1.
pub(super) fn first_within(pieces: impl IntoIterator<Item = Piece>, r: f64) -> Option<f64> {
    let mut start = 0.0;
    pieces.into_iter().find_map(|piece| {
        let found = piece.first_within(start, r);
        start = piece.end;
        found
    })
}

/// Times in 0..1 at which a way passes from one region to another.
#[derive(Default)]
pub(super) struct Cuts {
    times: [f64; CUTS],
    len: usize,
}

impl Cuts {
    /// Adds a time, unless it is outside of the way.
    pub fn add(&mut self, t: f64) {
        if t > 0.0 && t < 1.0 {
            self.times[self.len] = t;
            self.len += 1;
        }
    }

    /// The stretches between the cuts, in order: some time within, and the end.
    pub fn stretches(mut self) -> impl Iterator<Item = (f64, f64)> {
        self.times[..self.len].sort_by(f64::total_cmp);
        (0..=self.len).map(move |k| {
            let start = if k == 0 { 0.0 } else { self.times[k - 1] };
            let end = if k == self.len { 1.0 } else { self.times[k] };
            (start + (end - start) / 2.0, end)
        })
    }
}
