//! The loop: one poll, one heap of timers, everybody in turn.

use super::age::Ages;
use super::client::{Client, Common};
use super::plan::{Mode, Plan};
use super::tally::{Tally, round};
use crate::usage::{Usage, load_average};
use mio::{Events, Poll};
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::time::{Duration, Instant};

/// Ticks a second until a server has told its own.
const TICK_HZ: u32 = 30;
/// Time between two looks at everybody.
const PULSE: Duration = Duration::from_secs(1);
/// Time after which those who reconnect do so.
const RECALL: Duration = Duration::from_secs(10);

/// All clients of a run.
pub struct Crowd {
    poll: Poll,
    common: Common,
    clients: Vec<Client>,
    /// One entry a client: when it makes its next move.
    timers: BinaryHeap<Reverse<(Instant, u32)>>,
    /// Connected and playing, summed over the looks of the measured time, and the number of looks.
    seen: [u64; 3],
    pulse_at: Instant,
    recall_at: Instant,
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Pulse {
    /// Time since the start.
    pub passed: Duration,
    /// Clients with a connection.
    pub connected: usize,
    /// Clients with a snake.
    pub playing: usize,
}

impl Crowd {
    /// Nobody is connected yet. Errors are those of the system's poll.
    pub fn new(plan: Plan) -> io::Result<Self> {
        let (poll, now) = (Poll::new()?, Instant::now());
        let registry = poll.registry().try_clone()?;
        let clients = (0..plan.clients).map(|number| Client::new(number, &plan, now)).collect();
        let start = |number: u32| now + Duration::from_secs_f64(f64::from(number) / f64::from(plan.ramp.max(1)));
        let timers = (0..plan.clients).map(|number| Reverse((start(number), number))).collect();
        let (tally, ages) = (Tally::default(), Ages::new(TICK_HZ));
        let common = Common { plan, tally, ages, tick_hz: None, registry, started: now };
        Ok(Self { poll, common, clients, timers, seen: [0; 3], pulse_at: now, recall_at: now + RECALL })
    }

    /// Runs to the end, and tells every second how far it is. The report; see the command for its fields.
    pub fn run(mut self, mut tell: impl FnMut(Pulse)) -> io::Result<Value> {
        let ramp =
            Duration::from_secs_f64(f64::from(self.common.plan.clients) / f64::from(self.common.plan.ramp.max(1)));
        let start = self.common.started + ramp + self.common.plan.settle;
        self.live_until(start, &mut tell)?;
        let arrived = self.report_ramp(ramp);
        let before = self.begin();
        let end = Instant::now() + self.common.plan.measure;
        self.live_until(end, &mut tell)?;
        Ok(self.report(arrived, before))
    }

    fn live_until(&mut self, end: Instant, tell: &mut impl FnMut(Pulse)) -> io::Result<()> {
        let mut events = Events::with_capacity(1_024);
        loop {
            let now = Instant::now();
            if now >= end {
                return Ok(());
            }
            self.pulse(now, tell);
            self.recall(now);
            let next = self.act(now).unwrap_or(end).min(end).min(self.pulse_at);
            self.poll.poll(&mut events, Some(next.saturating_duration_since(Instant::now())))?;
            let now = Instant::now();
            for event in &events {
                let ending = event.is_read_closed() || event.is_error();
                if let Some(client) = self.clients.get_mut(event.token().0) {
                    client.wake(&mut self.common, ending, now);
                }
            }
        }
    }

    /// Everybody whose time has come; when the next one's will.
    fn act(&mut self, now: Instant) -> Option<Instant> {
        loop {
            let &Reverse((at, number)) = self.timers.peek()?;
            if at > now {
                return Some(at);
            }
            self.timers.pop();
            let pause = self.clients[number as usize].act(&mut self.common, now);
            self.timers.push(Reverse((now + pause.max(Duration::from_millis(1)), number)));
        }
    }

