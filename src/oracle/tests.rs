use super::*;
use crate::workload::{Scenario, Workload};

/// A snake of radius 2 whose body goes straight to its head.
fn snake(id: u32, body: &[V], from: V, to: V) -> SceneSnake {
    SceneSnake { id, radius: 2.0, kill_radius: 1.8, body: body.to_vec(), from, to, ..SceneSnake::default() }
}

fn scene(snakes: Vec<SceneSnake>) -> Scene {
    Scene { snakes, ..Scene::default() }
}

/// Victim, killer, cause and time of each death.
fn deaths(scene: &Scene) -> Vec<(u32, Option<u32>, Cause, f64)> {
    let brief = |death: &Death| (death.victim, death.contact.owner, death.contact.cause, death.contact.toi);
    scene.judge().deaths.iter().map(brief).collect()
}

fn column(x: f64, from: i32, to: i32) -> Vec<V> {
    (from..=to).step_by(10).map(|y| [x, f64::from(y)]).collect()
}

#[test]
fn two_heads_that_arrive_at_one_place_both_die() {
    let scene = scene(vec![
        snake(1, &[[-36.0, 0.0], [-24.0, 0.0], [-12.0, 0.0], [0.0, 0.0]], [0.0, 0.0], [4.0, 0.0]),
        snake(2, &[[4.0, -40.0], [4.0, -28.0], [4.0, -16.0], [4.0, -4.0]], [4.0, -4.0], [4.0, 0.0]),
    ]);
    let found = deaths(&scene);
    assert_eq!(
        found.iter().map(|d| (d.0, d.1, d.2)).collect::<Vec<_>>(),
        [(1, Some(2), Cause::Head), (2, Some(1), Cause::Head)]
    );
}

fn crossing_at_different_times() -> Scene {
    scene(vec![
        snake(1, &[[-36.0, 0.0], [-24.0, 0.0], [-12.0, 0.0]], [-8.0, 0.0], [-4.0, 0.0]),
        snake(2, &[[-6.0, -39.5], [-6.0, -27.5], [-6.0, -15.5]], [-6.0, -7.5], [-6.0, -3.5]),
    ])
}

#[test]
fn the_first_to_pass_lives_and_the_other_dies_of_its_fresh_trail() {
    let found = deaths(&crossing_at_different_times());
    assert_eq!((found.len(), found[0].0, found[0].1, found[0].2), (1, 2, Some(1), Cause::Live));
    assert!((found[0].3 - 0.925).abs() < 1e-12, "{found:?}");
}

#[test]
fn the_order_of_the_snakes_changes_nothing() {
    let forward = crossing_at_different_times();
    let mut backward = forward.clone();
    backward.snakes.reverse();
    assert_eq!(deaths(&forward), deaths(&backward));
}

#[test]
fn a_giant_kills_from_seventy_units() {
    let giant = SceneSnake {
        radius: 80.0,
        kill_radius: 72.0,
        ..snake(1, &column(130.0, -200, 200), [130.0, 205.0], [130.0, 212.0])
    };
    let scene = scene(vec![giant, snake(2, &[[60.0, 8.0], [60.0, 18.0]], [60.0, 28.0], [60.0, 32.0])]);
    assert_eq!(deaths(&scene), [(2, Some(1), Cause::Body, 0.0)]);
}

#[test]
fn who_starts_too_close_dies_at_once() {
    let scene = scene(vec![
        snake(1, &column(0.0, -50, 50), [0.0, 50.0], [0.0, 57.0]),
        snake(2, &[[-13.5, 5.0], [-3.5, 5.0]], [-3.5, 5.0], [3.5, 5.0]),
    ]);
    assert_eq!(deaths(&scene), [(2, Some(1), Cause::Body, 0.0)]);
}

