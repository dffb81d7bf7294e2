//! The bounds of the front end. Every one can be lowered by a test and raised by a conformance run.

use super::Origins;
use std::net::SocketAddr;
use std::time::Duration;

/// What a [`Front`](super::Front) listens on, and its limits.
#[derive(Clone, Debug)]
pub struct NetConfig {
    /// Address to listen on; port 0 lets the system choose.
    pub addr: SocketAddr,
    /// Whose pages may open a socket.
    pub origins: Origins,
    /// Connections in all, pages and sockets together.
    pub connections_max: u32,
    /// Connections of one IPv4 address or one IPv6 /64. None: 256, and no limit for loopback, where a
    /// reverse proxy stands for many.
    pub connections_per_address: Option<u32>,
    /// Connections that the kernel completes before they are accepted.
    pub backlog: u32,
    /// Time in which a request's head must be complete, from the connection's first moment.
    pub header_timeout: Duration,
    /// Longest life of a connection that serves pages.
    pub http_timeout: Duration,
    /// Bytes of a request's head.
    pub header_bytes_max: usize,
    /// Header fields of a request.
    pub headers_max: usize,
    /// The kernel's send buffer of a socket, bytes (Linux doubles it). Small, so that a reader that has
    /// stopped is noticed after a few snapshots and not after a minute of them.
    pub send_buffer: u32,
    /// Read buffer of a connection, bytes.
    pub read_buffer: usize,
    /// Bytes that may wait in the process for a client that does not drain, 16 KiB or more. A message
    /// that leaves less than 8 KiB of it is never sent.
    pub write_buffer_max: usize,
    /// Largest message or frame from a client, bytes.
    pub message_max: usize,
    /// Most fragments of one message.
    pub fragments_max: u32,
    /// Bytes read from one connection in one collection; what is left waits for the next.
    pub read_max: usize,
    /// Whether text messages are taken. If not they end the connection.
    pub text: bool,
    /// Messages a second that a client may send, pings included.
    pub messages_per_second: u32,
    /// Messages that may come at once.
    pub messages_burst: u32,
    /// Time in which what was sent must drain.
    pub drain_limit: Duration,
    /// Time between two pings.
    pub ping_every: Duration,
    /// Time without a byte from the peer after which it counts as gone.
    pub silence_limit: Duration,
    /// Time that a closing connection is given to take its close frame and hang up.
    pub linger: Duration,
}

impl Default for NetConfig {
    fn default() -> Self {
        Self {
            addr: SocketAddr::from(([127, 0, 0, 1], 0)),
            origins: Origins::default(),
            connections_max: 16_384,
            connections_per_address: None,
            backlog: 1_024,
            header_timeout: Duration::from_secs(5),
            http_timeout: Duration::from_secs(60),
            header_bytes_max: 16 * 1024,
            headers_max: 64,
            send_buffer: 32 * 1024,
            read_buffer: 1024,
            write_buffer_max: 64 * 1024,
            message_max: 2 * 1024,
            fragments_max: 16,
            read_max: 8 * 1024,
            text: false,
            messages_per_second: 60,
            messages_burst: 120,
            drain_limit: Duration::from_secs(10),
            ping_every: Duration::from_secs(10),
            silence_limit: Duration::from_secs(25),
            linger: Duration::from_secs(2),
        }
    }
}
