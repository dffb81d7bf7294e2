//! A level of SIMD, found once at run time and held as a value.

#[cfg(target_arch = "x86_64")]
use super::{Avx2, Avx512};
use super::{Base, Kernel, Vector};
use std::fmt;
use std::str::FromStr;

/// An instruction set that the kernels can run on. Verdicts and hashes are the same at every level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Integers, one at a time: the truth.
    Scalar,
    /// What every CPU of the target has: SSE2 on x86-64, NEON on AArch64, through `wide`.
    Base,
    /// 256 bits, x86-64 since 2013.
    Avx2,
    /// 512 bits: AVX-512 F, BW, VL and DQ.
    Avx512,
}

/// A level that was asked for and cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelError {
    /// This CPU lacks it.
    Missing(Level),
    /// No level has that name.
    Unknown(String),
}

impl Level {
    /// All levels, lowest first.
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Base, Self::Avx2, Self::Avx512];

    /// The highest level that this CPU has.
    pub fn best() -> Self {
        Self::ALL.into_iter().rev().find(|level| level.is_here()).unwrap_or(Self::Scalar)
    }

    /// Whether this CPU has it.
    #[cfg(target_arch = "x86_64")]
    pub fn is_here(self) -> bool {
        match self {
            Self::Scalar | Self::Base => true,
            // All that the entry of the level enables.
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            Self::Avx512 => {
                Self::Avx2.is_here()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512dq")
            }
        }
    }

    /// Whether this CPU has it.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn is_here(self) -> bool {
        matches!(self, Self::Scalar | Self::Base)
    }

    /// The level of that name, if this CPU has it; `auto` is the highest.
    pub fn named(name: &str) -> Result<Self, LevelError> {
        let level = match name {
            "auto" => Self::best(),
            "scalar" => Self::Scalar,
            "base" | "sse2" | "neon" => Self::Base,
            "avx2" => Self::Avx2,
            "avx512" => Self::Avx512,
            _ => return Err(LevelError::Unknown(name.to_owned())),
        };
        if level.is_here() { Ok(level) } else { Err(LevelError::Missing(level)) }
    }

    /// Runs a kernel at this level, which this CPU must have; scalar code has no kernels and takes the lowest.
    pub(crate) fn call<K: Kernel>(self, kernel: K) -> K::Out {
        debug_assert!(self.is_here());
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => Avx2::call(kernel),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Avx512::call(kernel),
            _ => Base::call(kernel),
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Base => {
                if cfg!(target_arch = "x86_64") {
                    "sse2"
                } else {
                    "base"
                }
            }
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(name: &str) -> Result<Self, LevelError> {
        Self::named(name)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(level) => write!(f, "this CPU has no {level}; its best level is {}", Level::best()),
            Self::Unknown(name) => {
                write!(f, "no SIMD level is called {name:?}; there are auto, scalar, sse2, avx2, avx512")
            }
        }
    }
}

impl std::error::Error for LevelError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_comes_back_by_its_name() {
        for level in Level::ALL.into_iter().filter(|level| level.is_here()) {
            assert_eq!(level.name().parse(), Ok(level));
        }
        assert_eq!("auto".parse(), Ok(Level::best()));
        assert!("mmx".parse::<Level>().is_err());
    }
}
