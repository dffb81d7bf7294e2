//! The world as an embedder sees it.

use ringsnake::geom::lattice::{Point, Rect};
use ringsnake::world::{Config, Event, Obstacle, Placement, Rng, RuleSet, SnakeId, SpawnError, World};

fn small_arena(radius: f64) -> Config {
    let mut config = Config::default();
    config.arena.radius = radius;
    config.arena.radius_min = radius;
    config
}

fn place(world: &mut World, x: f64, y: f64, heading: u16) -> SnakeId {
    let at = Point::from_units([x, y]).unwrap();
    world.spawn_at(Placement { at, heading, length: 300 * 64, shield_ticks: 0 }).unwrap()
}

fn deaths(world: &World) -> Vec<(SnakeId, SnakeId)> {
    let died = world.events().iter();
    died.filter_map(|event| if let Event::Died(d) = event { Some((d.victim, d.killer)) } else { None }).collect()
}

/// Everyone turns at random and boosts now and then; the dead come back.
fn wander(world: &mut World, dice: &mut Rng, wanted: usize) {
    let ids: Vec<SnakeId> = world.snakes().map(|snake| snake.id()).collect();
    for id in ids {
        if dice.below(10) == 0 {
            world.steer(id, dice.next_u64() as u16, dice.below(3) == 0);
        }
        if dice.below(2_000) == 0 {
            world.remove(id);
        }
        if dice.below(500) == 0 {
            let there = Point::new(dice.between(-40_000, 40_000), dice.between(-40_000, 40_000));
            world.teleport(id, there);
        }
    }
    while world.population() < wanted && world.spawn().is_ok() {}
    world.step();
}

#[test]
fn a_snake_leaves_a_trail_as_long_as_it_is() {
    let mut world = World::new(small_arena(20_000.0), 1).unwrap();
    let id = place(&mut world, 0.0, 0.0, 0);
    for _ in 0..900 {
        world.step();
    }
    let snake = world.snake(id).unwrap();
    let points: Vec<Point> = snake.trail().collect();
    let arc: f64 = points.windows(2).map(|w| (w[0].distance2(w[1]) as f64).sqrt()).sum();
    let length = f64::from(snake.length());
    assert!(arc <= length + 20.0 * 64.0 && arc >= length - 2.0 * 64.0, "{arc} against {length}");
    assert!(snake.length() > 600 * 64, "it grew by itself");
}

#[test]
fn the_bodies_and_the_grid_agree_after_every_kind_of_step() {
    for (seed, set) in [(1, RuleSet::Survival), (2, RuleSet::Pellets)] {
        let mut config = small_arena(900.0);
        config.rules.set = set;
        config.survival.growth = 3_000.0;
        config.pellets.length = 200.0;
        config.arena.obstacles.push(Obstacle::Box { min: [-50.0, -50.0], max: [50.0, 50.0] });
        let mut world = World::new(config, seed).unwrap();
        let mut dice = Rng::new(seed);
        let mut died = 0;
        for tick in 0..1_500 {
            wander(&mut world, &mut dice, 60);
            died += deaths(&world).len();
            if tick % 7 == 0 {
                world.audit().unwrap();
            }
        }
        assert!(died > 100, "{died}");
        let everyone: Vec<SnakeId> = world.snakes().map(|snake| snake.id()).collect();
        everyone.into_iter().for_each(|id| assert!(world.remove(id)));
        world.audit().unwrap();
        assert_eq!(world.population(), 0);
    }
}

#[test]
fn threads_do_not_change_the_hash() {
    let hashes: Vec<Vec<u64>> = [1, 2, 7]
        .map(|threads| {
            let mut config = small_arena(1_500.0);
            config.engine.threads = threads;
            config.engine.share_from = 1;
            let mut world = World::new(config, 5).unwrap();
            let mut dice = Rng::new(5);
            (0..200)
                .map(|_| {
                    wander(&mut world, &mut dice, 250);
                    world.state_hash()
                })
                .collect()
        })
        .into();
    assert_eq!(hashes[0], hashes[1]);
    assert_eq!(hashes[0], hashes[2]);
}

