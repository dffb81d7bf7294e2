//! What stands in an arena, on the lattice.

use crate::geom::lattice::{Point, quanta};
use crate::wire::read::{Cursor, WireError};
use crate::wire::{COORD_MAX, OBSTACLES_MAX, write};
use crate::world;

const BOX: u8 = 0;
const DISC: u8 = 1;

/// Bytes of a disc, the smaller of the two.
const LEN_MIN: usize = 11;

/// An obstacle as a client draws it, quanta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// An axis-aligned box.
    Box {
        /// Lower corner.
        min: Point,
        /// Upper corner.
        max: Point,
    },
    /// A disc.
    Disc {
        /// Centre.
        center: Point,
        /// Radius.
        radius: u32,
    },
}

impl Obstacle {
    /// One of a config, to the quantum that the engine takes it to; none when it is off the lattice.
    pub fn of(obstacle: &world::Obstacle) -> Option<Self> {
        Some(match *obstacle {
            world::Obstacle::Box { min, max } => {
                Self::Box { min: Point::from_units(min)?, max: Point::from_units(max)? }
            }
            world::Obstacle::Circle { center, radius } => {
                Self::Disc { center: Point::from_units(center)?, radius: quanta(radius)?.unsigned_abs() }
            }
        })
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        match *self {
            Self::Box { min, max } => {
                write::u8(out, BOX);
                write::pos(out, min);
                write::pos(out, max);
            }
            Self::Disc { center, radius } => {
                write::u8(out, DISC);
                write::pos(out, center);
                write::u32(out, radius);
            }
        }
    }

    pub(super) fn read_list(cursor: &mut Cursor<'_>) -> Result<Vec<Self>, WireError> {
        let list = cursor.list(LEN_MIN, Self::read)?;
        if list.len() <= OBSTACLES_MAX { Ok(list) } else { Err(WireError::Value("obstacles")) }
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        let (obstacle, fits) = match cursor.u8()? {
            BOX => {
                let (min, max) = (cursor.pos()?, cursor.pos()?);
                (Self::Box { min, max }, min.x <= max.x && min.y <= max.y)
            }
            DISC => {
                let (center, radius) = (cursor.pos()?, cursor.u32()?);
                (Self::Disc { center, radius }, radius <= COORD_MAX.unsigned_abs())
            }
            _ => return Err(WireError::Value("shape")),
        };
        if fits { Ok(obstacle) } else { Err(WireError::Value("obstacle")) }
    }
}
