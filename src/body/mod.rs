//! Bodies: rings of samples, all in one pool of parallel arrays.

mod pool;
mod ring;
mod rings;

pub(crate) use pool::{Pool, Samples};
pub(crate) use ring::Ring;
pub(crate) use rings::{Columns, Rings};

/// Where a sample's lane stands in the grid, and whether the trail is broken before the sample: the index of
/// the bucket and of the slot inside it, inline with the point, so that removal is a direct write.
///
/// ```text
///  31    30 ........................ 4   3 .. 0
/// [gap] [block of the grid            ] [slot  ]     all ones below the gap bit: no lane
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(crate) struct Seat(u32);

const GAP: u32 = 1 << 31;
const NOWHERE: u32 = GAP - 1;

impl Seat {
    /// No lane, no gap.
    pub const NONE: Self = Self(NOWHERE);

    pub const fn with_gap(self, gap: bool) -> Self {
        Self(self.0 & NOWHERE | if gap { GAP } else { 0 })
    }

    pub const fn gap(self) -> bool {
        self.0 & GAP != 0
    }

    /// The place in the grid, if the sample has a lane.
    pub fn lane(self) -> Option<u32> {
        let lane = self.0 & NOWHERE;
        (lane != NOWHERE).then_some(lane)
    }

    /// The number of the lane, or one that no lane has.
    pub const fn number(self) -> u32 {
        self.0 & NOWHERE
    }

    pub const fn at(self, lane: Option<u32>) -> Self {
        Self(
            self.0 & GAP
                | match lane {
                    Some(lane) => lane,
                    None => NOWHERE,
                },
        )
    }
}
