//! Who is where, once a tick for all viewers.
//!
//! ```text
//!   strands: a box around every 16 samples of a body,      buckets: boxes by the cells of 512 u that they touch
//!            made once, when the last of them is laid      cell -> hash -> | box who chunk | box who chunk | ..
//! ```
//!
//! Thousands look at one world, many of them at the same place. To ask the world's own grid for each of them
//! costs more than to make and send the snapshot: the grid is made for short sweeps and holds every segment by
//! itself. Here a body of a hundred samples is seven boxes. Where a box lies across the border of a view, and
//! only there, its samples are looked at one by one: the answer is exactly that of
//! [`World::snakes_in`](crate::World::snakes_in), and a test says so.

use super::scene::{Body, Scene};
use crate::geom::lattice::{Point, Rect};
use crate::world::SnakeId;
use std::collections::VecDeque;

/// Samples in a box, a power of two so that numbers may wrap.
const CHUNK: u32 = 16;
/// Cells of 512 u: a view is two by two of them.
const SHIFT: u32 = 15;
/// Cells that a box may touch before it is kept in a list of its own: who was put far away has such a box.
const CELLS_MAX: i32 = 64;
/// The chunk of an entry that stands for the way from the newest sample to the head.
const NECK: u32 = 1;

/// The boxes of one body.
#[derive(Debug)]
struct Strand {
    id: SnakeId,
    /// Number of the first sample of the first box, a multiple of [`CHUNK`].
    start: u32,
    boxes: VecDeque<Rect>,
    /// Number after that of the newest sample in a box.
    upto: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    area: Rect,
    id: SnakeId,
    /// Number of the first sample of the chunk, or [`NECK`], which is no multiple of 16.
    start: u32,
}

/// An index of all bodies, as they are at the end of one tick.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    /// By index of the snake; those of the dead are not looked at.
    strands: Vec<Option<Strand>>,
    listed: Vec<(u32, Entry)>,
    oversized: Vec<Entry>,
    /// Where each bucket begins in `entries`, and at last where the last one ends.
    begins: Vec<u32>,
    entries: Vec<Entry>,
}

/// Who was found by a query already.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The last query in which a snake was found, by index.
    found: Vec<u32>,
    query: u32,
}

impl Seen {
    /// Forgets everybody; there are so many.
    fn begin(&mut self, snakes: usize) {
        self.query = self.query.wrapping_add(1);
        if self.query == 0 {
            self.found.fill(0);
            self.query = 1;
        }
        if self.found.len() < snakes {
            self.found.resize(snakes, 0);
        }
    }

    fn has(&self, id: SnakeId) -> bool {
        self.found[id.index()] == self.query
    }

    fn note(&mut self, id: SnakeId) {
        self.found[id.index()] = self.query;
    }
}

impl Regions {
    /// Takes the world as it is now.
    pub(super) fn rebuild<S: Scene>(&mut self, scene: &S) {
        self.listed.clear();
        self.oversized.clear();
        let mut strands = std::mem::take(&mut self.strands);
        for snake in scene.snakes() {
            let index = snake.id().index();
            if strands.len() <= index {
                strands.resize_with(index + 1, || None);
            }
            let strand = strands[index].take().filter(|strand| strand.id == snake.id());
            let strand = strands[index].insert(strand.unwrap_or_else(|| Strand::new(&snake)));
            strand.follow(&snake);
            let mut start = strand.start;
            for &area in &strand.boxes {
                self.list(Entry { area, id: strand.id, start });
                start = start.wrapping_add(CHUNK);
            }
            self.list(Entry { area: neck(&snake), id: strand.id, start: NECK });
        }
        self.strands = strands;
        self.sort();
    }

    /// Notes an entry for every cell that its box touches.
    fn list(&mut self, entry: Entry) {
        let [columns, rows] = cells(entry.area);
        if (columns.end - columns.start).saturating_mul(rows.end - rows.start) > CELLS_MAX {
            return self.oversized.push(entry);
        }
        for y in rows {
            self.listed.extend(columns.clone().map(|x| (hash(x, y), entry)));
        }
    }

    /// Puts the entries in order of their buckets: a counting sort, as many buckets as entries.
    fn sort(&mut self) {
        let buckets = self.listed.len().next_power_of_two();
        let mask = buckets as u32 - 1;
        self.begins.clear();
        self.begins.resize(buckets + 1, 0);
        for (hash, _) in &self.listed {
            self.begins[(hash & mask) as usize] += 1;
        }
        let mut end = 0;
        for begin in &mut self.begins {
            end += *begin;
            *begin = end;
        }
        let Some(&(_, any)) = self.listed.first() else { return self.entries.clear() };
        self.entries.resize(self.listed.len(), any);
        // Each bucket is filled from its end, so that at last its counter stands at its beginning.
        for &(hash, entry) in &self.listed {
            let at = &mut self.begins[(hash & mask) as usize];
            *at -= 1;
            self.entries[*at as usize] = entry;
        }
    }

