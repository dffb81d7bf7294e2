//! What one client sees: who enters its view, who leaves it, and the making of its next snapshot.
//!
//! # What a view guarantees
//!
//! - A snake **enters** when a part of it is within [`view_extent`] of the focus's head, and **leaves** only
//!   when none is within that extent grown by [`HYSTERESIS`]: who circles at the edge does not flicker. Food
//!   likewise. An id that is used again is another snake: the old one is GONE before the new one appears.
//! - A snapshot is **at most [`Viewer::budget`] bytes and one APPEAR** (and the MOVE of the focus, when the
//!   budget is too small even for that). What does not fit comes later, in this order: GONE, always; the MOVE
//!   of the focus, always; other MOVEs; new snakes; food; older samples.
//! - **The focus is in every snapshot** while it lives. When MOVEs are too many for the budget, the time
//!   between two MOVEs of a snake grows with its head's distance from the focus's, and nobody is left out for
//!   ever: those who waited longest for their distance go first.
//! - New snakes come **nearest head first, at least one a snapshot**, each with at most
//!   [`APPEAR_SAMPLES_MAX`] of its newest samples. The rest of a body follows newest first as bytes allow: a
//!   giant of 5,600 samples takes about a second at the default budget.
//! - A MOVE starts from what the client holds, so **snapshots may be left out** for a slow client. A snake
//!   that moved on too far since (more than [`PUSHED_MAX`] samples are new) goes and appears anew. [`Viewer::forget`] makes the next snapshot start from nothing.
//! - Names and skins are sent once an APPEAR.
//!
//! Ids come back when their generation has wrapped (12 bits of a snake's, 8 of a piece of food's): a client
//! that was left out for minutes is to [`Viewer::forget`].
//!
//! ```
//! use ringsnake::wire::view::{Press, Roster, Seat, Viewer};
//! use ringsnake::{SnakeId, World};
//!
//! struct Names;
//!
//! impl Roster for Names {
//!     fn look(&self, _: SnakeId) -> (&str, u8) {
//!         ("Ana", 0)
//!     }
//! }
//!
//! /// One press for all clients of a world, one viewer for each.
//! fn next_snapshot(world: &World, you: SnakeId, press: &mut Press, viewer: &mut Viewer) -> Vec<u8> {
//!     let mut bytes = Vec::new();
//!     viewer.snapshot(world, &Names, press, Seat { focus: you, playing: true, ack: 0 }, &mut bytes);
//!     bytes
//! }
//! ```

mod chunks;
mod press;
mod regions;
mod scene;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;

pub use chunks::{Base, Chunks};
pub(crate) use press::Hand;
pub use press::Press;
pub(crate) use regions::Regions;
pub use scene::{Body, Scene};

use super::message::kind;
use super::snapshot::{Header, put_header};
use super::write;
use crate::geom::lattice::{Point, Rect, quanta};
use crate::limits::QUANTA_PER_UNIT;
use crate::world::SnakeId;

/// Half the width of the view of a snake without a radius, u.
pub const VIEW_HALF_WIDTH: i32 = 300;
/// How much half the width grows with each u of the focus's radius, u per u.
pub const VIEW_PER_RADIUS: i32 = 5;
/// Height of the view, as a part of its width.
pub const VIEW_ASPECT: f64 = 0.625;
/// How much larger the extent is that a snake has to leave than that which it has to enter.
pub const HYSTERESIS: f64 = 0.2;
/// Bytes of a snapshot: 20 kB/s at 15 Hz.
pub const BUDGET: usize = 1_300;
/// Samples of an APPEAR, so that one giant does not keep all others waiting.
pub const APPEAR_SAMPLES_MAX: u32 = 32;
/// Samples of a MOVE; beyond them it is cheaper to show the snake anew, newest samples first.
pub const PUSHED_MAX: u32 = 64;

/// Half the width and half the height of the view of a snake of this radius (quanta), u.
pub fn view_extent(radius: i32) -> [u16; 2] {
    let half_w = f64::from(VIEW_HALF_WIDTH) + f64::from(VIEW_PER_RADIUS * radius) / f64::from(QUANTA_PER_UNIT);
    [half_w.round() as u16, (half_w * VIEW_ASPECT).round() as u16]
}

/// Names and skins, which the engine does not know.
pub trait Roster {
    /// Name and skin of a living snake.
    fn look(&self, id: SnakeId) -> (&str, u8);
}

/// Who is looking, and through whose eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The snake that the camera follows; nobody: it stays where it is.
    pub focus: SnakeId,
    /// Whether that snake is the client's own.
    pub playing: bool,
    /// Number of the client's last input that took effect.
    pub ack: u16,
}

/// A snake that the client holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) id: SnakeId,
    /// What the next MOVE starts from.
    pub(crate) base: Base,
    /// Number of the oldest sample that the client holds. From `base.tail` to here samples are missing.
    pub(crate) oldest: u32,
    /// Number of the snapshot with its last MOVE.
    pub(crate) moved: u32,
}

