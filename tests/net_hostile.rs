//! Clients that send too much, too little, or the wrong thing.
#![cfg(feature = "server")]

mod net_kit;

use axum::Router;
use net_kit::{Loop, Manner, PATIENCE, Seen, client, close_code, frame, raw, request, respond};
use ringsnake::net::{Front, Inbox, Incoming, NetConfig, Origins, Refusal, Sent, Why};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::Message;

const FINAL_BINARY: u8 = 0x82;

/// Deadlines of a second and less.
fn impatient() -> NetConfig {
    NetConfig {
        header_timeout: Duration::from_millis(300),
        drain_limit: Duration::from_millis(300),
        ping_every: Duration::from_millis(100),
        silence_limit: Duration::from_millis(500),
        linger: Duration::from_millis(300),
        ..NetConfig::default()
    }
}

/// Sends the bytes after a handshake; returns the close code and the reason on the server's side.
fn fate(config: NetConfig, bytes: &[u8]) -> (Option<u16>, Why) {
    let server = Loop::start(config, Manner::Silent);
    let mut socket = raw(server.addr);
    socket.write_all(bytes).unwrap();
    let fate = (close_code(socket), server.closed());
    assert_eq!(server.finish().closed_for(fate.1), 1);
    fate
}

#[test]
fn messages_come_back() {
    let server = Loop::start(NetConfig::default(), Manner::Echo);
    let mut client = client(server.addr);
    for size in [0, 1, 125, 126, 2000] {
        client.send(Message::binary(vec![3; size])).unwrap();
        assert_eq!(client.read().unwrap(), Message::binary(vec![3; size]));
    }
    client.close(None).unwrap();
    while client.read().is_ok() {}
    assert_eq!(server.closed(), Why::ByPeer);
    let counters = server.finish();
    assert_eq!((counters.opened, counters.frames_in, counters.frames_out), (1, 6, 5));
    assert_eq!(counters.bytes_out, 2 + 3 + 127 + 130 + 2004 + 2);
}

#[test]
fn bytes_that_come_with_the_handshake_are_read() {
    let server = Loop::start(NetConfig::default(), Manner::Echo);
    let mut bytes = request(server.addr, "").into_bytes();
    bytes.extend(frame(FINAL_BINARY, b"early"));
    let (mut socket, head) = respond(server.addr, &bytes);
    assert!(head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    let mut echo = [0; 7];
    socket.read_exact(&mut echo).unwrap();
    assert_eq!(&echo, b"\x82\x05early");
}

#[test]
fn a_ping_is_answered_before_later_messages() {
    let server = Loop::start(NetConfig::default(), Manner::Echo);
    let mut socket = raw(server.addr);
    let mut bytes = frame(0x89, b"hi");
    bytes.extend(frame(FINAL_BINARY, b"later"));
    socket.write_all(&bytes).unwrap();
    let mut answer = [0; 11];
    socket.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"\x8A\x02hi\x82\x05later");
}

#[test]
fn a_close_has_its_code_and_reason() {
    let server = Loop::start(NetConfig::default(), Manner::Dismiss(1012));
    let mut client = client(server.addr);
    client.send(Message::binary(vec![1])).unwrap();
    let Message::Close(Some(close)) = client.read().unwrap() else { panic!("no close frame") };
    assert_eq!((u16::from(close.code), close.reason.as_str()), (1012, "dismissed"));
    assert_eq!(server.closed(), Why::ByServer);
}

#[test]
fn a_dribbled_handshake_is_cut_off_while_others_join() {
    let server = Loop::start(impatient(), Manner::Echo);
    let mut slow = TcpStream::connect(server.addr).unwrap();
    slow.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let start = Instant::now();
    let mut cut_off = false;
    for byte in request(server.addr, "").bytes().cycle() {
        let over = matches!(slow.read(&mut [0; 64]), Ok(0)) || slow.write_all(&[byte]).is_err();
        cut_off = over;
        if over || start.elapsed() > PATIENCE {
            break;
        }
        drop(client(server.addr));
    }
    assert!(cut_off);
}

#[test]
fn a_frame_that_claims_2_to_the_63_is_refused_by_its_header() {
    let mut bytes = vec![FINAL_BINARY, 0xFF];
    bytes.extend((u64::MAX >> 1).to_be_bytes());
    bytes.extend([0; 4]);
    assert_eq!(fate(NetConfig::default(), &bytes), (Some(1009), Why::TooBig));
    bytes[2..10].copy_from_slice(&(4_u64 << 30).to_be_bytes());
    assert_eq!(fate(NetConfig::default(), &bytes), (Some(1009), Why::TooBig));
}

#[test]
fn endless_fragments_end() {
    for payload in [&b""[..], b"x"] {
        let mut bytes = frame(0x02, payload);
        (0..500).for_each(|_| bytes.extend(frame(0x00, payload)));
        assert_eq!(fate(NetConfig::default(), &bytes), (Some(1008), Why::Fragments));
    }
}

#[test]
fn a_flood_in_one_batch_ends_at_the_budget() {
    let server = Loop::start(NetConfig::default(), Manner::Silent);
    let mut socket = raw(server.addr);
    socket.write_all(&frame(FINAL_BINARY, b"in").repeat(1000)).unwrap();
    assert_eq!(close_code(socket), Some(1008));
    let seen: Vec<_> = server.seen.iter().take_while(|seen| !matches!(seen, Seen::Closed(Why::Flood))).collect();
    let messages = seen.iter().filter(|seen| matches!(seen, Seen::Message)).count();
    assert!((120..=130).contains(&messages), "{messages}");
}

