//! What the fuzz targets do, as plain functions of bytes that panic on a finding.
//!
//! Two crates compile this text: the fuzz targets, and the engine's own test `fuzz_seeds`, which sends every seed and
//! every kept crash through the same functions. So it uses nothing but ringsnake (and toml).

mod bytes;
mod canary;
mod geometry;
mod indexes;
#[cfg(feature = "server")]
mod text;
mod tick;
mod toolbox;
mod wire;
mod world;

pub use canary::canary;
pub use geometry::{segment, swept, toi};
pub use indexes::{grid, ring};
#[cfg(feature = "server")]
pub use text::{config, probe};
pub use tick::tick;
pub use toolbox::ccd;
pub use wire::{mirror, wire};
pub use world::world;

/// A target: it panics on a finding.
pub type Target = fn(&[u8]);

/// Every target that must not find anything, by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("segment", segment),
    ("swept", swept),
    ("toi", toi),
    ("ccd", ccd),
    ("ring", ring),
    ("grid", grid),
    ("tick", tick),
    ("world", world),
    ("wire", wire),
    ("mirror", mirror),
    #[cfg(feature = "server")]
    ("config", config),
    #[cfg(feature = "server")]
    ("probe", probe),
];