impl Held {
    /// Whether the snake's next MOVE can start from what the client holds.
    fn can_follow(&self, snake: &impl Body) -> bool {
        snake.end().wrapping_sub(self.base.end) <= PUSHED_MAX
    }

    /// Samples that the body still has and the client not yet.
    fn missing(&self, first: u32) -> u32 {
        let told = self.oldest.wrapping_sub(self.base.tail);
        told.saturating_sub(first.wrapping_sub(self.base.tail))
    }

    /// A MOVE was sent, after which this is held.
    fn follow(&mut self, after: Base, count: u32) {
        self.oldest = after.tail.wrapping_add(self.missing(after.tail));
        self.base = after;
        self.moved = count;
    }
}

/// What one client holds.
#[derive(Debug)]
pub struct Viewer {
    /// Bytes of a snapshot; see the guarantees of this module.
    pub budget: usize,
    /// In ascending index order.
    held: Vec<Held>,
    /// Ids of food, ascending.
    food: Vec<u32>,
    center: Point,
    half: [u16; 2],
    fresh: bool,
    count: u32,
}

impl Default for Viewer {
    fn default() -> Self {
        Self::new(BUDGET)
    }
}

impl Viewer {
    /// A client that holds nothing; its first snapshot is fresh.
    pub fn new(budget: usize) -> Self {
        let half = view_extent(0);
        Self { budget, held: Vec::new(), food: Vec::new(), center: Point::default(), half, fresh: true, count: 0 }
    }

    /// Makes the next snapshot start from nothing, as for a client that was away for long.
    pub fn forget(&mut self) {
        self.held.clear();
        self.food.clear();
        self.fresh = true;
    }

    /// Whether the client holds this snake.
    pub fn holds(&self, id: SnakeId) -> bool {
        self.held.binary_search_by_key(&id.index(), |held| held.id.index()).is_ok_and(|at| self.held[at].id == id)
    }

    /// Snakes that the client holds.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// The rectangle that a snake has to enter.
    pub fn inner(&self) -> Rect {
        self.rect(1.0)
    }

    /// The rectangle that it has to leave.
    pub fn outer(&self) -> Rect {
        self.rect(1.0 + HYSTERESIS)
    }

    fn rect(&self, grown: f64) -> Rect {
        let half = |u: u16| quanta(f64::from(u) * grown).unwrap_or(crate::limits::COORD_MAX);
        Rect::around(self.center, half(self.half[0]), half(self.half[1]))
    }

    /// Appends the next snapshot, kind included, and takes it as sent.
    pub fn snapshot<S: Scene>(
        &mut self,
        scene: &S,
        roster: &impl Roster,
        press: &mut Press,
        seat: Seat,
        out: &mut Vec<u8>,
    ) {
        let (regions, hands) = press.turn_to(scene, 1);
        self.write(scene, roster, regions, &mut hands[0], seat, out);
    }

    /// The same with what a [`Press`] has made ready.
    pub(crate) fn write<S: Scene>(
        &mut self,
        scene: &S,
        roster: &impl Roster,
        regions: &Regions,
        hand: &mut Hand,
        seat: Seat,
        out: &mut Vec<u8>,
    ) {
        self.count = self.count.wrapping_add(1);
        let focus = scene.snake(seat.focus);
        let length = focus.filter(|_| seat.playing).map_or(0, |snake| snake.length());
        let focus = self.look(focus);
        hand.survey(self, scene, regions, focus);
        hand.fill(self, scene, roster, focus);
        out.push(kind::SNAPSHOT);
        put_header(out, &self.header(scene, seat.ack, focus, length));
        hand.assemble(out);
        self.fresh = false;
    }

    /// Turns to a snake, or stays; whom the camera follows.
    fn look(&mut self, focus: Option<impl Body>) -> SnakeId {
        let Some(snake) = focus else { return SnakeId::NOBODY };
        let state = snake.state();
        self.center = state.head;
        self.half = view_extent(i32::from(state.radius));
        snake.id()
    }

    fn header(&self, scene: &impl Scene, ack: u16, focus: SnakeId, length: i32) -> Header {
        Header {
            tick: scene.tick() as u32,
            ack,
            radius: scene.radius().unsigned_abs(),
            focus,
            length: length.unsigned_abs(),
            half_w: self.half[0],
            half_h: self.half[1],
            fresh: self.fresh,
        }
    }
}

/// A section of a snapshot before its count is known.
#[derive(Debug, Default)]
pub(crate) struct Section {
    pub(crate) count: usize,
    pub(crate) bytes: Vec<u8>,
}

impl Section {
    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.bytes.clear();
    }

    /// Appends the count and the elements.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        write::count(out, self.count);
        out.extend_from_slice(&self.bytes);
    }
}