#[test]
fn a_snake_that_dies_in_this_tick_still_kills() {
    let row = |xs: [f64; 4]| xs.map(|x| [x, 0.0]);
    let scene = scene(vec![
        snake(1, &row([-30.0, -20.0, -10.0, 0.0]), [0.0, 0.0], [4.0, 0.0]),
        snake(2, &row([38.0, 28.0, 18.0, 8.0]), [8.0, 0.0], [4.0, 0.0]),
        snake(3, &[[-20.0, 18.0], [-20.0, 8.0]], [-20.0, 6.0], [-20.0, 2.0]),
    ]);
    let found = deaths(&scene);
    assert_eq!(found.iter().map(|d| d.0).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!((found[2].1, found[2].2), (Some(1), Cause::Body));
}

#[test]
fn three_in_a_ring_kill_each_other() {
    let thin = |id, a: V, b: V, to: V| snake(id, &[a, b], b, to);
    let scene = scene(vec![
        thin(1, [-30.0, 0.0], [0.0, 0.0], [6.0, 0.0]),
        thin(2, [8.0, -30.0], [8.0, 10.0], [2.0, 14.0]),
        thin(3, [0.0, 40.0], [0.0, 10.0], [-4.0, 3.0]),
    ]);
    let killers: Vec<_> = deaths(&scene).iter().map(|d| (d.0, d.1)).collect();
    assert_eq!(killers, [(1, Some(2)), (2, Some(3)), (3, Some(1))]);
}

#[test]
fn exactly_at_the_kill_distance_lives() {
    let side = |y: f64| {
        scene(vec![
            snake(1, &[[-13.0, 0.0], [-3.0, 0.0]], [10.0, 0.0], [17.0, 0.0]),
            SceneSnake { radius: 2.0, kill_radius: 0.0, ..snake(2, &[], [0.0, y], [7.0, y]) },
        ])
    };
    assert_eq!(deaths(&side(3.8)), []);
    assert_eq!(side(3.8).judge().margin, 0.0);
    assert_eq!(deaths(&side(3.75)), [(2, Some(1), Cause::Body, 0.0)]);
    assert!((side(3.75).judge().clearance[1] + 0.05).abs() < 1e-12);
}

#[test]
fn a_broken_trail_lets_through_where_it_is_broken() {
    let gate = |gaps: Vec<bool>| {
        let body = [[-30.0, 0.0], [-20.0, 0.0], [20.0, 0.0], [40.0, 0.0]];
        let broken = SceneSnake { gaps, ..snake(1, &body, [45.0, 0.0], [50.0, 0.0]) };
        scene(vec![broken, snake(2, &[], [0.0, 5.0], [0.0, -5.0])])
    };
    assert_eq!(deaths(&gate(vec![])).len(), 1);
    assert_eq!(deaths(&gate(vec![false, false, true, false])), []);
}

#[test]
fn a_sample_broken_off_on_both_sides_kills_as_a_point() {
    let lone = |x: f64| {
        let body = [[-30.0, 0.0], [0.0, 0.0], [30.0, 0.0]];
        let broken = SceneSnake { gaps: vec![false, true, true], ..snake(1, &body, [35.0, 0.0], [40.0, 0.0]) };
        scene(vec![broken, snake(2, &[], [x, 9.0], [x, -9.0])])
    };
    assert_eq!(deaths(&lone(1.0)).len(), 1);
    assert_eq!(deaths(&lone(-30.0)).len(), 1);
    for x in [-15.0, 15.0] {
        assert_eq!(deaths(&lone(x)), [], "{x}");
    }
}

#[test]
fn the_neck_is_a_stretch_like_any_other() {
    let scene = scene(vec![
        snake(1, &[[-20.0, 0.0], [-10.0, 0.0]], [0.0, 0.0], [3.0, 0.0]),
        snake(2, &[], [-5.0, 6.0], [-5.0, 1.0]),
    ]);
    let found = deaths(&scene);
    assert_eq!((found[0].0, found[0].2), (2, Cause::Body));
    assert!((found[0].3 - 2.2 / 5.0).abs() < 1e-12);
}

#[test]
fn a_ghost_neither_kills_nor_dies() {
    let mut scene = crossing_at_different_times();
    for ghost in 0..2 {
        scene.snakes[ghost].ghost = true;
        assert_eq!(deaths(&scene), []);
        scene.snakes[ghost].ghost = false;
    }
}

#[test]
fn the_longer_survives_where_the_rule_says_so() {
    let mut scene = scene(vec![snake(1, &[], [0.0, 0.0], [4.0, 0.0]), snake(2, &[], [8.0, 0.0], [4.0, 0.0])]);
    scene.snakes[0].length = 500.0;
    assert_eq!(deaths(&scene).len(), 2);
    scene.longer_survives = true;
    assert_eq!(deaths(&scene).iter().map(|d| d.0).collect::<Vec<_>>(), [2]);
    scene.snakes[1].length = 500.0;
    assert_eq!(deaths(&scene).len(), 2);
}

#[test]
fn the_own_body_kills_beyond_the_neck_only() {
    let hook = [[0.0, 20.0], [0.0, 10.0], [0.0, 0.0], [10.0, 0.0], [10.0, 10.0]];
    let mut curled = scene(vec![snake(1, &hook, [10.0, 12.0], [3.0, 14.0])]);
    assert_eq!(deaths(&curled), []);
    curled.own_body = true;
    assert_eq!(deaths(&curled).iter().map(|d| (d.0, d.1, d.2)).collect::<Vec<_>>(), [(1, None, Cause::Own)]);
    let mut straight = scene(vec![snake(1, &column(0.0, 0, 100), [0.0, 103.0], [0.0, 110.0])]);
    straight.own_body = true;
    assert_eq!(deaths(&straight), []);
}

#[test]
fn obstacles_and_the_edge_credit_nobody() {
    let mut place = scene(vec![snake(1, &[], [80.0, 0.0], [95.0, 0.0])]);
    place.obstacles = vec![Obstacle::Box { min: [90.0, -5.0], max: [99.0, 5.0] }];
    assert_eq!(deaths(&place), [(1, None, Cause::Obstacle, 8.0 / 15.0)]);
    place.arena = Some([83.0, 83.0]);
    assert_eq!(deaths(&place), [(1, None, Cause::Edge, 0.2)]);
    place.obstacles = vec![Obstacle::Circle { center: [86.0, 0.0], radius: 2.0 }];
    assert_eq!(deaths(&place), [(1, None, Cause::Obstacle, 2.0 / 15.0)]);
}

#[test]
fn who_is_exactly_on_the_edge_is_inside() {
    let at_edge = |r: [f64; 2]| Scene { arena: Some(r), ..scene(vec![snake(1, &[], [60.0, 80.0], [60.0, 80.0])]) };
    assert_eq!(deaths(&at_edge([100.0, 100.0])), []);
    assert_eq!(deaths(&at_edge([101.0, 99.0])), [(1, None, Cause::Edge, 0.5)]);
}

/// Positions in [-30, 30], on a lattice so coarse that touching and parallel cases come up.
struct Draw(u64);

impl Draw {
    fn next(&mut self, n: u64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n) as f64
    }

    fn place(&mut self) -> V {
        [self.next(61) - 30.0, self.next(61) - 30.0]
    }
}

