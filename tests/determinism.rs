//! The same game has the same hashes: in every build, on every CPU, with however many threads.
//!
//! A pinned hash changes when the rules, the figures or the order of the dice change. That is a decision: it belongs
//! into the changelog, and the new value is the one that the test prints. It must never change for another reason.
//!
//! The short game is the one for old and emulated CPUs:
//! `qemu-x86_64 -cpu core2duo target/debug/deps/determinism-* the_short_game_has_its_pinned_hash`.

mod arena_kit;

use arena_kit::Game;
use ringsnake::world::{Cause, RuleSet};

const RULE_SETS: [RuleSet; 2] = [RuleSet::Survival, RuleSet::Pellets];

/// Hashes after 300 ticks, for each rule set. See above before you change them.
const SHORT: [u64; 2] = [0xc1f4_cce8_f85d_6b81, 0xa69f_09cf_5f1c_d4c4];

/// Hashes after 10,000 ticks.
const LONG: [u64; 2] = [0x4428_df6a_101b_aae7, 0xcd32_1d8c_0dab_8671];

#[test]
fn the_short_game_has_its_pinned_hash() {
    let hashes = RULE_SETS.map(|set| Game::new(set, 40, 1).hash_after(300));
    assert_eq!(hashes, SHORT, "found {hashes:#018x?}");
}

#[test]
fn the_long_game_has_its_pinned_hash() {
    let games = RULE_SETS.map(|set| {
        let mut game = Game::new(set, 40, 1);
        let hash = game.hash_after(10_000);
        game.world.audit().unwrap();
        (hash, game)
    });
    for (_, game) in &games {
        for cause in [Cause::Head, Cause::Body, Cause::Live, Cause::Obstacle, Cause::Edge] {
            assert!(game.deaths.contains_key(&cause), "nobody died of {cause:?}: the hash says nothing of it");
        }
    }
    let hashes = games.map(|(hash, _)| hash);
    assert_eq!(hashes, LONG, "found {hashes:#018x?}");
}

#[test]
fn the_number_of_threads_does_not_change_a_hash() {
    for set in RULE_SETS {
        // So many that a step does share its work out.
        let mut games = [1, 2, 7].map(|threads| Game::new(set, 300, threads));
        for tick in 0..40 {
            let hashes = games.each_mut().map(|game| game.hash_after(10));
            assert!(games[0].world.population() > 250);
            assert!(hashes.iter().all(|&hash| hash == hashes[0]), "{set:?}, tick {}: {hashes:x?}", (tick + 1) * 10);
        }
    }
}
