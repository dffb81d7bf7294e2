//! The game: the world, and everybody who looks at it.

use super::Failure;
use super::admission::clean_name;
use super::config::FileConfig;
use super::desk::Desk;
use super::feed::Feed;
use super::post::Post;
use super::roster::Roster;
use super::session::{Session, Stage, Wish};
use super::sessions::Sessions;
use super::standings::Standings;
use crate::bots::Bots;
use crate::net::{ConnId, Inbox, Incoming, Sent};
use crate::wire::message::{Died, Obstacle, Reason, Welcome, cause_code};
use crate::wire::{self, ToClient};
use crate::world::{Config, Death, Event, RuleSet, SnakeId, SpawnError, World};

/// Close code of who sends what is no message.
const MALFORMED: u16 = 1007;

/// Close code of who has been idle for too long.
const NORMAL: u16 = 1000;

/// Seconds for which the camera stays where somebody died on a wall, before it turns to the leader.
const MOURNING: u64 = 3;

/// A prime above any number of connections: multiples of it visit all places before they repeat.
const STRIDE: u64 = 1_000_003;

/// Newcomers who get their first snapshot in a tick: it is whole bodies and a map, and a thousand who come at once are
/// not to keep the others waiting.
const NEWCOMERS_MAX: usize = 64;

/// The world and its people.
pub struct Game {
    world: World,
    roster: Roster,
    bots: Bots,
    sessions: Sessions,
    standings: Standings,
    feed: Feed,
    desk: Desk,
    /// Whether newcomers may play.
    accepting: bool,
    /// Snakes that the bots fill the arena up to.
    fill: usize,
    snapshot_every: u64,
    view_budget: usize,
    idle_ticks: u64,
    deeds: Deeds,
    /// With whom to begin: where the time was over in the tick before.
    put_off: Option<usize>,
    /// What stands in the arena; empty: nothing.
    obstacles: Vec<Obstacle>,
    out: Vec<u8>,
}

/// What has been done since the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deeds {
    /// Snakes given to people.
    pub joins: u64,
    /// JOINs refused, by [`Reason`].
    pub refused: [u64; Reason::ALL.len()],
    /// Snakes of people that died.
    pub deaths: u64,
    /// Snapshots sent.
    pub snapshots: u64,
    /// Ticks whose time was over before everybody who was due had a snapshot.
    pub put_off: u64,
}

impl Game {
    /// An empty world, and nobody in it.
    pub fn new(config: &FileConfig, seed: u64) -> Result<Self, Failure> {
        let world = World::new(config.world.clone(), seed).map_err(|error| Failure::Config(error.to_string()))?;
        let server = &config.server;
        Ok(Self {
            world,
            roster: Roster::default(),
            bots: Bots::new(0, seed),
            sessions: Sessions::default(),
            standings: Standings::default(),
            feed: Feed::default(),
            desk: Desk::default(),
            accepting: true,
            fill: server.bots as usize,
            snapshot_every: u64::from(server.snapshot_every),
            view_budget: server.view_budget as usize,
            idle_ticks: u64::from(server.idle_limit) * u64::from(config.world.tick_hz),
            deeds: Deeds::default(),
            put_off: None,
            obstacles: config.world.arena.obstacles.iter().filter_map(Obstacle::of).collect(),
            out: Vec::new(),
        })
    }

    /// The world, to look at.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Those who play without a client.
    pub fn bots(&self) -> &Bots {
        &self.bots
    }

    /// People who have a snake.
    pub fn players(&self) -> usize {
        self.sessions.iter().filter(|session| session.snake().is_some()).count()
    }

    /// Everybody who is connected.
    pub fn connections(&self) -> impl Iterator<Item = ConnId> {
        self.sessions.iter().map(|session| session.conn)
    }

    /// What has been done since the start.
    pub fn deeds(&self) -> &Deeds {
        &self.deeds
    }

    /// Whether a newcomer would find no place for a snake: bots make room, people do not.
    pub fn is_full(&self) -> bool {
        self.players() >= self.world.config().capacity as usize
    }

    /// Answers every JOIN with a refusal from now on.
    pub fn refuse_all(&mut self) {
        self.accepting = false;
    }

    /// Takes what came in. Of several inputs of a client in one tick the latest counts.
    pub fn receive(&mut self, inbox: &Inbox, post: &mut impl Post) {
        for incoming in inbox.iter() {
            match incoming {
                Incoming::Opened { conn, .. } => self.welcome(conn),
                Incoming::Message { conn, bytes, .. } => self.hear(conn, bytes, post),
                Incoming::Closed { conn, .. } => self.part(conn),
            }
        }
    }

