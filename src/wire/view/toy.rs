//! A scene for tests: snakes as lists of points that keep everything they ever were.

use super::scene::{Body, Scene};
use super::{Roster, Seat};
use crate::geom::angle::unit;
use crate::geom::lattice::{Point, Rect};
use crate::wire::mirror::Sample;
use crate::wire::snapshot::State;
use crate::world::{Food, SnakeId};

/// Splitmix64.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) % n
    }

    pub fn within(&mut self, reach: i32) -> i32 {
        self.below(2 * reach as u64 + 1) as i32 - reach
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

#[derive(Clone, Debug)]
pub struct ToySnake {
    pub id: SnakeId,
    pub name: String,
    pub head: Point,
    pub heading: u16,
    pub radius: u16,
    /// Samples wished for.
    pub size: usize,
    /// Every sample there ever was; the first has the number `start`.
    pub laid: Vec<Sample>,
    pub start: u32,
    pub gone: usize,
    pub torn: bool,
}

impl ToySnake {
    fn crawl(&mut self, way: i32) {
        let [x, y] = unit(self.heading);
        self.head = Point::new(self.head.x + x * way / 65_536, self.head.y + y * way / 65_536);
        if self.head.distance2(self.laid.last().unwrap().at) >= 640 * 640 {
            self.laid.push(Sample { at: self.head, broken: self.torn });
        }
        while self.laid.len() - self.gone > self.size.max(1) {
            self.gone += 1;
        }
    }

    pub fn body(&self) -> &[Sample] {
        &self.laid[self.gone..]
    }
}

impl Body for &ToySnake {
    fn id(&self) -> SnakeId {
        self.id
    }

    fn state(&self) -> State {
        State { head: self.head, heading: self.heading, radius: self.radius, boost: self.torn, shield: false }
    }

    fn length(&self) -> i32 {
        self.body().len() as i32 * 640
    }

    fn first(&self) -> u32 {
        self.start.wrapping_add(self.gone as u32)
    }

    fn end(&self) -> u32 {
        self.start.wrapping_add(self.laid.len() as u32)
    }

    fn sample(&self, n: u32) -> Point {
        let at = n.wrapping_sub(self.start) as usize;
        assert!(at >= self.gone, "sample {n} is gone");
        self.laid[at].at
    }

    fn gap_before(&self, n: u32) -> bool {
        self.laid[n.wrapping_sub(self.start) as usize].broken
    }
}

pub struct Toy {
    pub tick: u64,
    pub dice: Dice,
    pub slots: Vec<Option<ToySnake>>,
    generations: Vec<u32>,
    pub food: Vec<Food>,
    pub reach: i32,
    strewn: u32,
}

impl Toy {
    pub fn new(seed: u64, capacity: usize, reach_units: i32) -> Self {
        let (slots, generations) = (vec![None; capacity], vec![0; capacity]);
        Self { tick: 0, dice: Dice(seed), slots, generations, food: Vec::new(), reach: reach_units * 64, strewn: 0 }
    }

    pub fn enter(&mut self, index: usize, at: Point, samples: usize) -> SnakeId {
        self.generations[index] += 1;
        let id = SnakeId::new(index as u32, self.generations[index] & 0xFFF);
        let (heading, start) = (self.dice.below(65_536) as u16, u32::MAX - self.dice.below(60) as u32);
        let first = Sample { at, broken: true };
        let (name, laid) = (format!("snake {id:?}"), vec![first]);
        let mut snake =
            ToySnake { id, name, head: at, heading, radius: 128, size: samples, laid, start, gone: 0, torn: false };
        while snake.laid.len() < samples {
            snake.heading = snake.heading.wrapping_add(self.dice.within(4_000) as u16);
            snake.crawl(640);
        }
        self.slots[index] = Some(snake);
        id
    }

    pub fn enter_anywhere(&mut self, index: usize) -> SnakeId {
        let at = Point::new(self.dice.within(self.reach), self.dice.within(self.reach));
        let samples = 1 + self.dice.below(90) as usize;
        self.enter(index, at, samples)
    }

    /// Puts a short snake elsewhere: two samples there, and of those before only the newest stays.
    pub fn put(&mut self, index: usize, at: Point) {
        self.tick += 1;
        let snake = self.slots[index].as_mut().unwrap();
        snake.head = at;
        snake.laid.extend([Sample { at, broken: true }, Sample { at, broken: false }]);
        snake.gone = snake.laid.len() - 3;
    }

    /// Everybody crawls, grows, shrinks; some come, go, or come back under the same index.
    pub fn step(&mut self, unrest: bool) {
        self.crawl();
        if unrest && !self.slots.is_empty() {
            let index = self.dice.below(self.slots.len() as u64) as usize;
            match self.dice.below(12) {
                0 => self.slots[index] = None,
                1 | 2 => {
                    self.enter_anywhere(index);
                }
                _ => {}
            }
            self.strew();
        }
    }

    pub fn crawl(&mut self) {
        self.tick += 1;
        for snake in self.slots.iter_mut().flatten() {
            snake.heading = snake.heading.wrapping_add(self.dice.within(3_000) as u16);
            snake.torn = if snake.torn { !self.dice.one_in(6) } else { self.dice.one_in(40) };
            let change = self.dice.below(30);
            snake.size = if change == 0 { snake.size / 2 + 1 } else { snake.size + usize::from(change < 9) };
            snake.crawl(200 + self.dice.below(260) as i32);
        }
    }

    fn strew(&mut self) {
        if !self.food.is_empty() && self.dice.one_in(3) {
            let at = self.dice.below(self.food.len() as u64) as usize;
            self.food.swap_remove(at);
        }
        let at = Point::new(self.dice.within(self.reach), self.dice.within(self.reach));
        self.strewn += 1;
        let id = ((self.strewn / 64) % 256 * (1 << 24)) + self.strewn % 64;
        self.food.push(Food { id, at, size: 1 });
    }

    /// Everybody with a stretch of the body, or a lone sample, whose box touches the rectangle.
    pub fn snakes_in(&self, rect: Rect, out: &mut Vec<SnakeId>) {
        let touches = |a: Point, b: Point| {
            let spans = |a: i32, b: i32, min: i32, max: i32| a.min(b) <= max && a.max(b) >= min;
            spans(a.x, b.x, rect.min.x, rect.max.x) && spans(a.y, b.y, rect.min.y, rect.max.y)
        };
        let inside = |snake: &&ToySnake| {
            let body = snake.body();
            let joined = body.windows(2).any(|pair| !pair[1].broken && touches(pair[0].at, pair[1].at));
            let neck = body.last().is_some_and(|newest| touches(newest.at, snake.head));
            neck || joined || body.iter().any(|sample| rect.contains(sample.at))
        };
        out.extend(self.slots.iter().flatten().filter(inside).map(|snake| snake.id));
    }

    pub fn watch(&self, id: SnakeId) -> Seat {
        Seat { focus: id, playing: true, ack: self.tick as u16 }
    }

    pub fn anybody(&mut self) -> SnakeId {
        let alive: Vec<_> = self.slots.iter().flatten().map(|snake| snake.id).collect();
        alive.get(self.dice.below(alive.len().max(1) as u64) as usize).copied().unwrap_or(SnakeId::NOBODY)
    }
}

impl Scene for Toy {
    type Body<'s> = &'s ToySnake;

    fn tick(&self) -> u64 {
        self.tick
    }

    fn radius(&self) -> i32 {
        self.reach
    }

    fn snake(&self, id: SnakeId) -> Option<&ToySnake> {
        self.slots.get(id.index())?.as_ref().filter(|snake| snake.id == id)
    }

    fn snakes(&self) -> impl Iterator<Item = &ToySnake> {
        self.slots.iter().flatten()
    }

    fn food_in(&self, rect: Rect, out: &mut Vec<Food>) {
        out.extend(self.food.iter().filter(|piece| rect.contains(piece.at)));
    }
}

impl Roster for Toy {
    fn look(&self, id: SnakeId) -> (&str, u8) {
        self.snake(id).map_or(("", 0), |snake| (&snake.name, id.index() as u8))
    }
}
