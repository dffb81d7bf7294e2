//! What the dead, the removed and the moved leave behind: nothing that stands in an index, nothing that is swept.

mod arena_kit;

use arena_kit::{Game, at, deaths, place, quiet, steps};
use ringsnake::geom::lattice::Point;
use ringsnake::world::{Cause, Obstacle, RuleSet, SnakeId, World};
use std::collections::BTreeMap;

const QUARTER: u16 = 16_384;

fn audit(world: &World) {
    world.audit().unwrap_or_else(|what| panic!("tick {}: {what}", world.tick()));
}

/// A unit vector for each heading of a quarter.
fn direction(quarter: u16) -> [f64; 2] {
    [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]][usize::from(quarter)]
}

#[test]
fn who_dies_as_the_head_reaches_a_cell_border_leaves_nothing_in_the_grid() {
    for border in [-128.0, -64.0, 0.0, 64.0, 128.0] {
        for quarter in 0..4 {
            let [c, s] = direction(quarter);
            let along = |way: f64| [c * way - s * 5.0, s * way + c * 5.0];
            let mut config = quiet(2_000.0);
            // A head on the border is 1.5 u from this disc and has a radius of 2 u; a step before it was 5.5 u away.
            config.arena.obstacles.push(Obstacle::Circle { center: along(border + 4.5), radius: 3.0 });
            let mut world = World::new(config, 1).unwrap();
            let [x, y] = along(border - 40.0);
            let id = place(&mut world, x, y, quarter * QUARTER, 300.0);
            while world.snake(id).is_some() {
                audit(&world);
                world.step();
            }
            let death = deaths(&world)[0];
            assert_eq!((world.tick(), death.cause, death.victim), (10, Cause::Obstacle, id));
            audit(&world);
            assert_eq!(world.population(), 0);
        }
    }
}

#[test]
fn who_is_removed_on_any_tick_of_a_walk_leaves_nothing_in_the_grid() {
    for quarter in 0..4 {
        for ticks in 0..80 {
            let mut world = World::new(quiet(2_000.0), 1).unwrap();
            let [c, s] = direction(quarter);
            // Crosses x = 64.0 (and 0, and -64) exactly, and is trimmed from tick 51 on.
            let id = place(&mut world, -128.0 * c, -128.0 * s, quarter * QUARTER, 200.0);
            steps(&mut world, ticks);
            assert!(world.remove(id));
            audit(&world);
            assert_eq!(world.population(), 0);
        }
    }
}

#[test]
fn who_is_killed_on_any_tick_of_a_walk_leaves_nothing_in_the_grid() {
    for ticks in 0..80 {
        let mut world = World::new(quiet(2_000.0), 1).unwrap();
        let id = place(&mut world, -128.0, 0.0, 0, 200.0);
        steps(&mut world, ticks);
        let head = world.snake(id).unwrap().head().to_units();
        // A newborn right in the way: the two meet in the tick of its birth.
        let newborn = place(&mut world, head[0] + 5.0, head[1], 2 * QUARTER, 200.0);
        audit(&world);
        world.step();
        assert!(world.snake(id).is_none() && world.snake(newborn).is_none(), "tick {ticks}");
        audit(&world);
        assert_eq!(world.population(), 0);
    }
}

#[test]
fn a_giant_that_dies_in_a_crowd_leaves_nothing_in_the_grid() {
    let mut config = quiet(3_000.0);
    config.body.length_max = 1e6;
    let mut world = World::new(config, 1).unwrap();
    let giant = place(&mut world, -1_000.0, 0.0, 0, 60_000.0);
    let other = place(&mut world, -1_000.0, 500.0, 0, 2_000.0);
    steps(&mut world, 400);
    let [x, y] = world.snake(giant).unwrap().head().to_units();
    let newborn = place(&mut world, x + 40.0, y, QUARTER, 60_000.0);
    world.step();
    assert!(world.snake(giant).is_none() && world.snake(newborn).is_none() && world.snake(other).is_some());
    audit(&world);
}

/// A wall of body along x = 0, from y = -160 up, whose head is far away.
fn wall(world: &mut World) -> SnakeId {
    let wall = place(world, 0.0, -160.0, QUARTER, 900.0);
    steps(world, 100);
    wall
}

