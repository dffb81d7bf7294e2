//! Finding who may be near: flat grids of segments, and the fronts of all heads in order of x.

mod block;
mod cell;
mod fronts;
mod glance;
mod grid;
mod table;
mod tiles;

pub(crate) use block::{Block, Half, LAST, Lane, Pressed};
pub(crate) use cell::{Cell, CellRect, box_of};
pub(crate) use fronts::{Front, Fronts};
pub(crate) use grid::{Grid, ask_for, ask_for_lane, ask_for_mask, put_beside};
pub(crate) use table::TileKey;
