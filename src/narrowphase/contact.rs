//! A contact, and the order in which contacts count.

use crate::geom::lattice::Point;
use crate::world::Cause;
use std::cmp::Ordering;

/// The killer of who died of no other snake.
pub(crate) const NOBODY: u32 = u32::MAX;

/// A head's contact. The earliest decides; of several at the same time, the order below decides, in which
/// ids come last: it is the same however snakes are numbered, unless two are alike in everything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contact {
    pub toi: f64,
    pub cause: Cause,
    pub killer: u32,
    /// The killer's head at the start of the tick, and its length.
    pub place: Point,
    pub length: i32,
}

impl Contact {
    pub fn of_nobody(toi: f64, cause: Cause) -> Self {
        Self { toi, cause, killer: NOBODY, place: Point::default(), length: 0 }
    }

    fn order(&self, other: &Self) -> Ordering {
        self.toi
            .total_cmp(&other.toi)
            .then(self.cause.cmp(&other.cause))
            .then(other.length.cmp(&self.length))
            .then(self.place.cmp(&other.place))
            .then(self.killer.cmp(&other.killer))
    }

    pub fn is_before(&self, other: &Self) -> bool {
        self.order(other) == Ordering::Less
    }

    /// Takes the place of `best` if it comes first.
    pub fn or_earlier(self, best: &mut Option<Self>) {
        if best.as_ref().is_none_or(|b| self.is_before(b)) {
            *best = Some(self);
        }
    }
}
