//! A fixed-timestep clock: elapsed time in, whole ticks out.
//!
//! It reads no wall clock. The caller says how much time went by, so a test can live through a year in a second.
//! The method is the usual accumulator ("Fix your timestep"), with three promises that the usual form does not make:
//!
//! - *No drift.* Tick `k` is due at exactly `k / hz` seconds, rounded up to the nanosecond. A thirtieth of a second
//!   is no whole number of nanoseconds, so the accumulator counts nanoseconds times `hz`: a tick is 10^9 of these.
//! - *No spiral, no debt.* At most `steps_max` ticks a call. What is due beyond that is dropped, reported, and never
//!   made up for; the ticks after a stall come at the moments they would have come at without it.
//! - *No time banked in a pause.*

use std::time::Duration;

/// Parts of a tick, each of 1/hz nanoseconds.
const PARTS: u64 = 1_000_000_000;

/// Turns elapsed time into ticks of equal length.
///
/// ```
/// use ringsnake::clock::Clock;
/// use std::time::Duration;
///
/// let mut clock = Clock::new(30, 4, Duration::from_millis(250));
/// assert_eq!(clock.advance(Duration::from_millis(70)).steps, 2);
/// assert!((clock.fraction() - 0.1).abs() < 1e-9);
///
/// let stalled = clock.advance(Duration::from_secs(5));
/// assert_eq!((stalled.steps, stalled.dropped), (4, 146));
/// ```
#[derive(Clone, Debug)]
pub struct Clock {
    hz: u32,
    steps_max: u32,
    frame_max: Duration,
    now: Duration,
    /// Parts of the running tick that are over, below [`PARTS`].
    phase: u64,
    paused: bool,
}

/// What is due after some time went by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Ticks to take now.
    pub steps: u32,
    /// Ticks that were due too and will never come.
    pub dropped: u64,
}

impl Clock {
    /// A running clock at time 0, `hz` ticks a second. A call gives at most `steps_max` ticks, and at most those of
    /// a frame of `frame_max`.
    ///
    /// # Panics
    /// When `hz` is 0.
    pub fn new(hz: u32, steps_max: u32, frame_max: Duration) -> Self {
        assert!(hz > 0, "a clock needs at least one tick a second");
        Self { hz, steps_max, frame_max, now: Duration::ZERO, phase: 0, paused: false }
    }

    /// Lets time go by.
    pub fn advance(&mut self, elapsed: Duration) -> Steps {
        self.now = self.now.saturating_add(elapsed);
        if self.paused {
            return Steps::default();
        }
        let (due, phase) = self.due(elapsed);
        let (allowed, _) = self.due(elapsed.min(self.frame_max));
        self.phase = phase;
        let steps = u32::try_from(allowed).unwrap_or(u32::MAX).min(self.steps_max);
        Steps { steps, dropped: due - u64::from(steps) }
    }

    /// Lets time go by until `now`, counted from the start of the clock. A moment already past changes nothing.
    pub fn advance_to(&mut self, now: Duration) -> Steps {
        self.advance(now.saturating_sub(self.now))
    }

    /// Ticks that end within `elapsed` from here, and the phase then.
    fn due(&self, elapsed: Duration) -> (u64, u64) {
        let parts = u128::from(self.phase) + elapsed.as_nanos() * u128::from(self.hz);
        let ticks = u64::try_from(parts / u128::from(PARTS)).unwrap_or(u64::MAX);
        (ticks, (parts % u128::from(PARTS)) as u64)
    }

    /// Stops the ticks. Time that goes by until [`resume`](Self::resume) counts for nothing.
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Goes on at the very part of the tick at which [`pause`](Self::pause) stopped.
    pub fn resume(&mut self) {
        self.paused = false;
    }

    /// Whether the clock is paused.
    pub fn paused(&self) -> bool {
        self.paused
    }

    /// How far the running tick is, in [0, 1): where to draw between the last two states.
    pub fn fraction(&self) -> f64 {
        self.phase as f64 / PARTS as f64
    }

    /// How long ago the first tick of an answer of [`advance`](Self::advance) was due, right after it: what was
    /// dropped was due before, and counts.
    pub fn lateness(&self, due: Steps) -> Duration {
        let behind = (u64::from(due.steps) + due.dropped).saturating_sub(1);
        let parts = u128::from(self.phase) + u128::from(behind) * u128::from(PARTS);
        Duration::from_nanos(u64::try_from(parts / u128::from(self.hz)).unwrap_or(u64::MAX))
    }

