//! What each phase of a game's tick takes, and the share of what a grid of bodies alone leaves out: necks, live trails,
//! heads against heads, obstacles and the circle.
//!
//! ```sh
//! cargo run --release --no-default-features --example phases               # 1,000 bots in a circle of 20,000 u
//! cargo run --release --no-default-features --example phases 5000 40000    # bots, radius in u
//! ```

#![allow(missing_docs, reason = "a program")]

use ringsnake::bots::Bots;
use ringsnake::world::{Config, Phase, World};
use std::time::Instant;

/// Ticks until the bots have spread and grown.
const WARMUP: usize = 600;
const TICKS: usize = 1_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u32| match arguments.next().map(|text| text.parse()) {
        None => default,
        Some(Ok(number)) => number,
        Some(Err(_)) => {
            eprintln!("usage: phases [BOTS [RADIUS, u]]");
            std::process::exit(2);
        }
    };
    let (bots, radius) = (number(1_000), number(20_000));
    let mut spent = ticks(bots, f64::from(radius));

    println!("{bots} bots in a circle of {radius} u; median of {TICKS} ticks, µs");
    let medians = Phase::ALL.map(|phase| (phase, median(&mut spent[phase as usize])));
    let total: f64 = medians.iter().map(|(_, us)| us).sum();
    for (phase, us) in medians {
        println!("{:<12}{us:>8.1}{:>6.0} %", format!("{phase:?}"), 100.0 * us / total);
    }
    let beyond: f64 =
        medians.iter().filter(|(phase, _)| matches!(phase, Phase::SortFronts | Phase::Meet)).map(|(_, us)| us).sum();
    println!("{:<12}{total:>8.1}", "all");
    println!("SortFronts and Meet: {:.0} % on top of the rest", 100.0 * beyond / (total - beyond));
}

/// The time of every phase in every measured tick, µs.
fn ticks(bots: u32, radius: f64) -> [Vec<f64>; Phase::ALL.len()] {
    let mut config = Config::default();
    (config.arena.radius, config.arena.radius_min) = (radius, radius);
    let mut world = World::new(config, 5).unwrap_or_else(|error| {
        eprintln!("phases: {error}");
        std::process::exit(2);
    });
    let mut bots = Bots::new(bots as usize, 5);
    let mut spent = [const { Vec::new() }; Phase::ALL.len()];
    for tick in 0..WARMUP + TICKS {
        bots.think(&mut world);
        let mut began = Instant::now();
        world.step_watched(|phase| {
            let now = Instant::now();
            if tick >= WARMUP {
                spent[phase as usize].push((now - began).as_secs_f64() * 1e6);
            }
            began = now;
        });
    }
    spent
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
