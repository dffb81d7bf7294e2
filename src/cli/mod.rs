//! The commands of the program.

pub mod probe;
pub mod sim;
