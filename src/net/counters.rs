//! What the front end has counted since it was opened.

use super::Why;
use std::sync::atomic::{AtomicU64, Ordering};

/// Why a connection or a handshake was turned away; the index of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// As many connections as allowed are open.
    Full,
    /// One address holds as many as allowed.
    Address,
    /// The system had no file descriptor or memory for it.
    System,
    /// The page that opened it is of another site.
    Origin,
    /// The request was no valid WebSocket handshake.
    Handshake,
    /// The server is about to stop.
    Draining,
}

impl Refusal {
    /// Every reason, in the order of the counters.
    pub const ALL: [Self; 6] = [Self::Full, Self::Address, Self::System, Self::Origin, Self::Handshake, Self::Draining];

    /// A name for metrics and logs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Address => "address",
            Self::System => "system",
            Self::Origin => "origin",
            Self::Handshake => "handshake",
            Self::Draining => "draining",
        }
    }
}

/// Counts since the front end was opened. They only grow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// TCP connections accepted, for pages or sockets.
    pub accepted: u64,
    /// WebSockets opened.
    pub opened: u64,
    /// WebSockets closed, by reason: indexed by [`Why`].
    pub closed: [u64; Why::ALL.len()],
    /// Connections and handshakes refused, by reason: indexed by [`Refusal`].
    pub refused: [u64; Refusal::ALL.len()],
    /// Frames received, control frames included.
    pub frames_in: u64,
    /// Frames sent, pings included, automatic pongs not.
    pub frames_out: u64,
    /// Bytes received after the handshakes.
    pub bytes_in: u64,
    /// Bytes handed to the kernel after the handshakes.
    pub bytes_out: u64,
    /// Sends skipped because the one before had not drained.
    pub busy: u64,
}

impl Counters {
    /// WebSockets closed for this reason.
    pub fn closed_for(&self, why: Why) -> u64 {
        self.closed[why as usize]
    }

    /// Connections or handshakes refused for this reason.
    pub fn refused_for(&self, refusal: Refusal) -> u64 {
        self.refused[refusal as usize]
    }
}

/// The counts of the door's thread.
#[derive(Default)]
pub(super) struct DoorCounters {
    accepted: AtomicU64,
    refused: [AtomicU64; Refusal::ALL.len()],
}

impl DoorCounters {
    pub(super) fn accept(&self) {
        self.accepted.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn refuse(&self, refusal: Refusal) {
        self.refused[refusal as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Writes these counts over those in `counters`.
    pub(super) fn copy_to(&self, counters: &mut Counters) {
        counters.accepted = self.accepted.load(Ordering::Relaxed);
        for (to, from) in counters.refused.iter_mut().zip(&self.refused) {
            *to = from.load(Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_stand_in_the_order_of_their_counters() {
        assert!(Why::ALL.iter().enumerate().all(|(i, &why)| why as usize == i));
        assert!(Refusal::ALL.iter().enumerate().all(|(i, &refusal)| refusal as usize == i));
    }
}
