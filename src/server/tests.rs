//! The game without sockets: messages in, ticks, messages out.

use super::{FileConfig, Game, Post};
use crate::geom::lattice::Point;
use crate::net::{ConnId, Inbox, Sent, Why};
use crate::wire::message::{Died, Obstacle, Reason};
use crate::wire::{self, Snapshot, ToClient, ToServer};
use crate::world::{self, SnakeId};
use std::net::SocketAddr;

const ADA: ConnId = ConnId::from_bits(0);
const BOB: ConnId = ConnId::from_bits(1);

/// What was sent, and to whom.
#[derive(Default)]
struct Outbox {
    busy: bool,
    sent: Vec<(ConnId, ToClient)>,
    closed: Vec<(ConnId, u16)>,
}

impl Post for Outbox {
    fn admits(&mut self, _: ConnId) -> Sent {
        if self.busy { Sent::Busy } else { Sent::Yes }
    }

    fn send(&mut self, conn: ConnId, bytes: &[u8]) -> Sent {
        let answer = self.admits(conn);
        if answer == Sent::Yes {
            self.sent.push((conn, ToClient::decode(bytes).unwrap()));
        }
        answer
    }

    fn queue(&mut self, conn: ConnId, bytes: &[u8]) -> Sent {
        self.send(conn, bytes)
    }

    fn close(&mut self, conn: ConnId, code: u16, _: &str) {
        self.closed.push((conn, code));
    }
}

struct Table {
    game: Game,
    out: Outbox,
}

impl Table {
    fn new() -> Self {
        Self::with(&no_bots())
    }

    fn with(config: &FileConfig) -> Self {
        Self { game: Game::new(config, 7).unwrap(), out: Outbox::default() }
    }

    fn open(&mut self, conn: ConnId) {
        let mut inbox = Inbox::new();
        inbox.opened(conn, SocketAddr::from(([127, 0, 0, 1], 9)));
        self.game.receive(&inbox, &mut self.out);
    }

    fn close(&mut self, conn: ConnId) {
        let mut inbox = Inbox::new();
        inbox.closed(conn, Why::ByPeer);
        self.game.receive(&inbox, &mut self.out);
    }

    fn say(&mut self, conn: ConnId, messages: &[ToServer]) {
        let mut inbox = Inbox::new();
        for message in messages {
            let mut bytes = Vec::new();
            message.encode(&mut bytes);
            inbox.message(conn, &bytes, false);
        }
        self.game.receive(&inbox, &mut self.out);
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.game.step(&mut self.out);
            self.game.show(&mut self.out, || true);
        }
    }

    /// What `conn` got since the last call.
    fn got(&mut self, conn: ConnId) -> Vec<ToClient> {
        let (mine, others) = self.out.sent.drain(..).partition(|(to, _)| *to == conn);
        self.out.sent = others;
        Vec::into_iter(mine).map(|(_, message)| message).collect()
    }

    /// Connected and playing.
    fn player(&mut self, conn: ConnId) -> SnakeId {
        self.open(conn);
        self.say(conn, &[join("Ada")]);
        self.steps(2);
        let spawned = self.got(conn).into_iter().find_map(|message| match message {
            ToClient::Spawned { id } => Some(id),
            _ => None,
        });
        spawned.expect("no snake")
    }
}

fn no_bots() -> FileConfig {
    let mut config = FileConfig::default();
    config.server.bots = 0;
    config
}

fn join(name: &str) -> ToServer {
    ToServer::Join { version: wire::VERSION, skin: 3, name: name.to_owned() }
}

fn input(seq: u16, heading: u16) -> ToServer {
    ToServer::Input { seq, heading, boost: false }
}

fn snapshots(messages: &[ToClient]) -> Vec<&Snapshot> {
    fn pick(message: &ToClient) -> Option<&Snapshot> {
        if let ToClient::Snapshot(snapshot) = message { Some(snapshot) } else { None }
    }
    messages.iter().filter_map(pick).collect()
}

fn refusal(messages: &[ToClient]) -> Option<Reason> {
    messages.iter().find_map(|message| match message {
        ToClient::Refused { reason, .. } => Some(*reason),
        _ => None,
    })
}

#[test]
fn a_newcomer_is_welcomed_before_anything_else() {
    let mut table = Table::new();
    table.open(ADA);
    table.say(ADA, &[ToServer::Ping { stamp: 1 }]);
    table.steps(2);
    let got = table.got(ADA);
    let ToClient::Welcome(welcome) = &got[0] else { panic!("{got:?}") };
    assert_eq!((welcome.tick_hz, welcome.ticks_a_snapshot, welcome.cruise, welcome.boost), (30, 2, 216, 459));
    assert!(matches!(got[1], ToClient::Board(_)));
    assert!(snapshots(&got)[0].header.fresh);
}

