//! A front end on its own thread, and clients of several manners.

use axum::Router;
use ringsnake::net::{ConnId, Counters, Front, Inbox, Incoming, NetConfig, Sent, Why};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

/// Longest that anything may take on a machine that does much else.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// What the loop saw.
#[derive(Debug)]
pub enum Seen {
    Opened,
    Message,
    Closed(Why),
    Sent(Sent),
}

/// What the loop does with those who come.
#[derive(Clone, Copy)]
pub enum Manner {
    /// Sends messages back.
    Echo,
    /// Sends this many bytes to everybody in each turn.
    Pour(usize),
    /// Says nothing.
    Silent,
    /// Closes everybody with this code at the first message.
    Dismiss(u16),
}

pub struct Loop {
    pub addr: SocketAddr,
    pub seen: Receiver<Seen>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Counters>>,
}

impl Loop {
    pub fn start(config: NetConfig, manner: Manner) -> Self {
        let mut front = Front::open(config, Router::new()).unwrap();
        front.set_ready(true);
        let addr = front.local_addr();
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, seen) = channel();
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let mut turn = Turn { conns: Vec::new(), manner, sender };
            let mut inbox = Inbox::new();
            while !stopped.load(Ordering::Relaxed) {
                front.collect(&mut inbox, Duration::from_millis(2));
                inbox.iter().for_each(|incoming| turn.take(&mut front, incoming));
                turn.pour(&mut front);
            }
            front.counters()
        });
        Self { addr, seen, stop, thread: Some(thread) }
    }

    /// Why the next connection that ends does so.
    pub fn closed(&self) -> Why {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if let Seen::Closed(why) = self.seen.recv_timeout(left).expect("nobody was closed") {
                return why;
            }
        }
    }

    pub fn finish(mut self) -> Counters {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap()
    }
}

struct Turn {
    conns: Vec<ConnId>,
    manner: Manner,
    sender: Sender<Seen>,
}

impl Turn {
    fn take(&mut self, front: &mut Front, incoming: Incoming<'_>) {
        let seen = match incoming {
            Incoming::Opened { conn, .. } => {
                self.conns.push(conn);
                Seen::Opened
            }
            Incoming::Message { conn, bytes, .. } => {
                match self.manner {
                    Manner::Echo => drop(front.send(conn, bytes)),
                    Manner::Dismiss(code) => front.close(conn, code, "dismissed"),
                    Manner::Pour(_) | Manner::Silent => {}
                }
                Seen::Message
            }
            Incoming::Closed { conn, why } => {
                self.conns.retain(|&other| other != conn);
                Seen::Closed(why)
            }
        };
        let _ = self.sender.send(seen);
    }

    fn pour(&self, front: &mut Front) {
        let Manner::Pour(size) = self.manner else { return };
        for &conn in &self.conns {
            let _ = self.sender.send(Seen::Sent(front.send(conn, &vec![7; size])));
        }
    }
}

/// A request for `/ws` with these headers besides.
pub fn request(addr: SocketAddr, extra: &str) -> String {
    format!(
        "GET /ws HTTP/1.1\r\nHost: {addr}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{extra}\r\n"
    )
}

/// Sends the bytes and returns the head of the response.
pub fn respond(addr: SocketAddr, request: &[u8]) -> (TcpStream, String) {
    let mut socket = TcpStream::connect(addr).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket.write_all(request).unwrap();
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && socket.read(&mut byte).unwrap() == 1 {
        head.extend(byte);
    }
    (socket, String::from_utf8(head).unwrap())
}

/// A TCP stream with the handshake done, for those who then send what they like.
pub fn raw(addr: SocketAddr) -> TcpStream {
    let (socket, head) = respond(addr, request(addr, "").as_bytes());
    assert!(head.starts_with("HTTP/1.1 101 "), "{head}");
    socket
}

pub fn client(addr: SocketAddr) -> WebSocket<TcpStream> {
    WebSocket::from_raw_socket(raw(addr), Role::Client, None)
}

/// A masked frame; the mask is zero, so the payload stands there in plain.
pub fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    assert!(payload.len() < 126);
    let mut bytes = vec![first, 0x80 | payload.len() as u8, 0, 0, 0, 0];
    bytes.extend(payload);
    bytes
}

/// The close code that arrives, after whatever else; none when the connection just ends.
pub fn close_code(socket: TcpStream) -> Option<u16> {
    let mut socket = WebSocket::from_raw_socket(socket, Role::Client, None);
    loop {
        match socket.read() {
            Ok(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
            Ok(_) => {}
            Err(_) => return None,
        }
    }
}
