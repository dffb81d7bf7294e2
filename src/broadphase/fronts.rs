//! The fronts of all heads, in order of x: necks and live trails, found by sort and sweep.
//!
//! A front is what a snake's grid lanes do not hold: the neck from its newest sample to its head, and the way
//! of the head in this tick. It moves every tick, so it is not worth a place in the grid; an array that was
//! sorted a tick ago is nearly sorted still, and a head then meets the few fronts in its stretch of x one
//! after the other in memory.

use crate::geom::lattice::Point;
use crate::lanes::{Kernel, Level, Vector, first_lanes};

/// Fronts that look ahead at a time.
const LANES: usize = 16;

/// A neck and a live trail.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Front {
    /// The newest sample.
    pub neck: Point,
    /// The head's place at the start of the tick.
    pub from: Point,
    /// And at its end.
    pub to: Point,
    /// Of the head, quanta.
    pub radius: i32,
    /// What the body adds to a kill distance, quanta.
    pub kill: i32,
    pub owner: u32,
}

impl Front {
    fn overhang(&self) -> i32 {
        let reach = |at: Point| (at.x - self.from.x).abs().max((at.y - self.from.y).abs());
        reach(self.neck).max(reach(self.to))
    }
}

#[derive(Default)]
pub(crate) struct Fronts {
    /// (x + 2^31) << 32 | owner, ascending; kept between ticks for its order.
    keys: Vec<u64>,
    listed: Vec<bool>,
    fronts: Vec<Front>,
    /// `from` of each front by axis, and [`FAR`] sixteen times.
    x: Vec<i32>,
    y: Vec<i32>,
    /// How far any front reaches from the start of its way along an axis, quanta.
    overhang_max: i32,
    /// The largest `radius` and `kill`.
    radius_max: i32,
    kill_max: i32,
}

/// Farther than any coordinate, and no difference of the two overflows.
const FAR: i32 = 1 << 30;

fn key(x: i32, owner: u32) -> u64 {
    u64::from((x as u32) ^ (1 << 31)) << 32 | u64::from(owner)
}

fn owner_of(key: u64) -> u32 {
    key as u32
}

impl Fronts {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        8 * self.keys.capacity()
            + self.listed.capacity()
            + size_of::<Front>() * self.fronts.capacity()
            + 4 * (self.x.capacity() + self.y.capacity())
    }

    /// Sorts the fronts of this tick: those of `count` owners. `start(owner)` is the x at which the owner's way begins,
    /// none for who has no front (dead, shielded).
    pub fn rebuild(
        &mut self,
        owners: usize,
        count: usize,
        start: impl Fn(u32) -> Option<i32>,
        front: impl Fn(u32) -> Front,
    ) {
        self.keys.reserve(owners);
        self.fronts.reserve(owners);
        let mut kept = 0;
        for n in 0..self.keys.len() {
            let owner = owner_of(self.keys[n]);
            if let Some(x) = start(owner) {
                self.keys[kept] = key(x, owner);
                kept += 1;
            }
        }
        self.keys.truncate(kept);
        if kept < count {
            self.list_newcomers(owners, start);
        }
        sort_nearly_sorted(&mut self.keys);
        self.fronts.clear();
        for axis in [&mut self.x, &mut self.y] {
            axis.clear();
            axis.reserve(owners + LANES);
        }
        (self.overhang_max, self.radius_max, self.kill_max) = (0, 0, 0);
        for &k in &self.keys {
            let front = front(owner_of(k));
            self.overhang_max = self.overhang_max.max(front.overhang());
            self.radius_max = self.radius_max.max(front.radius);
            self.kill_max = self.kill_max.max(front.kill);
            self.x.push(front.from.x);
            self.y.push(front.from.y);
            self.fronts.push(front);
        }
        for axis in [&mut self.x, &mut self.y] {
            axis.extend([FAR; LANES]);
        }
    }

    fn list_newcomers(&mut self, owners: usize, start: impl Fn(u32) -> Option<i32>) {
        self.listed.clear();
        self.listed.resize(owners, false);
        for &k in &self.keys {
            self.listed[owner_of(k) as usize] = true;
        }
        for owner in (0..owners as u32).filter(|&owner| !self.listed[owner as usize]) {
            if let Some(x) = start(owner) {
                self.keys.push(key(x, owner));
            }
        }
    }

    /// Calls `meet` with every two fronts that may come within reach of each other, each pair once: whoever stands in
    /// the list looks ahead along x, sixteen at a time, nobody searches.
    pub fn meetings(&self, level: Level, meet: impl FnMut(&Front, &Front)) {
        level.call(Meetings { fronts: self, meet });
    }

    /// The fronts that a head on its way between two x may touch, `radius` quanta thick.
    #[inline]
    pub fn near(&self, x0: i32, x1: i32, radius: i32) -> &[Front] {
        let reach = radius + self.kill_max + self.overhang_max;
        let start = self.fronts.partition_point(|f| f.from.x < x0.min(x1) - reach);
        let rest = &self.fronts[start..];
        let beyond = x0.max(x1) + reach;
        let len = rest.iter().position(|f| f.from.x > beyond).unwrap_or(rest.len());
        &rest[..len]
    }
}

