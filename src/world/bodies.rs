//! Trails and their lanes in the grid, kept in step: +1 at the head, -1 at the tail.
//!
//! The lane that ends at a sample is noted at that sample: a segment from the sample before it, or the sample
//! alone when the trail is broken on both sides. The newest sample never stands alone in the grid: the neck,
//! which is not in the grid, covers it.

use super::heads::{Heads, flag};
use super::joining::{Few, Gather, Joining, ROWS, SHIFT};
use crate::body::{Columns, Pool, Ring, Rings, Samples, Seat};
use crate::broadphase::{Block, Grid, Lane, ask_for_lane, ask_for_mask, put_beside};
use crate::geom::lattice::Point;
use crate::geom::segment::length;
use crate::lanes::Level;

/// Cells of 64 u for the thin, of 128 u for the thick, so that a thin head does not look for thin bodies as
/// far away as a giant's side reaches.
const SHIFTS: [u32; 2] = [SHIFT, SHIFT + 1];

pub(crate) struct Bodies {
    pub pool: Pool,
    pub rings: Rings,
    /// The newest sample of each trail once more, by axis: read every tick.
    pub newest: [Vec<i32>; 2],
    /// Length of each trail from the oldest to the newest sample, quanta, gaps not counted.
    pub arc: Vec<i64>,
    pub grids: [Grid; 2],
    /// Numbers of lanes that have left their trails and are still to leave the grids.
    leaving: [Vec<u32>; 2],
    joining: Box<Joining>,
    /// The rows after those.
    upcoming: Box<Joining>,
}

/// The oldest ends of all trails, for a loop over many rows.
pub(crate) struct Tails<'b> {
    pub rings: Columns<'b>,
    pub arc: &'b mut [i64],
    samples: Samples<'b>,
    blocks: [&'b [Block]; 2],
    leaving: &'b mut [Vec<u32>; 2],
}

impl<'b> Tails<'b> {
    #[inline(always)]
    fn new(
        pool: &'b mut Pool,
        rings: &'b mut Rings,
        arc: &'b mut [i64],
        grids: &'b [Grid; 2],
        leaving: &'b mut [Vec<u32>; 2],
    ) -> Self {
        let (arc, rings) = (&mut arc[..rings.len()], rings.columns());
        Self { rings, arc, samples: pool.samples(), blocks: grids.each_ref().map(Grid::blocks), leaving }
    }
}

impl Tails<'_> {
    /// Whether what is left without the oldest sample is at least `keep` long; that arc is noted then.
    #[inline(always)]
    pub fn is_spare(&mut self, i: usize, keep: i32) -> bool {
        let arc = self.arc[i] - self.oldest_stretch(i);
        let is_spare = self.rings.get(i).len() > 1 && arc >= i64::from(keep);
        if is_spare {
            self.arc[i] = arc;
        }
        is_spare
    }

    /// Length of the oldest segment; 0 when the trail is broken there. (Of a trail of one sample: any number.)
    #[inline(always)]
    fn oldest_stretch(&self, i: usize) -> i64 {
        let ring = self.rings.get(i);
        let second = ring.at(ring.first.wrapping_add(1));
        let stretch = length(self.samples.point(ring.at(ring.first)), self.samples.point(second));
        if self.samples.seat(second).gap() { 0 } else { i64::from(stretch) }
    }

    /// Drops the oldest sample and the lane that starts there: that one leaves the grid later. Returns whether; a trail
    /// that may be broken near its tail stays as it is.
    ///
    /// A trail without gaps at its tail, the common one, has nothing there but the lane that ends at the second
    /// sample. (Of a trail of two the third is what a former lap left: at worst the long way is gone in vain.)
    #[inline(always)]
    fn drop_oldest(&mut self, i: usize, wide: usize) -> bool {
        let ring = self.rings.get(i);
        let first = ring.first.wrapping_add(1);
        let (second, third) = (ring.at(first), ring.at(first.wrapping_add(1)));
        let seat = self.samples.seat(second);
        if seat.gap() | self.samples.seat(third).gap() {
            return false;
        }
        self.rings.first[i] = first;
        if let Some(number) = seat.lane() {
            self.samples.set_seat(second, Seat::NONE);
            ask_for_mask(self.blocks[wide], number);
            self.leaving[wide].push(number);
        }
        true
    }
}

impl Default for Bodies {
    fn default() -> Self {
        Self {
            pool: Pool::default(),
            rings: Rings::default(),
            newest: Default::default(),
            arc: Vec::new(),
            grids: SHIFTS.map(Grid::new),
            leaving: Default::default(),
            joining: Box::default(),
            upcoming: Box::default(),
        }
    }
}

