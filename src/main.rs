//! The program `ringsnake`: parse, build, run, drain.

use clap::Parser;
use ringsnake::server::{self, Cli};
use std::process::ExitCode;

/// A snapshot is a few small allocations that live for microseconds; this allocator is made for those.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match server::run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("ringsnake: {failure}");
            ExitCode::from(failure.status())
        }
    }
}
