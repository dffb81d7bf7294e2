//! What a step reports.

use super::SnakeId;
use crate::geom::lattice::Point;

/// How a head was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The head of another in the same moment of the tick.
    Head,
    /// The body of another as it stood at the start of the tick, neck included.
    Body,
    /// The trail that another laid earlier in this very tick.
    Live,
    /// Its own body, where the rules say so.
    Own,
    /// A static obstacle.
    Obstacle,
    /// The arena's edge.
    Edge,
}

/// One death: one victim, one cause, at most one killer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Death {
    /// Who died.
    pub victim: SnakeId,
    /// Who was touched; [`SnakeId::NOBODY`] for edge, obstacle and own body.
    pub killer: SnakeId,
    /// How.
    pub cause: Cause,
    /// Time of impact as a part of the tick, 0..=1.
    pub toi: f64,
    /// The victim's head at that time, u.
    pub at: [f64; 2],
    /// The victim's length, quanta.
    pub length: i32,
}

/// What happened, in the order in which it took effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A snake entered.
    Spawned {
        /// Who.
        id: SnakeId,
        /// Where its head is, quanta.
        at: Point,
    },
    /// A snake died in this step.
    Died(Death),
    /// A snake was taken out by [`World::remove`](crate::World::remove).
    Removed {
        /// Who.
        id: SnakeId,
    },
    /// A piece of food was eaten.
    Ate {
        /// Who ate.
        id: SnakeId,
        /// The piece.
        food: u32,
    },
}
