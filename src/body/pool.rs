//! All samples of all snakes: columns in chunks of sixteen, cut into rings.

use super::{Ring, Seat};
use crate::geom::lattice::Point;
use crate::lanes::prefetch;
use crate::limits::grow_by_parts;

/// Smallest ring, in samples.
const RING_MIN: u32 = 16;

/// Sizes of rings: 16 << class.
const CLASSES: usize = 24;

/// The pool may hold this many times what the living need, plus [`SLACK`], before it is packed.
const WASTE_MAX: usize = 3;
const SLACK: usize = 1 << 14;

/// Sixteen samples, a column a field: 12 bytes a sample, position and seat together. One page and one bounds check
/// for what an end of a trail needs; three arrays over the whole pool would take three of each.
///
/// ```text
///   | x 8x   y 8x | x 8x   y 8x | seat 16x |    a line each: an end of a trail touches two
/// ```
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Chunk {
    half: [Half; 2],
    seat: [Seat; CHUNK],
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Half {
    x: [i32; HALF],
    y: [i32; HALF],
}

/// Samples whose points share a line.
const HALF: usize = CHUNK / 2;

/// Samples a chunk; also the smallest ring.
const CHUNK: usize = RING_MIN as usize;

const EMPTY: Chunk = Chunk { half: [Half { x: [0; HALF], y: [0; HALF] }; 2], seat: [Seat::NONE; CHUNK] };

pub(crate) struct Pool {
    chunks: Vec<Chunk>,
    free: [Vec<u32>; CLASSES],
    /// Capacity of all rings in use.
    taken: usize,
}

/// Rings of a size that may lie free before the list of them grows.
const FREE_MIN: usize = 256;

impl Default for Pool {
    fn default() -> Self {
        Self { chunks: Vec::new(), free: std::array::from_fn(|_| Vec::with_capacity(FREE_MIN)), taken: 0 }
    }
}

fn class_of(capacity: u32) -> usize {
    (capacity / RING_MIN).trailing_zeros() as usize
}

impl Pool {
    /// Bytes held, used or not.
    pub fn bytes(&self) -> usize {
        let lists: usize = self.free.iter().map(Vec::capacity).sum();
        size_of::<Chunk>() * self.chunks.capacity() + 4 * lists
    }

    #[inline]
    pub fn point(&self, at: usize) -> Point {
        point(&self.chunks, at)
    }

    #[inline]
    pub fn seat(&self, at: usize) -> Seat {
        seat(&self.chunks, at)
    }

    #[inline]
    pub fn set_seat(&mut self, at: usize, seat: Seat) {
        self.samples().set_seat(at, seat);
    }

    #[inline]
    fn set(&mut self, at: usize, point: Point, seat: Seat) {
        self.samples().set(at, point, seat);
    }

    /// All samples, for loops over many rows.
    #[inline(always)]
    pub fn samples(&mut self) -> Samples<'_> {
        Samples(&mut self.chunks)
    }

    /// A ring for at least `samples` samples whose first will have number `first`.
    pub fn take(&mut self, samples: u32, first: u32) -> Ring {
        let capacity = samples.max(RING_MIN).next_power_of_two();
        let base = self.free[class_of(capacity)].pop().unwrap_or_else(|| self.extend(capacity));
        self.taken += capacity as usize;
        Ring { base, mask: capacity - 1, first, end: first }
    }

    /// The one place where the pool grows.
    fn extend(&mut self, capacity: u32) -> u32 {
        let base = self.chunks.len() * CHUNK;
        assert!(u32::try_from(base + capacity as usize).is_ok(), "the pool holds fewer than 2^32 samples");
        let more = capacity as usize / CHUNK;
        grow_by_parts(&mut self.chunks, more);
        self.chunks.resize(self.chunks.len() + more, EMPTY);
        base as u32
    }

    /// Gives a ring back.
    pub fn give_back(&mut self, ring: Ring) {
        self.taken -= ring.capacity() as usize;
        self.free[class_of(ring.capacity())].push(ring.base);
    }

    /// Lays a sample at the newest end, and says where it stands; a full ring moves to one twice its size first.
    #[inline]
    pub fn push(&mut self, ring: &mut Ring, point: Point, seat: Seat) -> usize {
        if ring.is_full() {
            self.widen(ring);
        }
        let at = ring.at(ring.end);
        self.set(at, point, seat);
        ring.end = ring.end.wrapping_add(1);
        at
    }

    /// Moves a ring to one twice its size.
    #[cold]
    pub fn widen(&mut self, ring: &mut Ring) {
        let mut wide = self.take(ring.capacity() * 2, ring.first);
        for n in ring.numbers() {
            let from = ring.at(n);
            self.set(wide.at(n), self.point(from), self.seat(from));
        }
        wide.end = ring.end;
        self.give_back(*ring);
        *ring = wide;
    }

    /// Whether the living use so little of the pool that packing it pays.
    pub fn is_sparse(&self) -> bool {
        self.chunks.len() * CHUNK > SLACK + WASTE_MAX * self.taken
    }

    /// Moves all rings into a pool of just their size and returns the rest to the system. Nothing else knows
    /// where in the pool a ring stands, so nothing else changes.
    pub fn pack<'r>(&mut self, rings: impl Iterator<Item = &'r mut Ring>) {
        let mut packed = Self::default();
        packed.chunks.reserve_exact(self.taken / CHUNK);
        for ring in rings {
            let mut moved = packed.take(ring.len().max(1), ring.first);
            for n in ring.numbers() {
                let from = ring.at(n);
                packed.push(&mut moved, self.point(from), self.seat(from));
            }
            *ring = moved;
        }
        *self = packed;
    }
}

