//! The notations of the format, appended to a buffer. What cannot be written exactly is cut to what can:
//! coordinates saturate, texts end at the last character within 255 bytes.

use super::COORD_MAX;
use crate::geom::lattice::Point;

/// A byte.
pub fn u8(out: &mut Vec<u8>, v: u8) {
    out.push(v);
}

/// Two bytes.
pub fn u16(out: &mut Vec<u8>, v: u16) {
    out.extend_from_slice(&v.to_le_bytes());
}

/// Four bytes.
pub fn u32(out: &mut Vec<u8>, v: u32) {
    out.extend_from_slice(&v.to_le_bytes());
}

/// A coordinate in quanta, saturated.
pub fn i24(out: &mut Vec<u8>, v: i32) {
    let [a, b, c, _] = v.clamp(-COORD_MAX - 1, COORD_MAX).to_le_bytes();
    out.extend_from_slice(&[a, b, c]);
}

/// A place, saturated.
pub fn pos(out: &mut Vec<u8>, at: Point) {
    i24(out, at.x);
    i24(out, at.y);
}

/// An unsigned number in 1 to 5 bytes.
pub fn var(out: &mut Vec<u8>, mut v: u32) {
    while v >= 0x80 {
        out.push(v as u8 | 0x80);
        v >>= 7;
    }
    out.push(v as u8);
}

/// A signed number in 1 to 5 bytes.
pub fn zig(out: &mut Vec<u8>, v: i32) {
    var(out, (v << 1 ^ v >> 31) as u32);
}

/// A step, quanta.
pub fn step(out: &mut Vec<u8>, [dx, dy]: [i32; 2]) {
    zig(out, dx);
    zig(out, dy);
}

/// A text, cut to 255 bytes.
pub fn str(out: &mut Vec<u8>, text: &str) {
    let cut = &text[..text.floor_char_boundary(usize::from(u8::MAX))];
    out.push(cut.len() as u8);
    out.extend_from_slice(cut.as_bytes());
}

/// A count of elements.
pub fn count(out: &mut Vec<u8>, n: usize) {
    var(out, u32::try_from(n).unwrap_or(u32::MAX));
}

/// A counted list.
pub fn list<T>(out: &mut Vec<u8>, items: &[T], mut write: impl FnMut(&mut Vec<u8>, &T)) {
    count(out, items.len());
    items.iter().for_each(|item| write(out, item));
}

/// The bytes that [`var`] takes.
pub const fn var_len(v: u32) -> usize {
    match v {
        0..0x80 => 1,
        0x80..0x4000 => 2,
        0x4000..0x20_0000 => 3,
        0x20_0000..0x1000_0000 => 4,
        _ => 5,
    }
}

/// The bytes that [`step`] takes.
pub const fn step_len([dx, dy]: [i32; 2]) -> usize {
    var_len((dx << 1 ^ dx >> 31) as u32) + var_len((dy << 1 ^ dy >> 31) as u32)
}
