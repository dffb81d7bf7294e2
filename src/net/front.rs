//! The side of the network that belongs to the game's thread.

use super::conn::{Conn, Haste, QUEUE_MAX, Tended};
use super::door::Door;
use super::slab::Slab;
use super::upgrade::{Arrival, Shared};
use super::{ConnId, Counters, Inbox, NetConfig, Why};
use axum::Router;
use mio::{Events, Interest, Poll, Token, Waker};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tungstenite::{Bytes, Message};

/// The poll's token for "there are arrivals"; no connection's bits come near.
const ARRIVALS: Token = Token(usize::MAX);

/// Events taken from the kernel at once.
const EVENTS: usize = 1024;

/// Time between two looks at every connection's deadlines.
const SWEEP_EVERY: Duration = Duration::from_millis(100);

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// It is with the kernel, or will be before anything else.
    Yes,
    /// What was sent before has not drained; this message was dropped. Send the newest state later.
    Busy,
    /// Nobody has that connection, or it is closing.
    Gone,
}

/// Every WebSocket, and the thread that opens them.
pub struct Front {
    door: Door,
    shared: Arc<Shared>,
    config: NetConfig,
    poll: Poll,
    events: Events,
    arrivals: Receiver<Arrival>,
    conns: Slab<Conn>,
    /// To be read in the next collection.
    queue: Vec<ConnId>,
    /// Ended outside a collection, to be told in the next.
    ended: Vec<(ConnId, Why)>,
    open: usize,
    now: Instant,
    swept_at: Instant,
    counters: Counters,
}

impl Front {
    /// Listens and serves `pages`, `/ws`, `/healthz` and `/readyz`. Handshakes are refused until
    /// [`Front::set_ready`]. Errors are those of binding the address.
    pub fn open(config: NetConfig, pages: Router) -> io::Result<Self> {
        let poll = Poll::new()?;
        let (sender, arrivals) = channel();
        let shared = Arc::new(Shared::new(&config, sender, Waker::new(poll.registry(), ARRIVALS)?));
        let door = Door::open(&config, pages, &shared)?;
        let now = Instant::now();
        Ok(Self {
            door,
            shared,
            config,
            poll,
            events: Events::with_capacity(EVENTS),
            arrivals,
            conns: Slab::new(),
            queue: Vec::new(),
            ended: Vec::new(),
            open: 0,
            now,
            swept_at: now,
            counters: Counters::default(),
        })
    }

    /// The address that is listened on, with the port that the system chose.
    pub fn local_addr(&self) -> SocketAddr {
        self.door.addr
    }

    /// The helper thread's runtime, for what waits and is not urgent.
    pub fn runtime(&self) -> &tokio::runtime::Handle {
        &self.door.runtime
    }

    /// Opens or shuts `/ws` for newcomers, and tells `/readyz`.
    pub fn set_ready(&self, ready: bool) {
        self.shared.ready.store(ready, Ordering::Relaxed);
    }

    /// Tells `/readyz` whether there is a place for newcomers. Handshakes go on: a place may become free.
    pub fn set_full(&self, full: bool) {
        self.shared.full.store(full, Ordering::Relaxed);
    }

    /// Whether the connections are so many that a balancer had better send newcomers elsewhere. The last few
    /// places are for its own question, and for pages.
    pub fn is_crowded(&self) -> bool {
        let places = self.config.connections_max as usize;
        self.conns.len() >= places - places / 32
    }

    /// WebSockets that are open.
    pub fn connections(&self) -> usize {
        self.open
    }

    /// Connections that are open or still closing.
    pub fn sockets(&self) -> usize {
        self.conns.len()
    }

    /// Counts since the start.
    pub fn counters(&self) -> Counters {
        let mut counters = self.counters.clone();
        self.shared.counters.copy_to(&mut counters);
        counters
    }

    /// Fills the inbox with everything that happened since the last collection. Waits up to `wait` when
    /// nothing has; a game that ticks waits elsewhere and passes zero, so that all inputs of a tick are
    /// read in one go.
    pub fn collect(&mut self, inbox: &mut Inbox, wait: Duration) {
        inbox.clear();
        self.poll_events(if self.queue.is_empty() && self.ended.is_empty() { wait } else { Duration::ZERO });
        self.now = Instant::now();
        let beat = self.now.saturating_duration_since(self.shared.opened);
        self.shared.beat.store(beat.as_millis() as u64, Ordering::Relaxed);
        // Whoever was lost while something was sent has left a place free: that is told before the next one takes it.
        self.report_ended(inbox);
        self.adopt(inbox);
        self.read_queued(inbox);
        self.sweep();
        self.report_ended(inbox);
    }

