//! Lanes on their way into the grid of the thin: a few rows at a time, a column a field.

use super::heads::{Heads, flag};
use super::motion::{load, load_last, store};
use crate::body::{Ring, Rings};
use crate::broadphase::{Cell, Pressed};
use crate::geom::lattice::Point;
use crate::lanes::{Kernel, Vector};
use crate::limits::LANE_REACH_MAX;

/// Rows at a time: what their trails' ends touch stays in the first-level cache.
pub(super) const ROWS: usize = 64;

/// Rows of a vector.
const LANES: usize = 16;

/// Cells are `1 << SHIFT` quanta.
pub(super) const SHIFT: u32 = 12;

type Column = [i32; ROWS];

/// Rows that lay a sample each, and the lanes that end there, taken to pieces as a
/// [`Block`](crate::broadphase::Block) keeps them.
pub(super) struct Joining {
    pub len: usize,
    owner: Column,
    /// Where the oldest sample but one stands in the pool, the newest, and the one that is laid.
    second: Column,
    newest: Column,
    place: Column,
    /// The point that is laid.
    x: Column,
    y: Column,
    cell: Column,
    sum: Column,
    side: Column,
    /// The number of the lane at the newest sample.
    pub neighbour: [u32; ROWS],
    /// Of those that do not join there: the tile of their cell.
    pub tile: [u32; ROWS],
    /// The longest side of any.
    pub side_max: i32,
    /// Those whose ring was full.
    pub full: Few,
    /// Rows that are due as well but not of the common kind: thick, or their lane too long.
    pub special: Vec<u32>,
}

impl Default for Joining {
    fn default() -> Self {
        let [owner, second, newest, place, x, y, cell, sum, side] = [[0; ROWS]; 9];
        let (neighbour, tile, special) = ([0; ROWS], [0; ROWS], Vec::with_capacity(ROWS));
        let (len, side_max, full) = (0, 0, Few::default());
        Self { len, owner, second, newest, place, x, y, cell, sum, side, neighbour, tile, side_max, full, special }
    }
}

impl Joining {
    pub fn is_empty(&self) -> bool {
        self.len == 0 && self.special.is_empty()
    }

    #[inline(always)]
    pub fn owner(&self, k: usize) -> usize {
        self.owner[k] as usize
    }

    #[inline(always)]
    pub fn second(&self, k: usize) -> usize {
        self.second[k] as u32 as usize
    }

    #[inline(always)]
    pub fn newest(&self, k: usize) -> usize {
        self.newest[k] as u32 as usize
    }

    #[inline(always)]
    pub fn place(&self, k: usize) -> usize {
        self.place[k] as u32 as usize
    }

    /// Notes that a ring has moved.
    pub fn move_to(&mut self, k: usize, ring: Ring) {
        (self.newest[k], self.place[k]) = (ring.newest_at() as i32, ring.at(ring.end) as i32);
    }

    #[inline(always)]
    pub fn point(&self, k: usize) -> Point {
        Point::new(self.x[k], self.y[k])
    }

    #[inline(always)]
    pub fn cell(&self, k: usize) -> Cell {
        Cell(self.cell[k] as u32)
    }

    /// A lane in pieces.
    #[inline(always)]
    pub fn pressed(&self, k: usize) -> Pressed {
        let (cell, owner) = (self.cell(k), self.owner[k] as u32);
        Pressed { cell, sum: half(self.sum[k]), side: half(self.side[k]), owner }
    }
}

/// Some of a few rows.
#[derive(Clone, Copy, Default)]
pub(super) struct Few(u64);

const _: () = assert!(ROWS == u64::BITS as usize);

