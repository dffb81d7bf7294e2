//! What a view reads of a world: the seam at which tests put a scene of their own.

use crate::geom::lattice::{Point, Rect};
use crate::wire::snapshot::State;
use crate::world::{Food, Snake, SnakeId, World};

/// A world, as far as a view looks at it.
pub trait Scene {
    /// A living snake.
    type Body<'s>: Body
    where
        Self: 's;

    /// Steps taken.
    fn tick(&self) -> u64;
    /// Radius of the arena, quanta.
    fn radius(&self) -> i32;
    /// The snake with this id, while it lives.
    fn snake(&self, id: SnakeId) -> Option<Self::Body<'_>>;
    /// Everybody alive.
    fn snakes(&self) -> impl Iterator<Item = Self::Body<'_>>;
    /// Food in the rectangle, appended.
    fn food_in(&self, rect: Rect, out: &mut Vec<Food>);
}

/// A living snake, as far as a view looks at it.
pub trait Body: Copy {
    /// Who.
    fn id(&self) -> SnakeId;
    /// Head and looks.
    fn state(&self) -> State;
    /// Length, quanta.
    fn length(&self) -> i32;
    /// Number of the oldest sample.
    fn first(&self) -> u32;
    /// Number after that of the newest.
    fn end(&self) -> u32;
    /// A sample by its number.
    fn sample(&self, n: u32) -> Point;
    /// Whether the trail is broken before that sample.
    fn gap_before(&self, n: u32) -> bool;

    /// The newest sample.
    fn newest_sample(&self) -> Point {
        self.sample(self.end().wrapping_sub(1))
    }

    /// So many samples from a number on, and whether the trail is broken before each.
    fn samples(&self, from: u32, count: u32) -> impl Iterator<Item = (Point, bool)> {
        let number = move |i: u32| from.wrapping_add(i);
        (0..count).map(move |i| (self.sample(number(i)), self.gap_before(number(i))))
    }
}

impl Scene for World {
    type Body<'s> = Snake<'s>;

    fn tick(&self) -> u64 {
        World::tick(self)
    }

    fn radius(&self) -> i32 {
        World::radius(self)
    }

    fn snake(&self, id: SnakeId) -> Option<Snake<'_>> {
        World::snake(self, id)
    }

    fn snakes(&self) -> impl Iterator<Item = Snake<'_>> {
        World::snakes(self)
    }

    fn food_in(&self, rect: Rect, out: &mut Vec<Food>) {
        World::food_in(self, rect, out);
    }
}

impl Body for Snake<'_> {
    fn id(&self) -> SnakeId {
        Snake::id(self)
    }

    fn state(&self) -> State {
        State {
            head: self.head(),
            heading: self.heading(),
            radius: u16::try_from(self.radius()).unwrap_or(u16::MAX),
            boost: self.boosting(),
            shield: self.shielded(),
        }
    }

    fn length(&self) -> i32 {
        Snake::length(self)
    }

    fn first(&self) -> u32 {
        Snake::first(self)
    }

    fn end(&self) -> u32 {
        Snake::end(self)
    }

    fn sample(&self, n: u32) -> Point {
        Snake::sample(self, n)
    }

    fn gap_before(&self, n: u32) -> bool {
        Snake::gap_before(self, n)
    }

    fn newest_sample(&self) -> Point {
        Snake::newest_sample(self)
    }

    fn samples(&self, from: u32, count: u32) -> impl Iterator<Item = (Point, bool)> {
        Snake::samples(self, from, count)
    }
}
