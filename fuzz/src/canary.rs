//! The planted fault. If the fuzzer does not find this one, its silence about the others means nothing.

use super::bytes::Bytes;
use super::geometry::Pair;
use ringsnake::geom::segment::{heads_within, point_within, segments_within};

/// Holds a test of two segments that forgets one of the four ends against the engine's.
pub fn canary(bytes: &[u8]) {
    let Pair { p, q, reach } = Pair::read(&mut Bytes(bytes));
    let forgetful = point_within(q[0], p[0], p[1], reach)
        || point_within(q[1], p[0], p[1], reach)
        || point_within(p[0], q[0], q[1], reach)
        || heads_within(p[0], p[1], q[0], q[1], reach);
    let right = segments_within(p[0], p[1], q[0], q[1], reach);
    assert!(forgetful || !right, "canary: the end of the way is forgotten");
}
