//! The world's own dice: SplitMix64 (Steele, Lea, Flood 2014), 8 bytes of state that the hash includes.

/// A generator of pseudo-random integers; the same seed gives the same numbers on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(u64);

impl Rng {
    /// A generator that starts from this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The state.
    pub const fn state(&self) -> u64 {
        self.0
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// An integer in `0..bound`; 0 for a bound of 0. The bias of the multiplication is below 2^-32.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// An integer in `min..=max`.
    pub fn between(&mut self, min: i32, max: i32) -> i32 {
        min.wrapping_add(self.below(max.wrapping_sub(min) as u32 + 1) as i32)
    }
}

/// SplitMix64's finalizer: every bit of the input reaches every bit of the output.
pub(crate) const fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
