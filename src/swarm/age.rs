//! How old the state is that arrives.
//!
//! A snapshot says of which tick it is; tick `k` was due `k / hz` seconds after a moment that the client does
//! not know. The earliest arrival of a second stands for it: no snapshot can have come before it was made. What
//! a tick itself takes before its first snapshot leaves is therefore *not* in these ages; the server counts that.
//!
//! The floor is taken anew each second. A server that gives ticks up moves it for good, and what came after
//! would look old for ever; how far it moved in all is reported on its own.

/// Width of a bin, microseconds.
const BIN_US: i64 = 100;
/// Bins: up to four seconds; the last one takes what is older.
const BINS: usize = 40_000;

/// Ages of arrivals, to a tenth of a millisecond.
#[derive(Debug)]
pub struct Ages {
    hz: i64,
    /// The tick that times are counted from.
    origin: Option<u32>,
    /// Arrivals of this second: time of arrival less the time at which the tick was due, microseconds.
    lags: Vec<i64>,
    floors: Option<(i64, i64)>,
    bins: Vec<u32>,
    count: u64,
}

impl Ages {
    /// Ages of the state of a server with so many ticks a second.
    pub fn new(hz: u32) -> Self {
        Self { hz: i64::from(hz.max(1)), origin: None, lags: Vec::new(), floors: None, bins: vec![0; BINS], count: 0 }
    }

    /// Forgets everything, and counts at another rate from now on.
    pub fn restart(&mut self, hz: u32) {
        *self = Self::new(hz);
    }

    /// State of this tick (its low 32 bits) arrived at a moment of the client's own clock, microseconds.
    pub fn note(&mut self, tick: u32, at_us: i64) {
        let passed = tick.wrapping_sub(*self.origin.get_or_insert(tick)).cast_signed();
        self.lags.push(at_us - i64::from(passed) * 1_000_000 / self.hz);
    }

    /// A second is over: its arrivals are counted from the earliest of them.
    pub fn turn(&mut self) {
        let Some(&floor) = self.lags.iter().min() else { return };
        self.floors = Some((self.floors.map_or(floor, |(first, _)| first), floor));
        for lag in self.lags.drain(..) {
            let bin = usize::try_from((lag - floor) / BIN_US).unwrap_or(0);
            self.bins[bin.min(BINS - 1)] += 1;
            self.count += 1;
        }
    }

    /// The age that this part of the arrivals does not exceed, ms.
    pub fn quantile(&self, part: f64) -> f64 {
        let wanted = ((self.count as f64 * part).ceil() as u64).max(1);
        let mut seen = 0;
        let bin = self.bins.iter().position(|&count| {
            seen += u64::from(count);
            seen >= wanted
        });
        bin.unwrap_or(0) as f64 * BIN_US as f64 / 1_000.0
    }

    /// How much later the server's ticks came at the end than at the start, ms: time that it gave up.
    pub fn lost_ms(&self) -> f64 {
        self.floors.map_or(0.0, |(first, last)| (last - first) as f64 / 1_000.0)
    }

    /// Arrivals counted.
    pub fn count(&self) -> u64 {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_counted_from_the_earliest_arrival_and_the_tick_may_wrap() {
        let mut ages = Ages::new(100);
        for (i, tick) in (u32::MAX - 49..=u32::MAX).chain(0..50).enumerate() {
            let due = 777_000 + i as i64 * 10_000;
            ages.note(tick, due + 1_000);
            ages.note(tick, due + 6_000);
        }
        ages.turn();
        assert_eq!((ages.count(), ages.quantile(0.5), ages.quantile(0.99)), (200, 0.0, 5.0));
        assert_eq!(ages.lost_ms(), 0.0);
    }

    #[test]
    fn time_that_the_server_gave_up_is_no_age_but_is_told() {
        let mut ages = Ages::new(100);
        ages.note(0, 0);
        ages.turn();
        ages.note(100, 1_300_000);
        ages.turn();
        assert_eq!((ages.quantile(1.0), ages.lost_ms()), (0.0, 300.0));
    }
}
