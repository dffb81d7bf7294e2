//! Whole ticks: the engine and the oracle judge the same scene.

use super::bytes::{Bytes, on_lattice};
use ringsnake::geom::lattice::Point;
use ringsnake::limits::RADIUS_MAX;
use ringsnake::oracle::{Tolerance, disagreement};
use ringsnake::world::{Contestant, HeadOn, JudgeRules, Obstacle};

const SNAKES_MAX: u32 = 12;

/// A scene of bytes.
pub fn tick(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let (snakes, rules) = scene(&mut bytes);
    let difference = disagreement(&snakes, &rules, Tolerance::default());
    assert_eq!(difference, Ok(None), "{rules:?}\n{snakes:#?}");
}

fn scene(bytes: &mut Bytes<'_>) -> (Vec<Contestant>, JudgeRules) {
    let rules = bytes.u8();
    let center = Point::new(bytes.i24(), bytes.i24());
    let edge = f64::from(center.x).hypot(f64::from(center.y)) / 64.0 + f64::from(bytes.i8());
    let obstacles = (0..rules >> 3 & 3).map(|_| obstacle(bytes, center)).collect();
    let snakes = (0..SNAKES_MAX).map_while(|id| (id < 2 || !bytes.is_empty()).then(|| contestant(bytes, id, center)));
    let snakes = snakes.collect();
    let head_on = if rules & 1 == 0 { HeadOn::BothDie } else { HeadOn::LongerSurvives };
    let arena_radius = (rules & 4 != 0).then_some(edge.max(0.0));
    (snakes, JudgeRules { head_on, own_body: rules & 2 != 0, arena_radius, obstacles })
}

/// A circle, or a box that may be flat.
fn obstacle(bytes: &mut Bytes<'_>, center: Point) -> Obstacle {
    let (shape, at) = (bytes.u8(), bytes.near(center).to_units());
    let mut size = || f64::from(bytes.u16()) / f64::from(64 << (shape & 6));
    if shape & 1 == 0 {
        return Obstacle::Circle { center: at, radius: size() };
    }
    let max = [at[0] + size(), at[1] + size()];
    Obstacle::Box { min: at, max }
}

/// The body is a walk that ends at the head. Some steps are as long as a lane holds, and longer.
fn contestant(bytes: &mut Bytes<'_>, id: u32, center: Point) -> Contestant {
    let shape = bytes.u8();
    let radius = match shape >> 6 {
        0 => 2.0,
        1 => 80.0,
        2 => f64::from(bytes.u16()) / 64.0,
        _ => RADIUS_MAX,
    };
    let mut at = bytes.near(center);
    let (mut body, mut gaps) = (Vec::new(), Vec::new());
    for n in 0..usize::from(shape & 15) {
        let joint = bytes.u8();
        if joint & 3 == 0 {
            gaps.push(n);
        }
        body.push(at.to_units());
        at = on_lattice(at, bytes.i8() << (joint >> 5), bytes.i8() << (joint >> 5));
    }
    let from = at;
    let to = if shape & 0x20 == 0 { on_lattice(from, bytes.i8() * 8, bytes.i8() * 8) } else { bytes.near(from) };
    Contestant { id: id * 7 % 13, radius, body, gaps, from: from.to_units(), to: to.to_units() }
}
