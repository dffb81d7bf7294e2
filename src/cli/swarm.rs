//! `ringsnake swarm`: many clients against a server, measured.

use super::report::{parts, print};
use crate::server::Failure;
use crate::swarm::{Crowd, Mode, Plan, Pulse, Target};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;
use std::time::Duration;

/// Clients up to which every one follows its snapshots, where it is not said which do.
const ALL_CHECKED: u32 = 1_000;

/// Opens many WebSockets, plays on them or does harm, and reports what came. Fails when a message was not in
/// order.
#[derive(Args, Debug)]
pub struct SwarmArgs {
    /// The server.
    #[arg(long, default_value = "ws://127.0.0.1:8080/ws", value_name = "URL")]
    url: String,
    /// Clients.
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60_000))]
    clients: u32,
    /// Seconds that are measured.
    #[arg(long, default_value_t = 20.0, value_name = "S", value_parser = seconds)]
    seconds: f64,
    /// Seconds from the last newcomer to the first thing measured.
    #[arg(long, default_value_t = 5.0, value_name = "S", value_parser = seconds)]
    settle: f64,
    /// New clients a second.
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    ramp: u32,
    /// Seed of all dice.
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// What the clients do.
    #[arg(long, default_value = "play")]
    mode: Mode,
    /// Every K-th client follows its snapshots strictly, the others read
    /// headers only [default: 1 up to 1,000 clients, else so that 1,000 do].
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    check_every: Option<u32>,
    /// Process of the server on this machine: report its CPU and memory too.
    #[arg(long, value_name = "PID")]
    pid: Option<u32>,
    /// Load a server on another machine. Only ever one of your own.
    #[arg(long)]
    allow_remote: bool,
    /// One JSON object on one line.
    #[arg(long)]
    json: bool,
}

impl ValueEnum for Mode {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let value = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=86_400.0).contains(&value) { Ok(value) } else { Err("allowed is 0..=86400".to_owned()) }
}

impl SwarmArgs {
    fn plan(&self) -> Result<Plan, Failure> {
        let target = Target::find(&self.url, self.allow_remote);
        Ok(Plan {
            target: target.map_err(|error| Failure::Config(error.to_string()))?,
            clients: self.clients,
            ramp: self.ramp,
            settle: Duration::from_secs_f64(self.settle),
            measure: Duration::from_secs_f64(self.seconds),
            seed: self.seed,
            mode: self.mode,
            check_every: self.check_every.unwrap_or(self.clients.div_ceil(ALL_CHECKED)),
            server: self.pid,
        })
    }

    fn total(&self) -> f64 {
        f64::from(self.clients) / f64::from(self.ramp) + self.settle + self.seconds
    }
}

/// Runs and prints; whether everything that the server said was in order.
pub fn run(args: &SwarmArgs) -> Result<bool, Failure> {
    let system = |error: std::io::Error| Failure::System(format!("cannot poll sockets: {error}"));
    let crowd = Crowd::new(args.plan()?).map_err(system)?;
    let bar = progress(args.total());
    let report = crowd.run(|pulse| show(&bar, pulse)).map_err(system)?;
    bar.finish_and_clear();
    print(&report, args.json)?;
    if is_alone(&report, args.mode) {
        let why = [&report["ramp"]["lost"], &report["ramp"]["refused"], &report["lost"], &report["refused"]];
        let why = why.into_iter().find(|why| !is_clean(why)).map_or_else(Vec::new, parts);
        return Err(Failure::System(format!("nobody got in at {}: {}", args.url, why.join(", "))));
    }
    Ok(is_clean(&report["faults"]) && is_clean(&report["ramp"]["faults"]))
}

/// Whether nobody was there to be measured. Of those who mean harm some are not to get in: they only have to find a server.
fn is_alone(report: &Value, mode: Mode) -> bool {
    let none = |field: &str| report[field].as_f64().is_none_or(|count| count == 0.0);
    let refused = |lost: &Value| !lost["connection refused"].is_null();
    let unheard = mode == Mode::Play || refused(&report["lost"]) || refused(&report["ramp"]["lost"]);
    none("connected") && none("snapshots") && unheard
}

fn is_clean(faults: &Value) -> bool {
    faults.as_object().is_none_or(serde_json::Map::is_empty)
}

/// A bar on a terminal, nothing elsewhere.
fn progress(seconds: f64) -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(5);
    let bar = ProgressBar::with_draw_target(Some(seconds.ceil() as u64), target);
    match ProgressStyle::with_template("{bar:40} {pos}/{len} s, {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn show(bar: &ProgressBar, pulse: Pulse) {
    bar.set_position(pulse.passed.as_secs());
    bar.set_message(format!("{} connected, {} playing", pulse.connected, pulse.playing));
}