    /// Time until the next tick is due, rounded up to the nanosecond: sleeping this long gives it, unless paused.
    pub fn until_next(&self) -> Duration {
        Duration::from_nanos((PARTS - self.phase).div_ceil(u64::from(self.hz)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn thirty() -> Clock {
        Clock::new(30, 5, Duration::from_secs(1))
    }

    #[test]
    fn a_stall_of_five_seconds_is_not_made_up_for() {
        let mut clock = thirty();
        assert_eq!(clock.advance(MS * 5_000), Steps { steps: 5, dropped: 145 });
        let after: u32 = (0..1_000).map(|_| clock.advance(MS).steps).sum();
        assert_eq!(after, 30);
    }

    #[test]
    fn lateness_is_counted_from_the_first_tick_that_was_due() {
        let mut clock = Clock::new(100, 2, Duration::from_secs(1));
        let due = clock.advance(MS * 13);
        assert_eq!(clock.lateness(due), MS * 3);
        let due = clock.advance(MS * 40);
        assert_eq!((due, clock.lateness(due)), (Steps { steps: 2, dropped: 2 }, MS * 33));
    }

    #[test]
    fn after_a_stall_no_call_gives_more_than_its_own_time() {
        let mut clock = thirty();
        clock.advance(MS * 5_003);
        for _ in 0..300 {
            assert_eq!(clock.advance(clock.until_next()), Steps { steps: 1, dropped: 0 });
        }
    }

    #[test]
    fn a_frame_beyond_its_limit_is_cut() {
        let mut clock = Clock::new(100, 1_000, MS * 250);
        assert_eq!(clock.advance(MS * 400), Steps { steps: 25, dropped: 15 });
    }

    #[test]
    fn a_pause_banks_no_time() {
        let mut clock = thirty();
        clock.advance(MS * 20);
        let fraction = clock.fraction();
        clock.pause();
        assert_eq!(clock.advance(MS * 60_000), Steps::default());
        assert_eq!(clock.advance_to(MS * 70_000), Steps::default());
        clock.resume();
        assert_eq!(clock.fraction(), fraction);
        assert_eq!(clock.advance(MS * 13).steps, 0);
        assert_eq!(clock.advance_to(MS * 70_014).steps, 1);
    }

    #[test]
    fn ten_million_ticks_come_once_each_at_their_nanosecond() {
        let mut clock = thirty();
        for tick in 1..=10_000_000_u64 {
            let due = Duration::from_nanos((tick * PARTS).div_ceil(30));
            assert_eq!(clock.advance_to(due - Duration::from_nanos(1)).steps, 0, "before tick {tick}");
            assert_eq!(clock.advance_to(due), Steps { steps: 1, dropped: 0 }, "tick {tick}");
        }
    }

    #[test]
    fn uneven_frames_lose_and_invent_nothing() {
        for hz in [1, 7, 30, 60, 144, 240] {
            let mut clock = Clock::new(hz, u32::MAX, Duration::MAX);
            let (mut frame, mut total, mut ticks) = (1_u64, 0_u64, 0_u64);
            for _ in 0..10_000 {
                frame = frame * 48_271 % 2_147_483_647;
                total += frame % 50_000_001;
                let due = clock.advance_to(Duration::from_nanos(total));
                ticks += u64::from(due.steps);
                assert_eq!(due.dropped, 0);
                assert!((0.0..1.0).contains(&clock.fraction()));
                assert_eq!(ticks, total * u64::from(hz) / PARTS);
            }
        }
    }

    #[test]
    fn odd_spans_are_harmless() {
        let mut clock = Clock::new(240, u32::MAX, Duration::MAX);
        assert_eq!(clock.advance(Duration::ZERO), Steps::default());
        let forever = clock.advance(Duration::MAX);
        assert_eq!(u64::from(forever.steps) + forever.dropped, u64::MAX);
        assert!(clock.fraction() < 1.0);
        assert_eq!(clock.advance_to(Duration::ZERO), Steps::default());
        assert_eq!(Clock::new(30, 0, MS).advance(MS * 100), Steps { steps: 0, dropped: 3 });
    }

    #[test]
    fn sleeping_until_the_next_tick_meets_it() {
        let mut clock = Clock::new(7, 1, MS * 250);
        for _ in 0..1_000 {
            let wait = clock.until_next();
            assert_eq!(clock.clone().advance(wait - Duration::from_nanos(1)).steps, 0);
            assert_eq!(clock.advance(wait).steps, 1);
        }
    }
}