impl Few {
    #[inline(always)]
    pub fn push(&mut self, k: usize) {
        self.0 |= 1 << k;
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline(always)]
    pub fn each(self, mut f: impl FnMut(usize)) {
        let mut rest = self.0;
        while rest != 0 {
            f(rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

/// x of the lower and y of the upper half of a word.
#[inline(always)]
fn half(word: i32) -> [i16; 2] {
    [word as i16, (word >> 16) as i16]
}

/// Takes the next rows that are due, at most [`ROWS`], and notes their heads as their newest samples.
pub(super) struct Gather<'b> {
    /// Bit k of word n: row 16 n + k.
    pub due: &'b [u16],
    /// How many words are done.
    pub done: &'b mut usize,
    pub heads: &'b Heads,
    pub rings: &'b Rings,
    /// The newest sample of each row, by axis.
    pub newest: &'b mut [Vec<i32>; 2],
    pub joining: &'b mut Joining,
}

impl Kernel for Gather<'_> {
    type Out = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { due, done, heads, rings, newest, joining } = self;
        let (one, upper) = (V::splat(1), V::splat(1 << 16));
        let (bias, within) = (V::splat(Cell::along(0) as i32), V::splat((2 << SHIFT) - 1));
        let mut side_max = V::splat(0);
        let mut spare = [[0; LANES]; 8];
        joining.special.clear();
        joining.full = Few::default();
        let mut len = 0;
        while *done < due.len() && len + joining.special.len() <= ROWS - LANES {
            let (due, first) = (due[*done], LANES * *done);
            *done += 1;
            if due == 0 {
                continue;
            }
            let [of_ax, of_ay, of_bx, of_by, of_base, of_mask, of_first, of_end] = &mut spare;
            let (ax, ay) = (part::<V>(&newest[0], first, of_ax), part::<V>(&newest[1], first, of_ay));
            let (bx, by) = (part::<V>(&heads.x, first, of_bx), part::<V>(&heads.y, first, of_by));
            let base = part::<V>(bytemuck::cast_slice(&rings.base), first, of_base);
            let mask = part::<V>(bytemuck::cast_slice(&rings.mask), first, of_mask);
            let oldest = part::<V>(bytemuck::cast_slice(&rings.first), first, of_first);
            let end = part::<V>(bytemuck::cast_slice(&rings.end), first, of_end);
            let (dx, dy) = (V::sub(bx, ax), V::sub(by, ay));
            let size = V::max(abs::<V>(dx), abs::<V>(dy));
            let full = V::less(mask, V::sub(end, oldest));
            let overlong = V::less(V::splat(LANE_REACH_MAX), size);
            let special = due & (overlong | flag::which(load(&heads.flags, first), flag::WIDE, flag::WIDE));
            let common = due & !special;
            Few(special.into()).each(|k| joining.special.push((first + k) as u32));
            Few((full & common).into()).each(|k| {
                joining.full.push(len + (common & ((1 << k) - 1)).count_ones() as usize);
            });
            side_max = V::max(side_max, V::pick(common, size, V::splat(0)));
            put::<V>(V::pick(common, bx, ax), &mut newest[0], first);
            put::<V>(V::pick(common, by, ay), &mut newest[1], first);

            let (sx, sy) = (V::add(ax, bx), V::add(ay, by));
            let cell = |sum: V::I| V::add(V::shift_right::<{ SHIFT + 1 }>(sum), bias);
            let at = |n: V::I| V::add(base, V::and(n, mask));
            let cells = V::add(V::mul(cell(sx), upper), cell(sy));
            let (sum, side) = (V::pair(V::and(sx, within), V::and(sy, within)), V::pair(dx, dy));
            let Joining { owner, second, newest, place, x, y, cell, sum: of_sum, side: of_side, .. } = &mut *joining;
            V::compress(
                [
                    V::count_from(first as i32),
                    at(V::add(oldest, one)),
                    at(V::sub(end, one)),
                    at(end),
                    bx,
                    by,
                    cells,
                    sum,
                    side,
                ],
                common,
                [owner, second, newest, place, x, y, cell, of_sum, of_side]
                    .map(|column| column[len..].first_chunk_mut().expect("there is room for a vector")),
            );
            len += common.count_ones() as usize;
        }
        joining.len = len;
        let mut sides = [0; LANES];
        V::store(side_max, &mut sides);
        joining.side_max = sides.into_iter().fold(0, i32::max);
    }
}

/// The rows of a column from `first` on; beyond its end zeros, in `spare`. (A choice of two places and not of two
/// values: those would go through memory.)
#[inline(always)]
fn part<V: Vector>(column: &[i32], first: usize, spare: &mut [i32; LANES]) -> V::I {
    let rest = &column[first..];
    V::load(match rest.first_chunk() {
        Some(whole) => whole,
        None => {
            *spare = load_last(rest);
            spare
        }
    })
}

#[inline(always)]
fn put<V: Vector>(values: V::I, column: &mut [i32], first: usize) {
    let mut rows = [0; LANES];
    V::store(values, &mut rows);
    store(&rows, column, first);
}

#[inline(always)]
fn abs<V: Vector>(a: V::I) -> V::I {
    V::max(a, V::sub(V::splat(0), a))
}
