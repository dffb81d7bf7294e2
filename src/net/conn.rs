//! One connection, from its handshake until the peer has hung up.

use super::budget::Budget;
use super::gate::Permit;
use super::stream::CountedStream;
use super::upgrade::Arrival;
use super::{ConnId, Inbox, NetConfig, Why};
use mio::net::TcpStream;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;
use tungstenite::error::ProtocolError;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tungstenite::{Bytes, Error, Message, WebSocket};

/// Longest reason that fits a close frame beside its code, bytes.
const REASON_MAX: usize = 123;

/// Bytes that may be queued for a connection before they are written all the same.
pub(super) const QUEUE_MAX: usize = 8 * 1024;

/// Whether a message goes out at once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Haste {
    Now,
    WithNext,
}

/// A client. About 400 bytes, the read buffer, and up to `write_buffer_max` while it does not drain.
pub(super) struct Conn {
    socket: WebSocket<CountedStream>,
    pub(super) addr: SocketAddr,
    budget: Budget,
    heard_at: Instant,
    pinged_at: Instant,
    blocked_since: Option<Instant>,
    closing_since: Option<Instant>,
    /// Why it is to be closed in the next collection; until then its last messages can be answered.
    pub(super) verdict: Option<Why>,
    /// Whether it already waits to be read.
    pub(super) queued: bool,
    _permit: Arc<Permit>,
}

/// What became of a connection that was looked after.
pub(super) enum Tended {
    Fine,
    Pinged,
    /// A deadline of an open connection has passed.
    Overdue(Why),
    /// It was closing, and its time is up.
    Gone,
}

impl Conn {
    pub(super) fn new(arrival: Arrival, config: &NetConfig, now: Instant) -> Self {
        let socket = TcpStream::from_std(arrival.socket);
        let stream = CountedStream::new(socket, &arrival.leftover, config.fragments_max);
        let limits = Some(protocol_limits(config));
        Self {
            socket: WebSocket::from_partially_read(stream, arrival.leftover, Role::Server, limits),
            addr: arrival.addr,
            budget: Budget::new(config.messages_burst, now),
            heard_at: now,
            pinged_at: now,
            blocked_since: None,
            closing_since: None,
            verdict: None,
            queued: false,
            _permit: arrival.permit,
        }
    }

    pub(super) fn stream(&mut self) -> &mut CountedStream {
        self.socket.get_mut()
    }

    /// Whether messages still go both ways.
    pub(super) fn is_open(&self) -> bool {
        self.closing_since.is_none()
    }

    /// Whether a send must wait until the one before has drained.
    pub(super) fn is_busy(&self) -> bool {
        self.socket.get_ref().blocked()
    }

    /// Reads messages until the kernel has no more or the share of this collection is used.
    pub(super) fn read(&mut self, id: ConnId, config: &NetConfig, now: Instant, inbox: &mut Inbox) -> Result<(), Why> {
        self.budget.refill(config.messages_per_second, config.messages_burst, now);
        self.heard_at = now;
        self.stream().allow(config.read_max);
        loop {
            match self.socket.read() {
                Ok(message) => self.take(message, id, config.text, inbox)?,
                Err(error) if would_block(&error) => return Ok(()),
                Err(error) => return Err(self.judge(&error)),
            }
        }
    }

    /// One message, if the budget allows; control frames are work as well and are paid for.
    fn take(&mut self, message: Message, id: ConnId, text: bool, inbox: &mut Inbox) -> Result<(), Why> {
        if !self.budget.take() {
            return Err(Why::Flood);
        }
        match message {
            Message::Binary(bytes) => inbox.message(id, &bytes, false),
            Message::Text(words) if text => inbox.message(id, words.as_str().as_bytes(), true),
            Message::Text(_) => return Err(Why::Text),
            Message::Close(_) => return Err(Why::ByPeer),
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
        }
        Ok(())
    }

