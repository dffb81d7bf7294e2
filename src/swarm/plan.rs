//! Whom to load, and how.

use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;
use tungstenite::http::Uri;

/// How the clients behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They play: steer, die, join again.
    Play,
    /// They join, and then read nothing more.
    Slow,
    /// They finish the handshake and never say a word, not even the answer to a ping.
    Silent,
    /// They join and then send ten thousand inputs a second.
    Flood,
    /// They play, and every ten seconds all hang up and come back in the same moment.
    Reconnect,
    /// They open a TCP connection and say nothing.
    HalfOpen,
    /// They send their handshake one byte a second.
    Dribble,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Self; 7] =
        [Self::Play, Self::Slow, Self::Silent, Self::Flood, Self::Reconnect, Self::HalfOpen, Self::Dribble];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Play => "play",
            Self::Slow => "slow",
            Self::Silent => "silent",
            Self::Flood => "flood",
            Self::Reconnect => "reconnect",
            Self::HalfOpen => "halfopen",
            Self::Dribble => "dribble",
        }
    }

    /// Whether it gets as far as a WebSocket.
    pub const fn shakes_hands(self) -> bool {
        !matches!(self, Self::HalfOpen | Self::Dribble)
    }

    /// Whether it asks for a snake.
    pub const fn joins(self) -> bool {
        matches!(self, Self::Play | Self::Slow | Self::Flood | Self::Reconnect)
    }
}

/// A server's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// As it was given.
    pub url: String,
    /// As it was looked up.
    pub addr: SocketAddr,
}

/// Why an address is not loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetError {
    /// Not `ws://host:port/path`.
    Malformed(String),
    /// No such host.
    Unknown(String),
    /// Another machine, and nobody has said that it may be loaded.
    Remote(SocketAddr),
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(url) => write!(f, "{url:?} is no address, allowed is ws://host:port/path"),
            Self::Unknown(host) => write!(f, "there is no host {host:?}"),
            Self::Remote(addr) => {
                write!(f, "{addr} is another machine: --allow-remote says that you may load it")
            }
        }
    }
}

impl std::error::Error for TargetError {}

impl Target {
    /// Looks up `ws://host:port/path`. A machine other than this one is refused unless `remote` is set.
    pub fn find(url: &str, remote: bool) -> Result<Self, TargetError> {
        let malformed = || TargetError::Malformed(url.to_owned());
        let uri: Uri = url.parse().map_err(|_| malformed())?;
        let host = uri.host().filter(|_| uri.scheme_str() == Some("ws")).ok_or_else(malformed)?;
        let place = (host.trim_matches(['[', ']']), uri.port_u16().unwrap_or(80));
        let found = place.to_socket_addrs().map_err(|_| TargetError::Unknown(host.to_owned()))?;
        let addr = found.min_by_key(SocketAddr::is_ipv6).ok_or_else(|| TargetError::Unknown(host.to_owned()))?;
        if remote || addr.ip().is_loopback() {
            Ok(Self { url: url.to_owned(), addr })
        } else {
            Err(TargetError::Remote(addr))
        }
    }
}

/// A run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The server.
    pub target: Target,
    /// Clients, at least one.
    pub clients: u32,
    /// New clients a second, at least one.
    pub ramp: u32,
    /// Time between the last newcomer and the first thing counted.
    pub settle: Duration,
    /// Time counted.
    pub measure: Duration,
    /// Seed of all dice.
    pub seed: u64,
    /// What the clients do.
    pub mode: Mode,
    /// Every how many clients one follows its snapshots with a mirror; the others only read their headers.
    pub check_every: u32,
    /// Process of the server, when it runs here: its CPU and memory are reported as well.
    pub server: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_loaded_unless_told_otherwise() {
        let local = Target::find("ws://127.0.0.1:8080/ws", false).unwrap();
        assert_eq!(local.addr, SocketAddr::from(([127, 0, 0, 1], 8080)));
        assert!(Target::find("ws://[::1]:8080/ws", false).is_ok());
        let remote = Target::find("ws://192.0.2.7:8080/ws", false);
        assert_eq!(remote, Err(TargetError::Remote(SocketAddr::from(([192, 0, 2, 7], 8080)))));
        assert!(Target::find("ws://192.0.2.7:8080/ws", true).is_ok());
    }

    #[test]
    fn what_is_no_address_is_named() {
        for url in ["", "127.0.0.1:8080", "http://127.0.0.1/", "wss://127.0.0.1/ws", "ws:///ws"] {
            assert_eq!(Target::find(url, false), Err(TargetError::Malformed(url.to_owned())), "{url}");
        }
    }
}
