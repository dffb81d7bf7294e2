//! The hook for those who play without a client.

use crate::world::World;

/// A population that plays by itself.
pub trait Bots {
    /// How many there should be from now on.
    fn set_target(&mut self, count: usize);
    /// Steers them all, before a step; spawns and removes some towards the target.
    fn think(&mut self, world: &mut World);
}

/// Nobody.
#[derive(Debug, Default)]
pub struct NoBots;

impl Bots for NoBots {
    fn set_target(&mut self, _: usize) {}

    fn think(&mut self, _: &mut World) {}
}
