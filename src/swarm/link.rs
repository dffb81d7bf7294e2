//! A client's end of a connection: TCP, the handshake, messages.

use super::plan::{Mode, Target};
use mio::net::TcpStream;
use mio::{Interest, Registry, Token};
use std::io::{self, Read, Write};
use tungstenite::client::{IntoClientRequest, client_with_config};
use tungstenite::handshake::MidHandshake;
use tungstenite::handshake::client::ClientHandshake;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Bytes, Error, HandshakeError, Message, WebSocket};

/// What a client without manners sends of its handshake, a byte at a time.
const DRIBBLE: &[u8] = b"GET /ws HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";

/// How far a connection has come.
pub(super) enum Link {
    /// There is none.
    Down,
    /// TCP is being opened.
    Dialing(TcpStream),
    /// The handshake is under way.
    Shaking(Box<MidHandshake<ClientHandshake<TcpStream>>>),
    /// Messages go both ways.
    Open(Box<WebSocket<TcpStream>>),
    /// Bytes without a protocol, for those who mean harm; so many were sent.
    Raw(TcpStream, usize),
}

/// What a look at a connection brought.
pub(super) enum Step {
    /// Nothing more for now.
    Wait,
    /// The handshake is over.
    Opened,
    /// It is over, for this reason.
    Lost(String),
}

impl Link {
    /// Starts to connect.
    pub(super) fn dial(target: &Target, registry: &Registry, token: Token) -> io::Result<Self> {
        let mut stream = TcpStream::connect(target.addr)?;
        registry.register(&mut stream, token, Interest::READABLE | Interest::WRITABLE)?;
        Ok(Self::Dialing(stream))
    }

    /// Goes on with connecting, as far as it goes.
    pub(super) fn advance(&mut self, target: &Target, mode: Mode) -> Step {
        match std::mem::replace(self, Self::Down) {
            Self::Dialing(stream) => self.answer_dial(stream, target, mode),
            Self::Shaking(mid) => self.note(mid.handshake()),
            other => {
                *self = other;
                Step::Wait
            }
        }
    }

    fn answer_dial(&mut self, stream: TcpStream, target: &Target, mode: Mode) -> Step {
        match (stream.take_error(), stream.peer_addr()) {
            (Ok(Some(error)) | Err(error), _) => return Step::Lost(words(&error)),
            (_, Err(error)) if error.kind() == io::ErrorKind::NotConnected => {
                *self = Self::Dialing(stream);
                return Step::Wait;
            }
            (_, Err(error)) => return Step::Lost(words(&error)),
            _ => {}
        }
        let _ = stream.set_nodelay(true);
        if !mode.shakes_hands() {
            *self = Self::Raw(stream, 0);
            return Step::Opened;
        }
        match target.url.as_str().into_client_request() {
            Ok(request) => self.note(client_with_config(request, stream, Some(limits()))),
            Err(error) => Step::Lost(error.to_string()),
        }
    }

    fn note<R>(
        &mut self,
        result: Result<(WebSocket<TcpStream>, R), HandshakeError<ClientHandshake<TcpStream>>>,
    ) -> Step {
        match result {
            Ok((socket, _)) => {
                *self = Self::Open(Box::new(socket));
                Step::Opened
            }
            Err(HandshakeError::Interrupted(mid)) => {
                *self = Self::Shaking(Box::new(mid));
                Step::Wait
            }
            Err(HandshakeError::Failure(error)) => Step::Lost(end_of(&error)),
        }
    }

    /// The next binary message; none when there is no more for now. Whoever reads raw bytes throws them away.
    pub(super) fn read(&mut self) -> Result<Option<Message>, String> {
        match self {
            Self::Open(socket) => match socket.read() {
                Ok(Message::Close(frame)) => {
                    // One more read lets the library answer; what it says then does not matter.
                    let _ = socket.flush();
                    let code = frame.map_or(1005, |frame| u16::from(frame.code));
                    Err(format!("closed {code}"))
                }
                Ok(message) => Ok(Some(message)),
                Err(error) if would_block(&error) => Ok(None),
                Err(error) => Err(end_of(&error)),
            },
            Self::Raw(stream, _) => discard(stream).map(|()| None),
            _ => Ok(None),
        }
    }

    /// Sends; a message that does not fit the kernel's buffer stays with the library until the next.
    pub(super) fn send(&mut self, bytes: Vec<u8>) -> Result<(), String> {
        let Self::Open(socket) = self else { return Ok(()) };
        match socket.send(Message::Binary(Bytes::from(bytes))) {
            Err(error) if !would_block(&error) => Err(end_of(&error)),
            _ => Ok(()),
        }
    }

    /// Takes the protocol away: from now on bytes are only read, and nothing is answered.
    pub(super) fn strip(&mut self) {
        if let Self::Open(socket) = std::mem::replace(self, Self::Down) {
            *self = Self::Raw(socket.into_inner(), 0);
        }
    }

    /// One more byte of a handshake that never ends.
    pub(super) fn dribble(&mut self) -> Result<(), String> {
        let Self::Raw(stream, sent) = self else { return Ok(()) };
        let byte = DRIBBLE.get(*sent).copied().unwrap_or(b'x');
        *sent += 1;
        stream.write_all(&[byte]).map_err(|error| words(&error))
    }
}

/// The library's own read buffer is 128 KiB, zeroed before every read; a snapshot has little more than one.
fn limits() -> WebSocketConfig {
    WebSocketConfig::default().read_buffer_size(4 * 1024).write_buffer_size(0)
}

fn discard(stream: &mut TcpStream) -> Result<(), String> {
    let mut bin = [0; 16 * 1024];
    loop {
        match stream.read(&mut bin) {
            Ok(0) => return Err("hung up".to_owned()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
            Err(error) => return Err(words(&error)),
        }
    }
}

fn would_block(error: &Error) -> bool {
    matches!(error, Error::Io(error) if error.kind() == io::ErrorKind::WouldBlock)
}

/// A few words that are the same for the same kind of end, so that they can be counted.
fn end_of(error: &Error) -> String {
    match error {
        Error::Io(error) => words(error),
        Error::Http(response) => format!("http {}", response.status().as_u16()),
        other => other.to_string(),
    }
}

fn words(error: &io::Error) -> String {
    error.kind().to_string()
}
