//! The levels of SIMD that the kernels come in.

mod level;

pub use level::{Level, LevelError};
