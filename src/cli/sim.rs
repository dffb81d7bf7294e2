//! `ringsnake sim`: the engine alone on the canonical workload, measured.

use super::report::print;
use crate::Tally;
use crate::lanes::Level;
use crate::oracle::Counter;
use crate::server::Failure;
use crate::sim::{Comparison, Sim};
use crate::workload::Scenario;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};
use std::time::Duration;

/// Runs the canonical workload through the engine's own rings, grid and narrowphase.
#[derive(Args, Debug)]
pub struct SimArgs {
    /// The workload: s1, s2 (a brawl) or s3 (with giants).
    #[arg(long, default_value = "s1", value_parser = ["s1", "s2", "s3"])]
    workload: String,
    /// Snakes, instead of the workload's own number.
    #[arg(long)]
    snakes: Option<u32>,
    /// Radius of the arena in u, instead of the workload's own.
    #[arg(long)]
    arena: Option<u32>,
    /// Giants of 2,000 samples among them, instead of the workload's own number.
    #[arg(long)]
    giants: Option<u32>,
    /// Ticks that are measured [default: 1000; 300 from 10,000 snakes; 120 from 100,000].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    ticks: Option<u32>,
    /// Ticks before those [default: 300; 100 from 10,000 snakes; 40 from 100,000].
    #[arg(long)]
    warmup: Option<u32>,
    /// Threads that count.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// Snakes from which on they do; one thread counts fewer alone.
    #[arg(long, default_value_t = crate::world::EngineConfig::default().share_from)]
    share_from: u32,
    /// SIMD level: auto, scalar, sse2, avx2 or avx512.
    #[arg(long, default_value = "auto", value_parser = level)]
    simd: Level,
    /// Holds every measured tick against brute force in f64; slow, and the times then mean nothing.
    #[arg(long)]
    oracle: bool,
    /// One JSON object on one line.
    #[arg(long)]
    json: bool,
}

fn level(name: &str) -> Result<Level, String> {
    Level::named(name).map_err(|error| error.to_string())
}

/// What a run found.
struct Findings {
    times: Vec<Duration>,
    phases: [Vec<Duration>; 3],
    hits: crate::Hits,
    truth: Option<Comparison>,
}

impl SimArgs {
    fn scenario(&self) -> Scenario {
        let named = Scenario::named(&self.workload).unwrap_or(Scenario::S1);
        let snakes = self.snakes.unwrap_or(named.snakes);
        Scenario {
            snakes,
            arena: self.arena.unwrap_or(named.arena),
            giants: self.giants.unwrap_or(named.giants.min(snakes)),
        }
    }

    /// Warm-up and measured ticks.
    fn ticks(&self) -> (u32, u32) {
        let (warmup, ticks) = match self.scenario().snakes {
            0..10_000 => (300, 1_000),
            10_000..100_000 => (100, 300),
            _ => (40, 120),
        };
        (self.warmup.unwrap_or(warmup), self.ticks.unwrap_or(ticks).max(1))
    }
}

/// Runs and prints; whether the oracle, if asked, agreed.
pub fn run(args: &SimArgs) -> Result<bool, Failure> {
    let mut sim =
        Sim::new(args.scenario(), args.threads, args.simd).map_err(|error| Failure::Config(error.to_string()))?;
    sim.share_from(args.share_from);
    let findings = measure(args, &mut sim);
    let value = report(args, &sim, &findings);
    print(&value, args.json)?;
    Ok(findings.truth.is_none_or(|truth| truth.misses + truth.ghosts == 0))
}

fn measure(args: &SimArgs, sim: &mut Sim) -> Findings {
    let (warmup, ticks) = args.ticks();
    let bar = progress(u64::from(warmup + ticks));
    for _ in 0..warmup {
        sim.tick();
        bar.inc(1);
    }
    let mut counter = args.oracle.then(|| Counter::new(sim.trails()));
    let mut findings =
        Findings { times: Vec::new(), phases: Default::default(), hits: crate::Hits::default(), truth: None };
    for _ in 0..ticks {
        let tick = sim.tick();
        findings.times.push(tick.time);
        findings.phases.iter_mut().zip(tick.phases).for_each(|(times, time)| times.push(time));
        findings.hits = findings.hits.plus(tick.hits);
        if let Some(counter) = &mut counter {
            let seen = sim.compare(counter);
            findings.truth = Some(findings.truth.map_or(seen, |sum| sum.plus(seen)));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    findings
}

/// A bar on a terminal, nothing elsewhere.
fn progress(ticks: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(ticks), ProgressDrawTarget::stderr_with_hz(5));
    match ProgressStyle::with_template("{bar:40} {pos}/{len} ticks, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn report(args: &SimArgs, sim: &Sim, findings: &Findings) -> Value {
    let ticks = findings.times.len();
    let mut value = json!({
        "workload": args.workload,
        "snakes": sim.scenario().snakes,
        "points": sim.points(),
        "ticks": ticks,
        "threads": args.threads,
        "simd": sim.level().name(),
        "tick_us": quantiles(&findings.times),
        "phase_us": phases(&findings.phases),
        "candidates": round(findings.hits.tally.measured as f64 / ticks as f64),
        "tally": per_tick(&findings.hits.tally, ticks),
        "hits": findings.hits.hits,
        "hsum": findings.hits.hsum,
        "state_hash": format!("{:016x}", sim.state_hash()),
        "bytes": sim.bytes(),
    });
    if let Some(truth) = findings.truth {
        value["oracle"] = json!({"misses": truth.misses, "ghosts": truth.ghosts, "margin": truth.margin});
    }
    value
}

/// Counters of the narrowphase, mean a tick.
fn per_tick(tally: &Tally, ticks: usize) -> Value {
    let mean = |sum: u64| round(sum as f64 / ticks as f64);
    json!({
        "tiles": mean(tally.tiles),
        "cells": mean(tally.cells),
        "blocks": mean(tally.blocks),
        "measured": mean(tally.measured),
        "exact": mean(tally.exact),
    })
}

/// Medians, µs.
fn phases(times: &[Vec<Duration>; 3]) -> Value {
    let [advance, index, count] = times.each_ref().map(|times| quantiles(times)["p50"].clone());
    json!({"advance": advance, "index": index, "count": count})
}

/// Of the times of ticks, µs.
fn quantiles(times: &[Duration]) -> Value {
    let mut us: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e6).collect();
    us.sort_by(f64::total_cmp);
    let at = |part: f64| round(us[((us.len() - 1) as f64 * part) as usize]);
    let mean = us.iter().sum::<f64>() / us.len() as f64;
    json!({"min": at(0.0), "mean": round(mean), "p50": at(0.5), "p99": at(0.99), "max": at(1.0)})
}

fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
