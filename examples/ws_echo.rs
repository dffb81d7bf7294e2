//! The front end alone, as an echo server: for conformance suites and for a look at its API.
//!
//! ```text
//! cargo run --release --example ws_echo -- --addr 127.0.0.1:9001
//! ```

use clap::Parser;
use ringsnake::net::{ConnId, Front, Inbox, Incoming, NetConfig, Sent};
use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::time::Duration;

/// Largest message of the Autobahn suite, bytes.
const MESSAGE_MAX: usize = 16 << 20;

/// Says everything twice.
#[derive(Parser)]
struct Args {
    /// Address to listen on.
    #[arg(long, default_value = "127.0.0.1:9001")]
    addr: SocketAddr,
}

/// Echoes that wait, for the suite wants every one of them; a game would drop them.
type Waiting = HashMap<ConnId, VecDeque<(Vec<u8>, bool)>>;

fn main() -> std::io::Result<()> {
    let mut front = Front::open(unbounded(Args::parse().addr), axum::Router::new())?;
    front.set_ready(true);
    println!("echoing on ws://{}/ws", front.local_addr());
    let (mut inbox, mut waiting) = (Inbox::new(), Waiting::new());
    loop {
        front.collect(&mut inbox, Duration::from_millis(5));
        for incoming in inbox.iter() {
            match incoming {
                Incoming::Opened { .. } => {}
                Incoming::Message { conn, bytes, text } => {
                    waiting.entry(conn).or_default().push_back((bytes.to_vec(), text));
                }
                Incoming::Closed { conn, .. } => drop(waiting.remove(&conn)),
            }
        }
        waiting.retain(|&conn, echoes| send_all(&mut front, conn, echoes));
    }
}

/// False when nothing is left to send.
fn send_all(front: &mut Front, conn: ConnId, echoes: &mut VecDeque<(Vec<u8>, bool)>) -> bool {
    while let Some((bytes, text)) = echoes.front() {
        let sent = match std::str::from_utf8(bytes) {
            Ok(words) if *text => front.send_text(conn, words),
            _ => front.send(conn, bytes),
        };
        match sent {
            Sent::Yes => drop(echoes.pop_front()),
            Sent::Busy => return true,
            Sent::Gone => return false,
        }
    }
    false
}

/// Conformance is asked of the protocol, not of a game's limits.
fn unbounded(addr: SocketAddr) -> NetConfig {
    NetConfig {
        addr,
        send_buffer: 4 << 20,
        read_buffer: 64 * 1024,
        write_buffer_max: 2 * MESSAGE_MAX,
        message_max: MESSAGE_MAX,
        fragments_max: u32::MAX,
        read_max: 4 << 20,
        text: true,
        messages_per_second: 1_000_000,
        messages_burst: 1_000_000,
        ..NetConfig::default()
    }
}