const SAMPLES: u32 = 400;

/// The first of many moments at which `distance` is below `reach`, and the least of them all.
fn sampled(distance: impl Fn(f64) -> f64, reach: f64) -> (Option<f64>, f64) {
    let times = || (0..=SAMPLES).map(|k| f64::from(k) / f64::from(SAMPLES));
    (times().find(|&t| distance(t) < reach), times().map(&distance).fold(f64::INFINITY, f64::min))
}

/// The computed time is never later than the sampled one, nor earlier by more than a sample, unless the contact is
/// a slight one that the samples overlook.
fn agree(hit: bool, toi: Option<f64>, (first, least): (Option<f64>, f64), reach: f64, what: &str) {
    match (first, toi) {
        (Some(first), Some(toi)) => {
            assert!(hit && toi <= first + 1e-9, "{what}: {toi} after {first}");
            let slight = least > reach - 0.2;
            assert!(slight || toi >= first - 1.01 / f64::from(SAMPLES), "{what}: {toi} long before {first}");
        }
        (Some(_), None) => panic!("{what}: missed"),
        (None, _) => {
            assert!(hit == toi.is_some() && !hit || least < reach + 0.2, "{what}: ghost, {least} against {reach}");
        }
    }
}

#[test]
fn times_of_contact_are_those_of_small_steps() {
    let mut draw = Draw(7);
    for round in 0..20_000 {
        let ([p0, p1], [a, b]) = ([draw.place(), draw.place()], [draw.place(), draw.place()]);
        let reach = draw.next(24) / 2.0 + 0.5;
        let distance = |t| plane::point_segment2(between(p0, p1, t), a, b).sqrt();
        let hit = plane::segment_segment2(p0, p1, a, b) < reach * reach;
        let toi = plane::enters_capsule(p0, p1, a, b, reach);
        agree(hit, toi, sampled(distance, reach), reach, &format!("stretch, round {round}"));
    }
}

#[test]
fn times_on_fresh_trail_are_those_of_small_steps() {
    let mut draw = Draw(11);
    for round in 0..20_000 {
        let pair = Pair { p0: draw.place(), p1: draw.place(), q0: draw.place(), q1: draw.place() };
        let reach = draw.next(24) / 2.0 + 0.5;
        let laid =
            |t| plane::point_segment2(between(pair.p0, pair.p1, t), pair.q0, between(pair.q0, pair.q1, t)).sqrt();
        let hit = pair.distance2() < reach * reach;
        let toi = [pair.heads_meet(reach), pair.trail_met(reach)].into_iter().flatten().min_by(f64::total_cmp);
        agree(hit, toi, sampled(laid, reach), reach, &format!("fresh trail, round {round}"));
    }
}