    fn pulse(&mut self, now: Instant, tell: &mut impl FnMut(Pulse)) {
        if now < self.pulse_at {
            return;
        }
        self.pulse_at = now + PULSE;
        self.common.ages.turn();
        let connected = self.clients.iter().filter(|client| client.is_connected()).count();
        let playing = self.clients.iter().filter(|client| client.plays()).count();
        self.seen = [self.seen[0] + connected as u64, self.seen[1] + playing as u64, self.seen[2] + 1];
        tell(Pulse { passed: now - self.common.started, connected, playing });
    }

    /// Sends everybody away and back, where that is the plan.
    fn recall(&mut self, now: Instant) {
        if self.common.plan.mode != Mode::Reconnect || now < self.recall_at {
            return;
        }
        self.recall_at = now + RECALL;
        for client in self.clients.iter_mut().filter(|client| client.is_connected()) {
            client.hang_up(now);
            client.act(&mut self.common, now);
        }
    }

    /// From here on it counts.
    fn begin(&mut self) -> Usages {
        self.common.tally = Tally::default();
        self.common.ages.restart(self.common.tick_hz.map_or(TICK_HZ, u32::from));
        self.seen = [0; 3];
        self.pulse_at = Instant::now() + PULSE;
        Usages::now(self.common.plan.server)
    }

    fn report_ramp(&mut self, ramp: Duration) -> Value {
        let playing = self.clients.iter().filter(|client| client.plays()).count();
        let fields = self.common.tally.report(&self.common.ages, self.common.started.elapsed(), 1.0);
        let mut ramp = json!({"seconds": ramp.as_secs_f64(), "playing_after": playing});
        for field in ["welcome_ms", "join_ms", "spawned", "died", "refused", "lost", "faults", "fault_words"] {
            ramp[field] = fields.get(field).cloned().unwrap_or_default();
        }
        ramp
    }

    fn report(mut self, arrived: Value, before: Usages) -> Value {
        self.common.ages.turn();
        let (plan, looks) = (&self.common.plan, self.seen[2].max(1) as f64);
        let [connected, playing] = [self.seen[0], self.seen[1]].map(|sum| sum as f64 / looks);
        let mut report = Map::new();
        report.insert("mode".to_owned(), plan.mode.name().into());
        report.insert("clients".to_owned(), plan.clients.into());
        report.insert("connected".to_owned(), round(connected).into());
        report.insert("playing".to_owned(), round(playing).into());
        report.insert("seconds".to_owned(), round(before.at.elapsed().as_secs_f64()).into());
        report.extend(self.common.tally.report(&self.common.ages, before.at.elapsed(), connected));
        report.extend(before.report(plan.server, self.common.tally.frames));
        report.insert("load_average".to_owned(), json!(load_average()));
        report.insert("ramp".to_owned(), arrived);
        Value::Object(report)
    }
}

/// What both processes had used at a moment.
struct Usages {
    at: Instant,
    own: Option<Usage>,
    server: Option<Usage>,
}

impl Usages {
    fn now(server: Option<u32>) -> Self {
        let server = server.and_then(|pid| Usage::of(&pid.to_string()));
        Self { at: Instant::now(), own: Usage::of("self"), server }
    }

    /// What was used since; the server's CPU also by frame.
    fn report(&self, server: Option<u32>, frames: u64) -> Map<String, Value> {
        let (now, seconds) = (Self::now(server), self.at.elapsed().as_secs_f64());
        let mut fields = Map::new();
        if let (Some(now), Some(before)) = (now.own, self.own) {
            let [ran, waited] = now.shares_since(&before, seconds).map(round);
            fields.insert("swarm".to_owned(), json!({"cpu": ran, "waited": waited}));
        }
        if let (Some(now), Some(before)) = (now.server, self.server) {
            let [ran, waited] = now.shares_since(&before, seconds).map(round);
            let us = (now.ran_ns - before.ran_ns) as f64 / 1_000.0 / frames.max(1) as f64;
            let fact = json!({"cpu": ran, "waited": waited, "us_a_frame": round(us), "resident": now.resident});
            fields.insert("server".to_owned(), fact);
        }
        fields
    }
}
