//! The heads: one column a field, one row a snake, rows used again by later snakes.

use super::SnakeId;
use super::tuning::Tuning;
use crate::geom::lattice::Point;

/// A row's state.
pub(crate) mod flag {
    use wide::u8x16;

    /// A snake lives in this row.
    pub const ALIVE: u8 = 1;
    /// It is boosting in this tick.
    pub const BOOST: u8 = 2;
    /// It would like to boost.
    pub const WANTS_BOOST: u8 = 4;
    /// Spawn shield: it neither kills nor dies and leaves no trail.
    pub const SHIELD: u8 = 8;
    /// Its lanes stand in the grid of the thick.
    pub const WIDE: u8 = 16;

    /// Bit k: of these flags row k of sixteen has just those.
    #[inline(always)]
    pub fn which(rows: [u8; 16], of: u8, those: u8) -> u16 {
        (u8x16::from(rows) & u8x16::splat(of)).simd_eq(u8x16::splat(those)).to_bitmask() as u16
    }
}

/// Struct of arrays. A phase takes the columns that it needs.
#[derive(Default)]
pub(crate) struct Heads {
    pub x0: Vec<i32>,
    pub y0: Vec<i32>,
    pub x: Vec<i32>,
    pub y: Vec<i32>,
    pub heading: Vec<u16>,
    pub want: Vec<u16>,
    pub flags: Vec<u8>,
    /// Quanta.
    pub radius: Vec<i32>,
    /// What the body adds to a kill distance, quanta.
    pub kill: Vec<i32>,
    pub length: Vec<i32>,
    /// 256: in company; less: alone, and so slower.
    pub vigour: Vec<i32>,
    /// What it tends to.
    pub vigour_due: Vec<i32>,
    /// Headings that it may turn in a tick, for its radius.
    pub turn_max: Vec<i32>,
    pub shield_until: Vec<u64>,
    pub born: Vec<u64>,
    pub kills: Vec<u32>,
    pub generation: Vec<u32>,
    /// Rows without a snake; the last one freed is used first.
    free: Vec<u32>,
    alive: usize,
}

impl Heads {
    /// Rows, used or not.
    pub fn len(&self) -> usize {
        self.flags.len()
    }

    /// Snakes alive.
    pub fn alive(&self) -> usize {
        self.alive
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let wide = self.shield_until.capacity() + self.born.capacity();
        let narrow = 9 * self.x.capacity() + 3 * self.kills.capacity();
        8 * wide + 4 * narrow + 5 * self.flags.capacity()
    }

    #[inline]
    pub fn from(&self, i: usize) -> Point {
        Point::new(self.x0[i], self.y0[i])
    }

    #[inline]
    pub fn to(&self, i: usize) -> Point {
        Point::new(self.x[i], self.y[i])
    }

    #[inline]
    pub fn has(&self, i: usize, flag: u8) -> bool {
        self.flags[i] & flag != 0
    }

    pub fn set(&mut self, i: usize, flag: u8, on: bool) {
        self.flags[i] = self.flags[i] & !flag | if on { flag } else { 0 };
    }

    /// Whether it can die and kill: alive and not shielded.
    #[inline]
    pub fn is_mortal(&self, i: usize) -> bool {
        self.flags[i] & (flag::ALIVE | flag::SHIELD) == flag::ALIVE
    }

    pub fn id(&self, i: usize) -> SnakeId {
        SnakeId::new(i as u32, self.generation[i] & 0xFFF)
    }

    /// The row of a snake that lives.
    pub fn row(&self, id: SnakeId) -> Option<usize> {
        let i = id.index();
        (i < self.len() && self.has(i, flag::ALIVE) && self.id(i) == id).then_some(i)
    }

    /// Rows of all who live, ascending.
    pub fn rows(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.len()).filter(|&i| self.has(i, flag::ALIVE))
    }

    /// Takes a row for a newborn at a point, nothing of its former tenant left: it has not come from
    /// anywhere else, so no sweep leads there.
    pub fn enter(&mut self, at: Point, heading: u16) -> usize {
        let i = self.free.pop().map_or_else(|| self.add_row(), |i| i as usize);
        self.alive += 1;
        (self.x0[i], self.y0[i], self.x[i], self.y[i]) = (at.x, at.y, at.x, at.y);
        (self.heading[i], self.want[i], self.flags[i]) = (heading, heading, flag::ALIVE);
        (self.kills[i], self.vigour[i], self.vigour_due[i]) = (0, 256, 256);
        i
    }

    /// The one place where the columns grow.
    fn add_row(&mut self) -> usize {
        for column in [&mut self.x0, &mut self.y0, &mut self.x, &mut self.y, &mut self.radius, &mut self.kill] {
            column.push(0);
        }
        self.heading.push(0);
        self.want.push(0);
        self.flags.push(0);
        self.length.push(0);
        self.vigour.push(256);
        self.vigour_due.push(256);
        self.turn_max.push(0);
        self.shield_until.push(0);
        self.born.push(0);
        self.kills.push(0);
        self.generation.push(0);
        self.len() - 1
    }

    /// Adds to a length, up to the longest allowed; one below the shortest stays where it is.
    pub fn lengthen(&mut self, i: usize, by: i32, tuning: &Tuning) {
        let least = tuning.length_min.min(self.length[i]);
        self.length[i] = self.length[i].saturating_add(by).clamp(least, tuning.length_max);
    }

    /// Frees a row. The next tenant has another generation.
    pub fn leave(&mut self, i: usize) {
        self.flags[i] = 0;
        self.generation[i] = self.generation[i].wrapping_add(1);
        self.free.push(i as u32);
        self.alive -= 1;
    }
}
