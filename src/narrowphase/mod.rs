//! Who touches what first: the exact verdict of a tick, head by head, in no order that could matter.

mod batch;
mod columns;
mod contact;
mod count;
mod kernel;
mod passes;
mod probes;
mod stage;
mod tally;
mod walls;

use batch::Sink;
pub(crate) use contact::{Contact, NOBODY};
pub use count::Hits;
pub use tally::Tally;
pub(crate) use walls::Walls;

use crate::body::{Pool, Rings};
use crate::broadphase::{Front, Fronts, Grid, Lane, box_of};
use crate::geom::lattice::{Point, Rect};
use crate::geom::{segment, toi};
use crate::lanes::Level;
use crate::world::heads::Heads;
use crate::world::{Cause, HeadOn};
use rayon::prelude::*;

/// Heads a batch of one thread: whole passes.
const BATCH: usize = 128;

/// Everything that a verdict depends on, as it stands after all heads have moved and before anyone has died.
pub(crate) struct Scene<'w> {
    pub heads: &'w Heads,
    pub pool: &'w Pool,
    pub rings: &'w Rings,
    pub grids: &'w [Grid],
    pub kill_max: [i32; 2],
    pub fronts: &'w Fronts,
    pub walls: &'w Walls,
    /// Radius of the circle at the start and at the end of the tick, quanta.
    pub circle: [i32; 2],
    pub head_on: HeadOn,
    pub own_body: bool,
    /// A level that this CPU has.
    pub level: Level,
}

/// What the heads of a tick touch.
#[derive(Default)]
pub(crate) struct Found {
    /// The first contact of each, by row.
    pub contacts: Vec<Option<Contact>>,
    /// Heads (by row, in order) that meet a shorter one's and go on: nothing of that one counts from then on.
    spared: Vec<(u32, Contact)>,
}

/// A head on its way.
#[derive(Clone, Copy)]
struct Sweep {
    index: u32,
    from: Point,
    to: Point,
    radius: i32,
    bounds: Rect,
}

impl Sweep {
    fn new(index: u32, from: Point, to: Point, radius: i32) -> Self {
        Self { index, from, to, radius, bounds: box_of(from, to) }
    }
}

