//! One client: a connection, somebody behind it, and their next move.

use super::age::Ages;
use super::link::{Link, Step};
use super::pilot::Pilot;
use super::plan::{Mode, Plan};
use super::referee::{Heard, Referee};
use super::tally::Tally;
use crate::wire::{ToServer, VERSION};
use mio::{Registry, Token};
use std::time::{Duration, Instant};
use tungstenite::Message;

/// Longest time for a connection and its handshake.
const DIAL_LIMIT: Duration = Duration::from_secs(10);
/// Shortest pause after a connection was lost or a JOIN refused; up to twice as long.
const RETRY: Duration = Duration::from_secs(1);
/// Inputs at once, and time between two such bursts, of who floods: 10,000 a second.
const BURST: (u32, Duration) = (20, Duration::from_millis(2));

/// What all clients share.
pub(super) struct Common {
    pub(super) plan: Plan,
    pub(super) tally: Tally,
    pub(super) ages: Ages,
    /// Ticks a second, once a server has said so.
    pub(super) tick_hz: Option<u8>,
    pub(super) registry: Registry,
    pub(super) started: Instant,
}

/// A client.
pub(super) struct Client {
    number: u32,
    link: Link,
    referee: Referee,
    pilot: Pilot,
    dialed_at: Instant,
    /// When the JOIN that is not granted yet was first sent.
    wished_at: Option<Instant>,
    /// Nothing is begun before: connecting, joining.
    rest_until: Instant,
    snapshot_every: u32,
    /// It reads no more.
    deaf: bool,
}

impl Client {
    pub(super) fn new(number: u32, plan: &Plan, now: Instant) -> Self {
        Self {
            number,
            link: Link::Down,
            referee: Referee::default(),
            pilot: Pilot::new(plan.seed ^ u64::from(number) << 20),
            dialed_at: now,
            wished_at: None,
            rest_until: now,
            snapshot_every: 1,
            deaf: false,
        }
    }

    /// Whether it has a WebSocket; of who does not want one, a connection.
    pub(super) fn is_connected(&self) -> bool {
        matches!(self.link, Link::Open(_) | Link::Raw(..))
    }

    pub(super) fn plays(&self) -> bool {
        self.referee.snake().is_some()
    }

    /// Its next move; how long until the one after.
    pub(super) fn act(&mut self, common: &mut Common, now: Instant) -> Duration {
        let rest = self.rest_until.saturating_duration_since(now);
        let moved = match &self.link {
            Link::Down if !rest.is_zero() => return rest,
            Link::Down => self.dial(common, now),
            Link::Dialing(_) | Link::Shaking(_) => self.wait(now),
            Link::Raw(..) if common.plan.mode == Mode::Dribble => self.link.dribble().map(|()| RETRY),
            Link::Raw(..) => Ok(RETRY),
            Link::Open(_) => self.play(common, now),
        };
        moved.unwrap_or_else(|words| {
            self.lose(common, &words, now);
            RETRY
        })
    }

    /// Hangs up without a word.
    pub(super) fn hang_up(&mut self, now: Instant) {
        self.link = Link::Down;
        self.wished_at = None;
        self.referee = Referee::default();
        self.rest_until = now;
    }

    fn dial(&mut self, common: &Common, now: Instant) -> Result<Duration, String> {
        let plan = &common.plan;
        self.referee = Referee::new(self.number.is_multiple_of(plan.check_every.max(1)));
        (self.dialed_at, self.wished_at, self.deaf) = (now, None, false);
        let token = Token(self.number as usize);
        self.link = Link::dial(&plan.target, &common.registry, token).map_err(|error| error.kind().to_string())?;
        Ok(RETRY / 2)
    }

    fn wait(&self, now: Instant) -> Result<Duration, String> {
        let late = now.saturating_duration_since(self.dialed_at) > DIAL_LIMIT;
        if late { Err("no answer to the handshake".to_owned()) } else { Ok(RETRY / 2) }
    }

    fn play(&mut self, common: &mut Common, now: Instant) -> Result<Duration, String> {
        if !common.plan.mode.joins() || self.deaf {
            return Ok(RETRY);
        }
        if !self.plays() {
            return self.join(now).map(|()| RETRY / 2);
        }
        if common.plan.mode == Mode::Flood {
            return self.flood(common);
        }
        if let Some(input) = self.pilot.decide(&self.referee) {
            self.steer(common, input)?;
        }
        Ok(self.pilot.pause())
    }

    fn join(&mut self, now: Instant) -> Result<(), String> {
        if self.wished_at.is_some() || now < self.rest_until {
            return Ok(());
        }
        self.wished_at = Some(now);
        let name = format!("swarm {}", self.number);
        self.say(&ToServer::Join { version: VERSION, skin: self.number as u8, name })
    }