    /// Everybody with a stretch or a lone sample whose box touches the rectangle; appended, each once, in
    /// ascending index order.
    pub(super) fn within<S: Scene>(&self, scene: &S, rect: Rect, seen: &mut Seen, out: &mut Vec<SnakeId>) {
        let start = out.len();
        seen.begin(self.strands.len());
        let mask = (self.begins.len() as u32).saturating_sub(2);
        let [columns, rows] = cells(rect);
        for (x, y) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))) {
            let bucket = (hash(x, y) & mask) as usize;
            let Some(&[begin, end]) = self.begins.get(bucket..bucket + 2) else { continue };
            let entries = &self.entries[begin as usize..end as usize];
            gather(scene, rect, entries, seen, out);
        }
        gather(scene, rect, &self.oversized, seen, out);
        out[start..].sort_unstable_by_key(|id| id.index());
    }
}

impl Regions {
    /// Whether [`Regions::within`] would find this snake.
    pub(super) fn shows<S: Scene>(&self, scene: &S, rect: Rect, id: SnakeId) -> bool {
        let strand = self.strands.get(id.index()).and_then(Option::as_ref).filter(|strand| strand.id == id);
        let (Some(strand), Some(snake)) = (strand, scene.snake(id)) else { return false };
        let numbers = (0..).map(|n: u32| strand.start.wrapping_add(n * CHUNK));
        let entries = strand.boxes.iter().zip(numbers).map(|(&area, start)| Entry { area, id, start });
        touch(rect, neck(&snake)) || entries.into_iter().any(|entry| entry.is_within(scene, rect))
    }
}

/// Appends those of the entries' snakes that touch the rectangle and were not found in this query before.
fn gather<S: Scene>(scene: &S, rect: Rect, entries: &[Entry], seen: &mut Seen, out: &mut Vec<SnakeId>) {
    for entry in entries.iter().filter(|entry| touch(rect, entry.area)) {
        if !seen.has(entry.id) && entry.is_within(scene, rect) {
            seen.note(entry.id);
            out.push(entry.id);
        }
    }
}

impl Entry {
    /// Whether a part of what it stands for touches the rectangle.
    #[inline]
    fn is_within<S: Scene>(&self, scene: &S, rect: Rect) -> bool {
        touch(rect, self.area) && (holds(rect, self.area) || self.touches(scene, rect))
    }

    /// Whether a stretch of the chunk touches the rectangle, and not only the box around them all.
    fn touches<S: Scene>(&self, scene: &S, rect: Rect) -> bool {
        let Some(snake) = scene.snake(self.id).filter(|_| self.start != NECK) else { return self.start == NECK };
        let (first, end) = (snake.first(), snake.end());
        let skipped = if first.wrapping_sub(self.start) < CHUNK { first.wrapping_sub(self.start) } else { 0 };
        let from = self.start.wrapping_add(skipped);
        let mut before = if from == first { None } else { Some(snake.sample(from.wrapping_sub(1))) };
        snake.samples(from, (CHUNK - skipped).min(end.wrapping_sub(from))).any(|(at, gap)| {
            let start = before.replace(at).filter(|_| !gap).unwrap_or(at);
            touch(rect, box_of(at, start))
        })
    }
}

impl Strand {
    fn new(snake: &impl Body) -> Self {
        let first = snake.first();
        Self { id: snake.id(), start: chunk_of(first), boxes: VecDeque::new(), upto: first }
    }

    /// Adds what was laid, and drops the boxes of what went.
    fn follow(&mut self, snake: &impl Body) {
        let (first, end) = (snake.first(), snake.end());
        if self.upto != end && !is_laid(snake, self.upto) {
            *self = Self::new(snake);
        }
        let gone = (chunk_of(first).wrapping_sub(self.start) / CHUNK) as usize;
        self.boxes.drain(..gone.min(self.boxes.len()));
        self.start = chunk_of(first);
        while self.upto != end {
            let (n, area) = (self.upto, stretch(snake, self.upto));
            match self.boxes.back_mut() {
                Some(last) if !n.is_multiple_of(CHUNK) => *last = around(*last, area),
                _ => self.boxes.push_back(area),
            }
            self.upto = n.wrapping_add(1);
        }
    }
}

fn chunk_of(n: u32) -> u32 {
    n & !(CHUNK - 1)
}

fn is_laid(snake: &impl Body, n: u32) -> bool {
    n.wrapping_sub(snake.first()) < snake.end().wrapping_sub(snake.first())
}

/// The box of what ends at a sample: the way from the one before, or the sample alone.
fn stretch(snake: &impl Body, n: u32) -> Rect {
    let at = snake.sample(n);
    let alone = n == snake.first() || snake.gap_before(n);
    box_of(at, if alone { at } else { snake.sample(n.wrapping_sub(1)) })
}

fn neck(snake: &impl Body) -> Rect {
    box_of(snake.newest_sample(), snake.state().head)
}