#[test]
fn a_teleport_kills_nobody_between_its_ends() {
    let mut world = World::new(quiet(2_000.0), 1).unwrap();
    let wall = wall(&mut world);
    let traveller = place(&mut world, -300.0, 0.0, 2 * QUARTER, 300.0);
    steps(&mut world, 20);
    for k in 0..20 {
        let side = if k % 2 == 0 { 300.0 } else { -300.0 };
        assert!(world.teleport(traveller, at(side, f64::from(k) * 5.0)));
        audit(&world);
        world.step();
        assert!(world.snake(traveller).is_some() && world.snake(wall).is_some(), "jump {k}: {:?}", deaths(&world));
        audit(&world);
    }
}

#[test]
fn nobody_dies_of_the_gap_that_a_teleport_leaves() {
    let mut world = World::new(quiet(2_000.0), 1).unwrap();
    let traveller = place(&mut world, -300.0, 0.0, 2 * QUARTER, 900.0);
    steps(&mut world, 20);
    world.teleport(traveller, at(300.0, 0.0));
    let walker = place(&mut world, 0.0, -40.0, QUARTER, 300.0);
    steps(&mut world, 20);
    assert!(world.snake(walker).unwrap().head().y > 0 && world.snake(traveller).is_some());
}

#[test]
fn the_first_sweep_of_a_newborn_starts_where_it_is_born() {
    let mut world = World::new(quiet(700.0), 1).unwrap();
    let wall = wall(&mut world);
    for _ in 0..10 {
        // Dies at the edge, on the left; the next one in its row is born on the right.
        let old = place(&mut world, -690.0, 0.0, 2 * QUARTER, 300.0);
        while world.snake(old).is_some() {
            world.step();
        }
        let new = place(&mut world, 300.0, 0.0, QUARTER, 300.0);
        assert_eq!(new.index(), old.index());
        world.step();
        assert!(world.snake(new).is_some() && world.snake(wall).is_some(), "{:?}", deaths(&world));
        assert!(world.remove(new));
        world.teleport(wall, at(0.0, 0.0));
    }
}

#[test]
fn an_id_does_not_come_back_for_four_thousand_tenants_of_its_row() {
    let mut world = World::new(quiet(1_000.0), 1).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    let mut last = SnakeId::NOBODY;
    for _ in 0..4_096 {
        let id = place(&mut world, 0.0, 0.0, 0, 300.0);
        assert!(seen.insert(id) && id.index() == 0 && id != SnakeId::NOBODY);
        assert!(!world.steer(last, 0, true) && !world.teleport(last, at(1.0, 1.0)) && !world.remove(last));
        last = id;
        assert!(world.remove(id));
    }
    let one_more = place(&mut world, 0.0, 0.0, 0, 300.0);
    assert_eq!(one_more.generation(), 0, "twelve bits of the generation are kept");
}

#[test]
fn the_next_tenant_of_a_row_inherits_nothing() {
    let mut config = quiet(1_000.0);
    config.motion.boost = 240.0;
    let mut world = World::new(config, 1).unwrap();
    let old = place(&mut world, 0.0, 0.0, 0, 20_000.0);
    world.steer(old, QUARTER, true);
    steps(&mut world, 30);
    assert!(world.snake(old).unwrap().boosting() && world.remove(old));
    let new = place(&mut world, 0.0, 500.0, 0, 300.0);
    steps(&mut world, 1);
    let snake = world.snake(new).unwrap();
    assert!(new.index() == old.index() && !snake.boosting() && snake.heading() == 0);
    assert_eq!((snake.radius(), snake.length(), snake.kills(), snake.born()), (2 * 64, 300 * 64, 0, 30));
}

#[test]
fn a_sample_stays_what_it_is_while_its_ring_wraps_and_widens() {
    let mut config = quiet(20_000.0);
    config.survival.growth = 300.0;
    config.motion.boost = 300.0;
    config.motion.boost_cost = 900.0;
    let mut world = World::new(config, 1).unwrap();
    let id = place(&mut world, 0.0, 0.0, 0, 200.0);
    let mut laid: BTreeMap<u32, Point> = BTreeMap::new();
    for tick in 0..4_000_u32 {
        world.steer(id, (tick * 97) as u16, tick % 900 > 600);
        world.step();
        let snake = world.snake(id).unwrap();
        for n in snake.first()..snake.end() {
            let point = *laid.entry(n).or_insert_with(|| snake.sample(n));
            assert_eq!(point, snake.sample(n), "sample {n} in tick {tick}");
        }
        assert_eq!(snake.trail().count() as u32, snake.end() - snake.first());
    }
    let snake = world.snake(id).unwrap();
    assert!(snake.end() > 1_000 && snake.first() > 500, "{}..{}", snake.first(), snake.end());
    audit(&world);
}

