//! Who dies of whom, when everything happens in one tick: the same whatever the snakes are called and in whatever
//! order they stand.

mod arena_kit;

use arena_kit::{permutations, thin};
use ringsnake::oracle::{Tolerance, disagreement};
use ringsnake::world::{Cause, Contestant, HeadOn, JudgeRules, judge};

/// Judges the scene under every order and every naming of its snakes. All verdicts are the same in terms of places in
/// the scene, and the oracle's; it is returned as victim, killer, cause.
fn everywhere(scene: &[Contestant], rules: JudgeRules) -> Vec<(u32, Option<u32>, Cause)> {
    let orders = permutations(scene.len() as u32);
    let mut verdict = None;
    for (order, names) in orders.iter().flat_map(|order| orders.iter().map(move |names| (order, names))) {
        let named = |k: u32| Contestant { id: 10 + names[k as usize], ..scene[k as usize].clone() };
        let place = |id: u32| names.iter().position(|&name| 10 + name == id).unwrap() as u32;
        let snakes: Vec<Contestant> = order.iter().map(|&k| named(k)).collect();
        let deaths = judge(&snakes, rules).unwrap();
        let mut found: Vec<_> = deaths.iter().map(|d| (place(d.victim), d.killer.map(place), d.cause)).collect();
        found.sort_unstable();
        assert_eq!(*verdict.get_or_insert_with(|| found.clone()), found, "{order:?} {names:?}");
    }
    assert_eq!(disagreement(scene, rules, Tolerance::default()), Ok(None));
    verdict.unwrap()
}

/// Heads that run into the bodies of one another, round and round.
fn cycle_of_three() -> Vec<Contestant> {
    vec![
        thin(0, &[[-30.0, 0.0], [0.0, 0.0]], [0.0, 0.0], [6.0, 0.0]),
        thin(1, &[[8.0, -30.0], [8.0, 10.0]], [8.0, 10.0], [2.0, 14.0]),
        thin(2, &[[0.0, 40.0], [0.0, 10.0]], [0.0, 10.0], [-4.0, 3.0]),
    ]
}

#[test]
fn a_cycle_of_three_kills_three() {
    let found = everywhere(&cycle_of_three(), JudgeRules::default());
    assert_eq!(found.iter().map(|d| (d.0, d.1)).collect::<Vec<_>>(), [(0, Some(1)), (1, Some(2)), (2, Some(0))]);
}

#[test]
fn two_heads_that_meet_both_die_and_each_kills_the_other() {
    let scene = [
        thin(0, &[[-36.0, 0.0], [0.0, 0.0]], [0.0, 0.0], [4.0, 0.0]),
        thin(1, &[[4.0, -40.0], [4.0, -4.0]], [4.0, -4.0], [4.0, 0.0]),
    ];
    let found = everywhere(&scene, JudgeRules::default());
    assert_eq!(found, [(0, Some(1), Cause::Head), (1, Some(0), Cause::Head)]);
}

#[test]
fn of_two_heads_that_meet_the_longer_survives_where_the_rules_say_so() {
    let rules = JudgeRules { head_on: HeadOn::LongerSurvives, ..JudgeRules::default() };
    let scene = [
        thin(0, &[[-40.0, 0.0], [-1.0, 0.0]], [-1.0, 0.0], [3.0, 0.0]),
        thin(1, &[[30.0, 0.0], [9.0, 0.0]], [9.0, 0.0], [5.0, 0.0]),
    ];
    assert_eq!(everywhere(&scene, rules), [(1, Some(0), Cause::Head)]);
    let alike = [scene[0].clone(), thin(1, &[[48.0, 0.0], [9.0, 0.0]], [9.0, 0.0], [5.0, 0.0])];
    assert_eq!(everywhere(&alike, rules).len(), 2, "of two that are equally long none is the longer");
}

#[test]
fn a_snake_dying_in_this_tick_still_kills() {
    let row = |xs: [f64; 4]| xs.map(|x| [x, 0.0]);
    let scene = [
        thin(0, &row([-30.0, -20.0, -10.0, 0.0]), [0.0, 0.0], [4.0, 0.0]),
        thin(1, &row([38.0, 28.0, 18.0, 8.0]), [8.0, 0.0], [4.0, 0.0]),
        thin(2, &[[-20.0, 18.0], [-20.0, 8.0]], [-20.0, 6.0], [-20.0, 2.0]),
    ];
    let found = everywhere(&scene, JudgeRules::default());
    assert_eq!((found.len(), found[2]), (3, (2, Some(0), Cause::Body)));
}

#[test]
fn a_chain_kills_all_but_its_last() {
    let scene: Vec<Contestant> = (0..4)
        .map(|k| {
            let x = f64::from(k) * 8.0;
            thin(k, &[[x, -40.0], [x, f64::from(k) * 5.0]], [x, f64::from(k) * 5.0], [x + 5.0, f64::from(k) * 5.0])
        })
        .collect();
    let found = everywhere(&scene, JudgeRules::default());
    assert_eq!(found.iter().map(|d| (d.0, d.1)).collect::<Vec<_>>(), [(0, Some(1)), (1, Some(2)), (2, Some(3))]);
}

#[test]
fn between_two_bodies_met_at_once_length_and_place_decide_and_not_the_name() {
    let head = thin(0, &[[0.0, -30.0], [0.0, -10.0]], [0.0, -10.0], [0.0, 0.0]);
    let side = |x: f64, length: f64| thin(1, &[[x, length], [x, -2.0], [x, -3.0]], [x, -3.0], [x, -3.0]);
    let longer_right = [head.clone(), side(-3.0, 50.0), side(3.0, 60.0)];
    assert_eq!(everywhere(&longer_right, JudgeRules::default())[0].1, Some(2));
    let alike = [head, side(-3.0, 50.0), side(3.0, 50.0)];
    assert_eq!(everywhere(&alike, JudgeRules::default())[0].1, Some(1), "the one with the smaller x");
}

#[test]
fn an_earlier_edge_takes_the_credit_from_a_later_body() {
    let rules = JudgeRules { arena_radius: Some(100.0), ..JudgeRules::default() };
    let scene = [
        thin(0, &[[60.0, 0.0], [98.0, 0.0]], [98.0, 0.0], [106.0, 0.0]),
        thin(1, &[[108.0, -9.0], [108.0, 9.0]], [90.0, 30.0], [90.0, 33.0]),
    ];
    let found = everywhere(&scene, rules);
    assert_eq!(found, [(0, None, Cause::Edge)]);
}

#[test]
fn the_body_of_a_tick_is_what_stood_at_its_start_tail_included() {
    // The other's tail ends in the head's way; in this tick it would be trimmed.
    let scene = [
        thin(0, &[[0.0, -30.0], [0.0, -8.0]], [0.0, -8.0], [0.0, -2.0]),
        thin(1, &[[-1.0, 0.0], [-11.0, 0.0], [-40.0, 0.0]], [-40.0, 0.0], [-47.0, 0.0]),
    ];
    assert_eq!(everywhere(&scene, JudgeRules::default()), [(0, Some(1), Cause::Body)]);
}
