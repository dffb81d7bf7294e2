//! One client, from its first byte to its last.
//!
//! ```text
//!   connected -> watching -- JOIN, a place is found --> playing -- dies --> watching (its killer) -- JOIN ...
//! ```

use super::post::Post;
use crate::net::{ConnId, Sent};
use crate::wire::view::{Seat, Viewer};
use crate::wire::{ToClient, ToServer, WireError};
use crate::world::SnakeId;
use std::collections::VecDeque;

/// A JOIN that waits for the tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The version of the wire format that the client speaks.
    pub version: u8,
    /// The skin wished for.
    pub skin: u8,
    /// The name wished for, as it came.
    pub name: String,
}

/// The newest INPUT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steering {
    /// The client's number of it.
    pub seq: u16,
    /// Heading to turn towards.
    pub heading: u16,
    /// Whether to boost.
    pub boost: bool,
}

/// What a client is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It has no snake: it has just come, or has died.
    Watching,
    /// It has this one.
    Playing {
        /// Its snake.
        snake: SnakeId,
        /// Tick of birth.
        born: u64,
        /// Who died on it.
        kills: u16,
    },
}

/// A client.
pub struct Session {
    /// Its connection.
    pub conn: ConnId,
    /// What it is doing.
    pub stage: Stage,
    /// What it holds of the world.
    pub viewer: Viewer,
    /// Whom it watches while it has no snake.
    pub watched: SnakeId,
    /// A JOIN, until the tick that answers it.
    pub wish: Option<Wish>,
    /// Tick before which no JOIN is answered: looking for a place is the dearest thing to ask for.
    pub join_after: u64,
    /// The newest INPUT, until the tick that takes it.
    pub steering: Option<Steering>,
    /// Number of the last INPUT that took effect.
    pub ack: u16,
    /// Tick of the last snapshot.
    pub shown: u64,
    /// Tick of the last board.
    pub informed: u64,
    /// Tick since which it does not play.
    pub idle_since: u64,
    /// Messages that must not be lost; they go out before the next snapshot.
    owed: VecDeque<Vec<u8>>,
}

impl Session {
    /// A client that has just come, and watches.
    pub fn new(conn: ConnId, budget: usize, watched: SnakeId, tick: u64) -> Self {
        Self {
            conn,
            stage: Stage::Watching,
            viewer: Viewer::new(budget),
            watched,
            wish: None,
            join_after: 0,
            steering: None,
            ack: 0,
            shown: 0,
            informed: 0,
            idle_since: tick,
            owed: VecDeque::new(),
        }
    }

    /// Owes the client a message. A snapshot may be left out for a slow reader, the news of its death not.
    pub fn owe(&mut self, message: &ToClient) {
        let mut bytes = Vec::new();
        message.encode(&mut bytes);
        self.owed.push_back(bytes);
    }

    /// Hands over what is owed; false when some of it has to wait.
    pub fn settle(&mut self, post: &mut impl Post) -> bool {
        while let Some(bytes) = self.owed.front() {
            if post.queue(self.conn, bytes) != Sent::Yes {
                return false;
            }
            self.owed.pop_front();
        }
        true
    }

    /// Whether the client has had its WELCOME.
    pub fn is_greeted(&self) -> bool {
        self.shown > 0
    }

    /// Takes a message; the stamp of a PING that is to be answered. Of several in one tick the latest counts.
    pub fn take(&mut self, bytes: &[u8]) -> Result<Option<u32>, WireError> {
        match ToServer::decode(bytes)? {
            ToServer::Join { version, skin, name } => self.wish = Some(Wish { version, skin, name }),
            ToServer::Input { seq, heading, boost } => self.steering = Some(Steering { seq, heading, boost }),
            ToServer::Ping { stamp } => return Ok(Some(stamp)),
        }
        Ok(None)
    }

    /// Its snake, if it plays.
    pub fn snake(&self) -> Option<SnakeId> {
        match self.stage {
            Stage::Playing { snake, .. } => Some(snake),
            Stage::Watching => None,
        }
    }

    /// The JOIN to answer in this tick.
    pub fn wish_due(&mut self, tick: u64) -> Option<Wish> {
        if self.snake().is_some() {
            self.wish = None;
        }
        if tick < self.join_after { None } else { self.wish.take() }
    }

    /// It has a snake now.
    pub fn play(&mut self, snake: SnakeId, tick: u64) {
        self.stage = Stage::Playing { snake, born: tick, kills: 0 };
        self.watched = snake;
        self.steering = None;
    }

    /// It has lost its snake and watches who took it.
    pub fn watch(&mut self, whom: SnakeId, tick: u64) {
        self.stage = Stage::Watching;
        self.watched = whom;
        self.idle_since = tick;
    }

    /// What the next snapshot shows.
    pub fn seat(&self) -> Seat {
        Seat { focus: self.watched, playing: self.snake().is_some(), ack: self.ack }
    }

    /// Whether a snapshot is due: every `every` ticks at the client's own phase, and once as soon as possible
    /// when that tick was missed. A server that takes two ticks at a time misses the same phases again and
    /// again; their clients must not get less than the others.
    pub fn is_due(&self, tick: u64, every: u64) -> bool {
        let turn = |tick: u64| (tick + self.conn.index() as u64) / every;
        turn(tick) > turn(self.shown)
    }
}
