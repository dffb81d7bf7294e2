//! Steering, motion and sampling, sixteen rows at a time.
//!
//! Rows without a snake go through the same arithmetic and stay where they are: a branch for each would cost more.
//! Loops over sixteen figures are written plainly; compiled for a level they become its vectors.

use super::heads::{Heads, flag};
use super::tuning::{SPEED_BITS, Tuning};
use crate::geom::angle::{UNIT_BITS, turn_between, units};
use crate::lanes::{Kernel, Vector};
use crate::limits::COORD_MAX;

const ROWS: usize = 16;

/// The rows of a column from `first` on; beyond its end, zeros.
#[inline(always)]
pub(super) fn load<T: Copy + Default>(column: &[T], first: usize) -> [T; ROWS] {
    let rest = &column[first..];
    rest.first_chunk().copied().unwrap_or_else(|| load_last(rest))
}

#[inline(never)]
pub(super) fn load_last<T: Copy + Default>(rest: &[T]) -> [T; ROWS] {
    let mut rows = [T::default(); ROWS];
    rows[..rest.len()].copy_from_slice(rest);
    rows
}

/// Puts rows back; those beyond the column's end are dropped.
#[inline(always)]
pub(super) fn store<T: Copy>(rows: &[T; ROWS], column: &mut [T], first: usize) {
    let rest = &mut column[first..];
    match rest.first_chunk_mut() {
        Some(whole) => *whole = *rows,
        None => store_last(rows, rest),
    }
}

#[inline(never)]
fn store_last<T: Copy>(rows: &[T; ROWS], rest: &mut [T]) {
    rest.copy_from_slice(&rows[..rest.len()]);
}

/// Turns every head towards where it wants to go, as far as its size lets it, and decides who boosts.
pub(super) struct Turn<'w> {
    pub heads: &'w mut Heads,
    pub tuning: &'w Tuning,
}

impl Kernel for Turn<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { heads, tuning } = self;
        for first in (0..heads.len()).step_by(ROWS) {
            let (mut heading, want) = (load(&heads.heading, first), load(&heads.want, first));
            let (mut flags, limit, length) =
                (load(&heads.flags, first), load(&heads.turn_max, first), load(&heads.length, first));
            for k in 0..ROWS {
                let turn = turn_between(heading[k], want[k]).max(-limit[k]).min(limit[k]);
                heading[k] = heading[k].wrapping_add(turn as u16);
                let able = length[k] - tuning.boost_cost >= tuning.length_min;
                let boost = able & (flags[k] & (flag::WANTS_BOOST | flag::SHIELD) == flag::WANTS_BOOST);
                flags[k] = flags[k] & !flag::BOOST | (flag::BOOST * u8::from(boost));
            }
            store(&heading, &mut heads.heading, first);
            store(&flags, &mut heads.flags, first);
        }
    }
}

/// Moves every head in a straight line.
pub(super) struct Advance<'w> {
    pub heads: &'w mut Heads,
    pub tuning: &'w Tuning,
}

impl Kernel for Advance<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { heads, tuning } = self;
        for first in (0..heads.len()).step_by(ROWS) {
            let (flags, vigour) = (load(&heads.flags, first), load(&heads.vigour, first));
            let mut speed = [0; ROWS];
            for k in 0..ROWS {
                let base = if flags[k] & flag::BOOST != 0 { tuning.boost } else { tuning.speed };
                speed[k] = ((base * vigour[k]) >> 8) * i32::from(flags[k] & flag::ALIVE);
            }
            let directions = units(&load(&heads.heading, first));
            let ends = [(&mut heads.x0, &mut heads.x), (&mut heads.y0, &mut heads.y)];
            for ((from, to), direction) in ends.into_iter().zip(directions) {
                let mut at = load(to, first);
                store(&at, from, first);
                for k in 0..ROWS {
                    at[k] = moved(at[k], i64::from(speed[k]) * i64::from(direction[k]));
                }
                store(&at, to, first);
            }
        }
    }
}

/// A coordinate after a way of `way` in quanta with the fraction bits of speed and direction, to the nearest
/// quantum; the lattice's end stops it.
#[inline(always)]
fn moved(from: i32, way: i64) -> i32 {
    const BITS: u32 = UNIT_BITS + SPEED_BITS;
    let way = (way + (1 << (BITS - 1))) >> BITS;
    (i64::from(from) + way).max(-i64::from(COORD_MAX)).min(i64::from(COORD_MAX)) as i32
}

/// Finds the heads that have come so far from their newest sample that they lay another: bit k of word n is row
/// 16 n + k.
pub(super) struct FindFar<'w> {
    pub heads: &'w Heads,
    /// By axis.
    pub newest: &'w [Vec<i32>; 2],
    /// Square of that distance, quanta²; less than 2^30.
    pub spacing2: i64,
    pub far: &'w mut Vec<u16>,
}

