//! What came in since the last collection, in one buffer.

use super::{ConnId, Why};
use std::net::SocketAddr;
use std::ops::Range;

/// One thing that happened on the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incoming<'a> {
    /// A client finished its handshake.
    Opened {
        /// Its connection.
        conn: ConnId,
        /// Where it comes from.
        addr: SocketAddr,
    },
    /// A whole message.
    Message {
        /// Whose.
        conn: ConnId,
        /// What was sent.
        bytes: &'a [u8],
        /// Whether it was a text message. Never, unless the config takes them.
        text: bool,
    },
    /// A connection ended. Nothing more comes from it, and nothing can be sent.
    Closed {
        /// Whose.
        conn: ConnId,
        /// The reason.
        why: Why,
    },
}

enum Item {
    Opened(ConnId, SocketAddr),
    Message(ConnId, Range<usize>, bool),
    Closed(ConnId, Why),
}

/// Filled by [`Front::collect`](super::Front::collect); its memory is used again from tick to tick.
#[derive(Default)]
pub struct Inbox {
    items: Vec<Item>,
    bytes: Vec<u8>,
    messages: usize,
}

impl Inbox {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// What happened, in order.
    pub fn iter(&self) -> impl Iterator<Item = Incoming<'_>> {
        self.items.iter().map(|item| match item {
            Item::Opened(conn, addr) => Incoming::Opened { conn: *conn, addr: *addr },
            Item::Message(conn, range, text) => {
                Incoming::Message { conn: *conn, bytes: &self.bytes[range.clone()], text: *text }
            }
            Item::Closed(conn, why) => Incoming::Closed { conn: *conn, why: *why },
        })
    }

    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.bytes.clear();
        self.messages = 0;
    }

    pub(super) fn messages(&self) -> usize {
        self.messages
    }

    pub(crate) fn opened(&mut self, conn: ConnId, addr: SocketAddr) {
        self.items.push(Item::Opened(conn, addr));
    }

    pub(crate) fn message(&mut self, conn: ConnId, bytes: &[u8], text: bool) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.messages += 1;
        self.items.push(Item::Message(conn, start..self.bytes.len(), text));
    }

    pub(crate) fn closed(&mut self, conn: ConnId, why: Why) {
        self.items.push(Item::Closed(conn, why));
    }
}
