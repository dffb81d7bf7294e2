//! The canonical workload: exact checksums, and agreement with brute force.

use ringsnake::Hits;
use ringsnake::lanes::Level;
use ringsnake::oracle::Counter;
use ringsnake::sim::Sim;
use ringsnake::workload::Scenario;

fn sum(scenario: Scenario, ticks: usize) -> Hits {
    let mut sim = Sim::new(scenario, 1, Level::best()).unwrap();
    for _ in 0..300 {
        sim.tick();
    }
    (0..ticks).fold(Hits::default(), |sum, _| sum.plus(sim.tick().hits))
}

#[test]
fn s1_gives_the_exact_checksum() {
    let hits = sum(Scenario::S1, 1_000);
    assert_eq!((hits.hits, hits.hsum), (25_258, 2_167_121_638));
}

#[test]
fn s2_gives_the_exact_checksum() {
    let hits = sum(Scenario::S2, 1_000);
    assert_eq!((hits.hits, hits.hsum), (3_391_629, 785_385_205));
}

#[test]
fn s3_gives_the_exact_checksum() {
    let hits = sum(Scenario::S3, 1_000);
    assert_eq!((hits.hits, hits.hsum), (2_084_456, 2_498_199_870));
}

#[test]
fn brute_force_finds_the_same_hits() {
    for scenario in [Scenario::S1, Scenario::S2, Scenario::S3] {
        let mut sim = Sim::new(scenario, 1, Level::best()).unwrap();
        let mut counter = Counter::new(sim.trails());
        for _ in 0..10 {
            sim.tick();
            let seen = sim.compare(&mut counter);
            assert_eq!((seen.misses, seen.ghosts), (0, 0));
        }
    }
}
