//! A bucket of tokens: how many messages a client may still send.

use std::time::{Duration, Instant};

/// Tokens in thousandths, refilled by the time that passes.
pub(super) struct Budget {
    millis: u64,
    filled_at: Instant,
}

impl Budget {
    /// A full bucket.
    pub(super) fn new(burst: u32, now: Instant) -> Self {
        Self { millis: u64::from(burst) * 1000, filled_at: now }
    }

    /// Adds what has been earned since the last time, at most up to `burst`.
    pub(super) fn refill(&mut self, per_second: u32, burst: u32, now: Instant) {
        // Whole milliseconds only: the rest stays to be earned, so a fast caller loses nothing.
        let passed = now.saturating_duration_since(self.filled_at).as_millis() as u64;
        self.filled_at += Duration::from_millis(passed);
        let earned = passed.saturating_mul(u64::from(per_second));
        self.millis = self.millis.saturating_add(earned).min(u64::from(burst) * 1000);
    }

    /// Takes one token; false when there is none.
    pub(super) fn take(&mut self) -> bool {
        let left = self.millis.checked_sub(1000);
        self.millis = left.unwrap_or(self.millis);
        left.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_and_then_the_sustained_rate() {
        let start = Instant::now();
        let mut budget = Budget::new(3, start);
        assert_eq!((0..5).filter(|_| budget.take()).count(), 3);
        budget.refill(60, 3, start + Duration::from_millis(20));
        assert_eq!((0..5).filter(|_| budget.take()).count(), 1);
        budget.refill(60, 3, start + Duration::from_secs(3600));
        assert_eq!((0..5).filter(|_| budget.take()).count(), 3);
    }

    #[test]
    fn refilling_often_earns_as_much_as_refilling_seldom() {
        let start = Instant::now();
        let mut budget = Budget::new(0, start);
        for step in 1..=10_000_u32 {
            budget.refill(10, 100, start + Duration::from_micros(100) * step);
        }
        assert_eq!((0..100).filter(|_| budget.take()).count(), 10);
    }
}
