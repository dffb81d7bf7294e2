//! The program as people run it: started, played, stopped.
#![cfg(feature = "server")]

use ringsnake::wire::mirror::Mirror;
use ringsnake::wire::{self, ToClient, ToServer};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

const PATIENCE: Duration = Duration::from_secs(20);

struct Server {
    child: Child,
    addr: String,
}

impl Server {
    fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ringsnake"))
            .args(["--addr", "127.0.0.1:0"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let addr = line.trim().strip_prefix("ringsnake is listening on http://").unwrap().trim_end_matches('/');
        Self { child, addr: addr.to_owned() }
    }

    fn get(&self, path: &str) -> String {
        let mut socket = TcpStream::connect(&self.addr).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(socket, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.addr).unwrap();
        let mut page = String::new();
        socket.read_to_string(&mut page).unwrap();
        page
    }

    fn client(&self) -> Client {
        let socket = TcpStream::connect(&self.addr).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(format!("ws://{}/ws", self.addr), socket).unwrap();
        Client { socket, mirror: Mirror::default() }
    }

    fn terminate(&self) {
        let status = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    fn exit_code(&mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A player who takes every message apart, strictly.
struct Client {
    socket: WebSocket<TcpStream>,
    mirror: Mirror,
}

impl Client {
    fn say(&mut self, message: &ToServer) {
        let mut bytes = Vec::new();
        message.encode(&mut bytes);
        self.socket.send(Message::binary(bytes)).unwrap();
    }

    /// The next message, or the code with which the server closes.
    fn hear(&mut self) -> Result<ToClient, u16> {
        loop {
            match self.socket.read().unwrap() {
                Message::Binary(bytes) => {
                    let message = ToClient::decode(&bytes).unwrap();
                    if let ToClient::Snapshot(snapshot) = &message {
                        self.mirror.apply(snapshot).unwrap();
                    }
                    return Ok(message);
                }
                Message::Close(frame) => return Err(frame.map_or(1005, |frame| frame.code.into())),
                _ => {}
            }
        }
    }

    fn until(&mut self, wanted: impl Fn(&ToClient) -> bool) -> ToClient {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let message = self.hear().unwrap();
            if wanted(&message) {
                return message;
            }
        }
        panic!("waited in vain");
    }

    fn join(&mut self) {
        assert!(matches!(self.hear(), Ok(ToClient::Welcome(_))));
        self.say(&ToServer::Join { version: wire::VERSION, skin: 1, name: "Ada".to_owned() });
        self.until(|message| matches!(message, ToClient::Spawned { .. }));
    }
}

#[test]
fn a_player_joins_steers_and_is_sent_off_with_1012_at_a_restart() {
    let mut server = Server::start(&["--seed", "3"]);
    assert!(server.get("/").contains("<title>ringsnake</title>"));
    assert!(server.get("/readyz").starts_with("HTTP/1.1 200 "));

    let mut client = server.client();
    client.join();
    client.say(&ToServer::Input { seq: 41, heading: 20_000, boost: true });
    let acked = client.until(|message| matches!(message, ToClient::Snapshot(shown) if shown.header.ack == 41));
    let ToClient::Snapshot(snapshot) = acked else { unreachable!() };
    assert!(client.mirror.snake(snapshot.header.focus).is_some_and(|me| me.name == "Ada"));
    client.until(|message| matches!(message, ToClient::Board(board) if board.rank > 0));

    server.terminate();
    let code = loop {
        if let Err(code) = client.hear() {
            break code;
        }
    };
    assert_eq!(code, 1012);
    drop(client);
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn a_swarm_finds_no_fault_and_the_metrics_have_counted_it() {
    let server = Server::start(&["--bots", "20", "--seed", "5"]);
    let url = format!("ws://{}/ws", server.addr);
    let output = Command::new(env!("CARGO_BIN_EXE_ringsnake"))
        .args(["swarm", "--url", &url, "--clients", "30", "--settle", "1", "--seconds", "3", "--json"])
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.status.success(), "{report}");
    assert_eq!((&report["connected"], report["faults"].as_object().unwrap().len()), (&30.0.into(), 0), "{report}");
    assert!(report["checked"].as_u64().unwrap() > 300, "{report}");
    assert_eq!(report["checked"], report["snapshots"]);
    let page = server.get("/metrics");
    assert!(page.contains("ringsnake_sockets_opened_total 30\n"), "{page}");
    assert!(page.contains("ringsnake_sockets_closed_total{reason=\"lost\"} "), "{page}");
}

#[test]
fn newcomers_are_refused_while_the_server_stops() {
    let mut server = Server::start(&[]);
    let mut client = server.client();
    client.join();
    server.terminate();
    let start = Instant::now();
    while !server.get("/readyz").starts_with("HTTP/1.1 503 ") {
        assert!(start.elapsed() < PATIENCE);
    }
    let upgrade = "/ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-Rest:";
    assert!(server.get(upgrade).starts_with("HTTP/1.1 503 "));
    drop(client);
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn a_configuration_that_makes_no_sense_is_one_line_and_status_2() {
    let path = std::env::temp_dir().join(format!("ringsnake-{}.toml", std::process::id()));
    std::fs::write(&path, "[server]\nbots = 5\n\n[world.body]\nkill_shar = 1.0\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_ringsnake")).arg("--config").arg(&path).output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), words.lines().count()), (Some(2), 1), "{words}");
    assert!(words.contains("line 5: unknown field `kill_shar`"), "{words}");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let path = std::env::temp_dir().join(format!("ringsnake-order-{}.toml", std::process::id()));
    std::fs::write(&path, "[server]\naddr = \"bad\"\n[world.engine]\nthreads = 91\n").unwrap();
    let complaint = |env: &[(&str, &str)], args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringsnake"));
        let output = command.arg("--config").arg(&path).envs(env.iter().copied()).args(args).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(complaint(&[], &[]).contains("threads: 91"));
    assert!(complaint(&[("RINGSNAKE_THREADS", "92")], &[]).contains("threads: 92"));
    assert!(complaint(&[("RINGSNAKE_THREADS", "92")], &["--threads", "93"]).contains("threads: 93"));
    assert!(complaint(&[("RINGSNAKE_THREADS", "1")], &[]).contains("server.addr: \"bad\""));
    std::fs::remove_file(path).unwrap();
}
