//! `/metrics`: what an operator watches. Every name stands in `METRICS.md` beside this file; a test holds them
//! together.

use super::game::Game;
use crate::clock::Steps;
use crate::net::{Front, Refusal, Why};
use crate::usage::Usage;
use crate::wire::message::Reason;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What the text is, to those who ask for it.
const TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// From 0.1 ms to 0.8 s, each twice the one before; a tick of 30 a second lies between two of them.
const BUCKETS: (f64, f64, u16) = (0.000_1, 2.0, 14);

type Labels = [(&'static str, &'static str); 1];
type Counters = Family<Labels, Counter>;

/// The parts of a turn that are timed.
#[derive(Clone, Copy, Debug)]
pub enum Phase {
    /// Reading all sockets, and what came.
    Receive,
    /// The ticks of the world, with joins, bots and deaths.
    Step,
    /// Snapshots, made and sent.
    Show,
}

impl Phase {
    const ALL: [Self; 3] = [Self::Receive, Self::Step, Self::Show];

    const fn name(self) -> &'static str {
        match self {
            Self::Receive => "receive",
            Self::Step => "step",
            Self::Show => "show",
        }
    }
}

/// Counts that the front end and the game keep anyway are copied here once a tick; times are added up here.
pub struct Metrics {
    registry: Arc<Registry>,
    phases: [Histogram; Phase::ALL.len()],
    lateness: Histogram,
    ticks: Counter,
    dropped: Counter,
    joins: Counter,
    joins_refused: Counters,
    deaths: Counter,
    snapshots: Counter,
    put_off: Counter,
    skipped: Counter,
    accepted: Counter,
    opened: Counter,
    closed: Counters,
    refused: Counters,
    frames: Counters,
    bytes: Counters,
    players: Gauge,
    bots: Gauge,
    connections: Gauge,
    world: Gauge,
    resident: Gauge,
}

impl Metrics {
    /// All at zero.
    pub fn new() -> Self {
        let mut book = Book { registry: Registry::with_prefix("ringsnake") };
        let phases = Family::<Labels, Histogram>::new_with_constructor(histogram);
        book.registry.register("phase_seconds", "Time of the parts of a turn of the loop", phases.clone());
        let lateness = Histogram::new(LATENESS);
        book.registry.register("tick_lateness_seconds", "From when a tick was due to its start", lateness.clone());
        let metrics = Self {
            phases: Phase::ALL.map(|phase| phases.get_or_create(&[("phase", phase.name())]).clone()),
            lateness,
            ticks: book.counter("ticks", "Ticks of the world"),
            dropped: book.counter("ticks_dropped", "Ticks given up after a stall"),
            joins: book.counter("joins", "Snakes given to people"),
            joins_refused: book.counters("joins_refused", "JOINs refused"),
            deaths: book.counter("deaths", "Snakes of people that died"),
            snapshots: book.counter("snapshots", "Snapshots sent"),
            put_off: book
                .counter("snapshots_put_off", "Ticks whose time was over before all who were due had a snapshot"),
            skipped: book.counter("sends_skipped", "Sends left out because the one before had not drained"),
            accepted: book.counter("connections_accepted", "TCP connections, for pages or sockets"),
            opened: book.counter("sockets_opened", "WebSockets opened"),
            closed: book.counters("sockets_closed", "WebSockets closed"),
            refused: book.counters("connections_refused", "Connections and handshakes turned away"),
            frames: book.counters("frames", "WebSocket frames"),
            bytes: book.counters("bytes", "Bytes after the handshakes"),
            players: book.gauge("players", "People with a snake"),
            bots: book.gauge("bots", "Snakes without people"),
            connections: book.gauge("connections", "WebSockets open"),
            world: book.gauge("world_bytes", "Memory of snakes, bodies, grid and food"),
            resident: book.gauge("resident_bytes", "Memory of the process; 0 where it is not known"),
            registry: Arc::default(),
        };
        Self { registry: Arc::new(book.registry), ..metrics }
    }

    /// The page, for the helper thread.
    pub fn page(&self) -> Router {
        Router::new().route("/metrics", get(tell)).with_state((Arc::clone(&self.registry), self.resident.clone()))
    }

    /// A part of a turn that began then is over; now.
    pub fn phase(&self, phase: Phase, began: Instant) -> Instant {
        let now = Instant::now();
        self.phases[phase as usize].observe((now - began).as_secs_f64());
        now
    }

    /// A turn was over.
    pub fn note(&self, due: Steps, lateness: Duration, game: &Game, front: &Front) {
        self.lateness.observe(lateness.as_secs_f64());
        self.ticks.inc_by(due.steps.into());
        self.dropped.inc_by(due.dropped);
        self.note_game(game);
        self.note_front(front);
    }