fn box_of(a: Point, b: Point) -> Rect {
    Rect { min: Point::new(a.x.min(b.x), a.y.min(b.y)), max: Point::new(a.x.max(b.x), a.y.max(b.y)) }
}

fn around(a: Rect, b: Rect) -> Rect {
    Rect { min: box_of(a.min, b.min).min, max: box_of(a.max, b.max).max }
}

fn touch(a: Rect, b: Rect) -> bool {
    a.min.x <= b.max.x && a.max.x >= b.min.x && a.min.y <= b.max.y && a.max.y >= b.min.y
}

fn holds(outer: Rect, inner: Rect) -> bool {
    outer.contains(inner.min) && outer.contains(inner.max)
}

/// Columns and rows of the cells that a rectangle touches.
fn cells(rect: Rect) -> [std::ops::Range<i32>; 2] {
    let span = |min: i32, max: i32| min >> SHIFT..(max >> SHIFT) + 1;
    [span(rect.min.x, rect.max.x), span(rect.min.y, rect.max.y)]
}

/// Neighbouring cells lie apart. Two that share a bucket cost a look at boxes elsewhere, nothing else.
fn hash(x: i32, y: i32) -> u32 {
    let mixed = x.cast_unsigned().wrapping_mul(0x9E37_79B1) ^ y.cast_unsigned().wrapping_mul(0x85EB_CA77);
    mixed ^ mixed >> 15
}

#[cfg(test)]
mod tests {
    use super::super::toy::Toy;
    use super::*;
    use crate::world::{Config, World};

    fn rect(dice: &mut crate::world::Rng, reach: i32) -> Rect {
        let at = Point::new(dice.between(-reach, reach), dice.between(-reach, reach));
        Rect::around(at, dice.between(1, 30_000), dice.between(1, 20_000))
    }

    #[test]
    fn the_answer_is_that_of_the_worlds_own_grid() {
        let mut config = Config::default();
        config.arena.area_per_snake = 150_000.0;
        let mut world = World::new(config, 3).unwrap();
        let (mut regions, mut seen_in, mut dice) = (Regions::default(), Seen::default(), crate::world::Rng::new(5));
        let (mut ours, mut theirs, mut seen) = (Vec::new(), Vec::new(), 0);
        for tick in 0..600 {
            if let Ok(id) = world.spawn() {
                world.steer(id, dice.next_u64() as u16, tick % 3 == 0);
            }
            let ids: Vec<_> = world.snakes().map(|snake| snake.id()).collect();
            let lot = ids[dice.below(ids.len() as u32) as usize];
            world.steer(lot, dice.next_u64() as u16, dice.below(2) == 0);
            if tick % 50 == 7 {
                world.teleport(lot, Point::new(dice.between(-9_000, 9_000), dice.between(-9_000, 9_000)));
            }
            world.step();
            if tick % 2 == 0 {
                continue;
            }
            regions.rebuild(&world);
            for _ in 0..40 {
                let rect = rect(&mut dice, world.radius());
                ours.clear();
                theirs.clear();
                regions.within(&world, rect, &mut seen_in, &mut ours);
                world.snakes_in(rect, &mut theirs);
                assert_eq!(ours, theirs, "tick {tick}");
                for id in world.snakes().map(|snake| snake.id()) {
                    assert_eq!(regions.shows(&world, rect, id), ours.contains(&id), "tick {tick}");
                }
                seen += ours.len();
            }
        }
        assert!(seen > 10_000, "{seen}");
    }

    #[test]
    fn numbers_of_samples_may_wrap_and_ids_come_back() {
        for seed in 0..6 {
            let (mut toy, mut dice) = (Toy::new(seed, 30, 900), crate::world::Rng::new(seed));
            let (mut regions, mut seen) = (Regions::default(), Seen::default());
            for index in 0..30 {
                toy.enter_anywhere(index);
            }
            for _ in 0..300 {
                toy.step(true);
                regions.rebuild(&toy);
                let rect = rect(&mut dice, 60_000);
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                regions.within(&toy, rect, &mut seen, &mut ours);
                toy.snakes_in(rect, &mut theirs);
                assert_eq!(ours, theirs);
                assert!((0..30).all(|index| {
                    let id = toy.snakes().map(|snake| snake.id()).find(|id| id.index() == index);
                    id.is_none_or(|id| regions.shows(&toy, rect, id) == ours.contains(&id))
                }));
            }
        }
    }

    #[test]
    fn an_empty_world_shows_nobody() {
        let (mut regions, toy, mut seen, mut out) =
            (Regions::default(), Toy::new(1, 0, 900), Seen::default(), Vec::new());
        regions.within(&toy, Rect::around(Point::default(), 1_000, 1_000), &mut seen, &mut out);
        regions.rebuild(&toy);
        regions.within(&toy, Rect::around(Point::default(), 1_000, 1_000), &mut seen, &mut out);
        assert!(out.is_empty());
    }
}
