//! The levels of SIMD that the kernels come in.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod base;
#[cfg(target_arch = "x86_64")]
mod eight;
mod level;
mod prefetch;
mod vector;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
pub(crate) use base::Base;
pub use level::{Level, LevelError};
pub(crate) use prefetch::prefetch;
pub(crate) use vector::{Kernel, Vector, first_lanes};
