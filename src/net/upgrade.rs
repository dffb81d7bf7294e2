//! From an HTTP request to a socket on its own.

use super::counters::{DoorCounters, Refusal};
use super::gate::Permit;
use super::handshake::{self, Rejection};
use super::{NetConfig, Origins};
use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;
use tokio::net::{TcpSocket, TcpStream};

/// A client whose handshake is over, on its way to the front.
pub(super) struct Arrival {
    pub(super) socket: std::net::TcpStream,
    /// Bytes that came along with the handshake.
    pub(super) leftover: Vec<u8>,
    pub(super) addr: SocketAddr,
    pub(super) permit: Arc<Permit>,
}

/// Who asks; every request carries it.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) addr: SocketAddr,
    pub(super) permit: Arc<Permit>,
}

/// What the door's thread and the front share.
pub(super) struct Shared {
    pub(super) counters: DoorCounters,
    pub(super) ready: AtomicBool,
    /// Newcomers would find no place.
    pub(super) full: AtomicBool,
    /// Milliseconds since `opened` at the front's last collection.
    pub(super) beat: AtomicU64,
    pub(super) opened: std::time::Instant,
    pub(super) origins: Origins,
    send_buffer: u32,
    arrivals: Sender<Arrival>,
    waker: mio::Waker,
}

impl Shared {
    pub(super) fn new(config: &NetConfig, arrivals: Sender<Arrival>, waker: mio::Waker) -> Self {
        Self {
            counters: DoorCounters::default(),
            ready: AtomicBool::new(false),
            full: AtomicBool::new(false),
            beat: AtomicU64::new(0),
            opened: std::time::Instant::now(),
            origins: config.origins.clone(),
            send_buffer: config.send_buffer,
            arrivals,
            waker,
        }
    }

    fn hand_over(&self, arrival: Arrival) {
        // The front is gone only when the program ends; then nobody is left to care.
        if self.arrivals.send(arrival).is_ok() {
            let _ = self.waker.wake();
        }
    }
}

/// Answers `/ws`.
pub(super) async fn upgrade(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Response {
    let (mut parts, _) = request.into_parts();
    let judged = check_open(&shared).and_then(|()| handshake::accept_key(&parts, &shared.origins));
    let (key, on_upgrade) = match (judged, parts.extensions.remove::<OnUpgrade>()) {
        (Ok(key), Some(on_upgrade)) => (key, on_upgrade),
        (Ok(_), None) => return Response::new(Body::empty()),
        (Err(rejection), _) => return refused(&shared, &rejection),
    };
    tokio::spawn(take_over(shared, caller, on_upgrade));
    switching_protocols(&key)
}

fn check_open(shared: &Shared) -> Result<(), Rejection> {
    if shared.ready.load(Ordering::Relaxed) {
        return Ok(());
    }
    let status = StatusCode::SERVICE_UNAVAILABLE;
    Err(Rejection { refusal: Refusal::Draining, status, words: "the server is starting or stopping\n" })
}

fn refused(shared: &Shared, rejection: &Rejection) -> Response {
    shared.counters.refuse(rejection.refusal);
    let mut response = Response::new(Body::from(rejection.words));
    *response.status_mut() = rejection.status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    if rejection.status == StatusCode::UPGRADE_REQUIRED {
        headers.insert(header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    }
    response
}

fn switching_protocols(key: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    if let Ok(key) = HeaderValue::from_str(key) {
        headers.insert(header::SEC_WEBSOCKET_ACCEPT, key);
    }
    response
}

/// Waits until the 101 is out, then takes the socket away from HTTP.
async fn take_over(shared: Arc<Shared>, caller: Caller, on_upgrade: OnUpgrade) {
    let Ok(Ok(upgraded)) = tokio::time::timeout(Duration::from_secs(5), on_upgrade).await else { return };
    match take_socket(upgraded, shared.send_buffer) {
        Ok((socket, leftover)) => {
            shared.hand_over(Arrival { socket, leftover, addr: caller.addr, permit: caller.permit });
        }
        Err(error) => tracing::debug!(%error, addr = %caller.addr, "a socket was lost in its handshake"),
    }
}

fn take_socket(upgraded: Upgraded, send_buffer: u32) -> io::Result<(std::net::TcpStream, Vec<u8>)> {
    let parts = upgraded.downcast::<TokioIo<TcpStream>>().map_err(|_| io::Error::other("not a TCP stream"))?;
    let socket = parts.io.into_inner().into_std()?;
    socket.set_nonblocking(true)?;
    socket.set_nodelay(true)?;
    // The standard library cannot set SO_SNDBUF; the option belongs to the socket, so a second
    // descriptor of it does.
    TcpSocket::from_std_stream(socket.try_clone()?).set_send_buffer_size(send_buffer)?;
    Ok((socket, parts.read_buf.to_vec()))
}