#[test]
fn times_at_a_box_and_at_a_moving_edge_are_those_of_small_steps() {
    let mut draw = Draw(13);
    for round in 0..20_000 {
        let (p0, p1, min) = (draw.place(), draw.place(), draw.place());
        let max = [min[0] + draw.next(20), min[1] + draw.next(20)];
        let reach = draw.next(24) / 2.0 + 0.5;
        let outside = |p: V, i: usize| (min[i] - p[i]).max(p[i] - max[i]).max(0.0);
        let at = |t| between(p0, p1, t);
        let distance = |t| outside(at(t), 0).hypot(outside(at(t), 1));
        let hit = plane::segment_box2(p0, p1, min, max) < reach * reach;
        agree(
            hit,
            plane::enters_box(p0, p1, min, max, reach),
            sampled(distance, reach),
            reach,
            &format!("box {round}"),
        );

        let (r0, r1) = (draw.next(40), draw.next(40));
        let inside = |t| r0 + t * (r1 - r0) - at(t)[0].hypot(at(t)[1]);
        let toi = plane::leaves_circle(p0, p1, r0, r1);
        agree(toi.is_some(), toi, sampled(inside, -1e-9), -1e-9, &format!("edge {round}"));
    }
}

#[test]
fn far_rectangles_hide_nothing() {
    let (mut workload, bodies) = Workload::new(Scenario { snakes: 60, arena: 700, giants: 3 }).unwrap();
    let mut counter = Counter::new(bodies);
    for _ in 0..5 {
        workload.step();
        let moves = workload.ways();
        counter.follow(&workload, &moves);
        let count = counter.count(&workload, &moves);
        assert_eq!(count.hits(), hits_without_rectangles(&workload, &counter, &moves));
    }
}

fn hits_without_rectangles(workload: &Workload, counter: &Counter, moves: &[crate::workload::Move]) -> u64 {
    let units = |p: crate::geom::lattice::Point| [f64::from(p.x) / 64.0, f64::from(p.y) / 64.0];
    let mut hits = 0;
    for (head, way) in (0..).zip(moves) {
        for owner in (0..60).filter(|&owner| owner != head) {
            let body: Vec<V> = counter.body(owner).map(units).collect();
            let reach = f64::from(workload.radius(head) + workload.kill_radius(owner)) / 64.0;
            let near =
                |pair: &&[V]| plane::segment_segment2(units(way.from), units(way.to), pair[0], pair[1]).sqrt() < reach;
            hits += body.windows(2).filter(near).count() as u64;
        }
    }
    hits
}

/// Hits, `hsum` and smallest margin of a scenario's measured ticks.
fn checksum(scenario: Scenario, warm_up: u32, ticks: u32) -> (u64, u32, f64) {
    let (mut workload, bodies) = Workload::new(scenario).unwrap();
    let mut counter = Counter::new(bodies);
    let (mut hits, mut hsum, mut margin) = (0, 0_u32, f64::INFINITY);
    for tick in 0..warm_up + ticks {
        workload.step();
        let moves = workload.ways();
        counter.follow(&workload, &moves);
        if tick >= warm_up {
            let count = counter.count(&workload, &moves);
            hits += count.hits();
            hsum = hsum.wrapping_add(count.hsum);
            margin = count.margin.min(margin);
        }
    }
    (hits, hsum, margin)
}

#[test]
fn the_first_measured_ticks_of_the_workloads_have_their_known_checksums() {
    let known = [
        (Scenario::S1, 40, 1_069, 439_688_059),
        (Scenario::S2, 5, 17_038, 3_318_173_308),
        (Scenario::S3, 5, 8_799, 3_824_636_591),
    ];
    for (scenario, ticks, hits, hsum) in known {
        let found = checksum(scenario, 300, ticks);
        assert_eq!((found.0, found.1), (hits, hsum), "{scenario:?}");
    }
}

#[test]
#[ignore = "a minute or more: every tick of the three scenarios by brute force"]
fn the_workloads_have_their_known_checksums() {
    let known = [
        (Scenario::S1, 25_258, 2_167_121_638),
        (Scenario::S2, 3_391_629, 785_385_205),
        (Scenario::S3, 2_084_456, 2_498_199_870),
    ];
    for (scenario, hits, hsum) in known {
        let start = std::time::Instant::now();
        let found = checksum(scenario, 300, 1_000);
        println!("{scenario:?}: {found:?} in {:?}", start.elapsed());
        assert_eq!((found.0, found.1), (hits, hsum), "{scenario:?}");
    }
}
