//! Names of snakes that cannot be mistaken for those of the dead.

use crate::limits::SNAKE_INDEX_BITS;

/// A snake's id: its index, and a generation that changes whenever the index is used again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SnakeId(u32);

impl SnakeId {
    /// The id that no snake has.
    pub const NOBODY: Self = Self(u32::MAX);

    /// The id of an index in its `generation`-th use; 12 bits of the generation count.
    pub(crate) const fn new(index: u32, generation: u32) -> Self {
        Self(index | generation << SNAKE_INDEX_BITS)
    }

    /// The 32 bits, as they stand on the wire.
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The id of these bits. Any value is allowed; most are ids of nobody.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The index: below the world's capacity for a snake that lives.
    pub const fn index(self) -> usize {
        (self.0 & ((1 << SNAKE_INDEX_BITS) - 1)) as usize
    }

    /// The low 12 bits of the generation.
    pub const fn generation(self) -> u32 {
        self.0 >> SNAKE_INDEX_BITS
    }
}

impl std::fmt::Debug for SnakeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.index(), self.generation())
    }
}
