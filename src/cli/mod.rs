//! The commands of the program.

mod command;
pub mod probe;
pub mod sim;

pub use command::{Cli, Command, run};
