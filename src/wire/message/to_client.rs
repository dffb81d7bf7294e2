//! What the server says.

use super::{Obstacle, Reason, kind, read_cause};
use crate::wire::read::{Cursor, WireError};
use crate::wire::snapshot::Snapshot;
use crate::wire::write;
use crate::world::SnakeId;

/// A message from the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToClient {
    /// The figures of the game, first of all messages.
    Welcome(Welcome),
    /// You have a snake.
    Spawned {
        /// Yours.
        id: SnakeId,
    },
    /// You have none.
    Refused {
        /// Why.
        reason: Reason,
        /// The same for people.
        text: String,
    },
    /// What you see.
    Snapshot(Snapshot),
    /// Who died, anywhere.
    Feed(Vec<Obituary>),
    /// You died.
    Died(Died),
    /// Who leads.
    Board(Board),
    /// Where people are.
    Map(Map),
    /// The answer to a ping.
    Pong {
        /// That of the ping.
        stamp: u32,
        /// Low 32 bits of the tick.
        tick: u32,
    },
    /// What stands in the arena; after the welcome, if anything does.
    Obstacles(Vec<Obstacle>),
}

/// The figures that a client needs to draw and to predict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Welcome {
    /// Version of the format.
    pub version: u8,
    /// Ticks a second.
    pub tick_hz: u8,
    /// 0 survival, 1 pellets.
    pub rules: u8,
    /// Ticks from a snapshot to the next.
    pub ticks_a_snapshot: u8,
    /// Largest radius of the arena, quanta.
    pub arena_radius: u32,
    /// Spacing of samples, quanta.
    pub spacing: u16,
    /// Cruise speed, quanta a tick.
    pub cruise: u16,
    /// Boost speed, quanta a tick.
    pub boost: u16,
}

/// A line of the feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obituary {
    /// See [`cause_code`](super::cause_code) and [`CAUSE_LEFT`](super::CAUSE_LEFT).
    pub cause: u8,
    /// Name of the victim.
    pub victim: String,
    /// Name of the killer; empty for nobody.
    pub killer: String,
}

/// The end of your snake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Died {
    /// See [`cause_code`](super::cause_code) and [`CAUSE_LEFT`](super::CAUSE_LEFT).
    pub cause: u8,
    /// The killer, or nobody.
    pub killer: SnakeId,
    /// Its name; empty for nobody.
    pub killer_name: String,
    /// Your length, quanta.
    pub length: u32,
    /// Ticks that you lived.
    pub ticks: u32,
    /// Your kills.
    pub kills: u16,
    /// Your place among the players, from 1; 0: none.
    pub rank: u16,
}

/// The leaders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Players in all.
    pub players: u16,
    /// Your place, from 1; 0: none.
    pub rank: u16,
    /// The longest, longest first.
    pub rows: Vec<Row>,
}

/// A line of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Whether this is you.
    pub you: bool,
    /// Length, quanta.
    pub length: u32,
    /// Name.
    pub name: String,
}

/// The small map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map {
    side: u8,
    bits: Vec<u8>,
}

impl Map {
    /// An empty map of `side` times `side` fields.
    pub fn new(side: u8) -> Self {
        Self { side, bits: vec![0; Self::size(side)] }
    }

    fn size(side: u8) -> usize {
        (usize::from(side) * usize::from(side)).div_ceil(8)
    }

    /// Fields along an edge.
    pub fn side(&self) -> u8 {
        self.side
    }

    /// The fields, row by row, lowest bit first; bits after the last field are 0.
    pub fn bits(&self) -> &[u8] {
        &self.bits
    }

    /// Marks a field; fields outside are not there to be marked.
    pub fn mark(&mut self, column: u8, row: u8) {
        if column < self.side && row < self.side {
            let bit = usize::from(row) * usize::from(self.side) + usize::from(column);
            self.bits[bit / 8] |= 1 << (bit % 8);
        }
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        let side = cursor.u8()?;
        let bits = cursor.take(Self::size(side))?.to_vec();
        let used = (usize::from(side) * usize::from(side)) % 8;
        if used != 0 && bits.last().is_some_and(|last| last >> used != 0) {
            return Err(WireError::Value("map"));
        }
        Ok(Self { side, bits })
    }
}

