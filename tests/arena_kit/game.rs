//! A game that needs no players: everything that can be done to a world is done to it, by dice.

use super::at;
use ringsnake::geom::lattice::Point;
use ringsnake::world::{Cause, Config, Event, Obstacle, Placement, Rng, RuleSet, SnakeId, World};
use std::collections::BTreeMap;

/// A world, and dice that play in it.
pub struct Game {
    pub world: World,
    dice: Rng,
    /// Snakes that the arena is kept filled with.
    crowd: usize,
    /// Deaths of each cause.
    pub deaths: BTreeMap<Cause, u32>,
}

/// A small arena with walls, in which things grow fast.
fn config(set: RuleSet, crowd: usize, threads: u32) -> Config {
    let mut config = Config::default();
    config.arena.radius = (crowd as f64 * 12_000.0).sqrt().round();
    config.arena.radius_min = 400.0;
    config.arena.area_per_snake = 36_000.0;
    config.arena.obstacles = vec![
        Obstacle::Box { min: [-40.0, 100.0], max: [60.0, 130.0] },
        Obstacle::Circle { center: [-200.0, -150.0], radius: 30.0 },
    ];
    config.rules.set = set;
    config.rules.own_body = set == RuleSet::Pellets;
    config.survival.growth = 300.0;
    config.pellets.length = 60.0;
    config.spawn.clearance = 20.0;
    config.engine.threads = threads;
    config.engine.share_from = 1;
    config
}

impl Game {
    pub fn new(set: RuleSet, crowd: usize, threads: u32) -> Self {
        let world = World::new(config(set, crowd, threads), 7).unwrap();
        Self { world, dice: Rng::new(11), crowd, deaths: BTreeMap::new() }
    }

    pub fn tick(&mut self) {
        let ids: Vec<SnakeId> = self.world.snakes().map(|snake| snake.id()).collect();
        ids.into_iter().for_each(|id| self.play(id));
        while self.world.population() < self.crowd {
            if self.dice.below(10) == 0 {
                self.place();
            } else if self.world.spawn().is_err() {
                break;
            }
        }
        self.world.step();
        for event in self.world.events() {
            if let Event::Died(death) = event {
                *self.deaths.entry(death.cause).or_default() += 1;
            }
        }
    }

    /// The hash after so many more ticks.
    pub fn hash_after(&mut self, ticks: u32) -> u64 {
        (0..ticks).for_each(|_| self.tick());
        self.world.state_hash()
    }

    fn play(&mut self, id: SnakeId) {
        match self.dice.below(4_000) {
            0 => _ = self.world.remove(id),
            1..4 => {
                let there = self.somewhere();
                self.world.teleport(id, there);
            }
            4..400 => _ = self.world.steer(id, self.dice.next_u64() as u16, self.dice.below(3) == 0),
            _ => {}
        }
    }

    fn somewhere(&mut self) -> Point {
        let radius = self.world.radius();
        Point::new(self.dice.between(-radius, radius), self.dice.between(-radius, radius))
    }

    /// Puts a snake somewhere without asking whether there is room.
    fn place(&mut self) {
        let (place, heading) = (self.somewhere(), self.dice.next_u64() as u16);
        let length = self.dice.between(200, 12_000) * 64;
        let placement = Placement { at: place, heading, length, shield_ticks: self.dice.below(3) };
        if self.world.spawn_at(placement).is_err() {
            let _ = self.world.spawn_at(Placement { at: at(0.0, 0.0), ..placement });
        }
    }
}