    fn report_ended(&mut self, inbox: &mut Inbox) {
        self.ended.drain(..).for_each(|(conn, why)| inbox.closed(conn, why));
    }

    /// What [`Front::send`] would answer now; a busy client is counted as skipped.
    pub fn admits(&mut self, conn: ConnId) -> Sent {
        match self.conns.get_mut(conn).filter(|conn| conn.is_open()) {
            None => Sent::Gone,
            Some(conn) if conn.is_busy() => {
                self.counters.busy += 1;
                Sent::Busy
            }
            Some(_) => Sent::Yes,
        }
    }

    /// Sends a binary message at once with all that was queued, unless something before still waits.
    pub fn send(&mut self, conn: ConnId, bytes: &[u8]) -> Sent {
        let message = || Message::Binary(Bytes::copy_from_slice(bytes));
        self.send_message(conn, bytes.len(), message, Haste::Now)
    }

    /// Leaves a binary message to go out with the next one that is sent: what a message costs is its
    /// write, and so it has none of its own.
    pub fn queue(&mut self, conn: ConnId, bytes: &[u8]) -> Sent {
        let message = || Message::Binary(Bytes::copy_from_slice(bytes));
        self.send_message(conn, bytes.len(), message, Haste::WithNext)
    }

    /// Sends a text message at once.
    pub fn send_text(&mut self, conn: ConnId, text: &str) -> Sent {
        self.send_message(conn, text.len(), || Message::text(text.to_owned()), Haste::Now)
    }

    /// Ends a connection with a close code and up to 123 bytes of reason. [`Incoming::Closed`] follows in
    /// the next collection.
    ///
    /// [`Incoming::Closed`]: super::Incoming::Closed
    pub fn close(&mut self, conn: ConnId, code: u16, reason: &str) {
        self.end(conn, Why::ByServer, Some((code, reason)));
    }

    fn send_message(&mut self, id: ConnId, size: usize, message: impl FnOnce() -> Message, haste: Haste) -> Sent {
        match self.admits(id) {
            Sent::Yes if size + QUEUE_MAX > self.config.write_buffer_max => return Sent::Busy,
            Sent::Yes => {}
            other => return other,
        }
        let Some(conn) = self.conns.get_mut(id) else { return Sent::Gone };
        let result = conn.write(message(), haste, self.now);
        self.counters.frames_out += 1;
        self.settle(id);
        match result {
            Ok(()) => Sent::Yes,
            Err(why) => {
                self.end(id, why, why.notice());
                Sent::Gone
            }
        }
    }

    fn poll_events(&mut self, wait: Duration) {
        let mut wait = wait;
        loop {
            if self.poll.poll(&mut self.events, Some(wait)).is_err() {
                return; // a signal; what is ready will be ready in the next collection
            }
            let count = self.take_events();
            if count < EVENTS {
                return;
            }
            wait = Duration::ZERO;
        }
    }

    /// Notes who is to be read, and drains who can be written again.
    fn take_events(&mut self) -> usize {
        let events = std::mem::replace(&mut self.events, Events::with_capacity(0));
        let mut count = 0;
        for event in &events {
            count += 1;
            let id = ConnId::from_bits(event.token().0 as u64);
            let Some(conn) = self.conns.get_mut(id) else { continue };
            let ending = event.is_read_closed() || event.is_write_closed() || event.is_error();
            if event.is_readable() || ending {
                conn.stream().wake(ending);
                enqueue(&mut self.queue, id, conn);
            }
            if event.is_writable() {
                self.drain(id);
            }
        }
        self.events = events;
        count
    }

    fn drain(&mut self, id: ConnId) {
        let Some(conn) = self.conns.get_mut(id) else { return };
        let result = conn.drain(self.now);
        self.settle(id);
        if let Err(why) = result {
            self.end(id, why, why.notice());
        }
    }

