//! Cells of a grid: a shift of lattice coordinates, so negative ones are as wide as the others.

use crate::geom::lattice::{Point, Rect};

/// A cell's key: (cx + 2^15) << 16 | (cy + 2^15). One key, one cell, over the whole lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(crate) struct Cell(pub u32);

const BIAS: i32 = 1 << 15;

impl Cell {
    /// The key of no cell: smaller cells than 64 u (shift 12) would be needed to come near it.
    pub const NONE: Self = Self(u32::MAX);

    #[inline]
    pub fn new(cx: i32, cy: i32) -> Self {
        Self(Self::along(cx) << 16 | Self::along(cy))
    }

    /// One half of a key.
    #[inline]
    pub fn along(c: i32) -> u32 {
        (c + BIAS) as u32
    }

    #[inline]
    pub fn x(self) -> i32 {
        (self.0 >> 16) as i32 - BIAS
    }

    #[inline]
    pub fn y(self) -> i32 {
        (self.0 & 0xFFFF) as i32 - BIAS
    }
}

/// A rectangle of cells, both corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellRect {
    pub x0: i32,
    pub y0: i32,
    pub x1: i32,
    pub y1: i32,
}

impl CellRect {
    /// The cells that the rectangle, grown by `reach` quanta on every side, touches.
    #[inline]
    pub fn covering(rect: Rect, reach: i32, shift: u32) -> Self {
        Self {
            x0: (rect.min.x - reach) >> shift,
            y0: (rect.min.y - reach) >> shift,
            x1: (rect.max.x + reach) >> shift,
            y1: (rect.max.y + reach) >> shift,
        }
    }

    /// How many cells.
    pub fn count(&self) -> u64 {
        (i64::from(self.x1 - self.x0) + 1) as u64 * (i64::from(self.y1 - self.y0) + 1) as u64
    }

    /// The tiles of 4 x 4 cells that these cells lie in; of cells without a key, none.
    #[inline]
    pub fn tiles(&self) -> Self {
        let first = |c: i32| c.max(-BIAS) >> 2;
        let last = |c: i32| c.min(BIAS - 1) >> 2;
        Self { x0: first(self.x0), y0: first(self.y0), x1: last(self.x1), y1: last(self.y1) }
    }

    /// The cells of the tile with this lowest cell that are in here: bit k for number k.
    #[inline]
    pub fn cells_of_tile(&self, corner: Cell) -> u32 {
        (span(self.x0, self.x1, corner.x()) * 0x1111) & ROWS[span(self.y0, self.y1, corner.y()) as usize & 15]
    }
}

/// The part of `first..=last` in the four from a corner on, as four bits. The tile touches that range.
#[inline(always)]
fn span(first: i32, last: i32, corner: i32) -> u32 {
    let low = first.max(corner) - corner;
    let high = last.min(corner | 3) - corner;
    if low > high { 0 } else { (0xF << low) & (0xF >> (3 - high)) }
}

/// Four bits spread out to four rows of four.
const ROWS: [u32; 16] = {
    let mut rows = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        rows[bits as usize] = ((bits & 1) | (bits & 2) << 3 | (bits & 4) << 6 | (bits & 8) << 9) * 0xF;
        bits += 1;
    }
    rows
};

/// The smallest rectangle that holds both points.
#[inline]
pub(crate) fn box_of(a: Point, b: Point) -> Rect {
    Rect { min: Point::new(a.x.min(b.x), a.y.min(b.y)), max: Point::new(a.x.max(b.x), a.y.max(b.y)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_quadrants_around_the_origin_are_four_cells() {
        let cells: Vec<(i32, i32)> =
            [(1, 1), (-1, 1), (1, -1), (-1, -1)].map(|(x, y): (i32, i32)| (x >> 12, y >> 12)).into();
        assert_eq!(cells, [(0, 0), (-1, 0), (0, -1), (-1, -1)]);
    }

    #[test]
    fn keys_come_back_over_the_whole_lattice() {
        for c in [-4_096, -1, 0, 1, 4_095] {
            let cell = Cell::new(c, -c);
            assert_eq!((cell.x(), cell.y()), (c, -c));
        }
    }
}
