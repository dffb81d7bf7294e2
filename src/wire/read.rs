//! A cursor over the bytes of one message. Every read is checked, and nothing is allocated from a count
//! before the bytes that are left could hold that many.

use crate::geom::lattice::Point;
use std::fmt;

/// Why bytes are not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireError {
    /// The first byte is no kind of this direction.
    Kind(u8),
    /// The message ends early.
    Short,
    /// This many bytes follow the message.
    Left(usize),
    /// A `var` of more than 32 bits, or not in its shortest form.
    Var,
    /// A `str` that is not UTF-8.
    Utf8,
    /// A count that the bytes left cannot hold.
    Count(u32),
    /// The named field has a value that it cannot have.
    Value(&'static str),
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => write!(f, "no message of kind {kind:#04x} goes this way"),
            Self::Short => write!(f, "the message ends early"),
            Self::Left(n) => write!(f, "{n} bytes follow the message"),
            Self::Var => write!(f, "a var is above 32 bits or not in its shortest form"),
            Self::Utf8 => write!(f, "a str is not UTF-8"),
            Self::Count(n) => write!(f, "{n} elements cannot fit into the bytes left"),
            Self::Value(field) => write!(f, "a value is out of range: {field}"),
        }
    }
}

impl std::error::Error for WireError {}

/// What is still unread of a message.
#[derive(Clone, Debug)]
pub struct Cursor<'b> {
    rest: &'b [u8],
}

impl<'b> Cursor<'b> {
    /// A cursor before the first byte.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next `n` bytes as they are.
    pub fn take(&mut self, n: usize) -> Result<&'b [u8], WireError> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or(WireError::Short)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(WireError::Short)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// A byte.
    pub fn u8(&mut self) -> Result<u8, WireError> {
        Ok(self.array::<1>()?[0])
    }

    /// Two bytes.
    pub fn u16(&mut self) -> Result<u16, WireError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// Four bytes.
    pub fn u32(&mut self) -> Result<u32, WireError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// A coordinate, quanta.
    pub fn i24(&mut self) -> Result<i32, WireError> {
        let [a, b, c] = self.array()?;
        Ok(i32::from_le_bytes([0, a, b, c]) >> 8)
    }

    /// A place.
    pub fn pos(&mut self) -> Result<Point, WireError> {
        Ok(Point::new(self.i24()?, self.i24()?))
    }

    /// An unsigned number of 1 to 5 bytes.
    pub fn var(&mut self) -> Result<u32, WireError> {
        let mut value = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.u8()?;
            if shift == 28 && byte > 0x0F || shift > 0 && byte == 0 {
                return Err(WireError::Var);
            }
            value |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(WireError::Var)
    }

    /// A signed number of 1 to 5 bytes.
    pub fn zig(&mut self) -> Result<i32, WireError> {
        let n = self.var()?;
        Ok((n >> 1) as i32 ^ -((n & 1) as i32))
    }

    /// A step from a sample to the next, quanta.
    pub fn step(&mut self) -> Result<[i32; 2], WireError> {
        Ok([self.zig()?, self.zig()?])
    }

    /// A text of at most 255 bytes.
    pub fn str(&mut self) -> Result<&'b str, WireError> {
        let n = self.u8()?;
        std::str::from_utf8(self.take(usize::from(n))?).map_err(|_| WireError::Utf8)
    }

    /// A count of elements that take at least `size_min` bytes each.
    pub fn count(&mut self, size_min: usize) -> Result<usize, WireError> {
        let n = self.var()?;
        if n as usize > self.rest.len() / size_min {
            return Err(WireError::Count(n));
        }
        Ok(n as usize)
    }

    /// A counted list of elements that take at least `size_min` bytes each.
    pub fn list<T>(
        &mut self,
        size_min: usize,
        mut read: impl FnMut(&mut Self) -> Result<T, WireError>,
    ) -> Result<Vec<T>, WireError> {
        let n = self.count(size_min)?;
        (0..n).map(|_| read(self)).collect()
    }

    /// A byte of flags of which only those in `known` may be set.
    pub fn flags(&mut self, known: u8) -> Result<u8, WireError> {
        let flags = self.u8()?;
        if flags & !known != 0 {
            return Err(WireError::Value("flags"));
        }
        Ok(flags)
    }

    /// Refuses bytes that are left.
    pub fn end(self) -> Result<(), WireError> {
        if self.rest.is_empty() { Ok(()) } else { Err(WireError::Left(self.rest.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::write;

    #[test]
    fn numbers_at_their_limits_come_back() {
        let mut bytes = Vec::new();
        for v in [0, 1, 127, 128, 16_383, 16_384, u32::MAX - 1, u32::MAX] {
            bytes.clear();
            write::var(&mut bytes, v);
            write::zig(&mut bytes, v as i32);
            let mut cursor = Cursor::new(&bytes);
            assert_eq!((cursor.var(), cursor.zig()), (Ok(v), Ok(v as i32)));
            assert_eq!(cursor.end(), Ok(()));
        }
    }

    #[test]
    fn a_coordinate_beyond_three_bytes_saturates() {
        for (written, read) in [(-5, -5), (8_388_607, 8_388_607), (9_000_000, 8_388_607), (-16_000_000, -8_388_608)] {
            let mut bytes = Vec::new();
            write::i24(&mut bytes, written);
            assert_eq!(Cursor::new(&bytes).i24(), Ok(read));
        }
    }

    #[test]
    fn a_var_has_one_form_only() {
        for odd in [&[0x80, 0x00][..], &[0xFF, 0xFF, 0xFF, 0xFF, 0x10], &[0x80, 0x80, 0x80, 0x80, 0x80, 0x00]] {
            assert_eq!(Cursor::new(odd).var(), Err(WireError::Var), "{odd:x?}");
        }
        assert_eq!(Cursor::new(&[0x80]).var(), Err(WireError::Short));
    }

    #[test]
    fn a_count_is_checked_before_anything_is_read() {
        let bytes = [0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1, 2, 3];
        let read = |_: &mut Cursor<'_>| -> Result<u64, WireError> { unreachable!("nothing fits") };
        assert_eq!(Cursor::new(&bytes).list(1, read), Err(WireError::Count(u32::MAX)));
    }
}