#[test]
fn obstacles_follow_the_welcome() {
    let mut config = no_bots();
    config.world.arena.obstacles = vec![
        world::Obstacle::Circle { center: [-200.0, 100.5], radius: 30.0 },
        world::Obstacle::Box { min: [0.0, -1.0], max: [10.0, 2.0] },
    ];
    let mut table = Table::with(&config);
    table.open(ADA);
    table.steps(4);
    let got = table.got(ADA);
    let disc = Obstacle::Disc { center: Point::new(-12_800, 6_432), radius: 1_920 };
    let block = Obstacle::Box { min: Point::new(0, -64), max: Point::new(640, 128) };
    assert!(matches!(got[0], ToClient::Welcome(_)));
    assert_eq!(got[1], ToClient::Obstacles(vec![disc, block]));
    assert!(got[2..].iter().all(|message| !matches!(message, ToClient::Obstacles(_))));
}

#[test]
fn a_join_gives_a_snake_under_a_clean_name() {
    let mut table = Table::new();
    table.open(ADA);
    table.say(ADA, &[join("  A\u{202E}da ")]);
    table.steps(4);
    let got = table.got(ADA);
    let shown = snapshots(&got);
    let me = &shown[0].appear[0];
    assert_eq!((me.name.as_str(), me.skin, shown[0].header.focus), ("Ada", 3, me.id));
    assert_eq!(table.game.players(), 1);
}

#[test]
fn of_several_inputs_in_one_tick_the_latest_counts() {
    let mut table = Table::new();
    let id = table.player(ADA);
    table.say(ADA, &[input(1, 100), input(2, 200), input(3, 30_000)]);
    table.steps(60);
    let got = table.got(ADA);
    assert_eq!(snapshots(&got).last().unwrap().header.ack, 3);
    assert_eq!(table.game.world().snake(id).unwrap().heading(), 30_000);
}

#[test]
fn a_ping_comes_back_with_its_stamp() {
    let mut table = Table::new();
    table.player(ADA);
    table.say(ADA, &[ToServer::Ping { stamp: 0xABCD }]);
    assert_eq!(table.got(ADA), [ToClient::Pong { stamp: 0xABCD, tick: 2 }]);
}

#[test]
fn who_leaves_takes_the_snake_along_and_the_others_hear_of_it() {
    let mut table = Table::new();
    let id = table.player(ADA);
    table.player(BOB);
    assert_eq!(table.game.world().population(), 2);
    table.close(ADA);
    assert!(table.game.world().snake(id).is_none());
    table.steps(30);
    let got = table.got(BOB);
    let told = |message: &ToClient| matches!(message, ToClient::Feed(lines) if lines[0].victim == "Ada");
    assert!(got.iter().any(told));
}

#[test]
fn bots_make_room_for_people() {
    let mut table = Table::with(&FileConfig::default());
    table.steps(60);
    assert_eq!((table.game.bots().len(), table.game.world().population()), (50, 50));
    table.player(ADA);
    table.player(BOB);
    assert_eq!((table.game.bots().len(), table.game.players()), (48, 2));
    table.close(ADA);
    table.steps(1);
    assert_eq!(table.game.bots().len(), 49);
}

#[test]
fn who_dies_is_told_once_watches_and_may_play_again() {
    let mut table = Table::new();
    let id = table.player(ADA);
    let mut ticks = 0;
    while table.game.world().snake(id).is_some() {
        table.steps(1);
        ticks += 1;
        assert!(ticks < 3_000, "nobody drives straight on for ever");
    }
    table.steps(4);
    let got = table.got(ADA);
    let deaths: Vec<&Died> =
        got.iter().filter_map(|message| if let ToClient::Died(died) = message { Some(died) } else { None }).collect();
    assert_eq!(deaths.len(), 1);
    assert_eq!((deaths[0].cause, deaths[0].killer, deaths[0].rank), (3, SnakeId::NOBODY, 1));
    assert!((ticks..ticks + 4).contains(&deaths[0].ticks));
    assert_eq!(snapshots(&got).last().unwrap().header.length, 0);
    table.say(ADA, &[join("Ada")]);
    table.steps(3);
    assert!(table.got(ADA).iter().any(|message| matches!(message, ToClient::Spawned { .. })));
}

