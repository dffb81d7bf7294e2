//! Every message of both directions, typed, with its encoding and its decoding.
//!
//! Both sides are here because a load generator has to read everything that a server sends, strictly.

mod obstacle;
mod to_client;
mod to_server;

pub use obstacle::Obstacle;
pub use to_client::{Board, Died, Map, Obituary, Row, ToClient, Welcome};
pub use to_server::ToServer;

use super::read::{Cursor, WireError};
use crate::world::Cause;

/// First bytes of the messages.
pub mod kind {
    #![allow(missing_docs)]
    pub const JOIN: u8 = 0x01;
    pub const INPUT: u8 = 0x02;
    pub const PING: u8 = 0x03;
    pub const WELCOME: u8 = 0x81;
    pub const SPAWNED: u8 = 0x82;
    pub const REFUSED: u8 = 0x83;
    pub const SNAPSHOT: u8 = 0x84;
    pub const FEED: u8 = 0x85;
    pub const DIED: u8 = 0x86;
    pub const BOARD: u8 = 0x87;
    pub const MAP: u8 = 0x88;
    pub const PONG: u8 = 0x89;
    pub const OBSTACLES: u8 = 0x8A;
}

/// The `cause` of a snake that left the game.
pub const CAUSE_LEFT: u8 = 6;

/// The `cause` of a death.
pub const fn cause_code(cause: Cause) -> u8 {
    match cause {
        Cause::Body => 0,
        Cause::Live => 1,
        Cause::Head => 2,
        Cause::Edge => 3,
        Cause::Obstacle => 4,
        Cause::Own => 5,
    }
}

/// The `reason` of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// The client speaks another version of the format.
    Version = 1,
    /// No place is free.
    Full = 2,
    /// Nobody could be placed safely.
    NoRoom = 3,
    /// The name is not allowed.
    Name = 4,
    /// The server is about to stop.
    Draining = 5,
}

impl Reason {
    /// Every reason, in the order of their codes.
    pub const ALL: [Self; 5] = [Self::Version, Self::Full, Self::NoRoom, Self::Name, Self::Draining];

    /// Its place in [`Reason::ALL`].
    pub const fn place(self) -> usize {
        self as usize - 1
    }

    /// A name for metrics and logs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Version => "version",
            Self::Full => "full",
            Self::NoRoom => "no_room",
            Self::Name => "name",
            Self::Draining => "draining",
        }
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        let code = cursor.u8()?;
        Self::ALL.into_iter().find(|&reason| reason as u8 == code).ok_or(WireError::Value("reason"))
    }
}

fn read_cause(cursor: &mut Cursor<'_>) -> Result<u8, WireError> {
    let cause = cursor.u8()?;
    if cause <= CAUSE_LEFT { Ok(cause) } else { Err(WireError::Value("cause")) }
}
