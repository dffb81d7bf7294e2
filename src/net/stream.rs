//! A socket that keeps count, and stops after its share.

use super::fragments::FrameScan;
use mio::net::TcpStream;
use std::io::{self, Read, Write};
use std::net::Shutdown;

/// A TCP stream between the kernel and the protocol library.
pub(super) struct CountedStream {
    socket: TcpStream,
    scan: FrameScan,
    fragments_max: u32,
    /// Bytes that may still be read in this collection.
    allowance: usize,
    /// The last read got less than it asked for: the kernel's buffer is empty until the next event.
    drained: bool,
    /// The peer has hung up or an error waits: only a further read tells.
    ending: bool,
    blocked: bool,
    tally: Tally,
}

/// Counts since they were last taken.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) frames_in: u64,
    pub(super) bytes_in: u64,
    pub(super) bytes_out: u64,
}

impl CountedStream {
    /// `leftover` are bytes that were read already, together with the handshake.
    pub(super) fn new(socket: TcpStream, leftover: &[u8], fragments_max: u32) -> Self {
        let mut stream = Self {
            socket,
            scan: FrameScan::default(),
            fragments_max,
            allowance: 0,
            drained: false,
            ending: false,
            blocked: false,
            tally: Tally::default(),
        };
        stream.count(leftover);
        stream
    }

    fn count(&mut self, bytes: &[u8]) {
        let frames = self.scan.frames();
        self.scan.feed(bytes);
        self.tally.frames_in += self.scan.frames() - frames;
        self.tally.bytes_in += bytes.len() as u64;
    }

    pub(super) fn socket_mut(&mut self) -> &mut TcpStream {
        &mut self.socket
    }

    /// An event said that there is something to read, perhaps the end.
    pub(super) fn wake(&mut self, ending: bool) {
        self.drained = false;
        self.ending |= ending;
    }

    /// Sets how many bytes may be read from now on.
    pub(super) fn allow(&mut self, bytes: usize) {
        self.allowance = bytes;
    }

    /// Whether reading stopped at the allowance and not at the kernel's last byte.
    pub(super) fn starved(&self) -> bool {
        self.allowance == 0 && !self.drained
    }

    /// Whether the last write did not fit: bytes wait in the protocol library.
    pub(super) fn blocked(&self) -> bool {
        self.blocked
    }

    /// Whether a message came in more fragments than allowed.
    pub(super) fn shattered(&self) -> bool {
        self.scan.most_fragments() > self.fragments_max
    }

    /// What was counted since the last call.
    pub(super) fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }

    /// Tells the peer that nothing more comes.
    pub(super) fn finish(&self) {
        let _ = self.socket.shutdown(Shutdown::Write);
    }

    /// Reads and throws away, as much as is allowed; true when the peer has hung up.
    pub(super) fn discard(&mut self) -> bool {
        let mut bin = [0; 1024];
        while self.allowance > 0 {
            match self.socket.read(&mut bin) {
                Ok(0) => return true,
                Ok(count) => self.allowance = self.allowance.saturating_sub(count),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.drained = true;
                    return false;
                }
                Err(_) => return true,
            }
        }
        false
    }
}

impl Read for CountedStream {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let size = buf.len().min(self.allowance);
        if size == 0 || self.drained {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let result = self.socket.read(&mut buf[..size]);
        let Ok(count) = result else {
            self.drained |= matches!(&result, Err(error) if error.kind() == io::ErrorKind::WouldBlock);
            return result;
        };
        // A short read of a stream socket has emptied it, and whatever comes later is another event: the
        // read that would only say so is saved. Not so when the end was announced with the bytes.
        self.drained = count > 0 && count < size && !self.ending;
        self.allowance -= count;
        self.count(&buf[..count]);
        if self.shattered() {
            return Err(io::Error::other("too many fragments"));
        }
        Ok(count)
    }
}

impl Write for CountedStream {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let result = self.socket.write(buf);
        match &result {
            Ok(count) => {
                self.tally.bytes_out += *count as u64;
                self.blocked = false;
            }
            Err(error) => self.blocked = error.kind() == io::ErrorKind::WouldBlock,
        }
        result
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