#[test]
fn a_second_join_of_a_player_changes_nothing() {
    let mut table = Table::new();
    let id = table.player(ADA);
    table.say(ADA, &[join("Eve")]);
    table.steps(40);
    assert_eq!((table.game.world().population(), table.game.world().snake(id).is_some()), (1, true));
}

#[test]
fn joins_are_refused_with_a_reason() {
    let mut table = Table::new();
    table.open(ADA);
    table.say(ADA, &[ToServer::Join { version: 9, skin: 0, name: String::new() }]);
    table.steps(2);
    assert_eq!(refusal(&table.got(ADA)), Some(Reason::Version));
    table.game.refuse_all();
    table.say(ADA, &[join("Ada")]);
    table.steps(20);
    assert_eq!(refusal(&table.got(ADA)), Some(Reason::Draining));
}

#[test]
fn bots_make_room_where_they_fill_the_arena() {
    let mut config = no_bots();
    (config.world.capacity, config.server.bots) = (3, 30);
    let mut table = Table::with(&config);
    table.steps(60);
    assert_eq!(table.game.world().population(), 3);
    for client in 0..3 {
        table.player(ConnId::from_bits(client));
        table.steps(3);
        assert_eq!(table.game.players(), client as usize + 1);
    }
    assert_eq!((table.game.world().population(), table.game.bots().len()), (3, 0));
}

#[test]
fn a_full_arena_refuses() {
    let mut config = no_bots();
    config.world.capacity = 1;
    let mut table = Table::with(&config);
    table.player(ADA);
    table.open(BOB);
    table.say(BOB, &[join("Bob")]);
    table.steps(2);
    assert_eq!(refusal(&table.got(BOB)), Some(Reason::Full));
}

#[test]
fn a_malformed_message_ends_the_connection() {
    let mut table = Table::new();
    table.open(ADA);
    let mut inbox = Inbox::new();
    inbox.message(ADA, &[0x77, 1, 2], false);
    table.game.receive(&inbox, &mut table.out);
    assert_eq!(table.out.closed, [(ADA, 1007)]);
}

#[test]
fn a_slow_reader_misses_snapshots_but_not_the_news_of_its_snake() {
    let mut table = Table::new();
    table.open(ADA);
    table.steps(2);
    table.got(ADA);
    table.out.busy = true;
    table.say(ADA, &[join("Ada")]);
    table.steps(10);
    assert!(table.got(ADA).is_empty());
    table.out.busy = false;
    table.steps(1);
    let got = table.got(ADA);
    assert!(matches!(got[0], ToClient::Spawned { .. }));
    assert_eq!(snapshots(&got).len(), 1);
}

#[test]
fn clients_are_spread_over_the_ticks() {
    let mut table = Table::new();
    table.open(ADA);
    table.open(BOB);
    table.steps(4);
    table.out.sent.clear();
    for _ in 0..6 {
        table.steps(1);
        let counts = [table.got(ADA), table.got(BOB)].map(|got| snapshots(&got).len());
        assert_eq!(counts.iter().sum::<usize>(), 1);
    }
}

/// Who is shown something in each of so many ticks, in that order; `steps` are taken before each show.
fn shown(every: u32, clients: u64, steps: usize, ticks: usize) -> Vec<Vec<ConnId>> {
    let mut config = no_bots();
    config.server.snapshot_every = every;
    let mut table = Table::with(&config);
    (0..clients).for_each(|bits| table.open(ConnId::from_bits(bits)));
    table.steps(12);
    let mut turn = || {
        table.out.sent.clear();
        (0..steps).for_each(|_| table.game.step(&mut table.out));
        table.game.show(&mut table.out, || true);
        let told = table.out.sent.iter().filter(|(_, message)| matches!(message, ToClient::Snapshot(_)));
        told.map(|(conn, _)| *conn).collect()
    };
    (0..ticks).map(|_| turn()).collect()
}

#[test]
fn each_client_gets_its_rate_and_each_tick_has_as_much_to_do() {
    for every in [1, 2, 3] {
        let ticks = shown(every, 12, 1, 30);
        assert!(ticks.iter().all(|tick| tick.len() == 12 / every as usize), "{every}");
        for conn in (0..12).map(ConnId::from_bits) {
            let when: Vec<usize> = (0..30).filter(|&tick| ticks[tick].contains(&conn)).collect();
            assert!(when.windows(2).all(|pair| pair[1] - pair[0] == every as usize), "{every}");
        }
    }
}

#[test]
fn nobody_is_always_the_last_to_be_served() {
    let ticks = shown(1, 50, 1, 60);
    let mut last: Vec<ConnId> = ticks.iter().map(|tick| tick[49]).collect();
    last.sort_unstable();
    last.dedup();
    assert!(last.len() > 25, "{}", last.len());
}

