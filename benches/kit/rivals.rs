//! Other indexes under the canonical workload: the same snakes, the same exact verdict, another way to find who is near.

use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhWorkspace};
use ringsnake::geom::lattice::{Point, Rect};
use ringsnake::geom::segment::segments_within;
use ringsnake::workload::{Move, Scenario, Workload};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};
use std::collections::{HashMap, VecDeque};

/// Finds boxes by number. All lengths in quanta, which `f32` holds exactly in these scenarios.
pub trait Index: Default {
    /// Takes in a box; nobody has that number.
    fn insert(&mut self, number: u32, bounds: Rect);
    /// Takes out a box that is there.
    fn remove(&mut self, number: u32, bounds: Rect);
    /// Between a tick's changes and its questions.
    fn settle(&mut self) {}
    /// Appends the numbers of all boxes that touch `bounds`, and others if it likes.
    fn near(&self, bounds: Rect, out: &mut Vec<u32>);
}

#[derive(Clone, Copy, Default)]
struct Segment {
    a: Point,
    b: Point,
    owner: u32,
}

/// The workload over an index of its own.
pub struct Rival<I> {
    index: I,
    workload: Workload,
    moves: Vec<Move>,
    newest: Vec<Point>,
    /// Numbers of a snake's segments, oldest first.
    trails: Vec<VecDeque<u32>>,
    segments: Vec<Segment>,
    free: Vec<u32>,
    found: Vec<u32>,
}

impl<I: Index> Rival<I> {
    /// The scenario before its first tick.
    pub fn new(scenario: Scenario) -> Self {
        let (workload, bodies) = Workload::new(scenario).expect("a scenario within the limits");
        let mut rival = Self {
            index: I::default(),
            workload,
            moves: Vec::new(),
            newest: bodies.iter().map(|body| body[0]).collect(),
            trails: vec![VecDeque::new(); bodies.len()],
            segments: Vec::new(),
            free: Vec::new(),
            found: Vec::new(),
        };
        for (owner, body) in (0..).zip(&bodies) {
            body[1..].iter().for_each(|&at| rival.lay(owner, at));
        }
        rival.index.settle();
        rival
    }

    /// One tick; how many hits there are.
    pub fn tick(&mut self) -> u64 {
        self.moves.clear();
        self.workload.step();
        self.moves.extend(self.workload.ways());
        for id in 0..self.moves.len() as u32 {
            let way = self.moves[id as usize];
            if way.pushed {
                self.follow(id, way.to);
            }
        }
        self.index.settle();
        (0..self.moves.len() as u32).map(|head| self.hits_of(head)).sum()
    }

    fn follow(&mut self, id: u32, at: Point) {
        self.lay(id, at);
        if self.trails[id as usize].len() >= self.workload.scenario().points(id) as usize {
            let number = self.trails[id as usize].pop_front().expect("at least 16 samples");
            self.index.remove(number, self.bounds(number));
            self.free.push(number);
        }
    }

    fn lay(&mut self, owner: u32, at: Point) {
        let segment = Segment { a: self.newest[owner as usize], b: at, owner };
        self.newest[owner as usize] = at;
        let number = self.free.pop().unwrap_or(self.segments.len() as u32);
        if number as usize == self.segments.len() {
            self.segments.push(segment);
        } else {
            self.segments[number as usize] = segment;
        }
        self.index.insert(number, self.bounds(number));
        self.trails[owner as usize].push_back(number);
    }

    /// The box of a segment, grown by what its owner adds to a kill distance: no head has to look farther than its
    /// own radius.
    fn bounds(&self, number: u32) -> Rect {
        let segment = self.segments[number as usize];
        boxed(segment.a, segment.b, self.workload.kill_radius(segment.owner))
    }

    fn hits_of(&mut self, head: u32) -> u64 {
        let (way, radius) = (self.moves[head as usize], self.workload.radius(head));
        self.found.clear();
        self.index.near(boxed(way.from, way.to, radius), &mut self.found);
        let touched = |number: &&u32| {
            let segment = self.segments[**number as usize];
            let reach = radius + self.workload.kill_radius(segment.owner);
            segment.owner != head && segments_within(way.from, way.to, segment.a, segment.b, reach)
        };
        self.found.iter().filter(touched).count() as u64
    }
}

