//! One tick: a list of phases, in order.

use super::bodies::Tails;
use super::heads::flag;
use super::motion::{Advance, FindFar, Turn};
use super::{Death, Event, RuleSet, SnakeId, World};
use crate::broadphase::Front;
use crate::geom::lattice::Point;
use crate::geom::segment::length;
use crate::limits::{RADIUS_THICK, RADIUS_THIN};
use crate::narrowphase::{NOBODY, Scene};

/// Ticks between two looks of a snake at its company.
const SELDOM: u64 = 32;

/// Ticks between two steps of a snake's vigour, and between two checks for spare memory.
const OFTEN: u64 = 8;

/// How far vigour goes in a step, in 1/256.
const VIGOUR_STEP: i32 = 4;

/// A part of a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Heads turn.
    Turn,
    /// Heads move.
    Advance,
    /// Necks and live trails are put in order.
    SortFronts,
    /// Heads meet necks, live trails, obstacles and the circle.
    Meet,
    /// Heads meet bodies; the first contact of every head is found.
    Judge,
    /// The dead leave.
    Bury,
    /// Samples are laid and dropped.
    Lay,
    /// Heads eat.
    Eat,
    /// Lengths and radii change.
    Grow,
    /// Shields end, the circle moves, food is strewn.
    Rest,
}

impl Phase {
    /// All of them, in the order of a tick.
    pub const ALL: [Self; 10] = [
        Self::Turn,
        Self::Advance,
        Self::SortFronts,
        Self::Meet,
        Self::Judge,
        Self::Bury,
        Self::Lay,
        Self::Eat,
        Self::Grow,
        Self::Rest,
    ];
}

impl World {
    /// One tick: everyone moves, everyone is judged against the same world, then the dead are removed and
    /// the living lay their trails.
    pub fn step(&mut self) {
        self.step_watched(|_| {});
    }

    /// As [`World::step`], with a call at the end of each phase. The world has no clock; whoever wants to know what a
    /// phase costs reads one there.
    ///
    /// ```
    /// use ringsnake::World;
    /// use ringsnake::world::Phase;
    /// use std::time::{Duration, Instant};
    ///
    /// let mut world = World::new(ringsnake::Config::default(), 1).unwrap();
    /// let (mut spent, mut began) = ([Duration::ZERO; Phase::ALL.len()], Instant::now());
    /// world.step_watched(|phase| {
    ///     spent[phase as usize] += began.elapsed();
    ///     began = Instant::now();
    /// });
    /// ```
    pub fn step_watched(&mut self, mut done: impl FnMut(Phase)) {
        if std::mem::take(&mut self.events_over) {
            self.events.clear();
        }
        self.level.call(Turn { heads: &mut self.heads, tuning: &self.tuning });
        done(Phase::Turn);
        self.level.call(Advance { heads: &mut self.heads, tuning: &self.tuning });
        done(Phase::Advance);
        self.sort_fronts();
        done(Phase::SortFronts);
        self.meet();
        done(Phase::Meet);
        self.judge();
        done(Phase::Judge);
        self.bury();
        done(Phase::Bury);
        self.lay();
        done(Phase::Lay);
        self.eat();
        done(Phase::Eat);
        self.grow();
        done(Phase::Grow);
        self.unshield();
        self.breathe();
        self.strew();
        done(Phase::Rest);
        self.tick += 1;
        self.events_over = true;
    }

    /// Puts the necks and live trails of all who can kill in order.
    pub(super) fn sort_fronts(&mut self) {
        self.unlisted.clear();
        let (heads, bodies) = (&self.heads, &self.bodies);
        let mortals = (0..heads.len()).filter(|&i| heads.is_mortal(i)).count();
        let start = |owner: u32| heads.is_mortal(owner as usize).then(|| heads.x0[owner as usize]);
        self.fronts.rebuild(heads.len(), mortals, start, |owner| {
            let i = owner as usize;
            let (neck, from, to) = (bodies.newest(i), heads.from(i), heads.to(i));
            Front { neck, from, to, radius: heads.radius[i], kill: heads.kill[i], owner }
        });
    }

    /// Finds what every head touches first of that which stands in no grid.
    pub(super) fn meet(&mut self) {
        let mut found = std::mem::take(&mut self.found);
        self.scene().meet(&mut found, self.threads.for_heads(self.heads.len()));
        self.found = found;
    }

    /// Finds the first contact of every head: its way meets the bodies of others.
    pub(super) fn judge(&mut self) {
        let mut found = std::mem::take(&mut self.found);
        self.tally = self.scene().judge(&mut found, self.threads.for_heads(self.heads.len()));
        self.found = found;
    }