    fn note_game(&self, game: &Game) {
        let deeds = game.deeds();
        set(&self.joins, deeds.joins);
        set(&self.deaths, deeds.deaths);
        set(&self.snapshots, deeds.snapshots);
        set(&self.put_off, deeds.put_off);
        for reason in Reason::ALL {
            set_labelled(&self.joins_refused, ("reason", reason.name()), deeds.refused[reason.place()]);
        }
        let players = game.players();
        self.players.set(players as i64);
        self.bots.set(game.world().population().saturating_sub(players) as i64);
        self.world.set(game.world().bytes() as i64);
    }

    fn note_front(&self, front: &Front) {
        let counters = front.counters();
        self.connections.set(front.connections() as i64);
        set(&self.accepted, counters.accepted);
        set(&self.opened, counters.opened);
        set(&self.skipped, counters.busy);
        for why in Why::ALL {
            set_labelled(&self.closed, ("reason", why.name()), counters.closed_for(why));
        }
        for refusal in Refusal::ALL {
            set_labelled(&self.refused, ("reason", refusal.name()), counters.refused_for(refusal));
        }
        for (way, frames, bytes) in
            [("in", counters.frames_in, counters.bytes_in), ("out", counters.frames_out, counters.bytes_out)]
        {
            set_labelled(&self.frames, ("direction", way), frames);
            set_labelled(&self.bytes, ("direction", way), bytes);
        }
    }
}

/// Enters each new metric under its name.
struct Book {
    registry: Registry,
}

impl Book {
    fn counter(&mut self, name: &str, help: &str) -> Counter {
        let counter = Counter::default();
        self.registry.register(name, help, counter.clone());
        counter
    }

    fn counters(&mut self, name: &str, help: &str) -> Counters {
        let counters = Counters::default();
        self.registry.register(name, help, counters.clone());
        counters
    }

    fn gauge(&mut self, name: &str, help: &str) -> Gauge {
        let gauge = Gauge::default();
        self.registry.register(name, help, gauge.clone());
        gauge
    }
}

/// Borders of lateness in seconds. 5 ms is the limit that operators are told of, 33 ms a tick.
const LATENESS: [f64; 12] = [0.0002, 0.0005, 0.001, 0.002, 0.003, 0.004, 0.005, 0.007, 0.01, 0.02, 0.033, 0.1];

fn histogram() -> Histogram {
    let (first, factor, count) = BUCKETS;
    Histogram::new(exponential_buckets(first, factor, count))
}

/// The count is kept elsewhere and only grows.
fn set(counter: &Counter, count: u64) {
    counter.inner().store(count, Ordering::Relaxed);
}

fn set_labelled(counters: &Counters, label: (&'static str, &'static str), count: u64) {
    set(&counters.get_or_create(&[label]), count);
}

async fn tell(State((registry, resident)): State<(Arc<Registry>, Gauge)>) -> Response {
    resident.set(Usage::of("self").map_or(0, |usage| usage.resident as i64));
    let mut text = String::new();
    match encode(&mut text, &registry) {
        Ok(()) => ([(header::CONTENT_TYPE, TYPE)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::NetConfig;
    use crate::server::FileConfig;

    fn page() -> String {
        let metrics = Metrics::new();
        let front = Front::open(NetConfig::default(), metrics.page()).unwrap();
        let game = Game::new(&FileConfig::default(), 1).unwrap();
        let due = Steps { steps: 1, dropped: 3 };
        metrics.phase(Phase::Step, Instant::now());
        metrics.note(due, Duration::from_millis(3), &game, &front);
        let mut text = String::new();
        encode(&mut text, &metrics.registry).unwrap();
        text
    }

    #[test]
    fn every_name_stands_in_the_table() {
        let (page, table) = (page(), include_str!("METRICS.md"));
        let names = page.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
        let mut count = 0;
        for (name, kind) in names {
            let full = if kind == "counter" { format!("`{name}_total`") } else { format!("`{name}`") };
            assert!(table.contains(&full), "{full}");
            count += 1;
        }
        assert_eq!(count, table.lines().filter(|line| line.starts_with("| `ringsnake_")).count());
    }

    #[test]
    fn counts_and_reasons_are_told() {
        let page = page();
        for line in [
            "ringsnake_ticks_total 1",
            "ringsnake_ticks_dropped_total 3",
            "ringsnake_tick_lateness_seconds_count 1",
            "ringsnake_phase_seconds_count{phase=\"step\"} 1",
            "ringsnake_sockets_closed_total{reason=\"slow_reader\"} 0",
            "ringsnake_joins_refused_total{reason=\"no_room\"} 0",
        ] {
            assert!(page.lines().any(|told| told == line), "{line}\n{page}");
        }
    }
}
