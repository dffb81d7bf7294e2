//! Food on the ground: pieces in a flat grid of their own kind, eaten by the sweep of a head.

use crate::broadphase::{CellRect, Grid, Lane, box_of};
use crate::geom::lattice::{Point, Rect};
use crate::geom::segment::point_within;
use crate::geom::toi;

/// A piece of food.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Food {
    /// Its id: index in the low 24 bits, generation in the high 8.
    pub id: u32,
    /// Where, quanta.
    pub at: Point,
    /// Size, 1..: multiples of the configured length.
    pub size: u8,
}

/// A head's claim to a piece; the earliest gets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bite {
    pub piece: u32,
    pub toi: f64,
    /// The eater's place, which decides between two that come at the same time.
    pub place: Point,
    pub row: u32,
}

pub(crate) struct Larder {
    at: Vec<Point>,
    size: Vec<u8>,
    generation: Vec<u8>,
    number: Vec<u32>,
    free: Vec<u32>,
    grid: Grid,
    bites: Vec<Bite>,
}

const INDEX_BITS: u32 = 24;

impl Default for Larder {
    fn default() -> Self {
        Self {
            at: Vec::new(),
            size: Vec::new(),
            generation: Vec::new(),
            number: Vec::new(),
            free: Vec::new(),
            grid: Grid::new(12),
            bites: Vec::new(),
        }
    }
}

impl Larder {
    /// Pieces on the ground.
    pub fn len(&self) -> usize {
        self.grid.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.at.capacity() * 8
            + self.size.capacity() * 2
            + (self.number.capacity() + self.free.capacity()) * 4
            + self.grid.bytes()
    }

    fn food(&self, i: usize) -> Food {
        Food { id: i as u32 | u32::from(self.generation[i]) << INDEX_BITS, at: self.at[i], size: self.size[i] }
    }

    /// The piece with this id, if it still lies there.
    pub fn get(&self, id: u32) -> Option<Food> {
        let i = (id & ((1 << INDEX_BITS) - 1)) as usize;
        (i < self.at.len() && self.size[i] > 0 && self.food(i).id == id).then(|| self.food(i))
    }

    /// Every piece, by index.
    pub fn iter(&self) -> impl Iterator<Item = Food> + '_ {
        (0..self.at.len()).filter(|&i| self.size[i] > 0).map(|i| self.food(i))
    }

    /// Puts a piece on the ground.
    pub fn put(&mut self, at: Point, size: u8) {
        let i = self.free.pop().map_or_else(|| self.add_row(), |i| i as usize);
        self.at[i] = at;
        self.size[i] = size.max(1);
        self.number[i] = self.grid.insert(&Lane { a: at, b: at, owner: i as u32 });
    }

    fn add_row(&mut self) -> usize {
        self.at.push(Point::default());
        self.size.push(0);
        self.generation.push(0);
        self.number.push(0);
        self.at.len() - 1
    }

    fn take(&mut self, i: usize) -> Food {
        let food = self.food(i);
        self.grid.remove(self.number[i]);
        self.size[i] = 0;
        self.generation[i] = self.generation[i].wrapping_add(1);
        self.free.push(i as u32);
        food
    }

    /// Notes every piece that a head comes strictly closer to than `reach` on its way.
    pub fn bite(&mut self, row: usize, from: Point, to: Point, reach: i32) {
        let cells = self.grid.cells_near(box_of(from, to), reach);
        let bites = &mut self.bites;
        self.grid.query(cells, u32::MAX - 1, |block| {
            for lane in block.lanes(self.grid.shift()).filter(|lane| point_within(lane.a, from, to, reach)) {
                let toi = toi::body(from, to, lane.a, lane.a, reach);
                bites.push(Bite { piece: lane.owner, toi, place: from, row: row as u32 });
            }
        });
    }

    /// Gives each bitten piece to its earliest eater: calls `eat` with the row and the piece, piece by piece.
    pub fn swallow(&mut self, mut eat: impl FnMut(usize, Food)) {
        let mut bites = std::mem::take(&mut self.bites);
        bites.sort_unstable_by(|a, b| {
            let first = a.piece.cmp(&b.piece).then(a.toi.total_cmp(&b.toi));
            first.then(a.place.cmp(&b.place)).then(a.row.cmp(&b.row))
        });
        bites.dedup_by_key(|bite| bite.piece);
        for bite in bites.drain(..) {
            let food = self.take(bite.piece as usize);
            eat(bite.row as usize, food);
        }
        self.bites = bites;
    }

    /// Pieces in a rectangle, appended.
    pub fn within(&self, rect: Rect, out: &mut Vec<Food>) {
        if self.len() == 0 {
            return;
        }
        self.grid.query(CellRect::covering(rect, 0, 12), u32::MAX - 1, |block| {
            out.extend(
                block
                    .lanes(self.grid.shift())
                    .filter(|lane| rect.contains(lane.a))
                    .map(|lane| self.food(lane.owner as usize)),
            );
        });
    }
}