    fn steer(&mut self, common: &mut Common, (seq, heading, boost): (u16, u16, bool)) -> Result<(), String> {
        common.tally.inputs += 1;
        self.say(&ToServer::Input { seq, heading, boost })
    }

    fn flood(&mut self, common: &mut Common) -> Result<Duration, String> {
        for _ in 0..BURST.0 {
            let input = self.pilot.babble();
            self.steer(common, input)?;
        }
        Ok(BURST.1)
    }

    fn say(&mut self, message: &ToServer) -> Result<(), String> {
        let mut bytes = Vec::with_capacity(16);
        message.encode(&mut bytes);
        self.link.send(bytes)
    }

    /// The poll says that something can be read or written, or that the other side has hung up.
    pub(super) fn wake(&mut self, common: &mut Common, ending: bool, now: Instant) {
        match self.link.advance(&common.plan.target, common.plan.mode) {
            Step::Wait => {}
            Step::Opened if common.plan.mode == Mode::Silent => self.link.strip(),
            Step::Opened => {}
            Step::Lost(words) => return self.lose(common, &words, now),
        }
        let read = match (self.deaf, ending) {
            (true, true) => Err("hung up".to_owned()),
            (true, false) => Ok(()),
            (false, _) => self.read(common),
        };
        if let Err(words) = read {
            self.lose(common, &words, now);
        }
    }

    fn read(&mut self, common: &mut Common) -> Result<(), String> {
        while !self.deaf {
            match self.link.read()? {
                None => return Ok(()),
                Some(Message::Binary(bytes)) => self.hear(common, &bytes, Instant::now())?,
                Some(Message::Text(_)) => common.tally.fault(&super::Fault::Text),
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// One message. A fault is counted and ends the connection: what comes after it would mean nothing.
    fn hear(&mut self, common: &mut Common, bytes: &[u8], now: Instant) -> Result<(), String> {
        common.tally.frames += 1;
        common.tally.bytes += bytes.len() as u64;
        match self.referee.hear(bytes, self.pilot.seq()) {
            Ok(heard) => self.take(common, heard, now),
            Err(fault) => {
                common.tally.fault(&fault);
                Err(format!("fault: {}", fault.name()))
            }
        }
    }

    fn take(&mut self, common: &mut Common, heard: Heard, now: Instant) -> Result<(), String> {
        match heard {
            Heard::Snapshot { tick, gap } => self.note(common, tick, gap, now),
            Heard::Welcome(welcome) => {
                common.learn(welcome.tick_hz);
                self.snapshot_every = welcome.ticks_a_snapshot.into();
                common.tally.welcomed_us.push(micros(now - self.dialed_at));
                self.rest_until = now;
                return if common.plan.mode.joins() { self.join(now) } else { Ok(()) };
            }
            Heard::Spawned => {
                common.tally.spawned += 1;
                common.tally.joined_us.extend(self.wished_at.take().map(|then| micros(now - then)));
                self.deaf = common.plan.mode == Mode::Slow;
            }
            Heard::Refused(reason) => {
                Tally::count(&mut common.tally.refused, reason.name());
                self.wished_at = None;
                self.rest(now);
            }
            Heard::Died => {
                common.tally.died += 1;
                self.rest(now);
            }
            Heard::Other => {}
        }
        Ok(())
    }

    fn note(&self, common: &mut Common, tick: u32, gap: u32, now: Instant) {
        let tally = &mut common.tally;
        tally.snapshots += 1;
        tally.checked += u64::from(self.referee.is_strict());
        tally.gaps += u64::from(gap > self.snapshot_every);
        tally.gap_max = tally.gap_max.max(gap);
        common.ages.note(tick, (now - common.started).as_micros() as i64);
    }

    fn rest(&mut self, now: Instant) {
        self.rest_until = now + RETRY + self.pilot.within(RETRY);
    }

    fn lose(&mut self, common: &mut Common, words: &str, now: Instant) {
        Tally::count(&mut common.tally.lost, words);
        self.hang_up(now);
        self.rest(now);
    }
}

impl Common {
    /// Ages can be told only once the length of a tick is known.
    fn learn(&mut self, tick_hz: u8) {
        if self.tick_hz != Some(tick_hz) {
            self.tick_hz = Some(tick_hz);
            self.ages.restart(tick_hz.into());
        }
    }
}

fn micros(time: Duration) -> u32 {
    u32::try_from(time.as_micros()).unwrap_or(u32::MAX)
}
