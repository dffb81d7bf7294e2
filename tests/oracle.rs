//! Whole ticks of the engine against brute force in f64.

use ringsnake::geom::angle::unit;
use ringsnake::oracle::{Tolerance, disagreement};
use ringsnake::world::{Contestant, HeadOn, JudgeRules, Obstacle, Rng};

fn walk(dice: &mut Rng, start: [f64; 2], samples: u32, step: i32) -> Vec<[f64; 2]> {
    let mut heading = dice.next_u64() as u16;
    let mut at = start;
    (0..samples)
        .map(|_| {
            heading = heading.wrapping_add(dice.between(-6_000, 6_000) as u16);
            let [c, s] = unit(heading);
            let way = f64::from(dice.between(step / 2, step)) / 64.0;
            at = [at[0] + f64::from(c) / 65_536.0 * way, at[1] + f64::from(s) / 65_536.0 * way];
            at
        })
        .collect()
}

fn contestant(dice: &mut Rng, id: u32, spread: i32, center: [f64; 2]) -> Contestant {
    let place = |dice: &mut Rng| f64::from(dice.between(-spread, spread)) / 64.0;
    let start = [center[0] + place(dice), center[1] + place(dice)];
    let samples = 1 + dice.below(30);
    let long = if dice.below(20) == 0 { 60_000 } else { 900 };
    let mut path = walk(dice, start, samples + 2, long);
    let (to, from) = (path.pop().unwrap(), path.pop().unwrap());
    let gaps = (0..samples as usize).filter(|_| dice.below(6) == 0).collect();
    let radius = [2.0, 2.0, f64::from(dice.between(128, 1_200)) / 64.0, 80.0][dice.below(4) as usize];
    Contestant { id, radius, body: path, gaps, from, to: if dice.below(10) == 0 { from } else { to } }
}

fn obstacle(dice: &mut Rng, spread: i32, center: [f64; 2]) -> Obstacle {
    let mut place = || center.map(|c| c + f64::from(dice.between(-spread, spread)) / 64.0);
    let ([x0, y0], [x1, y1]) = (place(), place());
    if dice.below(2) == 0 {
        return Obstacle::Circle { center: [x0, y0], radius: f64::from(dice.below(spread as u32 / 4)) / 64.0 };
    }
    let flat = [0.0, 0.1, 1.0][dice.below(3) as usize];
    Obstacle::Box { min: [x0.min(x1), y0], max: [x0.max(x1), y0 + flat * (y1 - y0).abs()] }
}

fn crowd(seed: u64) -> (Vec<Contestant>, JudgeRules) {
    let mut dice = Rng::new(seed);
    let center = [0, 1].map(|_| f64::from(dice.between(-20_000, 20_000)));
    let spread = [2_000, 10_000, 60_000][dice.below(3) as usize];
    let count = 2 + dice.below(14);
    let snakes = (0..count).map(|k| contestant(&mut dice, 100 + k * 7 % 15 * 100 + k, spread, center)).collect();
    let rules = JudgeRules {
        head_on: if dice.below(2) == 0 { HeadOn::BothDie } else { HeadOn::LongerSurvives },
        own_body: dice.below(2) == 0,
        arena_radius: (dice.below(3) == 0).then(|| center[0].hypot(center[1]) + 10.0),
        obstacles: (0..dice.below(4)).map(|_| obstacle(&mut dice, spread, center)).collect(),
    };
    (snakes, rules)
}

#[test]
fn random_crowds_are_judged_as_brute_force_judges_them() {
    for seed in 0..20_000 {
        let (snakes, rules) = crowd(seed);
        if let Some(difference) = disagreement(&snakes, &rules, Tolerance::default()).unwrap() {
            panic!("seed {seed}: {difference}\n{rules:?}\n{snakes:#?}");
        }
    }
}
