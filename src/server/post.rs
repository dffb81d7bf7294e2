//! How messages leave the game: the seam at which tests put an outbox of their own.

use crate::net::{ConnId, Front, Sent};

/// Takes messages for clients.
pub trait Post {
    /// Whether a message would go out now; a client that does not drain is busy, and is sent its newest
    /// state later.
    fn admits(&mut self, conn: ConnId) -> Sent;
    /// Sends at once, together with all that was queued.
    fn send(&mut self, conn: ConnId, bytes: &[u8]) -> Sent;
    /// Sends with the next message: two messages in one write cost as much as one.
    fn queue(&mut self, conn: ConnId, bytes: &[u8]) -> Sent;
    /// Ends a connection.
    fn close(&mut self, conn: ConnId, code: u16, reason: &str);
}

impl Post for Front {
    fn admits(&mut self, conn: ConnId) -> Sent {
        Self::admits(self, conn)
    }

    fn send(&mut self, conn: ConnId, bytes: &[u8]) -> Sent {
        Self::send(self, conn, bytes)
    }

    fn queue(&mut self, conn: ConnId, bytes: &[u8]) -> Sent {
        Self::queue(self, conn, bytes)
    }

    fn close(&mut self, conn: ConnId, code: u16, reason: &str) {
        Self::close(self, conn, code, reason);
    }
}