impl Kernel for FindFar<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { heads, newest, spacing2, far } = self;
        far.clear();
        for first in (0..heads.len()).step_by(ROWS) {
            let dx = short_way::<V>(&load(&heads.x, first), &load(&newest[0], first));
            let dy = short_way::<V>(&load(&heads.y, first), &load(&newest[1], first));
            far.push(!V::less(V::add(V::mul(dx, dx), V::mul(dy, dy)), V::splat(spacing2 as i32)));
        }
    }
}

/// From `b` to `a`, cut to what can be squared: who has come that far lays a sample in any case.
#[inline(always)]
fn short_way<V: Vector>(a: &[i32; ROWS], b: &[i32; ROWS]) -> V::I {
    let way = V::sub(V::load(a), V::load(b));
    V::max(V::min(way, V::splat(0x7FFF)), V::splat(-0x7FFF))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::angle::unit;
    use crate::geom::lattice::Point;
    use crate::lanes::Level;
    use crate::world::{Config, Rng};

    /// Rows of all kinds; not a multiple of sixteen.
    fn crowd(dice: &mut Rng) -> Heads {
        let mut heads = Heads::default();
        for k in 0..16 * 40 + 7 {
            let edge = [100, 9_000_000, COORD_MAX][k % 3];
            let i =
                heads.enter(Point::new(dice.between(-edge, edge), dice.between(-edge, edge)), dice.next_u64() as u16);
            heads.want[i] = dice.next_u64() as u16;
            heads.flags[i] = (dice.next_u64() as u8 & 0xF) | flag::ALIVE;
            (heads.turn_max[i], heads.length[i]) = (dice.between(1, 16_384), dice.between(0, 30_000));
            heads.vigour[i] = dice.between(0, 256);
        }
        for i in [3, 16, 640] {
            heads.leave(i);
        }
        heads
    }

    #[test]
    fn every_level_moves_each_head_as_the_rules_say() {
        let tuning = Tuning::new(&Config::default());
        for level in Level::ALL.into_iter().filter(|level| level.is_here()) {
            let (mut heads, before) = (crowd(&mut Rng::new(3)), crowd(&mut Rng::new(3)));
            level.call(Turn { heads: &mut heads, tuning: &tuning });
            level.call(Advance { heads: &mut heads, tuning: &tuning });
            for i in before.rows() {
                let turn =
                    turn_between(before.heading[i], before.want[i]).clamp(-before.turn_max[i], before.turn_max[i]);
                assert_eq!(heads.heading[i], before.heading[i].wrapping_add(turn as u16), "{level} {i}");
                let able = before.length[i] - tuning.boost_cost >= tuning.length_min;
                let boost = able && before.has(i, flag::WANTS_BOOST) && !before.has(i, flag::SHIELD);
                assert_eq!(heads.flags[i], before.flags[i] & !flag::BOOST | if boost { flag::BOOST } else { 0 });
                let speed = ((if boost { tuning.boost } else { tuning.speed }) * before.vigour[i]) >> 8;
                let [c, s] = unit(heads.heading[i])
                    .map(|part| (f64::from(speed) * f64::from(part) / 16_777_216.0 + 0.5).floor());
                let end = f64::from(COORD_MAX);
                let to = |from: i32, way: f64| (f64::from(from) + way).clamp(-end, end) as i32;
                assert_eq!(heads.to(i), Point::new(to(before.x[i], c), to(before.y[i], s)), "{level} {i}");
                assert_eq!(heads.from(i), before.to(i));
            }
        }
    }

    #[test]
    fn whoever_is_far_from_the_newest_sample_is_found_at_every_level() {
        let mut dice = Rng::new(4);
        let heads = crowd(&mut dice);
        let points: Vec<Point> = (0..heads.len())
            .map(|i| {
                let spread = [700, 40_000, COORD_MAX][i % 3];
                let near = |at: i32, by: i32| (at + by).clamp(-COORD_MAX, COORD_MAX);
                let at = heads.to(i);
                Point::new(near(at.x, dice.between(-spread, spread)), near(at.y, dice.between(-spread, spread)))
            })
            .collect();
        for level in Level::ALL.into_iter().filter(|level| level.is_here()) {
            for spacing2 in [0, 1, 640 * 640, 6_400 * 6_400] {
                let mut far = Vec::new();
                let newest = [points.iter().map(|at| at.x).collect(), points.iter().map(|at| at.y).collect()];
                level.call(FindFar { heads: &heads, newest: &newest, spacing2, far: &mut far });
                for i in 0..heads.len() {
                    let found = far[i / 16] >> (i % 16) & 1 == 1;
                    assert_eq!(found, heads.to(i).distance2(points[i]) >= spacing2, "{level} {i} {spacing2}");
                }
            }
        }
    }
}
