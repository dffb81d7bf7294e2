//! The least that a snapshot can cost: so many bytes written to so many sockets so often, by hand, and nothing
//! else. What a server needs for a frame is quoted as a multiple of this, measured in the same minute.
//!
//! ```text
//! taskset -c 0 send_floor write --clients 2000 --bytes 220 --seconds 10     prints its address, then one JSON line
//! taskset -c 1 send_floor read --addr 127.0.0.1:PORT --clients 2000         ends when the other side does
//! ```

use clap::{Parser, Subcommand};
use mio::{Events, Interest, Poll, Token};
use ringsnake::usage::Usage;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// Measures the cost of sending.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    side: Side,
}

#[derive(Subcommand)]
enum Side {
    /// Waits for all readers, sends, and reports.
    Write {
        /// Sockets.
        #[arg(long, default_value_t = 1_000)]
        clients: usize,
        /// Bytes of a frame.
        #[arg(long, default_value_t = 220)]
        bytes: usize,
        /// Frames a second for each.
        #[arg(long, default_value_t = 15)]
        hz: u32,
        /// Time measured.
        #[arg(long, default_value_t = 10)]
        seconds: u32,
    },
    /// Reads and throws away.
    Read {
        /// The writer.
        #[arg(long)]
        addr: SocketAddr,
        /// Sockets.
        #[arg(long, default_value_t = 1_000)]
        clients: usize,
    },
}

fn main() -> io::Result<()> {
    match Args::parse().side {
        Side::Write { clients, bytes, hz, seconds } => write(clients, bytes, hz, seconds),
        Side::Read { addr, clients } => read(addr, clients),
    }
}

/// Two ticks to a frame, half of the sockets in each, as the server does it.
fn write(clients: usize, bytes: usize, hz: u32, seconds: u32) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("writing on {}", listener.local_addr()?);
    let mut sockets = (0..clients).map(|_| accept(&listener)).collect::<io::Result<Vec<_>>>()?;
    let frame = vec![7; bytes];
    let (start, before) = (Instant::now(), Usage::of("self"));
    let (mut frames, mut full) = (0_u64, 0_u64);
    for tick in 1..=hz * 2 * seconds {
        let due = start + Duration::from_secs(1) * tick / (hz * 2);
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        for socket in sockets.iter_mut().skip(tick as usize % 2).step_by(2) {
            match socket.write(&frame) {
                Ok(_) => frames += 1,
                Err(error) if error.kind() == ErrorKind::WouldBlock => full += 1,
                Err(error) => return Err(error),
            }
        }
    }
    let used = before.zip(Usage::of("self")).map_or(0, |(before, now)| now.ran_ns - before.ran_ns);
    let us = used as f64 / 1_000.0 / frames.max(1) as f64;
    let cpu = used as f64 / 1e9 / start.elapsed().as_secs_f64();
    println!(
        "{{\"clients\":{clients},\"bytes\":{bytes},\"hz\":{hz},\"frames\":{frames},\"full\":{full},\
         \"us_a_frame\":{us:.2},\"cpu\":{cpu:.3}}}"
    );
    Ok(())
}

fn accept(listener: &TcpListener) -> io::Result<TcpStream> {
    let (socket, _) = listener.accept()?;
    socket.set_nodelay(true)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

fn read(addr: SocketAddr, clients: usize) -> io::Result<()> {
    let (mut poll, mut events) = (Poll::new()?, Events::with_capacity(1_024));
    let mut sockets = Vec::new();
    for number in 0..clients {
        let socket = TcpStream::connect(addr)?;
        socket.set_nonblocking(true)?;
        let mut socket = mio::net::TcpStream::from_std(socket);
        poll.registry().register(&mut socket, Token(number), Interest::READABLE)?;
        sockets.push(Some(socket));
    }
    let (mut bin, mut open) = (vec![0; 4_096], clients);
    while open > 0 {
        poll.poll(&mut events, None)?;
        for event in &events {
            let socket = &mut sockets[event.token().0];
            if socket.as_mut().is_some_and(|socket| has_ended(socket, &mut bin)) {
                // The end may be told by more than one event.
                (*socket, open) = (None, open - 1);
            }
        }
    }
    Ok(())
}

/// Reads all that there is; true at the end.
fn has_ended(socket: &mut mio::net::TcpStream, bin: &mut [u8]) -> bool {
    loop {
        match socket.read(bin) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() != ErrorKind::WouldBlock,
        }
    }
}
