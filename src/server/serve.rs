//! The command `serve`: builds everything, and runs the loop until it is asked to stop.

use super::drain::{Drain, StopSignal};
use super::metrics::{Metrics, Phase};
use super::pace::Pace;
use super::{Failure, FileConfig, Game, assets};
use crate::clock::{Clock, Steps};
use crate::net::{Front, Inbox};
use std::hash::{BuildHasher, Hasher};
use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Most steps that make up for lost time at once.
const STEPS_MAX: u32 = 4;

/// Longest time that is made up for: two ticks, where they are slow.
fn frame_max(hz: u32) -> Duration {
    Duration::from_millis(250).max(Duration::from_secs(2) / hz)
}

/// Serves the game until SIGINT or SIGTERM.
pub fn serve(config: &FileConfig) -> Result<(), Failure> {
    start_log(config)?;
    let seed = config.server.seed.unwrap_or_else(random_seed);
    let game = Game::new(config, seed)?;
    let pages = assets::pages(config.server.web_dir.as_deref())
        .map_err(|error| Failure::system("cannot open the directory of the client", &error))?;
    let metrics = Metrics::new();
    let front = Front::open(config.net()?, pages.merge(metrics.page()))
        .map_err(|error| Failure::system(format_args!("cannot listen on {}", config.server.addr), &error))?;
    let addr = front.local_addr();
    let ready = Loop::new(config, game, front, metrics);
    greet(addr);
    tracing::info!(seed, bots = config.server.bots, rules = ?config.world.rules.set, "serving");
    if config.server.bots > config.world.capacity {
        tracing::warn!(bots = config.server.bots, capacity = config.world.capacity, "the world has room for fewer");
    }
    ready.run();
    Ok(())
}

fn start_log(config: &FileConfig) -> Result<(), Failure> {
    let log = tracing_subscriber::fmt()
        .with_env_filter(config.server.filter()?)
        .with_writer(std::io::stderr)
        // Nobody has to read the log: the game goes on without.
        .log_internal_errors(false)
        .with_ansi(std::io::stderr().is_terminal());
    // A second server in one process writes to the first one's log.
    let _ = log.try_init();
    Ok(())
}

/// Whoever started the program may have closed its output; the game goes on without.
fn greet(addr: SocketAddr) {
    let mut out = std::io::stdout();
    let _ = writeln!(out, "ringsnake is listening on http://{addr}/");
    let _ = writeln!(out, "Open it in a browser to play. Ctrl-C stops the server.");
}

/// The standard library seeds its hash maps from the system; so do we.
fn random_seed() -> u64 {
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

struct Loop {
    game: Game,
    front: Front,
    inbox: Inbox,
    clock: Clock,
    started: Instant,
    pace: Pace,
    metrics: Metrics,
    stop: StopSignal,
    drain: Option<Drain>,
    drain_spread: Duration,
}

impl Loop {
    fn new(config: &FileConfig, game: Game, front: Front, metrics: Metrics) -> Self {
        let (hz, started) = (config.world.tick_hz, Instant::now());
        let stop = StopSignal::listen(&front);
        front.set_ready(true);
        Self {
            game,
            front,
            inbox: Inbox::new(),
            clock: Clock::new(hz, STEPS_MAX, frame_max(hz)),
            started,
            pace: Pace::new(Duration::from_secs(1) / hz, started),
            metrics,
            stop,
            drain: None,
            drain_spread: Duration::from_secs(config.server.drain_spread.into()),
        }
    }

    fn run(mut self) {
        loop {
            let due = self.clock.advance_to(self.started.elapsed());
            if due.steps == 0 {
                std::thread::sleep(self.clock.until_next());
                continue;
            }
            let now = self.turn(due);
            self.pace.report(&self.game, &self.front, now);
            if self.may_end(now) {
                tracing::info!("stopped");
                return;
            }
        }
    }

    /// What a turn of the loop does, each part timed; when it was over.
    fn turn(&mut self, due: Steps) -> Instant {
        let lateness = self.clock.lateness(due);
        let began = Instant::now();
        let next = began + self.clock.until_next();
        self.front.collect(&mut self.inbox, Duration::ZERO);
        self.game.receive(&self.inbox, &mut self.front);
        let received = self.metrics.phase(Phase::Receive, began);
        (0..due.steps).for_each(|_| self.game.step(&mut self.front));
        let stepped = self.metrics.phase(Phase::Step, received);
        self.game.show(&mut self.front, || Instant::now() < next);
        let shown = self.metrics.phase(Phase::Show, stepped);
        self.pace.note(due, lateness, shown - began);
        self.metrics.note(due, lateness, &self.game, &self.front);
        self.front.set_full(self.game.is_full() || self.front.is_crowded());
        shown
    }

    /// Whether a drain that was asked for is over.
    fn may_end(&mut self, now: Instant) -> bool {
        let asked = self.stop.asked();
        if asked == 0 {
            return false;
        }
        let (game, front) = (&mut self.game, &mut self.front);
        let drain = self.drain.get_or_insert_with(|| Drain::start(game, front, self.drain_spread, now));
        drain.go_on(game, front, asked > 1, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arena_of_any_rate_ticks() {
        for hz in 1..=240 {
            let mut clock = Clock::new(hz, STEPS_MAX, frame_max(hz));
            let steps: u32 = (0..3).map(|_| clock.advance(clock.until_next()).steps).sum();
            assert_eq!(steps, 3, "{hz}");
        }
    }
}