#[test]
fn who_is_in_a_rectangle_is_found_and_nobody_else() {
    let mut world = World::new(small_arena(1_200.0), 3).unwrap();
    let mut dice = Rng::new(3);
    for _ in 0..300 {
        wander(&mut world, &mut dice, 100);
        let center = Point::new(dice.between(-60_000, 60_000), dice.between(-60_000, 60_000));
        let rect = Rect::around(center, dice.between(0, 30_000), dice.between(0, 30_000));
        let mut found = Vec::new();
        world.snakes_in(rect, &mut found);
        let brute: Vec<SnakeId> = world
            .snakes()
            .filter(|snake| {
                let mut path: Vec<(Point, bool)> = (0..snake.end().wrapping_sub(snake.first()))
                    .map(|k| snake.first().wrapping_add(k))
                    .map(|n| (snake.sample(n), n == snake.first() || snake.gap_before(n)))
                    .collect();
                path.push((snake.head(), false));
                path.windows(2).any(|w| {
                    let start = if w[1].1 { w[0].0 } else { w[1].0 };
                    let (a, b) = (w[0].0, start);
                    a.x.min(b.x) <= rect.max.x
                        && a.x.max(b.x) >= rect.min.x
                        && a.y.min(b.y) <= rect.max.y
                        && a.y.max(b.y) >= rect.min.y
                })
            })
            .map(|snake| snake.id())
            .collect();
        assert_eq!(found, brute);
    }
}

#[test]
fn a_crowded_arena_refuses_a_spawn_with_a_reason() {
    let mut config = small_arena(300.0);
    config.capacity = 5_000;
    let mut world = World::new(config, 9).unwrap();
    let mut dice = Rng::new(9);
    let mut refused = 0;
    for _ in 0..2_000 {
        match world.spawn() {
            Ok(_) | Err(SpawnError::Full) => {}
            Err(error) => {
                assert_eq!(error, SpawnError::NoRoom);
                refused += 1;
            }
        }
        wander(&mut world, &mut dice, 0);
    }
    assert!(refused > 0);
}

#[test]
fn a_newborn_is_never_within_reach_of_the_living() {
    let mut world = World::new(small_arena(2_000.0), 4).unwrap();
    let mut dice = Rng::new(4);
    for _ in 0..60 {
        wander(&mut world, &mut dice, 300);
    }
    let mut spawned = 0;
    for _ in 0..10_000 {
        let Ok(id) = world.spawn() else { continue };
        spawned += 1;
        let at = world.snake(id).unwrap().head();
        for other in world.snakes().filter(|s| s.id() != id && !s.shielded()) {
            let reach = f64::from(2 * 64) + 0.9 * f64::from(other.radius());
            let nearest = other.trail().chain([other.head()]).map(|p| p.distance2(at)).min().unwrap();
            assert!((nearest as f64).sqrt() > reach);
        }
        world.remove(id);
    }
    assert!(spawned > 100);
}

#[test]
fn a_piece_is_eaten_once_by_the_head_that_crosses_it_first() {
    let mut config = small_arena(5_000.0);
    config.rules.set = RuleSet::Pellets;
    config.motion.speed = 6_000.0;
    config.motion.boost = 6_000.0;
    let mut world = World::new(config, 4).unwrap();
    let _ = place(&mut world, 0.0, 0.0, 0);
    let (mut eaten, mut seen) = (Vec::new(), 0);
    for _ in 0..20 {
        world.step();
        let mut all = Vec::new();
        world.food_in(Rect::around(Point::default(), 400_000, 400_000), &mut all);
        seen = seen.max(all.len());
        eaten.extend(
            world.events().iter().filter_map(|e| if let Event::Ate { food, .. } = e { Some(*food) } else { None }),
        );
    }
    let mut once = eaten.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), eaten.len());
    assert!(seen > 20);
}

#[test]
fn ids_of_the_dead_are_of_nobody() {
    let mut world = World::new(small_arena(1_000.0), 1).unwrap();
    let old = place(&mut world, 0.0, 0.0, 0);
    world.remove(old);
    let new = place(&mut world, 0.0, 0.0, 0);
    assert_eq!(old.index(), new.index());
    assert!(world.snake(old).is_none() && !world.steer(old, 0, true) && !world.remove(old));
    assert!(world.snake(new).is_some());
}

#[test]
fn leaving_the_circle_kills_and_credits_nobody() {
    let mut world = World::new(small_arena(200.0), 1).unwrap();
    let id = place(&mut world, 190.0, 0.0, 0);
    for _ in 0..5 {
        world.step();
        if !deaths(&world).is_empty() {
            break;
        }
    }
    assert_eq!(deaths(&world), [(id, SnakeId::NOBODY)]);
}
