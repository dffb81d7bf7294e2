//! How the loop keeps time: what is logged every ten seconds.

use super::game::Game;
use crate::clock::Steps;
use crate::net::Front;
use std::time::{Duration, Instant};

/// Time between two lines.
const REPORT_EVERY: Duration = Duration::from_secs(10);

/// Ticks since the last line.
pub struct Pace {
    since: Instant,
    tick: Duration,
    took_us: Vec<u32>,
    late_us: Vec<u32>,
    late: u64,
    dropped: u64,
    bytes_out: u64,
}

/// Percentiles in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Took {
    p50: f64,
    p99: f64,
}

impl Pace {
    /// `tick` is the time that a tick may take.
    pub fn new(tick: Duration, now: Instant) -> Self {
        Self { since: now, tick, took_us: Vec::new(), late_us: Vec::new(), late: 0, dropped: 0, bytes_out: 0 }
    }

    /// A turn of the loop was over: so many ticks, in so much time; the first of them began so long after it
    /// was due.
    pub fn note(&mut self, due: Steps, lateness: Duration, took: Duration) {
        let each = took / due.steps.max(1);
        self.took_us.push(u32::try_from(each.as_micros()).unwrap_or(u32::MAX));
        self.late_us.push(u32::try_from(lateness.as_micros()).unwrap_or(u32::MAX));
        self.dropped += due.dropped;
        // Whoever needs longer than a tick, or was called when two were due, has kept somebody waiting.
        self.late += u64::from(took > self.tick || due.steps > 1);
    }

    /// Writes a line when it is time.
    pub fn report(&mut self, game: &Game, front: &Front, now: Instant) {
        let passed = now.saturating_duration_since(self.since);
        if passed < REPORT_EVERY {
            return;
        }
        let (took, lateness) = (percentiles(&mut self.took_us), percentiles(&mut self.late_us));
        let bytes_out = front.counters().bytes_out;
        tracing::info!(
            tick = game.world().tick(),
            p50_ms = took.p50,
            p99_ms = took.p99,
            late_p99_ms = lateness.p99,
            players = game.players(),
            bots = game.world().population() - game.players().min(game.world().population()),
            connections = front.connections(),
            bytes_out_s = ((bytes_out - self.bytes_out) as f64 / passed.as_secs_f64()) as u64,
            late = self.late,
            dropped = self.dropped,
            "pace"
        );
        *self = Self { bytes_out, ..Self::new(self.tick, now) };
    }
}

fn percentiles(took_us: &mut [u32]) -> Took {
    took_us.sort_unstable();
    let at = |part: f64| {
        let index = (took_us.len() as f64 * part) as usize;
        took_us.get(index.min(took_us.len().saturating_sub(1))).map_or(0.0, |&us| f64::from(us) / 1000.0)
    };
    Took { p50: at(0.5), p99: at(0.99) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_taken_from_the_sorted_times() {
        let mut took: Vec<u32> = (1..=100).rev().map(|ms| ms * 1000).collect();
        assert_eq!(percentiles(&mut took), Took { p50: 51.0, p99: 100.0 });
        assert_eq!(percentiles(&mut []), Took::default());
    }
}
