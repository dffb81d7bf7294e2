//! Whether what a server says to one client is in order.

use crate::geom::lattice::{Point, Rect, quanta};
use crate::limits::COORD_MAX;
use crate::wire::message::{Reason, Welcome, kind};
use crate::wire::mirror::{Mirror, MirrorError, Reflection};
use crate::wire::view::HYSTERESIS;
use crate::wire::{Snapshot, ToClient, WireError};
use crate::world::SnakeId;
use std::fmt;

/// What a message meant.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// The figures of the game.
    Welcome(Welcome),
    /// A snake for this client.
    Spawned,
    /// None for it.
    Refused(Reason),
    /// The state of this tick (low 32 bits), so many ticks after the last one seen; 0 for the first.
    Snapshot {
        /// Its tick.
        tick: u32,
        /// Ticks since the one before.
        gap: u32,
    },
    /// The end of its snake.
    Died,
    /// Board, map, news, or the answer to a ping.
    Other,
}

/// What is wrong with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is none.
    Wire(WireError),
    /// It does not fit the ones before.
    Mirror(MirrorError),
    /// A text message.
    Text,
    /// Something else came before WELCOME, or it came twice.
    Welcome,
    /// OBSTACLES came twice, or not right after WELCOME.
    Obstacles,
    /// A tick that is not after the one before.
    Tick,
    /// An input is acknowledged that was never sent.
    Ack,
    /// The focus is not the client's own snake, or a length is told without one.
    Focus,
    /// A snake is held of which no part is in the view grown by the hysteresis.
    Outside(SnakeId),
    /// A snake for one who has one, or the death of none.
    Stage,
}

impl Fault {
    /// A name to count by.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Wire(_) => "wire",
            Self::Mirror(_) => "mirror",
            Self::Text => "text",
            Self::Welcome => "welcome",
            Self::Obstacles => "obstacles",
            Self::Tick => "tick",
            Self::Ack => "ack",
            Self::Focus => "focus",
            Self::Outside(_) => "outside",
            Self::Stage => "stage",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wire(error) => write!(f, "no message: {error}"),
            Self::Mirror(error) => write!(f, "a snapshot that does not follow: {error}"),
            Self::Text => f.write_str("a text message"),
            Self::Welcome => f.write_str("WELCOME is not the first message, or not the only one"),
            Self::Obstacles => f.write_str("OBSTACLES does not follow WELCOME"),
            Self::Tick => f.write_str("a tick that is not after the one before"),
            Self::Ack => f.write_str("an input is acknowledged that was never sent"),
            Self::Focus => f.write_str("the focus or the length is not that of the own snake"),
            Self::Outside(id) => write!(f, "snake {id:?} is shown and is not in view"),
            Self::Stage => f.write_str("a snake for who has one, or a death without one"),
        }
    }
}

/// One client's memory of what it was told.
#[derive(Debug, Default)]
pub struct Referee {
    mirror: Mirror,
    /// Whether snapshots are followed; if not only their headers are read.
    strict: bool,
    welcome: Option<Welcome>,
    /// WELCOME was the last message.
    greeted: bool,
    tick: Option<u32>,
    snake: Option<SnakeId>,
    /// Where the camera is.
    center: Point,
}

impl Referee {
    /// One who has heard nothing yet.
    pub fn new(strict: bool) -> Self {
        Self { strict, ..Self::default() }
    }

    /// What the client sees; always empty unless snapshots are followed.
    pub fn mirror(&self) -> &Mirror {
        &self.mirror
    }

    /// Whether snapshots are followed.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// The client's own snake.
    pub fn snake(&self) -> Option<SnakeId> {
        self.snake
    }