impl Bodies {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let grids: usize = self.grids.iter().map(Grid::bytes).sum();
        self.pool.bytes() + grids + self.rings.bytes() + 16 * self.arc.capacity()
    }

    /// Starts the trail of row `i` at a point. `number` is what the sample will be called.
    pub fn start(&mut self, i: usize, at: Point, number: u32) {
        if i >= self.rings.len() {
            self.rings.grow_to(i + 1);
            self.newest.iter_mut().for_each(|column| column.resize(i + 1, 0));
            self.arc.resize(i + 1, 0);
        }
        self.rings.set(i, self.pool.take(1, number));
        self.arc[i] = 0;
        self.push(i, at, Seat::NONE.with_gap(true));
    }

    fn push(&mut self, i: usize, at: Point, seat: Seat) {
        let mut ring = self.rings.get(i);
        self.pool.push(&mut ring, at, seat);
        self.rings.set(i, ring);
        (self.newest[0][i], self.newest[1][i]) = (at.x, at.y);
    }

    #[inline]
    pub fn newest(&self, i: usize) -> Point {
        Point::new(self.newest[0][i], self.newest[1][i])
    }

    /// Lays a sample joined to the newest; the arc is the caller's, see [`Bodies::grow`].
    pub fn lay(&mut self, i: usize, wide: usize, at: Point) {
        let neighbour = self.pool.seat(self.rings.get(i).newest_at()).number();
        let lane = Lane { a: self.newest(i), b: at, owner: i as u32 };
        let number = self.grids[wide].insert_near(&lane, neighbour);
        self.push(i, at, Seat::NONE.at(Some(number)));
    }

    /// Lays a sample joined to the newest, and notes the arc.
    #[inline]
    pub fn grow(&mut self, i: usize, wide: usize, at: Point) {
        self.arc[i] += i64::from(length(self.newest(i), at));
        self.lay(i, wide, at);
    }

    /// Lays a sample that is not joined to the newest: the trail is broken before it.
    pub fn lay_broken(&mut self, i: usize, wide: usize, at: Point) {
        self.push(i, at, Seat::NONE.with_gap(true));
        let before = self.rings.get(i).newest().wrapping_sub(1);
        self.plant_if_alone(i, wide, before);
    }

    /// Puts a trail of one sample somewhere else: that sample goes, another comes.
    pub fn drag(&mut self, i: usize, at: Point) {
        debug_assert!(self.rings.get(i).len() == 1);
        self.rings.first[i] = self.rings.end[i];
        self.push(i, at, Seat::NONE.with_gap(true));
    }

    /// Drops the oldest sample where the trail may be broken near it, and what leaves the grid with it.
    fn drop_oldest(&mut self, i: usize, wide: usize) {
        self.rings.first[i] = self.rings.first[i].wrapping_add(1);
        let ring = self.rings.get(i);
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

    /// What a tick does to the rows that are due (bit k of word n: row 16 n + k): oldest samples are dropped while `spare`
    /// says so of the row, and a sample is laid at its head, joined to the newest; arcs are the caller's. `ask` asks for
    /// what `spare` will look at around the oldest sample but one.
    ///
    /// A few rows at a time and one loop a stage, not one call a row: the loops are short enough for the CPU to have
    /// several rows in flight, and each asks for what the next one touches.
    pub fn renew(
        &mut self,
        due: &[u16],
        heads: &Heads,
        level: Level,
        ask: impl Fn(&Samples<'_>, usize),
        mut spare: impl FnMut(&mut Tails<'_>, usize) -> bool,
    ) {
        let mut done = 0;
        self.gather(due, &mut done, heads, level);
        let (samples, upcoming) = (self.pool.samples(), &self.upcoming);
        for k in 0..upcoming.len.min(ROWS) {
            ask(&samples, upcoming.second(k));
            samples.ask_for(upcoming.place(k));
        }
        loop {
            std::mem::swap(&mut self.joining, &mut self.upcoming);
            self.gather(due, &mut done, heads, level);
            self.trim_all(&ask, &mut spare);
            self.lay_all();
            self.renew_special(heads, &mut spare);
            if self.upcoming.is_empty() {
                break;
            }
        }
    }

    fn gather(&mut self, due: &[u16], done: &mut usize, heads: &Heads, level: Level) {
        let Self { rings, newest, upcoming, .. } = self;
        level.call(Gather { due, done, heads, rings, newest, joining: upcoming });
        let samples = self.pool.samples();
        for &row in &upcoming.special {
            let ring = rings.get(row as usize);
            samples.ask_for(ring.at(ring.first.wrapping_add(1)));
            samples.ask_for(ring.newest_at());
        }
    }

    fn tails(&mut self) -> Tails<'_> {
        let Self { pool, rings, arc, grids, leaving, .. } = self;
        Tails::new(pool, rings, arc, grids, leaving)
    }

    /// Drops what the trails do not need.
    #[inline(always)]
    fn trim_all(&mut self, ask: &impl Fn(&Samples<'_>, usize), spare: &mut impl FnMut(&mut Tails<'_>, usize) -> bool) {
        let Self { pool, rings, arc, grids, leaving, joining, upcoming, .. } = self;
        let mut tails = Tails::new(pool, rings, arc, grids, leaving);
        let mut broken = Few::default();
        for k in 0..joining.len.min(ROWS) {
            ask(&tails.samples, upcoming.second(k));
            let i = joining.owner(k);
            while spare(&mut tails, i) {
                if !tails.drop_oldest(i, 0) {
                    broken.push(k);
                    break;
                }
            }
        }
        grids[0].remove_all(&mut leaving[0]);
        leaving[0].clear();
        broken.each(|k| {
            let i = self.joining.owner(k);
            self.drop_oldest(i, 0);
            self.trim(i, 0, spare);
        });
        self.joining.full.each(|k| {
            let i = self.joining.owner(k);
            let mut ring = self.rings.get(i);
            if ring.is_full() {
                self.pool.widen(&mut ring);
                self.rings.set(i, ring);
                self.joining.move_to(k, ring);
            }
        });
    }

    fn trim(&mut self, i: usize, wide: usize, spare: &mut impl FnMut(&mut Tails<'_>, usize) -> bool) {
        while spare(&mut self.tails(), i) {
            self.drop_oldest(i, wide);
        }
    }

    /// Lays a sample in each of the rows gathered.
    fn lay_all(&mut self) {
        let Self { pool, rings, grids, joining, upcoming, .. } = self;
        let (mut samples, grid) = (pool.samples(), &mut grids[0]);
        for k in 0..joining.len.min(ROWS) {
            samples.ask_for(upcoming.place(k));
            let neighbour = samples.seat(joining.newest(k)).number();
            ask_for_lane(grid.blocks(), neighbour);
            joining.neighbour[k] = neighbour;
            samples.set(joining.place(k), joining.point(k), Seat::NONE);
            let end = &mut rings.end[joining.owner(k)];
            *end = end.wrapping_add(1);
        }
        let mut elsewhere = Few::default();
        let (blocks, directory) = grid.joining();
        for k in 0..joining.len.min(ROWS) {
            if let Some(number) = put_beside(blocks, &joining.pressed(k), joining.neighbour[k]) {
                samples.set_seat(joining.place(k), Seat::NONE.at(Some(number)));
            } else {
                directory.ask_for(joining.cell(k));
                elsewhere.push(k);
            }
        }
        grid.note_joined(joining.len - elsewhere.len(), joining.side_max);
        elsewhere.each(|k| joining.tile[k] = grid.ask_for_tile(joining.cell(k)));
        elsewhere.each(|k| grid.ask_for_first(joining.tile[k], joining.cell(k)));
        elsewhere.each(|k| {
            let number = grid.insert_elsewhere(&joining.pressed(k));
            samples.set_seat(joining.place(k), Seat::NONE.at(Some(number)));
        });
    }

    /// The same for rows that are not of the common kind, one by one.
    fn renew_special(&mut self, heads: &Heads, spare: &mut impl FnMut(&mut Tails<'_>, usize) -> bool) {
        for n in 0..self.joining.special.len() {
            let i = self.joining.special[n] as usize;
            let wide = usize::from(heads.has(i, flag::WIDE));
            self.trim(i, wide, spare);
            self.lay(i, wide, heads.to(i));
        }
    }

    /// Room for what so many rows give up in a tick.
    pub fn reserve(&mut self, rows: usize) {
        self.leaving.iter_mut().for_each(|leaving| leaving.reserve(rows));
    }

    /// Takes the lane that ends at a sample out of the grid.
    #[inline]
    fn uproot(&mut self, i: usize, wide: usize, n: u32) {
        let at = self.rings.get(i).at(n);
        let seat = self.pool.seat(at);
        if let Some(number) = seat.lane() {
            self.grids[wide].remove(number);
            self.pool.set_seat(at, seat.at(None));
        }
    }

    /// Enters a sample as a point when both its neighbours are missing or beyond a gap.
    fn plant_if_alone(&mut self, i: usize, wide: usize, n: u32) {
        let ring = self.rings.get(i);
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
        let ring = self.rings.get(i);
        let mut numbers = [0; ROWS];
        let (mut rest, mut len) = (ring.numbers().rev(), 0);
        while rest.len() > 0 {
            for n in rest.by_ref().take(ROWS) {
                let seat = self.pool.seat(ring.at(n));
                numbers[len] = seat.number();
                ask_for_lane(self.grids[wide].blocks(), seat.number());
                len += usize::from(seat.lane().is_some());
            }
            self.grids[wide].remove_all(&mut numbers[..std::mem::take(&mut len)]);
        }
        self.pool.give_back(ring);
        self.rings.set(i, Ring { first: ring.end, end: ring.end, ..Ring::default() });
    }

    /// Moves all lanes of a trail from one grid to another, or to fresh places of the same one.
    pub fn transplant(&mut self, i: usize, from: usize, to: usize) {
        let ring = self.rings.get(i);
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
        self.rings.get(i).stretch(&self.pool, n)
    }

    /// Gives back memory that the dead have left, once it is worth the work.
    pub fn pack(&mut self, rows: impl Iterator<Item = (usize, usize)> + Clone) {
        if self.pool.is_sparse() {
            let mut rings: Vec<Ring> = self.rings.iter().collect();
            self.pool.pack(rings.iter_mut().filter(|ring| ring.len() > 0));
            rings.into_iter().enumerate().for_each(|(i, ring)| self.rings.set(i, ring));
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
            let ring = self.rings.get(i);
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
