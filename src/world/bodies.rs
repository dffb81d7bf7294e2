//! Trails and their lanes in the grid, kept in step: +1 at the head, -1 at the tail.
//!
//! The lane that ends at a sample is noted at that sample: a segment from the sample before it, or the sample
//! alone when the trail is broken on both sides. The newest sample never stands alone in the grid: the neck,
//! which is not in the grid, covers it.

use super::heads::{Heads, flag};
use super::joining::{Joining, Newcomer, ROWS};
use crate::body::{Pool, Ring, Seat};
use crate::broadphase::{Grid, Lane};
use crate::geom::lattice::Point;
use crate::geom::segment::length;
use crate::limits::LANE_REACH_MAX;

/// Cells of 64 u for the thin, of 128 u for the thick, so that a thin head does not look for thin bodies as
/// far away as a giant's side reaches.
const SHIFTS: [u32; 2] = [12, 13];

/// Trails whose memory is asked for this many trails before it is needed.
const AHEAD: usize = 16;

pub(crate) struct Bodies {
    pub pool: Pool,
    pub rings: Vec<Ring>,
    /// The newest sample of each trail, once more: read every tick.
    newest: Vec<Point>,
    /// Length of each trail from the oldest to the newest sample, quanta, gaps not counted.
    pub arc: Vec<i64>,
    pub grids: [Grid; 2],
    /// Numbers of lanes that have left their trails and are still to leave the grids.
    leaving: [Vec<u32>; 2],
    joining: Box<Joining>,
}

/// Rows of a few whose lanes do not go beside their neighbours.
#[derive(Default)]
struct Strays(u64);

const _: () = assert!(ROWS == u64::BITS as usize);

impl Strays {
    #[inline(always)]
    fn push(&mut self, k: usize) {
        self.0 |= 1 << k;
    }

