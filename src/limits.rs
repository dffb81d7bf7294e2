//! Every bound of the engine in one place, each with its reason, tied together by const assertions.

/// Quanta in a unit: positions lie on a lattice of 1/64 u.
pub const QUANTA_PER_UNIT: i32 = 64;

/// Largest magnitude of a coordinate, in quanta (262,143.98 u).
///
/// Below 2^24 every coordinate is exact in `f32`, and a product of two differences stays far inside `i64`.
pub const COORD_MAX: i32 = (1 << 24) - 1;

/// Largest arena radius in units. The rest of the lattice is room for heads that overshoot the edge.
pub const ARENA_RADIUS_MAX: f64 = 250_000.0;

/// Snakes that may live at once: the index bits of a [`SnakeId`](crate::SnakeId), less one, so that the id of
/// all ones is nobody's.
pub const SNAKES_MAX: u32 = (1 << SNAKE_INDEX_BITS) - 1;

/// Bits of a snake id that hold its index; the others hold the generation.
pub const SNAKE_INDEX_BITS: u32 = 20;

/// Longest stretch, in quanta along one axis, that a lane of the grid can hold (16-bit differences).
/// A longer segment is kept in a list of its own and tested against every head.
pub const LANE_REACH_MAX: i32 = i16::MAX as i32;

/// Longest way of a head in one tick, in units.
pub const STEP_MAX: f64 = 400.0;

/// Largest kill distance in units: the largest radius that a config may ask for, twice.
pub const RADIUS_MAX: f64 = 500.0;

const _: () = assert!((ARENA_RADIUS_MAX + STEP_MAX) * (QUANTA_PER_UNIT as f64) < COORD_MAX as f64);
const _: () = assert!(STEP_MAX * (QUANTA_PER_UNIT as f64) < LANE_REACH_MAX as f64);

/// Radii in quanta at which a body's lanes move to the grid of the thick, and back: 16 u and 14 u, apart so
/// that one who grows and boosts at the border does not move every tick.
pub const RADIUS_THICK: i32 = 16 * QUANTA_PER_UNIT;
/// See [`RADIUS_THICK`].
pub const RADIUS_THIN: i32 = 14 * QUANTA_PER_UNIT;

/// Makes room for `more` elements. A pool that is full grows by a quarter and not to twice its size: copying is
/// rare enough, and an arena's memory stays near what it holds.
pub(crate) fn grow_by_parts<T>(pool: &mut Vec<T>, more: usize) {
    if pool.len() + more > pool.capacity() {
        pool.reserve_exact(more.max(pool.len() / 4));
    }
}
