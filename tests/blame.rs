//! Who dies of whom, when everything happens in one tick: the same whatever the snakes are called and in whatever
//! order they stand.

mod arena_kit;

use arena_kit::{at, deaths, permutations, quiet, steps, thin};
use ringsnake::oracle::{Tolerance, disagreement};
use ringsnake::world::{Cause, Contestant, HeadOn, JudgeRules, Placement, SnakeId, World, judge};

/// Judges the scene under every order and every naming of its snakes. All verdicts are the same in terms of places in
/// the scene, and the oracle's; it is returned as victim, killer, cause.
fn everywhere(scene: &[Contestant], rules: &JudgeRules) -> Vec<(u32, Option<u32>, Cause)> {
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
    let found = everywhere(&cycle_of_three(), &JudgeRules::default());
    assert_eq!(found.iter().map(|d| (d.0, d.1)).collect::<Vec<_>>(), [(0, Some(1)), (1, Some(2)), (2, Some(0))]);
}

/// Heads of a world that run along the sides of a triangle, each into the trail of the next: births in this order.
fn triangle(world: &mut World, center: [f64; 2], order: &[u32]) -> [SnakeId; 3] {
    let mut ids = [SnakeId::NOBODY; 3];
    for &k in order {
        let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 3.0).sin_cos();
        // A side of 200 u, at 200 / sqrt(12) u from the centre; the way starts 18.4 u before it.
        let [x, y] = [-118.4, -57.7];
        let from = at(center[0] + x * cos - y * sin, center[1] + x * sin + y * cos);
        let placement = Placement { at: from, heading: (k * 21_845) as u16, length: 400 * 64, shield_ticks: 0 };
        ids[k as usize] = world.spawn_at(placement).unwrap();
    }
    ids
}

#[test]
fn cycles_of_three_die_in_one_tick_in_every_order_of_birth_and_with_any_number_of_threads() {
    for (order, threads) in permutations(3).iter().flat_map(|order| [1, 2, 7].map(|threads| (order, threads))) {
        let mut config = quiet(10_000.0);
        config.engine.threads = threads;
        config.engine.share_from = 1;
        let mut world = World::new(config, 1).unwrap();
        // So many that the judging is shared out; each stands otherwise in its cells.
        let cycles: Vec<[SnakeId; 3]> = (0..60_u32)
            .map(|n| [n % 10, n / 10].map(|k| f64::from(k) * 807.0 - 4_000.0))
            .map(|center| triangle(&mut world, center, order))
            .collect();
        steps(&mut world, 53);
        assert_eq!(world.population(), 180, "{order:?}, {threads} threads");
        world.step();
        let mut found: Vec<_> = deaths(&world).iter().map(|d| (d.victim, d.killer, d.cause)).collect();
        let chain = |[a, b, c]: [SnakeId; 3]| [(a, b), (b, c), (c, a)].map(|(x, y)| (x, y, Cause::Body));
        let mut expected: Vec<_> = cycles.into_iter().flat_map(chain).collect();
        found.sort_by_key(|death| death.0);
        expected.sort_by_key(|death| death.0);
        assert_eq!(found, expected, "{order:?}, {threads} threads");
        assert_eq!((world.population(), world.audit()), (0, Ok(())));
    }
}

#[test]
fn two_heads_that_meet_both_die_and_each_kills_the_other() {
    let scene = [
        thin(0, &[[-36.0, 0.0], [0.0, 0.0]], [0.0, 0.0], [4.0, 0.0]),
        thin(1, &[[4.0, -40.0], [4.0, -4.0]], [4.0, -4.0], [4.0, 0.0]),
    ];
    let found = everywhere(&scene, &JudgeRules::default());
    assert_eq!(found, [(0, Some(1), Cause::Head), (1, Some(0), Cause::Head)]);
}

#[test]
fn of_two_heads_that_meet_the_longer_survives_where_the_rules_say_so() {
    let rules = JudgeRules { head_on: HeadOn::LongerSurvives, ..JudgeRules::default() };
    let scene = [
        thin(0, &[[-40.0, 0.0], [-1.0, 0.0]], [-1.0, 0.0], [3.0, 0.0]),
        thin(1, &[[30.0, 0.0], [9.0, 0.0]], [9.0, 0.0], [5.0, 0.0]),
    ];
    assert_eq!(everywhere(&scene, &rules), [(1, Some(0), Cause::Head)]);
    let alike = [scene[0].clone(), thin(1, &[[48.0, 0.0], [9.0, 0.0]], [9.0, 0.0], [5.0, 0.0])];
    assert_eq!(everywhere(&alike, &rules).len(), 2, "of two that are equally long none is the longer");
}

#[test]
fn a_snake_dying_in_this_tick_still_kills() {
    let row = |xs: [f64; 4]| xs.map(|x| [x, 0.0]);
    let scene = [
        thin(0, &row([-30.0, -20.0, -10.0, 0.0]), [0.0, 0.0], [4.0, 0.0]),
        thin(1, &row([38.0, 28.0, 18.0, 8.0]), [8.0, 0.0], [4.0, 0.0]),
        thin(2, &[[-20.0, 18.0], [-20.0, 8.0]], [-20.0, 6.0], [-20.0, 2.0]),
    ];
    let found = everywhere(&scene, &JudgeRules::default());
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
    let found = everywhere(&scene, &JudgeRules::default());
    assert_eq!(found.iter().map(|d| (d.0, d.1)).collect::<Vec<_>>(), [(0, Some(1)), (1, Some(2)), (2, Some(3))]);
}

#[test]
fn between_two_bodies_met_at_once_length_and_place_decide_and_not_the_name() {
    let head = thin(0, &[[0.0, -30.0], [0.0, -10.0]], [0.0, -10.0], [0.0, 0.0]);
    let side = |x: f64, length: f64| thin(1, &[[x, length], [x, -2.0], [x, -3.0]], [x, -3.0], [x, -3.0]);
    let longer_right = [head.clone(), side(-3.0, 50.0), side(3.0, 60.0)];
    assert_eq!(everywhere(&longer_right, &JudgeRules::default())[0].1, Some(2));
    let alike = [head, side(-3.0, 50.0), side(3.0, 50.0)];
    assert_eq!(everywhere(&alike, &JudgeRules::default())[0].1, Some(1), "the one with the smaller x");
}

#[test]
fn an_earlier_edge_takes_the_credit_from_a_later_body() {
    let rules = JudgeRules { arena_radius: Some(100.0), ..JudgeRules::default() };
    let scene = [
        thin(0, &[[60.0, 0.0], [98.0, 0.0]], [98.0, 0.0], [106.0, 0.0]),
        thin(1, &[[108.0, -9.0], [108.0, 9.0]], [90.0, 30.0], [90.0, 33.0]),
    ];
    let found = everywhere(&scene, &rules);
    assert_eq!(found, [(0, None, Cause::Edge)]);
}

#[test]
fn the_body_of_a_tick_is_what_stood_at_its_start_tail_included() {
    // The other's tail ends in the head's way; in this tick it would be trimmed.
    let scene = [
        thin(0, &[[0.0, -30.0], [0.0, -8.0]], [0.0, -8.0], [0.0, -2.0]),
        thin(1, &[[-1.0, 0.0], [-11.0, 0.0], [-40.0, 0.0]], [-40.0, 0.0], [-47.0, 0.0]),
    ];
    assert_eq!(everywhere(&scene, &JudgeRules::default()), [(0, Some(1), Cause::Body)]);
}
