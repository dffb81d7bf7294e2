//! A steady tick allocates nothing, while snakes are born, grow, kill, die and come back.
//!
//! The counter lives in the process, so this file holds one test only.

use ringsnake::bots::Bots;
use ringsnake::world::{BodyConfig, Config, Event, RuleSet, World};
use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::cell::Cell;

thread_local! {
    /// Whether this thread's allocations count, and how many there were.
    static COUNTING: Cell<bool> = const { Cell::new(false) };
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

struct Counter;

impl Counter {
    /// Counts, and shows where the first one comes from: that is what a failing test is asked for.
    fn note(layout: Layout) {
        if !COUNTING.get() {
            return;
        }
        COUNTING.set(false);
        COUNT.set(COUNT.get() + 1);
        if COUNT.get() <= SHOWN {
            let frames = Backtrace::force_capture().to_string();
            let ours = frames.lines().filter(|line| line.contains("ringsnake::") || line.contains("/src/world"));
            eprintln!("{layout:?}\n{}", ours.collect::<Vec<_>>().join("\n"));
        }
        COUNTING.set(true);
    }
}

/// Allocations whose backtrace is printed.
const SHOWN: u64 = 1;

// SAFETY: every call goes on to the system's allocator as it came; the counting in between touches thread locals
// without destructors and lets go of the counter while it prints.
unsafe impl GlobalAlloc for Counter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::note(layout);
        // SAFETY: the caller's duties are those of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        Self::note(layout);
        // SAFETY: as above.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

#[global_allocator]
static COUNTER: Counter = Counter;

const BOTS: usize = 200;
/// Ticks until the snakes, and with them the pools, are as large as they get: growing from 300 u to 900 u takes 400.
const WARMUP: u32 = 4_000;
const TICKS: u32 = 1_000;

/// What happened in the counted ticks.
#[derive(Debug, Default)]
struct Life {
    births: u64,
    deaths: u64,
    allocations: u64,
}

fn counted_step(world: &mut World) -> u64 {
    COUNT.set(0);
    COUNTING.set(true);
    world.step();
    COUNTING.set(false);
    COUNT.get()
}

fn live(world: &mut World, bots: &mut Bots, ticks: u32, mut step: impl FnMut(&mut World) -> u64) -> Life {
    let mut life = Life::default();
    for _ in 0..ticks {
        bots.think(world);
        life.allocations += step(world);
        for event in world.events() {
            life.births += u64::from(matches!(event, Event::Spawned { .. }));
            life.deaths += u64::from(matches!(event, Event::Died(_)));
        }
    }
    life
}

#[test]
fn a_thousand_steady_ticks_with_births_and_deaths_allocate_nothing() {
    for set in [RuleSet::Survival, RuleSet::Pellets] {
        let mut config =
            Config { body: BodyConfig { length_max: 900.0, ..BodyConfig::default() }, ..Config::default() };
        config.rules.set = set;
        let mut world = World::new(config, 3).unwrap();
        let mut bots = Bots::new(BOTS, 3);
        live(&mut world, &mut bots, WARMUP, |world| {
            world.step();
            0
        });
        let life = live(&mut world, &mut bots, TICKS, counted_step);
        println!("{set:?}: {life:?}");
        assert!(life.births > 10 && life.deaths > 10, "something happens: {life:?}");
        assert_eq!(life.allocations, 0, "{set:?}: {life:?}");
    }
}