/// The samples of a pool whose rings stay where they are.
pub(crate) struct Samples<'p>(&'p mut [Chunk]);

impl Samples<'_> {
    #[inline(always)]
    pub fn point(&self, at: usize) -> Point {
        point(self.0, at)
    }

    #[inline(always)]
    pub fn seat(&self, at: usize) -> Seat {
        seat(self.0, at)
    }

    #[inline(always)]
    pub fn set_seat(&mut self, at: usize, seat: Seat) {
        self.0[at / CHUNK].seat[at % CHUNK] = seat;
    }

    /// Writes a sample.
    #[inline(always)]
    pub fn set(&mut self, at: usize, point: Point, seat: Seat) {
        let chunk = &mut self.0[at / CHUNK];
        let half = &mut chunk.half[at / HALF % 2];
        (half.x[at % HALF], half.y[at % HALF], chunk.seat[at % CHUNK]) = (point.x, point.y, seat);
    }

    /// Asks for the seat of a sample.
    #[inline(always)]
    pub fn ask_for_seat(&self, at: usize) {
        prefetch(self.0.as_ptr().wrapping_add(at / CHUNK).cast::<Half>().wrapping_add(2));
    }

    /// Asks for the memory of a sample.
    #[inline(always)]
    pub fn ask_for(&self, at: usize) {
        let line = self.0.as_ptr().wrapping_add(at / CHUNK).cast::<Half>();
        prefetch(line.wrapping_add(at / HALF % 2));
        prefetch(line.wrapping_add(2));
    }
}

#[inline(always)]
fn point(chunks: &[Chunk], at: usize) -> Point {
    let half = &chunks[at / CHUNK].half[at / HALF % 2];
    Point::new(half.x[at % HALF], half.y[at % HALF])
}

#[inline(always)]
fn seat(chunks: &[Chunk], at: usize) -> Seat {
    chunks[at / CHUNK].seat[at % CHUNK]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    fn lay(pool: &mut Pool, ring: &mut Ring, model: &mut VecDeque<Point>, k: i32) {
        let point = Point::new(k, -k);
        pool.push(ring, point, Seat::NONE);
        model.push_back(point);
    }

    fn trim(ring: &mut Ring, model: &mut VecDeque<Point>, keep: usize) {
        while model.len() > keep {
            model.pop_front();
            ring.first = ring.first.wrapping_add(1);
        }
    }

    fn assert_same(pool: &Pool, ring: &Ring, model: &VecDeque<Point>) {
        let body: Vec<Point> = ring.numbers().map(|n| pool.point(ring.at(n))).collect();
        assert_eq!(body, Vec::from(model.clone()));
        assert_eq!(pool.point(ring.at(ring.newest())), *model.back().unwrap());
    }

    #[test]
    fn rings_that_wrap_and_widen_keep_every_sample_in_order() {
        for pushes in [16, 17, 31, 32, 33, 100] {
            for keep in [1, 16] {
                let mut pool = Pool::default();
                let mut ring = pool.take(1, u32::MAX - 20);
                let mut model = VecDeque::new();
                for round in 0..4 {
                    for k in 0..pushes {
                        lay(&mut pool, &mut ring, &mut model, round * 1_000 + k);
                        assert_same(&pool, &ring, &model);
                    }
                    trim(&mut ring, &mut model, keep);
                    assert_same(&pool, &ring, &model);
                }
            }
        }
    }

    #[test]
    fn packing_moves_the_living_and_gives_memory_back() {
        let mut pool = Pool::default();
        let mut rings: Vec<Ring> = (0..1_000).map(|_| pool.take(64, 0)).collect();
        for (k, ring) in rings.iter_mut().enumerate() {
            for n in 0..40 {
                pool.push(ring, Point::new(k as i32, n), Seat::NONE);
            }
        }
        let before = pool.bytes();
        for ring in rings.drain(10..) {
            pool.give_back(ring);
        }
        assert!(pool.is_sparse());
        pool.pack(rings.iter_mut());
        assert!(pool.bytes() < before / 20 && !pool.is_sparse());
        for (k, ring) in rings.iter().enumerate() {
            assert_eq!(pool.point(ring.at(39)), Point::new(k as i32, 39));
        }
    }
}