    fn scene(&self) -> Scene<'_> {
        Scene {
            heads: &self.heads,
            pool: &self.bodies.pool,
            rings: &self.bodies.rings,
            grids: &self.bodies.grids,
            kill_max: self.kill_max,
            fronts: &self.fronts,
            walls: &self.walls,
            circle: self.circle,
            head_on: self.config.rules.head_on,
            own_body: self.config.rules.own_body,
            level: self.level,
        }
    }

    /// The deaths of the contacts found, by row.
    pub(super) fn deaths(&self) -> impl Iterator<Item = (usize, Death)> + '_ {
        let contacts = self.found.contacts.iter().enumerate();
        contacts.filter_map(|(i, contact)| contact.map(|contact| (i, contact))).map(|(i, contact)| {
            let (from, to) = (self.heads.from(i).to_units(), self.heads.to(i).to_units());
            let along = |axis: usize| from[axis] + contact.toi * (to[axis] - from[axis]);
            let killer =
                if contact.killer == NOBODY { SnakeId::NOBODY } else { self.heads.id(contact.killer as usize) };
            let death = Death {
                victim: self.heads.id(i),
                killer,
                cause: contact.cause,
                toi: contact.toi,
                at: [along(0), along(1)],
                length: self.heads.length[i],
            };
            (i, death)
        })
    }

    /// Takes out everyone who touched something. All contacts were found before the first one is taken out,
    /// and who dies hands nothing over to who dies too.
    fn bury(&mut self) {
        let mut events = std::mem::take(&mut self.events);
        let first = events.len();
        events.extend(self.deaths().map(|(_, death)| Event::Died(death)));
        for event in &events[first..] {
            if let Event::Died(death) = event {
                self.hand_over(death);
                self.scatter(death.victim.index(), death.length);
            }
        }
        self.events = events;
        for i in 0..self.found.contacts.len() {
            if self.found.contacts[i].is_some() {
                self.take_out(i);
            }
        }
    }

    /// Credits a kill, and gives the killer its part of the victim's length, unless it dies in this tick too.
    fn hand_over(&mut self, death: &Death) {
        if death.killer == SnakeId::NOBODY {
            return;
        }
        let k = death.killer.index();
        self.heads.kills[k] += 1;
        if self.found.contacts[k].is_none() && self.config.rules.set == RuleSet::Survival {
            let share = i64::from(death.length) * self.tuning.hand_over_milli / 1_000;
            self.heads.lengthen(k, share as i32, &self.tuning);
        }
    }

    /// Lays a sample where a head is far enough from its newest, and trims the tail to the length.
    fn lay(&mut self) {
        let Self { heads, bodies, tuning, due, level, .. } = self;
        level.call(FindFar { heads, newest: &bodies.newest, spacing2: tuning.spacing2, far: due });
        bodies.reserve(heads.len());
        for (n, due) in due.iter_mut().enumerate() {
            let mut far = *due;
            while far != 0 {
                let i = 16 * n + far.trailing_zeros() as usize;
                // Rows past the last are never far: they stand where their newest sample is.
                if heads.is_mortal(i) {
                    bodies.arc[i] += i64::from(length(bodies.newest(i), heads.to(i)));
                } else {
                    *due &= !(1 << (i % 16));
                    if heads.has(i, flag::ALIVE) {
                        bodies.drag(i, heads.to(i));
                    }
                }
                far &= far - 1;
            }
        }
        let is_spare = |tails: &mut Tails<'_>, i: usize| tails.is_spare(i, heads.length[i]);
        bodies.renew(due, heads, *level, |samples, at| samples.ask_for(at), is_spare);
    }

    /// Growth and the cost of boost; the radius follows the length at its own pace.
    fn grow(&mut self) {
        let survival = self.config.rules.set == RuleSet::Survival;
        let Self { heads, tuning, .. } = self;
        for i in 0..heads.len() {
            let flags = heads.flags[i];
            if survival && flags & (flag::ALIVE | flag::SHIELD) == flag::ALIVE {
                heads.lengthen(i, (tuning.growth * heads.vigour[i]) >> 8, tuning);
            }
            if flags & (flag::ALIVE | flag::BOOST) == flag::ALIVE | flag::BOOST {
                heads.length[i] -= tuning.boost_cost;
            }
        }
        self.kill_max = [0; 2];
        for i in 0..self.heads.len() {
            if self.heads.has(i, flag::ALIVE) {
                self.swell(i);
            }
        }
        if survival {
            self.ease();
        }
        if self.tick.is_multiple_of(OFTEN) {
            self.pack();
        }
    }

    /// Moves the vigour of every eighth snake towards what it is due to be.
    fn ease(&mut self) {
        let first = (self.tick.wrapping_neg() % OFTEN) as usize;
        for i in (first..self.heads.len()).step_by(OFTEN as usize) {
            if !self.heads.has(i, flag::ALIVE) {
                continue;
            }
            if (self.tick + i as u64).is_multiple_of(SELDOM) {
                self.look_for_company(i);
            }
            let vigour = &mut self.heads.vigour[i];
            *vigour += (self.heads.vigour_due[i] - *vigour).clamp(-VIGOUR_STEP, VIGOUR_STEP);
        }
    }

    fn pack(&mut self) {
        let heads = &self.heads;
        let row = |i: usize| (i, usize::from(heads.has(i, flag::WIDE)));
        self.bodies.pack(heads.rows().map(row));
    }

    /// Moves the radius towards what belongs to the length, and the lanes to the other grid when the snake
    /// has become thick, or thin.
    fn swell(&mut self, i: usize) {
        let rate = self.tuning.radius_rate;
        let radius = self.heads.radius[i];
        let next = radius + (self.tuning.radius_of(self.heads.length[i]) - radius).clamp(-rate, rate);
        if next != radius {
            self.set_radius(i, next);
        }
        self.note_kill(i);
    }

    pub(super) fn set_radius(&mut self, i: usize, radius: i32) {
        self.heads.radius[i] = radius;
        self.heads.kill[i] = self.tuning.kill_of(radius);
        self.heads.turn_max[i] = self.tuning.turn_of(radius);
        self.note_kill(i);
        let wide = self.wide(i);
        let becomes = if wide == 0 { usize::from(radius > RADIUS_THICK) } else { usize::from(radius >= RADIUS_THIN) };
        if becomes != wide {
            self.heads.set(i, flag::WIDE, becomes == 1);
            self.bodies.transplant(i, wide, becomes);
            self.note_kill(i);
        }
    }

    /// Keeps the largest kill distance of each grid.
    fn note_kill(&mut self, i: usize) {
        let wide = self.wide(i);
        self.kill_max[wide] = self.kill_max[wide].max(self.heads.kill[i]);
    }

    /// Notes how vigorous a snake is due to be: less the farther it is from every other head.
    fn look_for_company(&mut self, i: usize) {
        let distance = self.distance_to_company(i);
        let (company, alone) = (self.tuning.company, self.tuning.alone);
        let floor = i64::from(self.tuning.alone_factor);
        let target = if distance >= alone {
            floor
        } else if distance <= company {
            256
        } else {
            256 - (256 - floor) * (distance - company) / (alone - company)
        };
        self.heads.vigour_due[i] = target as i32;
    }

    /// Ends spawn shields. One that would end within reach of another is kept up, at most as long again.
    fn unshield(&mut self) {
        for i in 0..self.heads.len() {
            if !self.heads.has(i, flag::ALIVE) || !self.heads.has(i, flag::SHIELD) {
                continue;
            }
            let until = self.heads.shield_until[i];
            let last = until + u64::from(self.tuning.shield_ticks);
            if self.tick >= until && (self.tick >= last || self.is_clear(self.heads.to(i), i, 0)) {
                self.heads.set(i, flag::SHIELD, false);
                self.unlisted.push(i as u32);
            }
        }
    }

    /// Moves the circle's edge towards what the population needs.
    fn breathe(&mut self) {
        let target = self.tuning.arena_for(self.heads.alive());
        let now = self.circle[1];
        self.circle = [now, now + (target - now).clamp(-self.tuning.breathe, self.tuning.expand)];
    }

    /// Lets heads eat what their ways of this tick touch.
    fn eat(&mut self) {
        if self.larder.len() == 0 {
            return;
        }
        for i in 0..self.heads.len() {
            if self.heads.is_mortal(i) {
                let reach = self.heads.radius[i] + self.tuning.bite;
                self.larder.bite(i, self.heads.from(i), self.heads.to(i), reach);
            }
        }
        let Self { larder, heads, tuning, events, .. } = self;
        larder.swallow(|row, food| {
            heads.lengthen(row, tuning.piece_length * i32::from(food.size), tuning);
            events.push(Event::Ate { id: heads.id(row), food: food.id });
        });
    }

    /// Strews food until the ground holds what the population is due, a few pieces a tick.
    fn strew(&mut self) {
        if self.config.rules.set != RuleSet::Pellets {
            return;
        }
        let due = self.heads.alive() * self.config.pellets.per_snake as usize;
        let due = due.min(self.config.pellets.pieces_max as usize);
        let missing = due.saturating_sub(self.larder.len());
        for _ in 0..missing.min(4 + due / 64) {
            if let Some(at) = self.place_in_circle(self.tuning.bite) {
                let size = 1 + u8::from(self.rng.below(8) == 0);
                self.larder.put(at, size);
            }
        }
    }

    /// Turns a part of a dead body into food along it.
    fn scatter(&mut self, i: usize, length: i32) {
        if self.config.rules.set != RuleSet::Pellets {
            return;
        }
        let worth = i64::from(length) * self.tuning.death_milli / 1_000 / i64::from(self.tuning.piece_length.max(1));
        let room = (self.config.pellets.pieces_max as usize).saturating_sub(self.larder.len());
        let ring = self.bodies.rings.get(i);
        let samples = i64::from(ring.len());
        let pieces = worth.min(samples).min(room as i64);
        for k in 0..pieces {
            let size = (worth * (k + 1) / pieces - worth * k / pieces).min(255);
            let n = ring.first.wrapping_add((samples * k / pieces) as u32);
            let at = self.bodies.pool.point(ring.at(n));
            self.larder.put(at, size as u8);
        }
    }

    pub(super) fn is_inside(&self, at: Point) -> bool {
        let radius = i64::from(self.circle[0].min(self.circle[1]));
        at.distance2(Point::default()) <= radius * radius
    }
}
