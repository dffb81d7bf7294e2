//! Rings and grids, by the engine's own drivers.

use super::bytes::{Bytes, on_lattice};
use ringsnake::geom::lattice::Point;
use ringsnake::internals::{GridOp, RINGS, RingOp, check_grid, check_ring};

/// Operations of a run: a check reads everything after each of them.
const OPS_MAX: usize = 400;

/// Rings against queues.
pub fn ring(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let ops = std::iter::from_fn(|| (!bytes.is_empty()).then(|| ring_op(&mut bytes)));
    check_ring(ops.take(OPS_MAX)).unwrap_or_else(|what| panic!("{what}"));
}

fn ring_op(bytes: &mut Bytes<'_>) -> RingOp {
    let op = bytes.u8();
    let ring = usize::from(op >> 5) % RINGS;
    match op % 16 {
        0 => RingOp::Pack,
        1 => RingOp::Take { ring, samples: u16::from(bytes.u8()), first: bytes.i8() as u32 },
        2..5 => RingOp::Trim { ring, samples: u16::from(bytes.u8()) },
        kind => RingOp::Push { ring, at: Point::new(bytes.i8(), -bytes.i8()), gap: kind == 5, lane: kind % 3 > 0 },
    }
}

/// Grids against maps.
pub fn grid(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let setup = bytes.u8();
    let ops = std::iter::from_fn(|| (!bytes.is_empty()).then(|| grid_op(&mut bytes, setup & 2 == 0)));
    check_grid(12 + u32::from(setup & 1), ops.take(OPS_MAX)).unwrap_or_else(|what| panic!("{what}"));
}

/// Ends are some bits of one another, so that segments meet in cells and lie on the borders of cells. Long segments make
/// every query wide and so hide mistakes: there are runs without.
fn grid_op(bytes: &mut Bytes<'_>, long: bool) -> GridOp {
    let op = bytes.u8();
    let a = if op & 0x10 == 0 { bytes.near(Point::default()) } else { bytes.anywhere() };
    let b = match op >> 5 {
        0 => a,
        1 | 2 => on_lattice(a, bytes.i8(), bytes.i8()),
        _ if !long => on_lattice(a, bytes.i8() * 8, bytes.i8() * 8),
        3 => on_lattice(a, bytes.i16(), bytes.i16()),
        4 => Point::new(a.x & !0xFFF, a.y & !0xFFF),
        5 => on_lattice(Point::new(a.x & !0xFFF, a.y & !0xFFF), -1, -1),
        _ => bytes.anywhere(),
    };
    match op & 0x0F {
        0..8 => GridOp::Insert { a, b, owner: u32::from(op & 3), beside: op & 4 != 0 },
        8..12 => GridOp::Remove(u32::from(bytes.u16())),
        _ => GridOp::Query { a, b, reach: i32::from(bytes.u16()) << (op & 3), skip: u32::from(bytes.u8() & 3) },
    }
}