#[test]
fn snapshots_are_the_same_from_any_number_of_threads() {
    let play = |threads| {
        let mut config = no_bots();
        (config.world.engine.threads, config.world.engine.share_from) = (threads, 1);
        let mut table = Table::with(&config);
        for client in 0..600 {
            table.open(ConnId::from_bits(client));
            table.say(ConnId::from_bits(client), &[join("x")]);
        }
        table.steps(40);
        table.out.sent
    };
    let alone = play(1);
    assert!(snapshots(&alone.iter().map(|(_, message)| message.clone()).collect::<Vec<_>>()).len() > 10_000);
    assert!(alone == play(3));
}

#[test]
fn a_server_that_is_behind_serves_all_alike() {
    let ticks = shown(2, 10, 2, 20);
    assert!(ticks.iter().all(|tick| tick.len() == 10));
    let ticks = shown(3, 9, 2, 30);
    let counts: Vec<usize> =
        (0..9).map(ConnId::from_bits).map(|conn| ticks.iter().filter(|tick| tick.contains(&conn)).count()).collect();
    assert!(counts.iter().all(|&count| count == 20), "{counts:?}");
}

#[test]
fn the_numbers_of_inputs_may_wrap() {
    let mut table = Table::new();
    let id = table.player(ADA);
    for (i, seq) in [65_534_u16, 65_535, 0, 1].into_iter().enumerate() {
        table.say(ADA, &[input(seq, 1_000 * i as u16)]);
        table.steps(2);
        assert_eq!(snapshots(&table.got(ADA)).last().unwrap().header.ack, seq);
    }
    assert!(table.game.world().snake(id).is_some());
}

#[test]
fn steps_that_make_up_for_lost_time_show_nothing() {
    let mut table = Table::new();
    table.player(ADA);
    table.got(ADA);
    (0..3).for_each(|_| table.game.step(&mut table.out));
    assert!(snapshots(&table.got(ADA)).is_empty());
    table.steps(1);
    assert_eq!(snapshots(&table.got(ADA)).len(), 1);
}

#[test]
fn who_only_watches_is_sent_away_in_the_end() {
    let mut config = no_bots();
    config.server.idle_limit = 1;
    let mut table = Table::with(&config);
    table.open(ADA);
    table.steps(40);
    assert!(table.out.closed.contains(&(ADA, 1000)));
}

#[test]
fn where_time_is_short_everybody_is_shown_less_often_and_nobody_never() {
    let clients = 300;
    let mut config = no_bots();
    config.server.snapshot_every = 1;
    let mut table = Table::with(&config);
    (0..clients).for_each(|bits| table.open(ConnId::from_bits(bits)));
    table.steps(12);
    let mut shown = vec![0; clients as usize];
    for _ in 0..30 {
        table.out.sent.clear();
        table.game.step(&mut table.out);
        table.game.show(&mut table.out, || false);
        let told: Vec<ConnId> = table
            .out
            .sent
            .iter()
            .filter_map(|(conn, message)| matches!(message, ToClient::Snapshot(_)).then_some(*conn))
            .collect();
        assert!((100..200).contains(&told.len()), "one batch, {}", told.len());
        told.iter().for_each(|conn| shown[conn.index()] += 1);
    }
    let (least, most) = (shown.iter().min().unwrap(), shown.iter().max().unwrap());
    assert!(most - least <= 1, "{least} to {most}");
    assert_eq!(table.game.deeds().put_off, 30);
}

#[test]
fn a_crowd_that_comes_at_once_is_welcomed_a_part_a_tick_and_nobody_else_waits() {
    let mut config = no_bots();
    config.server.snapshot_every = 1;
    let mut table = Table::with(&config);
    (0..100).for_each(|bits| table.open(ConnId::from_bits(bits)));
    table.steps(5);
    (100..400).for_each(|bits| table.open(ConnId::from_bits(bits)));
    let mut welcomed = std::collections::BTreeSet::new();
    for ticks in 1..=5 {
        table.out.sent.clear();
        table.steps(1);
        let shown = table.out.sent.iter().filter(|(_, message)| matches!(message, ToClient::Snapshot(_)));
        let shown: Vec<usize> = shown.map(|(conn, _)| conn.index()).collect();
        assert_eq!(shown.iter().filter(|&&place| place < 100).count(), 100, "nobody waits");
        welcomed.extend(shown.into_iter().filter(|&place| place >= 100));
        assert_eq!(welcomed.len(), (64 * ticks).min(300));
    }
}
