//! Bots by the thousand.

use ringsnake::bots::Bots;
use ringsnake::world::{Config, Event, RuleSet, World};

fn run(set: RuleSet, count: usize, ticks: u32) -> (World, u32, u64) {
    let mut config = Config::default();
    config.rules.set = set;
    let mut world = World::new(config, 11).unwrap();
    let mut bots = Bots::new(count, 11);
    let (mut deaths, mut lived) = (0, 0);
    for _ in 0..ticks {
        bots.think(&mut world);
        world.step();
        for event in world.events() {
            if let Event::Died(_) = event {
                deaths += 1;
            }
        }
        lived += world.population() as u64;
    }
    world.audit().unwrap();
    (world, deaths, lived)
}

#[test]
fn bots_live_long_enough_to_be_worth_meeting_and_die_now_and_then() {
    for set in [RuleSet::Survival, RuleSet::Pellets] {
        let (world, deaths, lived) = run(set, 50, 3_000);
        let life = lived as f64 / 30.0 / f64::from(deaths.max(1));
        println!("{set:?}: {deaths} deaths in 100 s of 50 bots, a life of {life:.0} s");
        assert!(deaths > 5, "a game in which something happens");
        assert!(life > 15.0, "bots that can play: {life} s");
        assert!(world.population() > 35);
    }
}

#[test]
fn a_thousand_bots_play() {
    let (world, deaths, _) = run(RuleSet::Survival, 1_000, 300);
    assert!(world.population() > 700, "{}, {deaths} deaths", world.population());
}
