//! Stopping without a stampede.

use super::game::Game;
use crate::net::Front;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// "Service restart": the client comes back by itself, after a while of its own choosing.
const RESTART: u16 = 1012;

/// How long the last closing handshakes are waited for.
const FAREWELL: Duration = Duration::from_secs(3);

/// Counts the requests to stop; the helper thread waits for the signals.
pub struct StopSignal(Arc<AtomicU32>);

impl StopSignal {
    /// Listens for SIGINT and SIGTERM.
    pub fn listen(front: &Front) -> Self {
        let asked = Arc::new(AtomicU32::new(0));
        let counter = Arc::clone(&asked);
        front.runtime().spawn(async move {
            while wait_for_signal().await.is_ok() {
                counter.fetch_add(1, Ordering::Relaxed);
            }
        });
        Self(asked)
    }

    /// How often the program was asked to stop.
    pub fn asked(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(unix)]
async fn wait_for_signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut term = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = term.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn wait_for_signal() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}

/// A stop in progress: newcomers are refused, and the clients are sent away one by one, so that not all of
/// them return in the same second.
pub struct Drain {
    started: Instant,
    spread: Duration,
    clients: usize,
}

impl Drain {
    /// Refuses newcomers from now on.
    pub fn start(game: &mut Game, front: &Front, spread: Duration, now: Instant) -> Self {
        front.set_ready(false);
        game.refuse_all();
        tracing::info!(clients = front.connections(), "stopping");
        Self { started: now, spread, clients: front.connections() }
    }

    /// Sends away whose time has come; true when the program may end. `hasty` is who was asked twice.
    pub fn go_on(&self, game: &Game, front: &mut Front, hasty: bool, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.started);
        let over = hasty || passed >= self.spread;
        let stay = if over { 0.0 } else { 1.0 - passed.as_secs_f64() / self.spread.as_secs_f64() };
        let leave = front.connections().saturating_sub((self.clients as f64 * stay) as usize);
        let conns: Vec<_> = game.connections().take(leave).collect();
        conns.into_iter().for_each(|conn| front.close(conn, RESTART, "the server restarts"));
        front.sockets() == 0 || passed >= self.spread + FAREWELL
    }
}