    /// Takes a message; `sent` is the number of the client's newest input.
    pub fn hear(&mut self, bytes: &[u8], sent: u16) -> Result<Heard, Fault> {
        if !self.strict && bytes.first() == Some(&kind::SNAPSHOT) {
            return self.glance(bytes);
        }
        let message = ToClient::decode(bytes).map_err(Fault::Wire)?;
        if self.welcome.is_none() != matches!(message, ToClient::Welcome(_)) {
            return Err(Fault::Welcome);
        }
        let greeted = std::mem::take(&mut self.greeted);
        match message {
            ToClient::Welcome(welcome) => {
                (self.welcome, self.greeted) = (Some(welcome), true);
                Ok(Heard::Welcome(welcome))
            }
            ToClient::Obstacles(obstacles) => {
                self.mirror.obstacles = obstacles;
                if greeted { Ok(Heard::Other) } else { Err(Fault::Obstacles) }
            }
            ToClient::Spawned { id } => self.turn_into(Some(id), Heard::Spawned),
            ToClient::Died(_) => self.turn_into(None, Heard::Died),
            ToClient::Refused { reason, .. } => Ok(Heard::Refused(reason)),
            ToClient::Snapshot(snapshot) => self.follow(&snapshot, sent),
            _ => Ok(Heard::Other),
        }
    }

    fn turn_into(&mut self, snake: Option<SnakeId>, heard: Heard) -> Result<Heard, Fault> {
        let fits = self.snake.is_some() != snake.is_some();
        self.snake = snake;
        if fits { Ok(heard) } else { Err(Fault::Stage) }
    }

    /// The tick alone, which stands right after the kind.
    fn glance(&mut self, bytes: &[u8]) -> Result<Heard, Fault> {
        let tick = bytes.get(1..5).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
        self.count(tick.ok_or(Fault::Wire(WireError::Short))?)
    }

    fn count(&mut self, tick: u32) -> Result<Heard, Fault> {
        let gap = self.tick.map_or(0, |before| tick.wrapping_sub(before));
        let ascends = self.tick.is_none() || (1..1 << 31).contains(&gap);
        self.tick = Some(tick);
        if ascends { Ok(Heard::Snapshot { tick, gap }) } else { Err(Fault::Tick) }
    }

    fn follow(&mut self, snapshot: &Snapshot, sent: u16) -> Result<Heard, Fault> {
        self.mirror.apply(snapshot).map_err(Fault::Mirror)?;
        let header = snapshot.header;
        if sent.wrapping_sub(header.ack) >= 1 << 15 {
            return Err(Fault::Ack);
        }
        if self.snake.map_or(header.length != 0, |own| header.focus != own || header.length == 0) {
            return Err(Fault::Focus);
        }
        if let Some(focus) = self.mirror.snake(header.focus) {
            self.center = focus.state.head;
        }
        self.look_around(snapshot)?;
        self.count(header.tick)
    }

    /// Whoever was just told whole has a part in the outer view. Of who was left out this time, or is known in
    /// part, the rest may be.
    fn look_around(&self, snapshot: &Snapshot) -> Result<(), Fault> {
        let outer = self.outer();
        let told = snapshot.moves.iter().map(|m| m.id).chain(snapshot.appear.iter().map(|appear| appear.id));
        for id in told.filter(|&id| id != snapshot.header.focus) {
            if self.mirror.snake(id).is_some_and(|snake| snake.missing == 0 && !crosses(outer, snake)) {
                return Err(Fault::Outside(id));
            }
        }
        Ok(())
    }

    fn outer(&self) -> Rect {
        let header = self.mirror.header;
        let half = |u: u16| quanta(f64::from(u) * (1.0 + HYSTERESIS)).unwrap_or(COORD_MAX);
        Rect::around(self.center, half(header.half_w), half(header.half_h))
    }
}

/// Whether the box of any stretch of the body touches the rectangle.
fn crosses(rect: Rect, snake: &Reflection) -> bool {
    let touches = |a: Point, b: Point| {
        a.x.min(b.x) <= rect.max.x
            && a.x.max(b.x) >= rect.min.x
            && a.y.min(b.y) <= rect.max.y
            && a.y.max(b.y) >= rect.min.y
    };
    let mut newer = snake.state.head;
    let mut joined = true;
    snake.samples.iter().rev().any(|sample| {
        let hit = if joined { touches(sample.at, newer) } else { rect.contains(sample.at) };
        (newer, joined) = (sample.at, !sample.broken);
        hit
    })
}