/// The box of two points, grown.
fn boxed(a: Point, b: Point, by: i32) -> Rect {
    Rect {
        min: Point::new(a.x.min(b.x) - by, a.y.min(b.y) - by),
        max: Point::new(a.x.max(b.x) + by, a.y.max(b.y) + by),
    }
}

/// The bounding volume hierarchy of parry2d, with insertion and removal, and its own upkeep once a tick.
#[derive(Default)]
pub struct Parry {
    bvh: Bvh,
    workspace: BvhWorkspace,
}

fn aabb(bounds: Rect) -> Aabb {
    let corner = |at: Point| Vector::new(at.x as f32, at.y as f32);
    Aabb::new(corner(bounds.min), corner(bounds.max))
}

impl Index for Parry {
    fn insert(&mut self, number: u32, bounds: Rect) {
        self.bvh.insert(aabb(bounds), number);
    }

    fn remove(&mut self, number: u32, _: Rect) {
        self.bvh.remove(number);
    }

    fn settle(&mut self) {
        self.bvh.optimize_incremental(&mut self.workspace);
    }

    fn near(&self, bounds: Rect, out: &mut Vec<u32>) {
        out.extend(self.bvh.intersect_aabb(&aabb(bounds)));
    }
}

/// The R*-tree of rstar.
#[derive(Default)]
pub struct Star(RTree<GeomWithData<Rectangle<[f32; 2]>, u32>>);

fn corners(bounds: Rect) -> [[f32; 2]; 2] {
    [bounds.min, bounds.max].map(|at| [at.x as f32, at.y as f32])
}

impl Index for Star {
    fn insert(&mut self, number: u32, bounds: Rect) {
        let [min, max] = corners(bounds);
        self.0.insert(GeomWithData::new(Rectangle::from_corners(min, max), number));
    }

    fn remove(&mut self, number: u32, bounds: Rect) {
        let [min, max] = corners(bounds);
        let gone = self.0.remove(&GeomWithData::new(Rectangle::from_corners(min, max), number));
        assert!(gone.is_some(), "segment {number} is there");
    }

    fn near(&self, bounds: Rect, out: &mut Vec<u32>) {
        let [min, max] = corners(bounds);
        let near = self.0.locate_in_envelope_intersecting(AABB::from_corners(min, max));
        out.extend(near.map(|found| found.data));
    }
}

/// A hash map of cells of 64 u, each a vector of the segments whose box has its middle there.
#[derive(Default)]
pub struct Hashed {
    cells: HashMap<(i32, i32), Vec<u32>>,
    /// The largest half side of a box that there ever was.
    half: i32,
}

const CELL_BITS: u32 = 12;

fn cell(bounds: Rect) -> (i32, i32) {
    let middle = |min: i32, max: i32| ((min + max) / 2) >> CELL_BITS;
    (middle(bounds.min.x, bounds.max.x), middle(bounds.min.y, bounds.max.y))
}

impl Index for Hashed {
    fn insert(&mut self, number: u32, bounds: Rect) {
        let side = (bounds.max.x - bounds.min.x).max(bounds.max.y - bounds.min.y);
        self.half = self.half.max(side / 2 + 1);
        self.cells.entry(cell(bounds)).or_default().push(number);
    }

    fn remove(&mut self, number: u32, bounds: Rect) {
        let bucket = self.cells.get_mut(&cell(bounds)).expect("the cell it was put into");
        let at = bucket.iter().position(|&other| other == number).expect("where it was put");
        bucket.swap_remove(at);
        if bucket.is_empty() {
            self.cells.remove(&cell(bounds));
        }
    }

    fn near(&self, bounds: Rect, out: &mut Vec<u32>) {
        let low = |v: i32| (v - self.half) >> CELL_BITS;
        let high = |v: i32| (v + self.half) >> CELL_BITS;
        for x in low(bounds.min.x)..=high(bounds.max.x) {
            for y in low(bounds.min.y)..=high(bounds.max.y) {
                self.cells.get(&(x, y)).into_iter().for_each(|bucket| out.extend(bucket));
            }
        }
    }
}