#[test]
fn a_flood_of_pings_ends_likewise() {
    assert_eq!(fate(NetConfig::default(), &frame(0x89, b"").repeat(1000)), (Some(1008), Why::Flood));
}

#[test]
fn text_is_refused() {
    assert_eq!(fate(NetConfig::default(), &frame(0x81, b"hello")), (Some(1003), Why::Text));
}

#[test]
fn broken_frames_are_protocol_errors() {
    for bytes in [&[0x82, 0x01, 0x07][..], &frame(0xC2, b"rsv"), &frame(0x83, b"op"), &frame(0x80, b"no start")] {
        assert_eq!(fate(NetConfig::default(), bytes), (Some(1002), Why::Protocol));
    }
}

#[test]
fn a_reader_that_stops_is_busy_and_then_closed() {
    let server = Loop::start(NetConfig { silence_limit: PATIENCE, ..impatient() }, Manner::Pour(8_000));
    let stopped = raw(server.addr);
    let mut busy = 0;
    loop {
        match server.seen.recv_timeout(PATIENCE).unwrap() {
            Seen::Sent(Sent::Busy) => busy += 1,
            Seen::Closed(why) => break assert_eq!(why, Why::SlowReader),
            _ => {}
        }
    }
    assert!(busy > 10);
    drop(stopped);
    let counters = server.finish();
    assert_eq!(counters.closed_for(Why::SlowReader), 1);
}

#[test]
fn who_is_lost_between_collections_has_gone_before_the_next_one_comes() {
    let mut front = Front::open(NetConfig::default(), Router::new()).unwrap();
    front.set_ready(true);
    let mut inbox = Inbox::new();
    let mut next = |front: &mut Front| {
        let deadline = Instant::now() + PATIENCE;
        let mut events = Vec::new();
        loop {
            assert!(Instant::now() < deadline, "nothing happened");
            front.collect(&mut inbox, Duration::from_millis(2));
            events.extend(inbox.iter().map(|incoming| format!("{incoming:?}")));
            let opened = inbox.iter().find_map(|incoming| match incoming {
                Incoming::Opened { conn, .. } => Some(conn),
                _ => None,
            });
            if let Some(conn) = opened {
                break (conn, events);
            }
        }
    };
    let addr = front.local_addr();
    let lost = raw(addr);
    let (first, _) = next(&mut front);
    // What it has not read when it hangs up makes that a reset.
    assert_eq!(front.send(first, b"unread"), Sent::Yes);
    lost.peek(&mut [0]).unwrap();
    drop(lost);
    let deadline = Instant::now() + PATIENCE;
    while front.send(first, b"?") != Sent::Gone {
        assert!(Instant::now() < deadline, "a reset connection takes messages");
    }
    let _second = raw(addr);
    let (_, events) = next(&mut front);
    assert!(events.len() == 2 && events[0].starts_with("Closed") && events[1].starts_with("Opened"), "{events:?}");
}

#[test]
fn a_reader_that_catches_up_is_sent_to_again() {
    let server = Loop::start(NetConfig { drain_limit: PATIENCE, ..NetConfig::default() }, Manner::Pour(8_000));
    let mut client = client(server.addr);
    while !matches!(server.seen.recv_timeout(PATIENCE).unwrap(), Seen::Sent(Sent::Busy)) {}
    for _ in 0..500 {
        assert_eq!(client.read().unwrap().len(), 8_000);
    }
}

#[test]
fn a_peer_that_says_nothing_is_closed_and_one_that_answers_pings_is_not() {
    let server = Loop::start(impatient(), Manner::Silent);
    let dead = raw(server.addr);
    let mut alive = client(server.addr);
    let start = Instant::now();
    let mut pings = 0;
    while start.elapsed() < Duration::from_millis(1500) {
        pings += usize::from(matches!(alive.read().unwrap(), Message::Ping(_)));
    }
    assert_eq!(server.closed(), Why::Silent);
    assert!(pings > 2, "{pings}");
    assert_eq!(server.finish().closed.iter().sum::<u64>(), 1);
    drop(dead);
}

#[test]
fn a_page_of_another_site_is_refused() {
    let origins = Origins::new(["https://game.example".to_owned()]);
    let server = Loop::start(NetConfig { origins, ..NetConfig::default() }, Manner::Echo);
    let ask = |origin: &str| {
        let request = request(server.addr, &format!("Origin: {origin}\r\n"));
        respond(server.addr, request.as_bytes()).1[9..12].to_owned()
    };
    assert_eq!(ask("https://game.example.evil.com"), "403");
    assert_eq!(ask("https://game.example"), "101");
    assert_eq!(server.finish().refused_for(Refusal::Origin), 1);
}

#[test]
fn more_connections_than_allowed_are_turned_away() {
    let config = NetConfig { connections_per_address: Some(2), ..NetConfig::default() };
    let server = Loop::start(config, Manner::Echo);
    let _held = [client(server.addr), client(server.addr)];
    let mut third = TcpStream::connect(server.addr).unwrap();
    third.set_read_timeout(Some(PATIENCE)).unwrap();
    let _ = third.write_all(request(server.addr, "").as_bytes());
    assert_eq!(third.read(&mut [0; 1]).unwrap_or(0), 0);
    assert_eq!(server.finish().refused_for(Refusal::Address), 1);
}

#[test]
fn health_is_told_and_unknown_pages_are_not_found() {
    let server = Loop::start(NetConfig::default(), Manner::Echo);
    let status = |path: &str| {
        let request = format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        respond(server.addr, request.as_bytes()).1[9..12].to_owned()
    };
    assert_eq!(status("/healthz"), "200");
    assert_eq!(status("/readyz"), "200");
    assert_eq!(status("/ws"), "426");
    assert_eq!(status("/nothing"), "404");
}