impl ToClient {
    /// Appends the message.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.kind());
        match self {
            Self::Welcome(welcome) => welcome.write(out),
            Self::Spawned { id } => write::u32(out, id.to_bits()),
            Self::Refused { reason, text } => {
                out.push(*reason as u8);
                write::str(out, text);
            }
            Self::Snapshot(snapshot) => snapshot.write(out),
            Self::Feed(deaths) => write::list(out, deaths, |out, death| death.write(out)),
            Self::Died(died) => died.write(out),
            Self::Board(board) => board.write(out),
            Self::Map(map) => {
                out.push(map.side);
                out.extend_from_slice(&map.bits);
            }
            Self::Pong { stamp, tick } => {
                write::u32(out, *stamp);
                write::u32(out, *tick);
            }
            Self::Obstacles(list) => write::list(out, list, |out, obstacle| obstacle.write(out)),
        }
    }

    /// The first byte.
    pub fn kind(&self) -> u8 {
        match self {
            Self::Welcome(_) => kind::WELCOME,
            Self::Spawned { .. } => kind::SPAWNED,
            Self::Refused { .. } => kind::REFUSED,
            Self::Snapshot(_) => kind::SNAPSHOT,
            Self::Feed(_) => kind::FEED,
            Self::Died(_) => kind::DIED,
            Self::Board(_) => kind::BOARD,
            Self::Map(_) => kind::MAP,
            Self::Pong { .. } => kind::PONG,
            Self::Obstacles(_) => kind::OBSTACLES,
        }
    }

    /// Reads one whole message.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let mut cursor = Cursor::new(bytes);
        let message = match cursor.u8()? {
            kind::WELCOME => Self::Welcome(Welcome::read(&mut cursor)?),
            kind::SPAWNED => Self::Spawned { id: SnakeId::from_bits(cursor.u32()?) },
            kind::REFUSED => Self::Refused { reason: Reason::read(&mut cursor)?, text: cursor.str()?.to_owned() },
            kind::SNAPSHOT => Self::Snapshot(Snapshot::read(&mut cursor)?),
            kind::FEED => Self::Feed(cursor.list(3, Obituary::read)?),
            kind::DIED => Self::Died(Died::read(&mut cursor)?),
            kind::BOARD => Self::Board(Board::read(&mut cursor)?),
            kind::MAP => Self::Map(Map::read(&mut cursor)?),
            kind::PONG => Self::Pong { stamp: cursor.u32()?, tick: cursor.u32()? },
            kind::OBSTACLES => Self::Obstacles(Obstacle::read_list(&mut cursor)?),
            other => return Err(WireError::Kind(other)),
        };
        cursor.end()?;
        Ok(message)
    }
}

impl Welcome {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend([self.version, self.tick_hz, self.rules, self.ticks_a_snapshot]);
        write::u32(out, self.arena_radius);
        write::u16(out, self.spacing);
        write::u16(out, self.cruise);
        write::u16(out, self.boost);
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        Ok(Self {
            version: cursor.u8()?,
            tick_hz: cursor.u8()?,
            rules: cursor.u8()?,
            ticks_a_snapshot: cursor.u8()?,
            arena_radius: cursor.u32()?,
            spacing: cursor.u16()?,
            cruise: cursor.u16()?,
            boost: cursor.u16()?,
        })
    }
}

impl Obituary {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(self.cause);
        write::str(out, &self.victim);
        write::str(out, &self.killer);
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        let cause = read_cause(cursor)?;
        Ok(Self { cause, victim: cursor.str()?.to_owned(), killer: cursor.str()?.to_owned() })
    }
}

impl Died {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(self.cause);
        write::u32(out, self.killer.to_bits());
        write::str(out, &self.killer_name);
        write::u32(out, self.length);
        write::u32(out, self.ticks);
        write::u16(out, self.kills);
        write::u16(out, self.rank);
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        Ok(Self {
            cause: read_cause(cursor)?,
            killer: SnakeId::from_bits(cursor.u32()?),
            killer_name: cursor.str()?.to_owned(),
            length: cursor.u32()?,
            ticks: cursor.u32()?,
            kills: cursor.u16()?,
            rank: cursor.u16()?,
        })
    }
}

impl Board {
    fn write(&self, out: &mut Vec<u8>) {
        write::u16(out, self.players);
        write::u16(out, self.rank);
        write::list(out, &self.rows, |out, row| {
            out.push(u8::from(row.you));
            write::u32(out, row.length);
            write::str(out, &row.name);
        });
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        let (players, rank) = (cursor.u16()?, cursor.u16()?);
        let rows = cursor.list(6, |cursor| {
            let you = cursor.flags(1)? != 0;
            Ok(Row { you, length: cursor.u32()?, name: cursor.str()?.to_owned() })
        })?;
        Ok(Self { players, rank, rows })
    }
}