#[test]
fn who_glides_beside_a_killer_lives_and_the_killers_radius_does_not_jump() {
    let mut world = World::new(quiet(5_000.0), 1).unwrap();
    let killer = place(&mut world, -500.0, 0.0, 0, 19_600.0);
    let glider = place(&mut world, -500.0, -31.0, 0, 300.0);
    steps(&mut world, 100);
    let radius = world.snake(killer).unwrap().radius();
    assert_eq!(radius, 28 * 64);
    // A giant is born within reach of the killer's trail, far behind its head.
    let victim = place(&mut world, -400.0, 60.0, QUARTER, 60_000.0);
    world.step();
    let death = deaths(&world)[0];
    assert_eq!((death.victim, death.killer, deaths(&world).len()), (victim, killer, 1));
    assert!(world.snake(killer).unwrap().length() > 43_000 * 64, "it got its share");
    let mut before = radius;
    for _ in 0..10 {
        let now = world.snake(killer).unwrap().radius();
        assert!((0..=5).contains(&(now - before)), "2 u/s are 4.3 quanta a tick: {before} to {now}");
        before = now;
        world.step();
        assert!(world.snake(glider).is_some(), "{:?}", deaths(&world));
    }
}

#[test]
fn a_killer_that_outgrows_the_fine_cells_takes_its_body_along() {
    let mut world = World::new(quiet(5_000.0), 1).unwrap();
    let killer = place(&mut world, -500.0, 0.0, 0, 11_100.0);
    steps(&mut world, 100);
    let before = world.snake(killer).unwrap().radius();
    assert!(before < 16 * 64, "{before}");
    place(&mut world, -400.0, 10.0, QUARTER, 60_000.0);
    for _ in 0..40 {
        world.step();
        audit(&world);
    }
    assert!(world.snake(killer).unwrap().radius() > 16 * 64);
    // Its body kills as before, at its new thickness: closer than 2 u + 0.9 x 18 u.
    let beside = place(&mut world, -300.0, 17.5, 0, 300.0);
    world.step();
    assert_eq!(deaths(&world).iter().map(|d| (d.victim, d.killer)).collect::<Vec<_>>(), [(beside, killer)]);
    assert!(world.remove(killer));
    audit(&world);
}

#[test]
fn edge_and_obstacle_credit_nobody() {
    let mut config = quiet(1_000.0);
    config.arena.obstacles.push(Obstacle::Box { min: [300.0, -10.0], max: [320.0, 10.0] });
    let mut world = World::new(config, 1).unwrap();
    let beside = place(&mut world, 0.0, 30.0, 0, 5_000.0);
    let at_wall = place(&mut world, 280.0, 0.0, 0, 300.0);
    let at_edge = place(&mut world, 990.0, 0.0, 0, 300.0);
    let mut found = Vec::new();
    for _ in 0..10 {
        world.step();
        found.extend(deaths(&world).iter().map(|death| (death.victim, death.killer, death.cause)));
    }
    let nobody = SnakeId::NOBODY;
    assert_eq!(found, [(at_edge, nobody, Cause::Edge), (at_wall, nobody, Cause::Obstacle)]);
    let snake = world.snake(beside).unwrap();
    assert_eq!((snake.kills(), snake.length()), (0, 5_000 * 64));
}

#[test]
fn memory_follows_the_living_and_not_the_history() {
    for set in [RuleSet::Survival, RuleSet::Pellets] {
        let mut game = Game::new(set, 60, 1);
        game.hash_after(2_000);
        let early = game.world.bytes();
        game.hash_after(18_000);
        audit(&game.world);
        let late = game.world.bytes();
        assert!(late < 2 * early, "{set:?}: {early} bytes at tick 2,000, {late} at tick 20,000");
        println!("{set:?}: {early} bytes at tick 2,000, {late} at tick 20,000, deaths {:?}", game.deaths);
    }
}
