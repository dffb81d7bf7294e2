//! Where the snapshots of a tick are made: a batch of clients at a time.
//!
//! First all snapshots of a batch are made, then all are sent: what the making reads of the world is not pushed out of
//! the caches by the kernel's work for a socket in between. With threads, the making is shared out; the bytes are the
//! same.

use super::roster::Roster;
use super::session::Session;
use crate::wire::view::{Hand, Press, Regions, Seat, Viewer};
use crate::world::{SnakeId, World};
use rayon::prelude::*;

/// Clients of a batch.
const BATCH: usize = 128;

/// Clients whose snapshots a thread makes at least, for another one to be woken.
const SHARE: usize = 64;

/// A snapshot to be made, and then the one that was.
pub struct Job {
    /// The place of its client.
    pub place: usize,
    /// The message.
    pub bytes: Vec<u8>,
    seat: Seat,
    viewer: Viewer,
}

/// The jobs of a batch.
#[derive(Default)]
pub struct Desk {
    /// Those beyond `len` are only kept for their memory.
    jobs: Vec<Job>,
    len: usize,
    press: Press,
}

impl Desk {
    /// Whether the batch has as many jobs as it may have.
    pub fn is_full(&self) -> bool {
        self.len == BATCH
    }

    /// Takes a client's view, until [`Desk::finish`].
    pub fn take(&mut self, place: usize, session: &mut Session) {
        if self.len == self.jobs.len() {
            let seat = Seat { focus: SnakeId::NOBODY, playing: false, ack: 0 };
            self.jobs.push(Job { place, bytes: Vec::new(), seat, viewer: Viewer::default() });
        }
        let job = &mut self.jobs[self.len];
        (job.place, job.seat) = (place, session.seat());
        std::mem::swap(&mut job.viewer, &mut session.viewer);
        self.len += 1;
    }

    /// Makes the snapshots of all jobs.
    pub fn make(&mut self, world: &World, roster: &Roster) {
        let jobs = &mut self.jobs[..self.len];
        match world.thread_pool().filter(|_| jobs.len() >= 2 * SHARE) {
            Some(pool) => {
                let parts = jobs.len().div_ceil(SHARE);
                let (regions, hands) = self.press.turn_to(world, parts);
                let make = |(jobs, hand): (&mut [Job], &mut Hand)| {
                    jobs.iter_mut().for_each(|job| job.make(world, roster, regions, hand));
                };
                pool.install(|| jobs.par_chunks_mut(SHARE).zip(hands).for_each(make));
            }
            None => {
                let (regions, hands) = self.press.turn_to(world, 1);
                jobs.iter_mut().for_each(|job| job.make(world, roster, regions, &mut hands[0]));
            }
        }
    }

    /// The jobs that were made; nothing is left of them for the next batch.
    pub fn finish(&mut self) -> &mut [Job] {
        &mut self.jobs[..std::mem::take(&mut self.len)]
    }
}

impl Job {
    fn make(&mut self, world: &World, roster: &Roster, regions: &Regions, hand: &mut Hand) {
        self.bytes.clear();
        self.viewer.write(world, roster, regions, hand, self.seat, &mut self.bytes);
    }

    /// Gives the client its view back.
    pub fn give_back(&mut self, session: &mut Session) {
        std::mem::swap(&mut self.viewer, &mut session.viewer);
    }
}
