//! What a run has counted, and its report.

use super::age::Ages;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Counts of the measured time.
#[derive(Debug, Default)]
pub struct Tally {
    /// WebSocket messages received.
    pub frames: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// Snapshots among them.
    pub snapshots: u64,
    /// Snapshots followed by a mirror.
    pub checked: u64,
    /// Snapshots that came later after the one before than the server had promised.
    pub gaps: u64,
    /// The longest of these, ticks.
    pub gap_max: u32,
    /// Inputs sent.
    pub inputs: u64,
    /// Snakes got.
    pub spawned: u64,
    /// Snakes lost.
    pub died: u64,
    /// JOINs refused, by reason.
    pub refused: BTreeMap<String, u64>,
    /// Connections that ended other than by the client's will, by how.
    pub lost: BTreeMap<String, u64>,
    /// Faults of the server, by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// The first few of them in words.
    pub fault_words: Vec<String>,
    /// Times from the start of a connection to WELCOME, microseconds.
    pub welcomed_us: Vec<u32>,
    /// Times from a JOIN that was granted to SPAWNED, microseconds.
    pub joined_us: Vec<u32>,
}

/// Faults that are told in words.
const FAULT_WORDS: usize = 5;

impl Tally {
    /// One of these.
    pub fn count(map: &mut BTreeMap<String, u64>, name: &str) {
        match map.get_mut(name) {
            Some(count) => *count += 1,
            None => drop(map.insert(name.to_owned(), 1)),
        }
    }

    /// The server broke a rule.
    pub fn fault(&mut self, fault: &super::Fault) {
        *self.faults.entry(fault.name()).or_default() += 1;
        if self.fault_words.len() < FAULT_WORDS {
            self.fault_words.push(fault.to_string());
        }
    }

    /// The counts as they are reported, of so much time and so many clients on average.
    pub fn report(&mut self, ages: &Ages, passed: Duration, connected: f64) -> Map<String, Value> {
        let seconds = passed.as_secs_f64().max(1e-9);
        let each = |count: u64| round(count as f64 / seconds / connected.max(1.0));
        let fields = json!({
            "frames_s": round(self.frames as f64 / seconds),
            "bytes_s": round(self.bytes as f64 / seconds),
            "client": {"frames_s": each(self.frames), "snapshots_s": each(self.snapshots), "bytes_s": each(self.bytes)},
            "inputs_s": round(self.inputs as f64 / seconds),
            "gaps": {
                "share": round(self.gaps as f64 / self.snapshots.max(1) as f64 * 1e4) / 1e4,
                "longest_ticks": self.gap_max,
            },
            "age_ms": {
                "p50": ages.quantile(0.5), "p99": ages.quantile(0.99), "p999": ages.quantile(0.999),
                "max": ages.quantile(1.0), "lost": round(ages.lost_ms()),
            },
            "welcome_ms": quantiles(&mut self.welcomed_us),
            "join_ms": quantiles(&mut self.joined_us),
            "spawned": self.spawned,
            "died": self.died,
            "refused": self.refused,
            "lost": self.lost,
            "snapshots": self.snapshots,
            "checked": self.checked,
            "faults": self.faults,
            "fault_words": self.fault_words,
        });
        if let Value::Object(fields) = fields { fields } else { Map::new() }
    }
}

fn quantiles(times_us: &mut [u32]) -> Value {
    times_us.sort_unstable();
    let Some(last) = times_us.len().checked_sub(1) else { return Value::Null };
    let at = |part: f64| f64::from(times_us[(last as f64 * part) as usize]) / 1_000.0;
    json!({"count": times_us.len(), "p50": at(0.5), "p99": at(0.99), "max": at(1.0)})
}

/// Two digits after the point.
pub(super) fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
