//! The thread that accepts connections and serves pages.

use super::NetConfig;
use super::counters::Refusal;
use super::gate::{Gate, Permit};
use super::upgrade::{Caller, Shared, upgrade};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::routing::{any, get};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// A loop that has not collected for so long is taken for dead by `/healthz`.
const BEAT_LIMIT: Duration = Duration::from_secs(5);

/// The helper thread. It ends when this is dropped.
pub(super) struct Door {
    pub(super) addr: SocketAddr,
    pub(super) runtime: Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Door {
    /// Listens, and starts the thread.
    pub(super) fn open(config: &NetConfig, pages: Router, shared: &Arc<Shared>) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let listener = runtime.block_on(async { listen(config) })?;
        let addr = listener.local_addr()?;
        let entrance = Entrance::new(config, pages, shared);
        let (stop, stopped) = oneshot::channel();
        let handle = runtime.handle().clone();
        let thread = std::thread::Builder::new().name("door".to_owned()).spawn(move || {
            step_back();
            runtime.block_on(async {
                tokio::select! {
                    () = entrance.accept_all(&listener) => {}
                    _ = stopped => {}
                }
            });
        })?;
        Ok(Self { addr, runtime: handle, stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Gives this thread a tenth of the weight of others: a thousand who come at once wait for the game, not the game for
/// them. Where that is not possible, all have the same.
fn step_back() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 10);
}

/// Binds with a backlog deeper than the usual 128: after a restart everybody returns in one second.
fn listen(config: &NetConfig) -> io::Result<TcpListener> {
    let socket = if config.addr.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(config.addr)?;
    socket.listen(config.backlog)
}

/// What every new connection needs.
struct Entrance {
    gate: Arc<Gate>,
    shared: Arc<Shared>,
    http: http1::Builder,
    http_timeout: Duration,
    pages: TowerToHyperService<Router>,
}

impl Entrance {
    fn new(config: &NetConfig, pages: Router, shared: &Arc<Shared>) -> Self {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(config.header_timeout)
            .max_headers(config.headers_max)
            .max_buf_size(config.header_bytes_max.max(8 * 1024));
        Self {
            gate: Gate::new(config.connections_max, config.connections_per_address),
            shared: Arc::clone(shared),
            http,
            http_timeout: config.http_timeout,
            pages: TowerToHyperService::new(pages.merge(own_routes(Arc::clone(shared)))),
        }
    }

    async fn accept_all(&self, listener: &TcpListener) {
        let mut pause = Duration::ZERO;
        loop {
            match listener.accept().await {
                Ok((socket, addr)) => {
                    pause = Duration::ZERO;
                    self.admit(socket, addr);
                }
                Err(error) => pause = self.back_off(&error, pause).await,
            }
        }
    }

    /// A connection that broke before it was accepted costs nothing. Without descriptors or memory the
    /// next accept fails as fast as this one did: wait, longer each time, instead of spinning.
    async fn back_off(&self, error: &io::Error, pause: Duration) -> Duration {
        if matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset) {
            return Duration::ZERO;
        }
        self.shared.counters.refuse(Refusal::System);
        let pause = (pause * 2).clamp(Duration::from_millis(20), Duration::from_secs(1));
        tracing::warn!(%error, pause_ms = pause.as_millis() as u64, "cannot accept");
        tokio::time::sleep(pause).await;
        pause
    }

    fn admit(&self, socket: TcpStream, addr: SocketAddr) {
        match self.gate.enter(addr.ip()) {
            Ok(permit) => self.serve(socket, addr, permit),
            // Closed without a word: an answer would cost more than the question.
            Err(refusal) => self.shared.counters.refuse(refusal),
        }
    }

    fn serve(&self, socket: TcpStream, addr: SocketAddr, permit: Permit) {
        self.shared.counters.accept();
        let caller = Caller { addr, permit: Arc::new(permit) };
        let pages = self.pages.clone();
        let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(caller.clone());
            pages.call(request)
        });
        let connection = self.http.serve_connection(TokioIo::new(socket), service).with_upgrades();
        let limit = self.http_timeout;
        tokio::spawn(async move {
            if let Ok(Err(error)) = tokio::time::timeout(limit, connection).await {
                tracing::trace!(%error, %addr, "connection ended");
            }
        });
    }
}

/// The addresses that the front end answers itself.
fn own_routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/ws", any(upgrade))
        .route("/healthz", get(health))
        .route("/readyz", get(ready))
        .with_state(shared)
}

type Plain = (StatusCode, Body);

/// Alive: the loop has collected lately.
async fn health(State(shared): State<Arc<Shared>>) -> Plain {
    let beat = Duration::from_millis(shared.beat.load(Ordering::Relaxed));
    if shared.opened.elapsed().saturating_sub(beat) < BEAT_LIMIT {
        (StatusCode::OK, Body::from("ok\n"))
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, Body::from("the loop stands still\n"))
    }
}

/// Ready: newcomers are welcome, and there is a place for them.
async fn ready(State(shared): State<Arc<Shared>>) -> Plain {
    let words = match (shared.ready.load(Ordering::Relaxed), shared.full.load(Ordering::Relaxed)) {
        (true, false) => return (StatusCode::OK, Body::from("ready\n")),
        (true, true) => "full\n",
        (false, _) => "starting or stopping\n",
    };
    (StatusCode::SERVICE_UNAVAILABLE, Body::from(words))
}