    /// Takes the arrivals in. Each is read at once: bytes that came with the handshake cause no event.
    fn adopt(&mut self, inbox: &mut Inbox) {
        while let Ok(arrival) = self.arrivals.try_recv() {
            let mut conn = Conn::new(arrival, &self.config, self.now);
            let token = Token(self.conns.next_id().to_bits() as usize);
            let interest = Interest::READABLE | Interest::WRITABLE;
            if let Err(error) = self.poll.registry().register(conn.stream().socket_mut(), token, interest) {
                tracing::warn!(%error, "a socket cannot be polled");
                continue;
            }
            let addr = conn.addr;
            let id = self.conns.insert(conn);
            self.open += 1;
            self.counters.opened += 1;
            inbox.opened(id, addr);
            if let Some(conn) = self.conns.get_mut(id) {
                enqueue(&mut self.queue, id, conn);
            }
        }
    }

    fn read_queued(&mut self, inbox: &mut Inbox) {
        let mut queue = std::mem::take(&mut self.queue);
        for id in queue.drain(..) {
            self.read(id, inbox);
        }
        // Those that were not read to the end have queued up again meanwhile; keep the longer memory.
        queue.append(&mut self.queue);
        self.queue = queue;
    }

    fn read(&mut self, id: ConnId, inbox: &mut Inbox) {
        let Some(conn) = self.conns.get_mut(id) else { return };
        conn.queued = false;
        if !conn.is_open() {
            return self.wind_up(id);
        }
        if let Some(why) = conn.verdict.take() {
            return self.end(id, why, why.notice());
        }
        let messages = inbox.messages();
        let result = conn.read(id, &self.config, self.now, inbox);
        let answerable = inbox.messages() > messages;
        let unread = result.is_ok() && conn.stream().starved();
        if answerable {
            conn.verdict = result.err();
        }
        if unread || conn.verdict.is_some() {
            enqueue(&mut self.queue, id, conn);
        }
        self.settle(id);
        if let (Err(why), false) = (result, answerable) {
            self.end(id, why, why.notice());
        }
    }

    fn wind_up(&mut self, id: ConnId) {
        let Some(conn) = self.conns.get_mut(id) else { return };
        if conn.wind_up(&self.config) {
            self.drop_conn(id);
        } else if conn.stream().starved() {
            enqueue(&mut self.queue, id, conn);
        }
    }

    /// The end of an open connection: counted, reported once, and closed with a notice where it can be.
    fn end(&mut self, id: ConnId, why: Why, notice: Option<(u16, &str)>) {
        let Some(conn) = self.conns.get_mut(id).filter(|conn| conn.is_open()) else { return };
        conn.close(notice, self.now);
        self.settle(id);
        self.open -= 1;
        self.counters.closed[why as usize] += 1;
        self.ended.push((id, why));
        if why == Why::Lost {
            return self.drop_conn(id);
        }
        if let Some(conn) = self.conns.get_mut(id) {
            enqueue(&mut self.queue, id, conn);
        }
    }

    fn drop_conn(&mut self, id: ConnId) {
        if let Some(mut conn) = self.conns.remove(id) {
            let _ = self.poll.registry().deregister(conn.stream().socket_mut());
        }
    }

    /// Looks at every deadline, ten times a second.
    fn sweep(&mut self) {
        if self.now.saturating_duration_since(self.swept_at) < SWEEP_EVERY {
            return;
        }
        self.swept_at = self.now;
        let mut overdue = Vec::new();
        for (id, conn) in self.conns.iter_mut() {
            match conn.tend(&self.config, self.now) {
                Tended::Fine => {}
                Tended::Pinged => self.counters.frames_out += 1,
                Tended::Overdue(why) => overdue.push((id, Some(why))),
                Tended::Gone => overdue.push((id, None)),
            }
        }
        for (id, why) in overdue {
            match why {
                Some(why) => self.end(id, why, why.notice()),
                None => self.drop_conn(id),
            }
        }
    }

    /// Moves a connection's counts to those of all.
    fn settle(&mut self, id: ConnId) {
        let Some(conn) = self.conns.get_mut(id) else { return };
        let tally = conn.stream().take_tally();
        self.counters.frames_in += tally.frames_in;
        self.counters.bytes_in += tally.bytes_in;
        self.counters.bytes_out += tally.bytes_out;
    }
}

fn enqueue(queue: &mut Vec<ConnId>, id: ConnId, conn: &mut Conn) {
    if !conn.queued {
        conn.queued = true;
        queue.push(id);
    }
}
