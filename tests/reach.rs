//! How far a head looks: over cells, borders and quadrants, whatever its speed and whatever the other's size. Each
//! scene is judged by the engine and by brute force.

mod arena_kit;

use arena_kit::thin;
use ringsnake::oracle::{Tolerance, disagreement};
use ringsnake::world::{Contestant, JudgeRules, Rng, judge};

/// The victims, which are the oracle's as well.
fn victims(snakes: &[Contestant]) -> Vec<u32> {
    let rules = &JudgeRules::default();
    let differ = disagreement(snakes, rules, Tolerance::default()).unwrap();
    assert_eq!(differ, None, "{snakes:#?}");
    judge(snakes, rules).unwrap().iter().map(|death| death.victim).collect()
}

fn moved(snake: &Contestant, f: impl Fn([f64; 2]) -> [f64; 2]) -> Contestant {
    let body = snake.body.iter().copied().map(&f).collect();
    Contestant { body, from: f(snake.from), to: f(snake.to), ..snake.clone() }
}

/// The scene mirrored into each quadrant, and turned.
fn quadrants(scene: &[Contestant]) -> Vec<Vec<Contestant>> {
    let maps: [fn([f64; 2]) -> [f64; 2]; 8] = [
        |[x, y]| [x, y],
        |[x, y]| [-x, y],
        |[x, y]| [x, -y],
        |[x, y]| [-x, -y],
        |[x, y]| [y, x],
        |[x, y]| [-y, x],
        |[x, y]| [y, -x],
        |[x, y]| [-y, -x],
    ];
    maps.iter().map(|f| scene.iter().map(|snake| moved(snake, f)).collect()).collect()
}

fn shifted(scene: &[Contestant], by: [f64; 2]) -> Vec<Contestant> {
    scene.iter().map(|snake| moved(snake, |[x, y]| [x + by[0], y + by[1]])).collect()
}

/// A giant's body along y, and a thin head that glides along it at this distance.
fn beside_a_giant(distance: f64, radius: f64) -> Vec<Contestant> {
    let column = (0..9).map(|k| [0.0, f64::from(k) * 10.0 - 160.0]).collect();
    let giant = Contestant { id: 1, radius, body: column, from: [0.0, -80.0], to: [0.0, -73.0], ..Default::default() };
    let y = -120.0;
    vec![giant, thin(2, &[[distance, y - 20.0], [distance, y - 10.0]], [distance, y], [distance, y + 3.0])]
}

#[test]
fn a_thin_head_beside_a_giant_dies_wherever_the_two_lie_in_the_cells() {
    let quantum = 1.0 / 64.0;
    for radius in [80.0, 500.0] {
        let reach = 2.0 + 0.9 * radius;
        for k in 0..170 {
            let by = [f64::from(k) * 0.75 + 3.0, f64::from(k * 37 % 129)];
            for scene in quadrants(&shifted(&beside_a_giant(reach - quantum, radius), by)) {
                assert!(victims(&scene).contains(&2), "radius {radius}, moved by {by:?}");
            }
            let spared = shifted(&beside_a_giant(reach, radius), by);
            let spared: Vec<_> = spared.into_iter().filter(|snake| snake.id == 2 || radius == 80.0).collect();
            assert!(!victims(&spared).contains(&2), "exactly at the kill distance, moved by {by:?}");
        }
    }
}

#[test]
fn the_four_quadrants_around_the_origin_are_judged_alike() {
    let near = [0.0, 0.5, 1.0 / 64.0, 63.5, 64.0];
    for (a, b) in near.iter().flat_map(|&a| near.iter().map(move |&b| (a, b))) {
        let hit = [
            thin(1, &[[a - 30.0, b], [a - 10.0, b]], [a, b], [a + 4.0, b]),
            thin(
                2,
                &[[a + 6.0, b - 30.0], [a + 6.0, b - 10.0], [a + 6.0, b + 10.0]],
                [a + 6.0, b + 20.0],
                [a + 6.0, b + 24.0],
            ),
        ];
        for scene in quadrants(&hit) {
            assert_eq!(victims(&scene), [1], "at {a}, {b}");
        }
        let across = [hit[0].clone(), moved(&hit[1], |[x, y]| [x + 2.0, y])];
        for scene in quadrants(&across) {
            assert_eq!(victims(&scene), [] as [u32; 0], "at {a}, {b}");
        }
    }
}

