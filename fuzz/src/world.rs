//! A whole world, driven by bytes through its public face, audited as it goes.

use super::bytes::Bytes;
use ringsnake::geom::lattice::{Point, Rect};
use ringsnake::world::{Config, Event, HeadOn, Obstacle, Placement, RuleSet, SnakeId, World};

const STEPS_MAX: u32 = 300;

/// Bytes that a world may hold at the end of a run: some snakes and two thousand pieces of food need a tenth.
const BYTES_MAX: usize = 64 << 20;

/// A game of bytes.
pub fn world(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let config = config(&mut bytes);
    config.validate().unwrap_or_else(|error| panic!("the target makes valid configs only: {error}"));
    let mut world = World::new(config, u64::from(bytes.u8())).expect("the config is valid");
    let mut ids = vec![SnakeId::NOBODY];
    let mut steps = 0;
    while !bytes.is_empty() && steps < STEPS_MAX {
        steps += act(&mut world, &mut ids, &mut bytes);
    }
    world.audit().unwrap_or_else(|what| panic!("{what}"));
    for id in ids {
        world.remove(id);
    }
    world.audit().unwrap_or_else(|what| panic!("after all are gone: {what}"));
    assert!(world.population() == 0 && world.bytes() < BYTES_MAX, "{} bytes", world.bytes());
}

/// A config whose fields stand at their defaults or at an end of their range. Threads stay one: a pool for each run
/// would be all that is measured.
fn config(bytes: &mut Bytes<'_>) -> Config {
    let mut config = Config::default();
    let flags = bytes.u8();
    config.rules.set = if flags & 1 == 0 { RuleSet::Survival } else { RuleSet::Pellets };
    config.rules.head_on = if flags & 2 == 0 { HeadOn::BothDie } else { HeadOn::LongerSurvives };
    config.rules.own_body = flags & 4 != 0;
    config.capacity = 40;
    config.pellets.pieces_max = 2_000;
    config.arena.radius_min = [100.0, 300.0, 1_000.0, 130_000.0][usize::from(flags >> 3 & 3)];
    config.arena.radius = config.arena.radius_min.max([100.0, 20_000.0, 250_000.0][usize::from(flags >> 5) % 3]);
    for _ in 0..bytes.below(8) {
        stretch(&mut config, bytes.u8(), bytes.u8() & 1 == 1);
    }
    for _ in 0..bytes.below(4) {
        config.arena.obstacles.push(obstacle(bytes));
    }
    config
}

/// Moves one field to an end of its range.
fn stretch(config: &mut Config, field: u8, high: bool) {
    let end = |low: f64, top: f64| if high { top } else { low };
    let (body, motion, spawn) = (&mut config.body, &mut config.motion, &mut config.spawn);
    match field % 16 {
        0 => config.tick_hz = if high { 240 } else { 30 },
        1 => body.spacing = end(1.0, 100.0),
        2 => body.metre = end(1.0, 1e6),
        3 => body.metres_per_radius = end(0.01, 1e6),
        4 => body.radius_max = end(body.radius_min, 500.0),
        5 => body.kill_share = end(0.0, 1.0),
        6 => body.radius_rate = end(0.0, 1e6),
        7 => (body.length_max, spawn.length) = (1e6, end(body.length_min, 1e6)),
        8 => (motion.speed, motion.boost) = (end(24.0, 12_000.0), 12_000.0),
        9 => (motion.turn_radius, motion.turn_radius_per_radius) = (end(0.1, 1e6), end(0.0, 1e3)),
        10 => spawn.shield = end(0.0, 60.0),
        11 => spawn.clearance = end(0.0, 10_000.0),
        12 => config.survival.growth = end(0.0, 1e5),
        13 => (config.survival.kill_share, config.survival.alone_factor) = (end(0.0, 1.0), end(1.0, 0.0)),
        14 => (config.pellets.length, config.pellets.death_share) = (end(0.0, 1e4), 1.0),
        _ => (config.arena.area_per_snake, config.arena.expand_speed) = (end(1.0, 1e12), end(0.0, 1e6)),
    }
}

fn obstacle(bytes: &mut Bytes<'_>) -> Obstacle {
    let [x, y, w, h] = [0; 4].map(|_| f64::from(bytes.i8()));
    if bytes.u8() & 1 == 0 {
        return Obstacle::Circle { center: [x, y], radius: w.abs() };
    }
    Obstacle::Box { min: [x, y], max: [x + w.abs(), y + h.abs()] }
}

/// One call or one run of steps; tells how many steps. Ids of the dead stay in the list and are used as well.
fn act(world: &mut World, ids: &mut Vec<SnakeId>, bytes: &mut Bytes<'_>) -> u32 {
    let op = bytes.u8();
    let id = ids[usize::from(op >> 3) % ids.len()];
    match op & 7 {
        0 => ids.extend(world.spawn()),
        1 => ids.extend(world.spawn_at(placement(bytes))),
        2 => _ = world.steer(id, bytes.u16(), op & 8 != 0),
        3 => _ = world.remove(id),
        4 => _ = world.teleport(id, bytes.near(Point::default())),
        5 => ask(world, id, bytes),
        _ => return run(world, 1 + u32::from(op >> 3) % 8),
    }
    0
}

fn placement(bytes: &mut Bytes<'_>) -> Placement {
    let at = bytes.near(Point::default());
    Placement { at, heading: bytes.u16(), length: bytes.i24(), shield_ticks: u32::from(bytes.u8() & 3) }
}

fn ask(world: &World, id: SnakeId, bytes: &mut Bytes<'_>) {
    let (at, to) = (bytes.near(Point::default()), bytes.near(Point::default()));
    let hit = world.cast(at, to, i32::from(bytes.u8()), id);
    assert!(hit.is_none_or(|hit| (0.0..=1.0).contains(&hit.toi)), "{hit:?}");
    let (mut all, mut food) = (Vec::new(), Vec::new());
    let rect = Rect::around(at, i32::from(bytes.u16()), i32::from(bytes.u16()));
    world.snakes_in(rect, &mut all);
    world.heads_in(rect, &mut all);
    world.longest(3, &mut all);
    world.food_in(rect, &mut food);
    assert!(all.iter().all(|&id| world.snake(id).is_some()) && food.iter().all(|f| world.food(f.id) == Some(*f)));
    assert_eq!(world.rank(id).is_some(), world.snake(id).is_some());
}

fn run(world: &mut World, steps: u32) -> u32 {
    for _ in 0..steps {
        world.step();
        check_events(world);
    }
    world.audit().unwrap_or_else(|what| panic!("tick {}: {what}", world.tick()));
    steps
}

/// The dead are dead, die once, and a killer is another.
fn check_events(world: &World) {
    let mut died = Vec::new();
    for event in world.events() {
        if let Event::Died(death) = event {
            assert!(world.snake(death.victim).is_none() && death.killer != death.victim, "{death:?}");
            assert!((0.0..=1.0).contains(&death.toi) && death.at.iter().all(|x| x.is_finite()), "{death:?}");
            died.push(death.victim);
        }
    }
    let deaths = died.len();
    died.sort_unstable();
    died.dedup();
    assert_eq!(died.len(), deaths, "somebody died twice in a step");
}
