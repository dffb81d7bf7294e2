//! The scalar truth: points of the lattice, headings, distances and times of impact.

pub mod angle;
pub mod ccd;
pub mod lattice;
pub mod segment;
pub mod swept;
pub mod toi;
