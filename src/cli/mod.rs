//! The commands of the program.

mod command;
pub mod probe;
mod report;
pub mod sim;
pub mod swarm;

pub use command::{Cli, Command, run};
