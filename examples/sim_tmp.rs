//! tmp
use clap::Parser;
#[derive(Parser)]
struct A {
    #[command(flatten)]
    a: ringsnake::cli::sim::SimArgs,
}
fn main() {
    let a = A::parse();
    match ringsnake::cli::sim::run(&a.a) {
        Ok(b) => std::process::exit(!b as i32),
        Err(e) => {
            eprintln!("{e}");
            std::process::exit(2)
        }
    }
}
