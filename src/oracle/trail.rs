//! A body as a list of stretches, and the one shortcut that the oracle allows itself: rectangles.

use super::plane::V;

/// Stretches to a rectangle.
const BLOCK: usize = 32;

/// Rectangles are asked for everything up to this much farther away than kills, so that the margins of near misses
/// are seen too.
const BEYOND: f64 = 1.0;

#[derive(Clone, Copy)]
pub(super) struct Bounds {
    min: V,
    max: V,
}

impl Bounds {
    pub fn of(points: impl IntoIterator<Item = V>) -> Self {
        let nothing = Self { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };
        points.into_iter().fold(nothing, |bounds, p| Self {
            min: [bounds.min[0].min(p[0]), bounds.min[1].min(p[1])],
            max: [bounds.max[0].max(p[0]), bounds.max[1].max(p[1])],
        })
    }

    /// Whether something in here may be about `reach` from something in `other`.
    pub fn within(&self, other: &Self, reach: f64) -> bool {
        let reach = reach + BEYOND;
        (0..2).all(|i| self.min[i] - reach <= other.max[i] && other.min[i] - reach <= self.max[i])
    }
}

/// Stretches of a body, oldest first, in blocks with a rectangle each. A lone point is a stretch without length.
pub(super) struct Trail {
    stretches: Vec<[V; 2]>,
    blocks: Vec<Bounds>,
    all: Bounds,
}

impl Trail {
    pub fn new(stretches: Vec<[V; 2]>) -> Self {
        let blocks = stretches.chunks(BLOCK).map(|block| Bounds::of(block.iter().flatten().copied())).collect();
        let all = Bounds::of(stretches.iter().flatten().copied());
        Self { stretches, blocks, all }
    }

    /// Every stretch that may come about as close as `reach` to something in `place`.
    pub fn near(&self, place: &Bounds, reach: f64) -> impl Iterator<Item = [V; 2]> {
        let blocks = if self.all.within(place, reach) { self.blocks.as_slice() } else { &[] };
        let met = blocks.iter().zip(self.stretches.chunks(BLOCK)).filter(move |(b, _)| b.within(place, reach));
        met.flat_map(|(_, stretches)| stretches).copied()
    }
}