/// The pairs of [`Fronts::meetings`]: every front against the next, then against the one after that, and so on as long as
/// any of sixteen has one in its stretch of x.
struct Meetings<'f, F> {
    fronts: &'f Fronts,
    meet: F,
}

impl<F: FnMut(&Front, &Front)> Kernel for Meetings<'_, F> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { fronts: Fronts { fronts, x, y, overhang_max, radius_max, kill_max, .. }, mut meet } = self;
        let window = V::splat(radius_max + kill_max + 2 * overhang_max);
        let lanes = |axis: &[i32], at: usize| V::load(axis[at..].first_chunk().expect("the axis is sixteen longer"));
        for first in (0..fronts.len()).step_by(LANES) {
            let there = first_lanes(fronts.len() - first);
            let at = [lanes(x, first), lanes(y, first)];
            for ahead in 1.. {
                let other = [lanes(x, first + ahead), lanes(y, first + ahead)];
                let near = there & !V::less(window, V::sub(other[0], at[0]));
                if near == 0 {
                    break;
                }
                let away = V::max(V::sub(other[1], at[1]), V::sub(at[1], other[1]));
                let mut both = near & !V::less(window, away);
                while both != 0 {
                    let k = first + both.trailing_zeros() as usize;
                    meet(&fronts[k], &fronts[k + ahead]);
                    both &= both - 1;
                }
            }
        }
    }
}

impl Fronts {
    /// The square of the distance from a point to the nearest head, at most `limit`² quanta². `place` tells
    /// where an owner's head is now, or that it does not count. Looks outwards from the point's x.
    pub fn nearest(&self, at: Point, limit: i64, mut place: impl FnMut(u32) -> Option<Point>) -> i64 {
        let middle = self.fronts.partition_point(|f| f.from.x < at.x);
        let (left, right) = self.fronts.split_at(middle);
        let best = Self::nearest_of(left.iter().rev(), at, limit * limit, self.overhang_max, &mut place);
        Self::nearest_of(right.iter(), at, best, self.overhang_max, &mut place)
    }

    fn nearest_of<'f>(
        fronts: impl Iterator<Item = &'f Front>,
        at: Point,
        limit2: i64,
        overhang: i32,
        place: &mut impl FnMut(u32) -> Option<Point>,
    ) -> i64 {
        let mut best = limit2;
        for front in fronts {
            let away = (i64::from(front.from.x - at.x).abs() - i64::from(overhang)).max(0);
            if away * away >= best {
                break;
            }
            if let Some(head) = place(front.owner) {
                best = best.min(head.distance2(at));
            }
        }
        best
    }
}

/// Insertion sort, and the library's sort when more has changed than that is good for.
fn sort_nearly_sorted(keys: &mut [u64]) {
    let mut moves_left = 16 * keys.len();
    for i in 1..keys.len() {
        let k = keys[i];
        let mut at = i;
        while at > 0 && keys[at - 1] > k {
            keys[at] = keys[at - 1];
            at -= 1;
        }
        keys[at] = k;
        if i - at > moves_left {
            keys.sort_unstable();
            return;
        }
        moves_left -= i - at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_holds_every_front_that_may_touch() {
        let mut fronts = Fronts::default();
        for round in 0..3_u32 {
            let place =
                |owner: u32| Point::new((owner.wrapping_mul(2_654_435_761 + round) >> 10) as i32 - 2_000_000, 0);
            let front = |owner: u32| {
                (owner % 7 != round).then(|| {
                    let from = place(owner);
                    let (neck, to) = (Point::new(from.x - 600, 0), Point::new(from.x + 400, 9));
                    Front { neck, from, to, radius: 128, kill: 115, owner }
                })
            };
            let count = (0..500).filter(|&owner| front(owner).is_some()).count();
            fronts.rebuild(500, count, |owner| front(owner).map(|f| f.from.x), |owner| front(owner).unwrap());
            let mut met = std::collections::BTreeSet::new();
            fronts.meetings(Level::best(), |a, b| _ = met.insert((a.owner.min(b.owner), a.owner.max(b.owner))));
            for probe in 0..500 {
                let x = place(probe).x;
                let found: Vec<u32> = fronts.near(x, x + 300, 128).iter().map(|f| f.owner).collect();
                for owner in 0..500 {
                    let Some(f) = front(owner) else { continue };
                    let touches = f.from.x - 600 < x + 300 + 243 && f.from.x + 400 > x - 243;
                    assert!(!touches || found.contains(&owner));
                    let both = front(probe).is_some() && probe != owner;
                    assert!(!touches || !both || met.contains(&(probe.min(owner), probe.max(owner))));
                }
            }
        }
    }
}