impl Scene<'_> {
    /// The first contact of every head, by row, with what stands in no grid: necks and live trails of others, its own
    /// body, obstacles, the circle. Shared out, if there is a pool.
    pub fn meet(&self, found: &mut Found, pool: Option<&rayon::ThreadPool>) {
        let Found { contacts, spared } = found;
        contacts.clear();
        contacts.resize(self.heads.len(), None);
        spared.clear();
        self.fronts.meetings(self.level, |a, b| {
            for (head, front) in [(a, b), (b, a)] {
                let sweep = Sweep::new(head.owner, head.from, head.to, head.radius);
                self.front_contact(&sweep, front, spared, &mut contacts[head.owner as usize]);
            }
        });
        spared.sort_unstable_by_key(|&(row, _)| row);
        match pool {
            Some(pool) => pool.install(|| {
                let batches = contacts.par_chunks_mut(BATCH).enumerate();
                batches.for_each(|(k, batch)| self.meet_batch(k * BATCH, batch));
            }),
            None => self.meet_batch(0, contacts),
        }
    }

    /// What belongs to no other snake.
    fn meet_batch(&self, first: usize, contacts: &mut [Option<Contact>]) {
        for (k, contact) in contacts.iter_mut().enumerate() {
            let i = first + k;
            if !self.heads.is_mortal(i) {
                continue;
            }
            if self.own_body {
                self.own_contact(&self.sweep(i), contact);
            }
            let (from, to) = (self.heads.from(i), self.heads.to(i));
            if !self.walls.is_empty() {
                self.walls.contact(from, to, self.heads.radius[i], contact);
            }
            if let Some(toi) = toi::leaves_circle(from, to, self.circle[0], self.circle[1]) {
                Contact::of_nobody(toi, Cause::Edge).or_earlier(contact);
            }
        }
    }

    /// Contacts with the bodies of others, where they are earlier than what was found; shared out, if there is a pool.
    pub fn judge(&self, found: &mut Found, pool: Option<&rayon::ThreadPool>) -> Tally {
        let Found { contacts, spared } = found;
        match pool {
            Some(pool) => pool.install(|| {
                let batches = contacts.par_chunks_mut(BATCH).enumerate();
                let judge = |(k, batch): (usize, &mut [_])| self.judge_batch(k * BATCH, batch, spared);
                batches.map(judge).reduce(Tally::default, Tally::plus)
            }),
            None => self.judge_batch(0, contacts, spared),
        }
    }

    fn judge_batch(&self, first: usize, contacts: &mut [Option<Contact>], spared: &[(u32, Contact)]) -> Tally {
        let mut tally = Tally::default();
        let end = first + contacts.len();
        let mut sink = Earliest { scene: self, first, contacts, spared };
        self.touch_batch(first..end, &mut tally, &mut sink);
        tally
    }

    fn sweep(&self, index: usize) -> Sweep {
        Sweep::new(index as u32, self.heads.from(index), self.heads.to(index), self.heads.radius[index])
    }

    #[inline]
    fn is_near(&self, sweep: &Sweep, lane: &Lane) -> bool {
        near(sweep.bounds, lane.a, lane.b, sweep.radius + self.heads.kill[lane.owner as usize])
    }

    fn body_contact(&self, sweep: &Sweep, a: Point, b: Point, owner: u32) -> Contact {
        let reach = sweep.radius + self.heads.kill[owner as usize];
        self.contact(toi::body(sweep.from, sweep.to, a, b, reach), Cause::Body, owner)
    }

    /// The neck is a segment like any other; the live trail is where time counts. Where the rules spare a head
    /// that meets a shorter one's, they spare it everything of that snake from then on in this tick: the
    /// trail lies where the heads met.
    fn front_contact(
        &self,
        sweep: &Sweep,
        front: &Front,
        spared: &mut Vec<(u32, Contact)>,
        best: &mut Option<Contact>,
    ) {
        let reach = sweep.radius + front.kill;
        let mut first = None;
        if near(sweep.bounds, front.neck, front.from, reach)
            && segment::segments_within(sweep.from, sweep.to, front.neck, front.from, reach)
        {
            self.body_contact(sweep, front.neck, front.from, front.owner).or_earlier(&mut first);
        }
        if near(sweep.bounds, front.from, front.to, reach) {
            self.live_contact(sweep, front, reach).into_iter().for_each(|live| live.or_earlier(&mut first));
        }
        match first {
            Some(contact) if contact.cause == Cause::Head && self.is_spared(sweep.index, front.owner) => {
                spared.push((sweep.index, contact));
            }
            Some(contact) => contact.or_earlier(best),
            None => {}
        }
    }

    fn live_contact(&self, sweep: &Sweep, front: &Front, reach: i32) -> Option<Contact> {
        if !segment::live_within(sweep.from, sweep.to, front.from, front.to, reach) {
            return None;
        }
        let live = toi::live(sweep.from, sweep.to, front.from, front.to, reach);
        let cause = if live.head { Cause::Head } else { Cause::Live };
        Some(self.contact(live.toi, cause, front.owner))
    }

    /// Whether the rules let the longer of two heads that meet go on.
    fn is_spared(&self, index: u32, other: u32) -> bool {
        let length = |i: u32| self.heads.length[i as usize];
        self.head_on == HeadOn::LongerSurvives && length(index) > length(other)
    }

    fn contact(&self, toi: f64, cause: Cause, killer: u32) -> Contact {
        let k = killer as usize;
        Contact { toi, cause, killer, place: self.heads.from(k), length: self.heads.length[k] }
    }

    /// Own segments beyond the neck. With this rule on a head walks its own ring: the grid does not tell
    /// which of two equal segments lies in the neck, and the boxes of most are far.
    fn own_contact(&self, sweep: &Sweep, best: &mut Option<Contact>) {
        let kill = self.heads.kill[sweep.index as usize];
        let reach = sweep.radius + kill;
        let exempt = self.exempt_from(sweep, reach);
        let ring = self.rings.get(sweep.index as usize);
        for n in ring.numbers().take_while(|&n| n != exempt) {
            let Some((a, b)) = ring.stretch(self.pool, n) else { continue };
            if near(sweep.bounds, a, b, reach) && segment::segments_within(sweep.from, sweep.to, a, b, reach) {
                let toi = toi::body(sweep.from, sweep.to, a, b, reach);
                Contact::of_nobody(toi, Cause::Own).or_earlier(best);
            }
        }
    }

    /// The oldest sample whose segment is still exempt: its newer end lies within 11/7 (just over pi/2) kill
    /// distances behind the head along the arc. A head that circles as tightly as it can never meets less.
    fn exempt_from(&self, sweep: &Sweep, reach: i32) -> u32 {
        let ring = self.rings.get(sweep.index as usize);
        let limit = i64::from(reach) * 11 / 7;
        let mut newer = sweep.from;
        let mut arc = 0;
        for n in ring.numbers().rev() {
            let point = self.pool.point(ring.at(n));
            arc += i64::from(segment::length(newer, point));
            if arc >= limit {
                return n.wrapping_add(1);
            }
            newer = point;
        }
        ring.first
    }
}

/// Keeps the earliest contact of each head of a batch.
struct Earliest<'s, 'w> {
    scene: &'s Scene<'w>,
    first: usize,
    contacts: &'s mut [Option<Contact>],
    spared: &'s [(u32, Contact)],
}

impl Sink for Earliest<'_, '_> {
    fn hit(&mut self, head: u32, lane: &Lane) {
        let contact = self.scene.body_contact(&self.scene.sweep(head as usize), lane.a, lane.b, lane.owner);
        let of_head = &self.spared[self.spared.partition_point(|&(row, _)| row < head)..];
        let mut of_head = of_head.iter().take_while(|&&(row, _)| row == head);
        if !of_head.any(|(_, met)| met.killer == lane.owner && !contact.is_before(met)) {
            contact.or_earlier(&mut self.contacts[head as usize - self.first]);
        }
    }
}

/// Whether boxes come within `reach` along both axes: what fails here is too far whatever its shape.
#[inline]
fn near(bounds: Rect, a: Point, b: Point, reach: i32) -> bool {
    a.x.min(b.x) - bounds.max.x < reach
        && bounds.min.x - a.x.max(b.x) < reach
        && a.y.min(b.y) - bounds.max.y < reach
        && bounds.min.y - a.y.max(b.y) < reach
}
