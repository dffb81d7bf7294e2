//! MOVEs encoded once and sent to many.
//!
//! A MOVE depends on the snake, on the newest sample that the client holds, and on the tail that it was told
//! of: nothing else of the client. The sample's place is kept with its number, since the snake may have dropped it:
//! one under its shield holds only the sample that it dragged along last. All clients that were sent a snapshot in the same tick share that base, so
//! a snake's MOVE is encoded for the first of them and copied for the others.

use super::scene::Body;
use crate::geom::lattice::Point;
use crate::wire::snapshot::{put_move, step_between};
use crate::world::SnakeId;
use std::ops::Range;

/// What a MOVE starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base {
    /// Number after that of the newest sample held.
    pub end: u32,
    /// Number of the oldest sample of the body, as last told.
    pub tail: u32,
    /// Place of the newest sample held, quanta.
    pub newest: Point,
}

impl Base {
    /// What a client holds that was just told of the snake.
    pub fn of(snake: &impl Body) -> Self {
        Self { end: snake.end(), tail: snake.first(), newest: snake.newest_sample() }
    }
}

#[derive(Clone, Debug)]
struct Chunk {
    id: SnakeId,
    base: Base,
    /// What a client holds that was sent it.
    after: Base,
    bytes: Range<usize>,
    /// The chunk made before this one for the same snake, or `NONE`.
    next: u32,
}

const NONE: u32 = u32::MAX;

/// Bases looked through for each snake: clients in step, and those behind by a few rates.
const BASES_MAX: usize = 4;

/// The MOVEs of one tick.
///
/// `slots` is indexed by snake and never cleared: a slot counts only while the chunk that it names exists and
/// is of that snake, so a new tick costs nothing.
#[derive(Debug, Default)]
pub struct Chunks {
    slots: Vec<u32>,
    chunks: Vec<Chunk>,
    bytes: Vec<u8>,
}

impl Chunks {
    /// Forgets the MOVEs of the tick before; memory is kept.
    pub fn clear(&mut self) {
        self.chunks.clear();
        self.bytes.clear();
    }

    /// MOVEs encoded since the last [`Chunks::clear`].
    pub fn encoded(&self) -> usize {
        self.chunks.len()
    }

    /// The bytes of a snake's MOVE from this base, and what a client holds after it. The snake itself, if it lives, is
    /// looked at by the first who asks.
    pub fn move_of<B: Body>(
        &mut self,
        id: SnakeId,
        base: Base,
        snake: impl FnOnce() -> Option<B>,
    ) -> Option<(&[u8], Base)> {
        let at = match self.find(id, base) {
            Some(at) => at,
            None => self.encode(&snake()?, base),
        };
        let chunk = &self.chunks[at];
        Some((&self.bytes[chunk.bytes.clone()], chunk.after))
    }

    fn newest(&self, id: SnakeId) -> u32 {
        let slot = self.slots.get(id.index()).copied().unwrap_or(NONE);
        let live = self.chunks.get(slot as usize).is_some_and(|chunk| chunk.id == id);
        if live { slot } else { NONE }
    }

    fn find(&self, id: SnakeId, base: Base) -> Option<usize> {
        let mut at = self.newest(id);
        for _ in 0..BASES_MAX {
            let chunk = self.chunks.get(at as usize)?;
            if chunk.base == base {
                return Some(at as usize);
            }
            at = chunk.next;
        }
        None
    }

    fn encode(&mut self, snake: &impl Body, base: Base) -> usize {
        let (id, at, start) = (snake.id(), self.chunks.len(), self.bytes.len());
        write_move(&mut self.bytes, *snake, base);
        let next = self.newest(id);
        self.chunks.push(Chunk { id, base, after: Base::of(snake), bytes: start..self.bytes.len(), next });
        if self.slots.len() <= id.index() {
            self.slots.resize(id.index() + 1, NONE);
        }
        self.slots[id.index()] = at as u32;
        at
    }
}

fn write_move(out: &mut Vec<u8>, snake: impl Body, base: Base) {
    let pushed = snake.end().wrapping_sub(base.end);
    let number = move |i: u32| base.end.wrapping_add(i);
    // What was laid and dropped meanwhile goes with this very MOVE; its place is lost, and the oldest kept stands for it.
    let lost = snake.first().wrapping_sub(base.end).cast_signed().max(0).cast_unsigned();
    let place = move |i: u32| snake.sample(number(i.max(lost)));
    let steps = (0..pushed).map(|i| step_between(if i == 0 { base.newest } else { place(i - 1) }, place(i)));
    let breaks = (0..pushed).filter(move |&i| i < lost || snake.gap_before(number(i)));
    put_move(out, snake.id(), &snake.state(), steps, breaks, snake.first().wrapping_sub(base.tail));
}
