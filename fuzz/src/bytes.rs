//! A reader that makes figures of any bytes. After the last one it reads zeros, so that every input is a whole one
//! and a cut makes it simpler.

use ringsnake::geom::lattice::Point;
use ringsnake::limits::COORD_MAX;

/// What is still unread.
pub struct Bytes<'b>(pub &'b [u8]);

impl<'b> Bytes<'b> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let n = N.min(self.0.len());
        let (taken, rest) = self.0.split_at(n);
        self.0 = rest;
        let mut array = [0; N];
        array[..n].copy_from_slice(taken);
        array
    }

    pub fn u8(&mut self) -> u8 {
        self.array::<1>()[0]
    }

    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.array())
    }

    pub fn i8(&mut self) -> i32 {
        i32::from(self.u8() as i8)
    }

    pub fn i16(&mut self) -> i32 {
        i32::from(self.u16() as i16)
    }

    /// Three bytes with their sign: half of the lattice.
    pub fn i24(&mut self) -> i32 {
        let [a, b, c] = self.array();
        i32::from_le_bytes([0, a, b, c]) >> 8
    }

    pub fn f64(&mut self) -> f64 {
        f64::from_le_bytes(self.array())
    }

    /// A number below a bound of at most 255.
    pub fn below(&mut self, bound: u8) -> u8 {
        self.u8() % bound
    }

    /// At most `n` bytes as they are.
    pub fn take(&mut self, n: usize) -> &'b [u8] {
        let (taken, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// A point up to 512 u from another along each axis.
    pub fn near(&mut self, center: Point) -> Point {
        on_lattice(center, self.i16(), self.i16())
    }

    /// A point anywhere on the lattice.
    pub fn anywhere(&mut self) -> Point {
        on_lattice(Point::default(), 2 * self.i24(), 2 * self.i24())
    }
}

/// A step that stops at the lattice's end.
pub fn on_lattice(from: Point, dx: i32, dy: i32) -> Point {
    let go = |v: i32, d: i32| v.saturating_add(d).clamp(-COORD_MAX, COORD_MAX);
    Point::new(go(from.x, dx), go(from.y, dy))
}