    /// Sends, or leaves in the write buffer what does not fit the kernel's; then it is busy.
    pub(super) fn write(&mut self, message: Message, haste: Haste, now: Instant) -> Result<(), Why> {
        let result = match haste {
            Haste::Now => self.socket.send(message),
            Haste::WithNext => self.socket.write(message),
        };
        self.note_blocked(now);
        match result {
            Err(error) if !would_block(&error) => Err(self.judge(&error)),
            _ => Ok(()),
        }
    }

    /// Goes on with what waits in the write buffer.
    pub(super) fn drain(&mut self, now: Instant) -> Result<(), Why> {
        if !self.is_busy() {
            return Ok(());
        }
        let result = self.socket.flush();
        self.note_blocked(now);
        match result {
            Err(error) if self.is_open() && !would_block(&error) => Err(self.judge(&error)),
            _ => {
                self.finish_closing();
                Ok(())
            }
        }
    }

    fn note_blocked(&mut self, now: Instant) {
        self.blocked_since = if self.is_busy() { self.blocked_since.or(Some(now)) } else { None };
    }

    fn judge(&self, error: &Error) -> Why {
        match error {
            _ if self.socket.get_ref().shattered() => Why::Fragments,
            Error::Capacity(_) => Why::TooBig,
            Error::Utf8(_) => Why::NotUtf8,
            Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => Why::Lost,
            Error::Protocol(_) => Why::Protocol,
            _ => Why::Lost,
        }
    }

    /// Starts to close: the frame, the end of our side, then [`Conn::wind_up`] until the peer hangs up.
    /// Hanging up at once would make the kernel reset the connection while bytes are unread, and a reset
    /// can overtake the close frame.
    pub(super) fn close(&mut self, notice: Option<(u16, &str)>, now: Instant) {
        let _ = match notice {
            Some((code, reason)) => self.socket.close(Some(close_frame(code, reason))),
            None => self.socket.flush(),
        };
        self.closing_since = Some(now);
        self.finish_closing();
    }

    fn finish_closing(&self) {
        if !self.is_open() && !self.is_busy() {
            self.socket.get_ref().finish();
        }
    }

    /// Waits for the peer of a closing connection; true when it has hung up.
    pub(super) fn wind_up(&mut self, config: &NetConfig) -> bool {
        let stream = self.stream();
        stream.allow(config.read_max);
        stream.discard()
    }

    /// Looks at the deadlines, and pings.
    pub(super) fn tend(&mut self, config: &NetConfig, now: Instant) -> Tended {
        let since = |then: Instant| now.saturating_duration_since(then);
        if let Some(then) = self.closing_since {
            return if since(then) >= config.linger { Tended::Gone } else { Tended::Fine };
        }
        self.note_blocked(now);
        if self.blocked_since.is_some_and(|then| since(then) >= config.drain_limit) {
            return Tended::Overdue(Why::SlowReader);
        }
        if since(self.heard_at) >= config.silence_limit {
            return Tended::Overdue(Why::Silent);
        }
        if since(self.pinged_at) < config.ping_every || self.is_busy() {
            return Tended::Fine;
        }
        self.pinged_at = now;
        match self.write(Message::Ping(Bytes::new()), Haste::Now, now) {
            Ok(()) => Tended::Pinged,
            Err(why) => Tended::Overdue(why),
        }
    }
}

/// The library's own defaults, 128 KiB that are zeroed before every read and a write buffer without an
/// end, are made for few connections.
fn protocol_limits(config: &NetConfig) -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(config.read_buffer)
        .write_buffer_size(QUEUE_MAX)
        .max_write_buffer_size(config.write_buffer_max.max(2 * QUEUE_MAX))
        .max_message_size(Some(config.message_max))
        .max_frame_size(Some(config.message_max))
}

fn close_frame(code: u16, reason: &str) -> CloseFrame {
    let end = reason.floor_char_boundary(REASON_MAX);
    CloseFrame { code: code.into(), reason: reason[..end].into() }
}

fn would_block(error: &Error) -> bool {
    matches!(error, Error::Io(error) if error.kind() == io::ErrorKind::WouldBlock)
}
