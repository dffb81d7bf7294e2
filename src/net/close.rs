//! Why a connection ended.

/// Why a connection ended; the index of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// The peer said goodbye.
    ByPeer,
    /// The connection broke, or ended without a goodbye.
    Lost,
    /// The server closed it through [`Front::close`](super::Front::close).
    ByServer,
    /// The peer broke the WebSocket protocol.
    Protocol,
    /// A frame or a message larger than allowed; judged by its header, before anything is allocated.
    TooBig,
    /// A message in more fragments than allowed.
    Fragments,
    /// A text message where only binary ones are allowed.
    Text,
    /// Text that is not UTF-8.
    NotUtf8,
    /// More messages than the budget.
    Flood,
    /// What was sent has not drained within the limit.
    SlowReader,
    /// Nothing was heard within the limit, not even the answer to a ping.
    Silent,
}

impl Why {
    /// Every reason, in the order of the counters.
    pub const ALL: [Self; 11] = [
        Self::ByPeer,
        Self::Lost,
        Self::ByServer,
        Self::Protocol,
        Self::TooBig,
        Self::Fragments,
        Self::Text,
        Self::NotUtf8,
        Self::Flood,
        Self::SlowReader,
        Self::Silent,
    ];

    /// A name for metrics and logs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ByPeer => "by_peer",
            Self::Lost => "lost",
            Self::ByServer => "by_server",
            Self::Protocol => "protocol",
            Self::TooBig => "too_big",
            Self::Fragments => "fragments",
            Self::Text => "text",
            Self::NotUtf8 => "not_utf8",
            Self::Flood => "flood",
            Self::SlowReader => "slow_reader",
            Self::Silent => "silent",
        }
    }

    /// The close code and words that the peer is told; none where there is nobody left to tell.
    pub(super) const fn notice(self) -> Option<(u16, &'static str)> {
        Some(match self {
            Self::ByPeer | Self::Lost | Self::ByServer => return None,
            Self::Protocol => (1002, "protocol error"),
            Self::TooBig => (1009, "message too big"),
            Self::Fragments => (1008, "too many fragments"),
            Self::Text => (1003, "binary messages only"),
            Self::NotUtf8 => (1007, "text is not UTF-8"),
            Self::Flood => (1008, "too many messages"),
            Self::SlowReader => (1008, "reads too slowly"),
            Self::Silent => (1008, "no sign of life"),
        })
    }
}