    /// One tick, without snapshots: nobody needs to see the steps that make up for lost time.
    pub fn step(&mut self, post: &mut impl Post) {
        self.answer_wishes();
        self.steer();
        let bots = self.fill.min(self.world.config().capacity as usize).saturating_sub(self.players());
        if bots != self.bots.len() {
            self.bots.set_count(&mut self.world, bots);
        }
        self.bots.think(&mut self.world);
        self.world.step();
        self.report();
        if self.world.tick() % self.second() == 1 {
            self.standings.survey(&self.world, &self.roster);
        }
        self.tell_feed(post);
    }

    /// Ticks of a second.
    fn second(&self) -> u64 {
        u64::from(self.world.config().tick_hz).max(2)
    }

    fn welcome(&mut self, conn: ConnId) {
        let mut session = Session::new(conn, self.view_budget, self.standings.leader(), self.world.tick());
        session.owe(&ToClient::Welcome(welcome(self.world.config(), self.snapshot_every)));
        if !self.obstacles.is_empty() {
            session.owe(&ToClient::Obstacles(self.obstacles.clone()));
        }
        self.sessions.put(session);
    }

    fn hear(&mut self, conn: ConnId, bytes: &[u8], post: &mut impl Post) {
        let Some(session) = self.sessions.get_mut(conn) else { return };
        match session.take(bytes) {
            Ok(Some(stamp)) if session.is_greeted() => {
                let pong = ToClient::Pong { stamp, tick: self.world.tick() as u32 };
                let _ = post.send(conn, encoded(&mut self.out, &pong));
            }
            Ok(_) => {}
            Err(error) => post.close(conn, MALFORMED, &format!("malformed message: {error}")),
        }
    }

    /// Somebody is gone; so is the snake.
    fn part(&mut self, conn: ConnId) {
        let Some(snake) = self.sessions.remove(conn).and_then(|session| session.snake()) else { return };
        if self.world.remove(snake) {
            self.feed.left(self.roster.name(snake));
        }
    }

    fn answer_wishes(&mut self) {
        let (tick, pause) = (self.world.tick(), self.second() / 2);
        for session in self.sessions.iter_mut() {
            let Some(wish) = session.wish_due(tick) else { continue };
            session.join_after = tick + pause;
            make_room(&mut self.world, &mut self.bots);
            match admit(&mut self.world, &wish, self.accepting) {
                Ok(id) => {
                    self.roster.enter(id, clean_name(&wish.name), wish.skin, session.conn);
                    session.play(id, tick);
                    session.owe(&ToClient::Spawned { id });
                    self.deeds.joins += 1;
                }
                Err((reason, text)) => {
                    session.owe(&ToClient::Refused { reason, text: text.to_owned() });
                    self.deeds.refused[reason.place()] += 1;
                }
            }
        }
    }

    fn steer(&mut self) {
        for session in self.sessions.iter_mut() {
            let (Some(snake), Some(steering)) = (session.snake(), session.steering.take()) else { continue };
            if self.world.steer(snake, steering.heading, steering.boost) {
                session.ack = steering.seq;
            }
        }
    }

    /// Names the newborn and tells of the dead. Kills are counted before deaths are told: who killed and died in
    /// one tick hears of both.
    fn report(&mut self) {
        let events = self.world.events();
        if events.iter().any(|event| matches!(event, Event::Spawned { .. })) {
            self.bots.ids().for_each(|(place, id)| self.roster.enter_bot(id, place));
        }
        let deaths =
            || events.iter().filter_map(|event| if let Event::Died(death) = event { Some(death) } else { None });
        for death in deaths() {
            self.sessions.count_kill(self.roster.owner(death.killer), death.killer);
        }
        for death in deaths() {
            self.feed.died(death, &self.roster);
            let owner = self.roster.owner(death.victim);
            let Some(session) = owner.and_then(|conn| self.sessions.get_mut(conn)) else { continue };
            let Stage::Playing { snake, born, kills } = session.stage else { continue };
            if snake != death.victim {
                continue;
            }
            self.deeds.deaths += 1;
            session.watch(death.killer, self.world.tick());
            let died = obituary(death, &self.roster, &self.standings, self.world.tick() - born, kills);
            session.owe(&ToClient::Died(died));
        }
    }

    fn tell_feed(&mut self, post: &mut impl Post) {
        if !self.world.tick().is_multiple_of(self.second() / 2) || self.feed.is_empty() {
            return;
        }
        let news = ToClient::Feed(self.feed.take());
        let bytes = encoded(&mut self.out, &news);
        for session in self.sessions.iter().filter(|session| session.is_greeted()) {
            let _ = post.queue(session.conn, bytes);
        }
    }