    #[inline(always)]
    fn each(&self, mut f: impl FnMut(usize)) {
        let mut rest = self.0;
        while rest != 0 {
            f(rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

impl Default for Bodies {
    fn default() -> Self {
        Self {
            pool: Pool::default(),
            rings: Vec::new(),
            newest: Vec::new(),
            arc: Vec::new(),
            grids: SHIFTS.map(Grid::new),
            leaving: Default::default(),
            joining: Box::default(),
        }
    }
}

impl Bodies {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let grids: usize = self.grids.iter().map(Grid::bytes).sum();
        self.pool.bytes() + grids + size_of::<Ring>() * self.rings.capacity() + 16 * self.arc.capacity()
    }

    /// Starts the trail of row `i` at a point. `number` is what the sample will be called.
    pub fn start(&mut self, i: usize, at: Point, number: u32) {
        if i >= self.rings.len() {
            self.rings.resize(i + 1, Ring::default());
            self.newest.resize(i + 1, Point::default());
            self.arc.resize(i + 1, 0);
        }
        self.rings[i] = self.pool.take(1, number);
        self.arc[i] = 0;
        self.push(i, at, Seat::NONE.with_gap(true));
    }

    #[inline(always)]
    fn push(&mut self, i: usize, at: Point, seat: Seat) {
        self.pool.push(&mut self.rings[i], at, seat);
        self.newest[i] = at;
    }

    #[inline]
    pub fn newest(&self, i: usize) -> Point {
        self.newest[i]
    }

    /// The newest sample of each row that ever had a trail.
    pub fn all_newest(&self) -> &[Point] {
        &self.newest
    }

    /// Lays a sample joined to the newest; the arc is the caller's, see [`Bodies::grow`].
    #[inline]
    pub fn lay(&mut self, i: usize, wide: usize, at: Point) {
        let ring = &self.rings[i];
        let neighbour = self.pool.seat(ring.at(ring.newest())).number();
        let lane = Lane { a: self.newest[i], b: at, owner: i as u32 };
        let number = self.grids[wide].insert_near(&lane, neighbour);
        self.push(i, at, Seat::NONE.at(Some(number)));
    }

    /// Lays a sample joined to the newest, and notes the arc.
    #[inline]
    pub fn grow(&mut self, i: usize, wide: usize, at: Point) {
        self.arc[i] += i64::from(length(self.newest[i], at));
        self.lay(i, wide, at);
    }

    /// Lays a sample that is not joined to the newest: the trail is broken before it.
    pub fn lay_broken(&mut self, i: usize, wide: usize, at: Point) {
        self.push(i, at, Seat::NONE.with_gap(true));
        let before = self.rings[i].newest().wrapping_sub(1);
        self.plant_if_alone(i, wide, before);
    }

    /// Puts a trail of one sample somewhere else: that sample goes, another comes.
    pub fn drag(&mut self, i: usize, at: Point) {
        debug_assert!(self.rings[i].len() == 1);
        self.rings[i].first = self.rings[i].end;
        self.push(i, at, Seat::NONE.with_gap(true));
    }

    /// Notes the arc that the next sample adds, and trims the tail: whole samples go while what is left is at least
    /// `keep` long. Their lanes go in the course of [`Bodies::renew`].
    #[inline]
    pub fn trim(&mut self, i: usize, wide: usize, at: Point, keep: i32) {
        let keep = i64::from(keep);
        self.arc[i] += i64::from(length(self.newest[i], at));
        while self.rings[i].len() > 1 {
            let arc = self.arc[i] - self.oldest_stretch(i);
            if arc < keep {
                break;
            }
            self.arc[i] = arc;
            self.drop_oldest(i, wide);
        }
    }

    /// Length of the oldest segment; 0 when the trail is broken there.
    fn oldest_stretch(&self, i: usize) -> i64 {
        let ring = &self.rings[i];
        let second = ring.at(ring.first.wrapping_add(1));
        if self.pool.seat(second).gap() {
            return 0;
        }
        i64::from(length(self.pool.point(ring.at(ring.first)), self.pool.point(second)))
    }

    /// Drops the oldest sample and the lane that starts there: that one leaves the grid in the course of
    /// [`Bodies::renew`].
    ///
    /// A trail without gaps at its tail, the common one, has nothing there but the lane that ends at the second
    /// sample. (Of a trail of two the third is what a former lap left: at worst the long way is gone in vain.)
    #[inline]
    pub fn drop_oldest(&mut self, i: usize, wide: usize) {
        let ring = &mut self.rings[i];
        ring.first = ring.first.wrapping_add(1);
        let (second, third) = (ring.at(ring.first), ring.at(ring.first.wrapping_add(1)));
        let seat = self.pool.seat(second);
        if seat.gap() | self.pool.seat(third).gap() {
            self.mend_broken_tail(i, wide);
        } else if let Some(number) = seat.lane() {
            self.pool.set_seat(second, Seat::NONE);
            self.grids[wide].ask_for(number);
            self.leaving[wide].push(number);
        }
    }

    /// What dropping the oldest sample takes where the trail may be broken near it. The sample has gone already.
    #[cold]
    fn mend_broken_tail(&mut self, i: usize, wide: usize) {
        let ring = self.rings[i];
        let gone = self.pool.seat(ring.at(ring.first.wrapping_sub(1)));
        if let Some(number) = gone.lane() {
            self.grids[wide].remove(number);
        }
        if !self.pool.seat(ring.at(ring.first)).gap() {
            self.uproot(i, wide, ring.first);
        }
        let third = ring.first.wrapping_add(1);
        if third != ring.end && self.pool.seat(ring.at(third)).gap() {
            self.plant_if_alone(i, wide, ring.first);
        }
    }

    /// What a tick does to these rows: `trim` drops oldest samples of each, whose memory `ask` has asked for, and a
    /// sample is laid at its head, joined to the newest; arcs are the caller's.
    ///
    /// A few rows at a time and one loop a stage, not one call a row: the loops are short enough for the CPU to have
    /// several rows in flight, and each asks for what the next one touches.
    pub fn renew(
        &mut self,
        rows: &[u32],
        heads: &Heads,
        ask: impl Fn(&Self, usize),
        mut trim: impl FnMut(&mut Self, usize),
    ) {
        let mut rest = rows;
        while !rest.is_empty() {
            let len = rest.len().min(ROWS);
            for k in 0..len {
                if let Some(&later) = rest.get(k + AHEAD) {
                    ask(self, later as usize);
                }
                trim(self, rest[k] as usize);
            }
            for (grid, leaving) in self.grids.iter_mut().zip(&mut self.leaving) {
                grid.remove_all(leaving);
                leaving.clear();
            }
            self.lay_all(rest, heads);
            rest = &rest[len..];
        }
    }

    fn lay_all(&mut self, rows: &[u32], heads: &Heads) {
        let Self { pool, rings, newest, grids, joining, .. } = self;
        for (k, &row) in rows.iter().enumerate().take(ROWS) {
            if let Some(&later) = rows.get(k + AHEAD) {
                pool.ask_for(rings[later as usize].newest_at());
            }
            let (i, ring) = (row as usize, &mut rings[row as usize]);
            let (b, wide) = (heads.to(i), heads.has(i, flag::WIDE));
            let a = std::mem::replace(&mut newest[i], b);
            let neighbour = pool.seat(ring.newest_at()).number();
            let place = pool.push(ring, b, Seat::NONE);
            grids[usize::from(wide)].ask_for(neighbour);
            joining.set(k, &Newcomer { a, b, owner: row, wide, neighbour, place });
        }
        joining.press(SHIFTS[0]);
        let mut strays = Strays::default();
        for (k, &row) in rows.iter().enumerate().take(ROWS) {
            let (size, neighbour) = (joining.size(k), joining.neighbour(k));
            let number = if size <= LANE_REACH_MAX {
                let lane = joining.pressed(k);
                grids[0].note_side(size);
                let number = grids[0].insert_beside(&lane, neighbour);
                if number.is_none() {
                    grids[0].ask_for_tile(lane.cell);
                    strays.push(k);
                }
                number
            } else {
                Some(grids[usize::from(heads.has(row as usize, flag::WIDE))].insert_near(&joining.lane(k), neighbour))
            };
            pool.set_seat(joining.place(k), Seat::NONE.at(number));
        }
        strays.each(|k| grids[0].ask_for_cell(joining.pressed(k).cell));
        strays.each(|k| {
            let number = grids[0].insert_elsewhere(&joining.pressed(k));
            pool.set_seat(joining.place(k), Seat::NONE.at(Some(number)));
        });
    }

    /// Room for what so many rows give up in a tick.
    pub fn reserve(&mut self, rows: usize) {
        self.leaving.iter_mut().for_each(|leaving| leaving.reserve(rows));
    }

    /// Asks for the memory of a trail's oldest samples.
    #[inline]
    pub fn ask_for_tail(&self, i: usize) {
        let ring = &self.rings[i];
        self.pool.ask_for(ring.at(ring.first.wrapping_add(1)));
    }

    /// Asks for the seats of a trail's oldest samples.
    #[inline]
    pub fn ask_for_tail_seat(&self, i: usize) {
        let ring = &self.rings[i];
        self.pool.ask_for_seat(ring.at(ring.first.wrapping_add(1)));
    }

    /// Takes the lane that ends at a sample out of the grid.
    #[inline]
    fn uproot(&mut self, i: usize, wide: usize, n: u32) {
        let at = self.rings[i].at(n);
        let seat = self.pool.seat(at);
        if let Some(number) = seat.lane() {
            self.grids[wide].remove(number);
            self.pool.set_seat(at, seat.at(None));
        }
    }

    /// Enters a sample as a point when both its neighbours are missing or beyond a gap.
    fn plant_if_alone(&mut self, i: usize, wide: usize, n: u32) {
        let ring = self.rings[i];
        let at = ring.at(n);
        let seat = self.pool.seat(at);
        let open_before = n == ring.first || seat.gap();
        let open_after = n != ring.newest() && self.pool.seat(ring.at(n.wrapping_add(1))).gap();
        if open_before && open_after && seat.lane().is_none() {
            let point = self.pool.point(at);
            let number = self.grids[wide].insert(&Lane { a: point, b: point, owner: i as u32 });
            self.pool.set_seat(at, seat.at(Some(number)));
        }
    }

    /// Takes the whole trail away, from the newest sample on: a new block is the first of its cell's chain, so that what
    /// is emptied is found at once, even where a giant has gone round a hundred times.
    pub fn clear(&mut self, i: usize, wide: usize) {
        let ring = self.rings[i];
        let mut numbers = [0; ROWS];
        let (mut rest, mut len) = (ring.numbers().rev(), 0);
        while rest.len() > 0 {
            for n in rest.by_ref().take(ROWS) {
                let seat = self.pool.seat(ring.at(n));
                numbers[len] = seat.number();
                self.grids[wide].ask_for(seat.number());
                len += usize::from(seat.lane().is_some());
            }
            self.grids[wide].remove_all(&mut numbers[..std::mem::take(&mut len)]);
        }
        self.pool.give_back(ring);
        self.rings[i] = Ring { first: ring.end, end: ring.end, ..Ring::default() };
    }

    /// Moves all lanes of a trail from one grid to another, or to fresh places of the same one.
    pub fn transplant(&mut self, i: usize, from: usize, to: usize) {
        let ring = self.rings[i];
        for n in ring.numbers() {
            if let Some((a, b)) = self.stretch(i, n) {
                self.uproot(i, from, n);
                let number = self.grids[to].insert(&Lane { a, b, owner: i as u32 });
                let at = ring.at(n);
                self.pool.set_seat(at, self.pool.seat(at).at(Some(number)));
            }
        }
    }

    /// The segment or lone point whose lane ends at sample `n`.
    pub fn stretch(&self, i: usize, n: u32) -> Option<(Point, Point)> {
        self.rings[i].stretch(&self.pool, n)
    }

    /// Gives back memory that the dead have left, once it is worth the work.
    pub fn pack(&mut self, rows: impl Iterator<Item = (usize, usize)> + Clone) {
        if self.pool.is_sparse() {
            let alive = self.rings.iter_mut().filter(|ring| ring.len() > 0);
            self.pool.pack(alive);
        }
        for (wide, shift) in SHIFTS.into_iter().enumerate() {
            if self.grids[wide].is_sparse() {
                self.replant(wide, shift, rows.clone().filter(|row| row.1 == wide));
            }
        }
    }

    /// Builds a grid anew in memory of just its size.
    fn replant(&mut self, wide: usize, shift: u32, rows: impl Iterator<Item = (usize, usize)>) {
        self.grids[wide] = Grid::new(shift);
        for (i, _) in rows {
            let ring = self.rings[i];
            for n in ring.numbers() {
                if let Some((a, b)) = self.stretch(i, n) {
                    let number = self.grids[wide].insert(&Lane { a, b, owner: i as u32 });
                    let at = ring.at(n);
                    self.pool.set_seat(at, self.pool.seat(at).at(Some(number)));
                }
            }
        }
    }
}
