//! Asking the world: a snake, who is in a rectangle, what a cast disc would meet.

use super::heads::flag;
use super::{Food, SnakeId, World};
use crate::broadphase::box_of;
use crate::geom::lattice::{Point, Rect};
use crate::geom::segment::{self, Delta};
use crate::geom::toi;

/// A living snake, read only. Lengths are in quanta.
#[derive(Clone, Copy)]
pub struct Snake<'w> {
    world: &'w World,
    row: usize,
}

/// What a cast disc met first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// When, as a part of the way, 0..=1.
    pub toi: f64,
    /// Who; [`SnakeId::NOBODY`] for the edge and obstacles.
    pub owner: SnakeId,
}

impl World {
    /// The snake with this id, if it lives.
    pub fn snake(&self, id: SnakeId) -> Option<Snake<'_>> {
        self.heads.row(id).map(|row| Snake { world: self, row })
    }

    /// Everybody alive, by index.
    pub fn snakes(&self) -> impl Iterator<Item = Snake<'_>> {
        self.heads.rows().map(|row| Snake { world: self, row })
    }

    /// Everybody whose centre line passes through the rectangle or so near that its box touches it; appended,
    /// each once, by index.
    pub fn snakes_in(&self, rect: Rect, out: &mut Vec<SnakeId>) {
        let start = out.len();
        self.segments_near(rect, 0, usize::MAX, |i, a, b| {
            let id = self.heads.id(i);
            if touches(rect, a, b) && out.last() != Some(&id) {
                out.push(id);
            }
        });
        out.extend(self.ghosts_in(rect));
        out[start..].sort_unstable_by_key(|id| id.index());
        let mut kept = start;
        for k in start..out.len() {
            if k == start || out[k] != out[kept - 1] {
                out[kept] = out[k];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Shielded snakes stand in no index: there are few, and each is one short stretch.
    fn ghosts_in(&self, rect: Rect) -> impl Iterator<Item = SnakeId> + '_ {
        let rows = self.heads.rows().filter(|&i| self.heads.has(i, flag::SHIELD));
        rows.filter(move |&i| touches(rect, self.bodies.newest(i), self.heads.to(i))).map(|i| self.heads.id(i))
    }

    /// Calls `visit` with the row and the ends of every segment, lone point and front of a mortal snake that
    /// may come within `reach` and its own kill distance of a rectangle.
    pub(super) fn segments_near(
        &self,
        rect: Rect,
        reach: i32,
        except: usize,
        mut visit: impl FnMut(usize, Point, Point),
    ) {
        for (grid, kill_max) in self.bodies.grids.iter().zip(self.kill_max) {
            if grid.len() == 0 {
                continue;
            }
            let cells = grid.cells_near(rect, reach + kill_max);
            grid.query(cells, except.min(u32::MAX as usize - 1) as u32, |block| {
                for lane in block.lanes(grid.shift()).filter(|lane| lane.owner as usize != except) {
                    visit(lane.owner as usize, lane.a, lane.b);
                }
            });
            for lane in grid.overlong().filter(|lane| lane.owner as usize != except) {
                visit(lane.owner as usize, lane.a, lane.b);
            }
        }
        let near =
            self.fronts.near(rect.min.x, rect.max.x, reach + self.tuning.radius_rate).iter().map(|front| front.owner);
        for owner in near.chain(self.unlisted.iter().copied()) {
            let i = owner as usize;
            if i != except && self.heads.is_mortal(i) {
                visit(i, self.bodies.newest(i), self.heads.to(i));
            }
        }
    }

    /// Everybody who can kill and has the head in the rectangle; appended, in order of x at the last step.
    pub fn heads_in(&self, rect: Rect, out: &mut Vec<SnakeId>) {
        let near = self.fronts.near(rect.min.x, rect.max.x, 0).iter().map(|front| front.owner as usize);
        let inside = near.filter(|&i| self.heads.is_mortal(i) && rect.contains(self.heads.to(i)));
        out.extend(inside.map(|i| self.heads.id(i)));
    }

    /// The food with this id, if it lies on the ground.
    pub fn food(&self, id: u32) -> Option<Food> {
        self.larder.get(id)
    }

    /// Food in the rectangle, appended.
    pub fn food_in(&self, rect: Rect, out: &mut Vec<Food>) {
        self.larder.within(rect, out);
    }

    /// Sends a disc (radius in quanta) along a way and tells what it would be killed by first: bodies and
    /// heads of all but `ignore` as they stand now, obstacles, the edge.
    pub fn cast(&self, from: Point, to: Point, radius: i32, ignore: SnakeId) -> Option<CastHit> {
        let mut first: Option<CastHit> = None;
        let mut meet = |toi: f64, owner: SnakeId| {
            if first.is_none_or(|hit| (toi, owner) < (hit.toi, hit.owner)) {
                first = Some(CastHit { toi, owner });
            }
        };
        let except = self.heads.row(ignore).unwrap_or(usize::MAX);
        let way = Way::new(from, to);
        self.segments_near(box_of(from, to), radius, except, |i, a, b| {
            let reach = radius + self.heads.kill[i];
            if !way.misses(a, b, reach) && segment::segments_within(from, to, a, b, reach) {
                meet(toi::body(from, to, a, b, reach), self.heads.id(i));
            }
        });
        let mut wall = None;
        self.walls.contact(from, to, radius, &mut wall);
        wall.into_iter().for_each(|contact| meet(contact.toi, SnakeId::NOBODY));
        toi::leaves_circle(from, to, self.circle[0], self.circle[0])
            .into_iter()
            .for_each(|toi| meet(toi, SnakeId::NOBODY));
        first
    }

    /// The longest `n`, longest first, ties by index; appended.
    pub fn longest(&self, n: usize, out: &mut Vec<SnakeId>) {
        let mut rows: Vec<usize> = self.heads.rows().collect();
        let order = |&i: &usize| (std::cmp::Reverse(self.heads.length[i]), i);
        if n < rows.len() {
            rows.select_nth_unstable_by_key(n, order);
            rows.truncate(n);
        }
        rows.sort_unstable_by_key(order);
        out.extend(rows.into_iter().map(|i| self.heads.id(i)));
    }

    /// How many living snakes are longer than this one, plus one.
    pub fn rank(&self, id: SnakeId) -> Option<usize> {
        let own = self.heads.length[self.heads.row(id)?];
        Some(1 + self.heads.rows().filter(|&i| self.heads.length[i] > own).count())
    }

    /// Distance to the nearest other head, quanta, looked for up to where a snake counts as alone.
    pub(super) fn distance_to_company(&self, i: usize) -> i64 {
        self.nearest_head(self.heads.to(i), i)
    }

    /// Distance from a point to the nearest mortal head but one, quanta; at most where a snake is alone.
    pub(super) fn nearest_head(&self, at: Point, except: usize) -> i64 {
        let alone = self.tuning.alone;
        let d2 = self.fronts.nearest(at, alone, |owner| {
            let i = owner as usize;
            (i != except && self.heads.is_mortal(i)).then(|| self.heads.to(i))
        });
        (d2 as u64).isqrt() as i64
    }
}

/// The way of a cast disc, ready to turn away what is clearly beside it.
struct Way {
    from: Point,
    delta: Delta,
    /// Its length, quanta, rounded up.
    length: i64,
}

impl Way {
    fn new(from: Point, to: Point) -> Self {
        let delta = Delta::between(from, to);
        Self { from, delta, length: delta.length2().isqrt() + 1 }
    }

    /// Whether both ends of a segment lie at least `reach` aside of the way, on the same side, or so far before or
    /// behind it. Exact when it says so; a segment beside a corner of the strip is not told apart.
    fn misses(&self, a: Point, b: Point, reach: i32) -> bool {
        let (a, b, far) = (Delta::between(self.from, a), Delta::between(self.from, b), i64::from(reach) * self.length);
        let outside = |p: i64, q: i64, most: i64| p.min(q) >= most + far || p.max(q) <= -far;
        outside(self.delta.cross(a), self.delta.cross(b), 0)
            || outside(self.delta.dot(a), self.delta.dot(b), self.delta.length2())
    }
}

/// Whether the box of a segment touches a rectangle.
fn touches(rect: Rect, a: Point, b: Point) -> bool {
    let own = box_of(a, b);
    own.min.x <= rect.max.x && own.max.x >= rect.min.x && own.min.y <= rect.max.y && own.max.y >= rect.min.y
}

impl<'w> Snake<'w> {
    /// Its id.
    pub fn id(&self) -> SnakeId {
        self.world.heads.id(self.row)
    }

    /// The head's place, quanta.
    pub fn head(&self) -> Point {
        self.world.heads.to(self.row)
    }

    /// Where it goes.
    pub fn heading(&self) -> u16 {
        self.world.heads.heading[self.row]
    }

    /// Radius, quanta.
    pub fn radius(&self) -> i32 {
        self.world.heads.radius[self.row]
    }

    /// Length, which is the score, quanta. The trail grows up to it.
    pub fn length(&self) -> i32 {
        self.world.heads.length[self.row]
    }

    /// Whether it boosted in the last step.
    pub fn boosting(&self) -> bool {
        self.world.heads.has(self.row, flag::BOOST)
    }

    /// Whether its spawn shield is up.
    pub fn shielded(&self) -> bool {
        self.world.heads.has(self.row, flag::SHIELD)
    }

    /// How many it has killed.
    pub fn kills(&self) -> u32 {
        self.world.heads.kills[self.row]
    }

    /// Tick of birth.
    pub fn born(&self) -> u64 {
        self.world.heads.born[self.row]
    }

    /// Number of the oldest sample; numbers go up by one a sample and wrap at 2^32.
    pub fn first(&self) -> u32 {
        self.world.bodies.rings.first[self.row]
    }

    /// Number after that of the newest sample; there is always at least one.
    pub fn end(&self) -> u32 {
        self.world.bodies.rings.end[self.row]
    }

    /// The sample with a number, `first <= n < end` (wrapping). Another number gives some sample or panics.
    pub fn sample(&self, n: u32) -> Point {
        let bodies = &self.world.bodies;
        bodies.pool.point(bodies.rings.get(self.row).at(n))
    }

    /// Whether the trail is broken before that sample; the oldest has nothing before it to be joined to.
    pub fn gap_before(&self, n: u32) -> bool {
        let bodies = &self.world.bodies;
        bodies.pool.seat(bodies.rings.get(self.row).at(n)).gap()
    }

    /// The newest sample. Cheaper than by its number.
    pub fn newest_sample(&self) -> Point {
        self.world.bodies.newest(self.row)
    }

    /// So many samples from a number on, each with whether the trail is broken before it; numbers as in [`Snake::sample`].
    pub fn samples(&self, from: u32, count: u32) -> impl Iterator<Item = (Point, bool)> + 'w {
        let (pool, ring) = (&self.world.bodies.pool, self.world.bodies.rings.get(self.row));
        let places = (0..count).map(move |i| ring.at(from.wrapping_add(i)));
        places.map(|at| (pool.point(at), pool.seat(at).gap()))
    }

    /// The samples, oldest first, quanta.
    pub fn trail(&self) -> impl DoubleEndedIterator<Item = Point> + 'w {
        let (world, ring) = (self.world, self.world.bodies.rings.get(self.row));
        ring.numbers().map(move |n| world.bodies.pool.point(ring.at(n)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Rng;

    #[test]
    fn what_a_way_misses_is_not_within_its_reach() {
        let (mut dice, mut missed) = (Rng::new(5), 0);
        for round in 0..200_000 {
            let spread = [40, 900, 20_000][round % 3];
            let mut place = || Point::new(dice.between(-spread, spread), dice.between(-spread, spread));
            let (from, to, a, b) = (place(), place(), place(), place());
            let reach = dice.between(0, spread / 2);
            if Way::new(from, to).misses(a, b, reach) {
                missed += 1;
                assert!(!segment::segments_within(from, to, a, b, reach), "{from:?} {to:?} {a:?} {b:?} {reach}");
            }
        }
        assert!(missed > 20_000, "{missed}");
    }
}