    /// Snapshots for those who are due, beginning with another one in each tick: the last of a tick is
    /// served milliseconds after the first, and that should not always be the same one.
    ///
    /// `has_time` is asked after every batch. Where there is none left, the others stay due and are the first in the
    /// next tick: who has too many clients shows each of them less often, and the world keeps its pace.
    pub fn show(&mut self, post: &mut impl Post, has_time: impl Fn() -> bool) {
        let tick = self.world.tick();
        let mut newcomers = 0;
        for place in self.sessions.rotation(self.put_off.take().unwrap_or(tick.wrapping_mul(STRIDE) as usize)) {
            let Some(session) = self.sessions.at_mut(place) else { continue };
            if !session.is_due(tick, self.snapshot_every) || post.admits(session.conn) != Sent::Yes {
                continue;
            }
            if session.snake().is_none() && tick - session.idle_since > self.idle_ticks {
                post.close(session.conn, NORMAL, "idle for too long");
                continue;
            }
            if !session.is_greeted() {
                newcomers += 1;
                if newcomers > NEWCOMERS_MAX {
                    continue;
                }
            }
            if session.settle(post) {
                self.prepare(place, post);
            }
            if self.desk.is_full() {
                self.deliver(post);
                if !has_time() {
                    self.put_off = Some(place + 1);
                    self.deeds.put_off += 1;
                    return;
                }
            }
        }
        self.deliver(post);
    }

    /// One client's snapshot is to be made, once a second with board and map before it.
    fn prepare(&mut self, place: usize, post: &mut impl Post) {
        let Some(session) = self.sessions.at_mut(place) else { return };
        let (world, tick) = (&self.world, self.world.tick());
        if !session.is_greeted() || tick - session.informed >= u64::from(world.config().tick_hz) {
            session.informed = tick;
            turn_to_leader(session, world, self.standings.leader());
            inform(session, world, &self.standings, &mut self.out, post);
        }
        session.shown = tick;
        self.desk.take(place, session);
    }

    /// Makes the snapshots of a batch and sends them.
    fn deliver(&mut self, post: &mut impl Post) {
        self.desk.make(&self.world, &self.roster);
        for job in self.desk.finish() {
            let Some(session) = self.sessions.at_mut(job.place) else { continue };
            job.give_back(session);
            if post.send(session.conn, &job.bytes) == Sent::Yes {
                self.deeds.snapshots += 1;
            }
        }
    }
}

/// Takes bots out of a full world until one of them lived.
fn make_room(world: &mut World, bots: &mut Bots) {
    while world.population() >= world.config().capacity as usize && !bots.is_empty() {
        bots.set_count(world, bots.len() - 1);
    }
}

/// A place in the world for a JOIN, or the reason why not.
fn admit(world: &mut World, wish: &Wish, accepting: bool) -> Result<SnakeId, (Reason, &'static str)> {
    if wish.version != wire::VERSION {
        return Err((Reason::Version, "this server speaks another version: reload the page"));
    }
    if !accepting {
        return Err((Reason::Draining, "the server is about to restart"));
    }
    world.spawn().map_err(|error| match error {
        SpawnError::Full => (Reason::Full, "the arena is full"),
        SpawnError::NoRoom | SpawnError::Outside => (Reason::NoRoom, "there is no safe place right now: try again"),
    })
}

/// Board and map; they travel with the snapshot.
fn inform(session: &Session, world: &World, standings: &Standings, out: &mut Vec<u8>, post: &mut impl Post) {
    out.clear();
    standings.put_board(session, world, out);
    let _ = post.queue(session.conn, out);
    if !standings.map().is_empty() {
        let _ = post.queue(session.conn, standings.map());
    }
}

/// Who watches nobody, because that one died, is shown the leader after a while.
fn turn_to_leader(session: &mut Session, world: &World, leader: SnakeId) {
    let mourned = world.tick() - session.idle_since > MOURNING * u64::from(world.config().tick_hz);
    if session.snake().is_none() && (mourned || !session.is_greeted()) && world.snake(session.watched).is_none() {
        session.watched = leader;
    }
}

fn obituary(death: &Death, roster: &Roster, standings: &Standings, ticks: u64, kills: u16) -> Died {
    Died {
        cause: cause_code(death.cause),
        killer: death.killer,
        killer_name: roster.name(death.killer).to_owned(),
        length: death.length.unsigned_abs(),
        ticks: u32::try_from(ticks).unwrap_or(u32::MAX),
        kills,
        rank: standings.rank(death.length),
    }
}

fn welcome(config: &Config, snapshot_every: u64) -> Welcome {
    let quanta = |units: f64| (units * f64::from(crate::limits::QUANTA_PER_UNIT)).round();
    let per_tick = |speed: f64| quanta(speed / f64::from(config.tick_hz)) as u16;
    Welcome {
        version: wire::VERSION,
        tick_hz: config.tick_hz as u8,
        rules: match config.rules.set {
            RuleSet::Survival => 0,
            RuleSet::Pellets => 1,
        },
        ticks_a_snapshot: snapshot_every as u8,
        arena_radius: quanta(config.arena.radius) as u32,
        spacing: quanta(config.body.spacing) as u16,
        cruise: per_tick(config.motion.speed),
        boost: per_tick(config.motion.boost),
    }
}

fn encoded<'o>(out: &'o mut Vec<u8>, message: &ToClient) -> &'o [u8] {
    out.clear();
    message.encode(out);
    out
}