#[test]
fn a_head_that_crosses_many_cells_in_a_tick_meets_what_lies_in_each() {
    for k in 0..40 {
        let x = -195.0 + f64::from(k) * 10.0;
        let post = thin(2, &[[x, -3.0], [x, 3.0]], [x, 13.0], [x, 16.0]);
        for slope in [-150.0, 0.0, 33.0, 390.0] {
            let [from, to] = [-1.0, 1.0].map(|t: f64| [t * 200.0, t * slope / 2.0]);
            let head = thin(1, &[[from[0] - 10.0, from[1]]], from, to);
            let far = 500.0;
            for by in [[0.0, 0.0], [far, -far], [-20_000.0, 19_999.5]] {
                let scene = shifted(&[head.clone(), moved(&post, |[x, y]| [x, y + x * slope / 400.0])], by);
                assert!(victims(&scene).contains(&1), "post at {x}, slope {slope}");
            }
        }
    }
}

#[test]
fn fast_heads_in_a_crowd_are_judged_as_brute_force_judges_them() {
    for seed in 0..1_500 {
        let mut dice = Rng::new(seed);
        let mut place = |spread: i32| [0, 1].map(|_| f64::from(dice.between(-spread, spread)) / 64.0);
        let snakes: Vec<Contestant> = (0..10)
            .map(|id| {
                let (from, way, bend) = (place(40_000), place(25_000), place(3_000));
                let body = (1..12).rev().map(|k| [0, 1].map(|i| from[i] - bend[i] * f64::from(k) / 3.0)).collect();
                let radius = [2.0, 5.0, 80.0][id as usize % 3];
                Contestant { id, radius, body, from, to: [0, 1].map(|i| from[i] + way[i]), ..Default::default() }
            })
            .collect();
        victims(&snakes);
    }
}

#[test]
fn a_segment_too_long_for_a_lane_kills_along_its_whole_length() {
    let long = thin(1, &[[-3_000.0, -700.0], [3_000.0, 700.0]], [3_000.0, 710.0], [3_000.0, 713.0]);
    for k in -29..30 {
        let (x, y) = (f64::from(k) * 100.0, f64::from(k) * 700.0 / 30.0);
        let head = thin(2, &[[x, y - 20.0]], [x, y - 6.0], [x, y - 3.0]);
        assert_eq!(victims(&[long.clone(), head.clone()]), [2], "at {x}");
        let stays = moved(&head, |[x, y]| [x, y - 1.5]);
        assert_eq!(victims(&[long.clone(), stays]), [] as [u32; 0], "at {x}");
    }
}

#[test]
fn segments_just_short_and_just_too_long_for_a_lane_are_judged_alike() {
    for quanta in [32_766, 32_767, 32_768, 32_769, 400_000] {
        let length = f64::from(quanta) / 64.0;
        let long = thin(1, &[[-length / 2.0, 0.0], [length / 2.0, 0.0]], [length / 2.0, 20.0], [length / 2.0, 23.0]);
        for part in [-0.499, -0.25, 0.0, 0.3, 0.499] {
            let head = thin(2, &[[part * length, -20.0]], [part * length, -8.0], [part * length, -3.5]);
            for scene in quadrants(&shifted(&[long.clone(), head], [64.0 - length / 2.0, 0.0])) {
                assert_eq!(victims(&scene), [2], "{quanta} quanta, at {part}");
            }
        }
    }
}

#[test]
fn heads_that_cross_the_whole_lattice_meet_what_lies_there_and_cost_no_more_than_what_there_is() {
    let far = 262_000.0;
    let post = |id: u32, x: f64| thin(id, &[[x, x - 3.0], [x, x + 3.0]], [x, x + 13.0], [x, x + 16.0]);
    let mut scene: Vec<_> = (0..60).map(|k| post(k, f64::from(k) * 4_000.0 - 120_000.0)).collect();
    // As many squares of tiles as these boxes cover would take gigabytes.
    for k in 0..128 {
        let off = 20.0 + f64::from(k) * 3.0;
        let from = [off - far, -far];
        scene.push(thin(100 + k, &[[from[0], from[1] - 10.0]], from, [far, far - off]));
    }
    scene.push(thin(99, &[[-far, -far - 10.0]], [-far, -far], [far, far]));
    let victims = victims(&scene);
    assert!(victims.contains(&99), "{victims:?}");
}
