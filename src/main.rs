//! The program `ringsnake`: parse, build, run, drain.

use clap::Parser;
use ringsnake::cli::{self, Cli};
use std::io::Write as _;
use std::process::ExitCode;

/// A snapshot is a few small allocations that live for microseconds; this allocator is made for those.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match cli::run(Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            // Its reader may be gone, which changes nothing about the failure.
            let _ = writeln!(std::io::stderr(), "ringsnake: {failure}");
            ExitCode::from(failure.status())
        }
    }
}
