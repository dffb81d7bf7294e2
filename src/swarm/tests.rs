use super::{Fault, Heard, Pilot, Referee};
use crate::geom::lattice::Point;
use crate::wire::message::{Obstacle, Welcome};
use crate::wire::snapshot::{Appear, Header, State};
use crate::wire::{Snapshot, ToClient};
use crate::world::SnakeId;

const ME: SnakeId = SnakeId::from_bits(1);
const YOU: SnakeId = SnakeId::from_bits(2);

fn bytes(message: &ToClient) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.encode(&mut bytes);
    bytes
}

fn welcome() -> ToClient {
    ToClient::Welcome(Welcome {
        version: crate::wire::VERSION,
        tick_hz: 30,
        rules: 0,
        ticks_a_snapshot: 2,
        arena_radius: 640_000,
        spacing: 640,
        cruise: 216,
        boost: 459,
    })
}

fn appear(id: SnakeId, at: Point) -> Appear {
    let state = State { head: at, ..State::default() };
    Appear { id, skin: 0, name: String::new(), state, end: 1, total: 1, body: vec![at], breaks: vec![] }
}

fn snapshot(tick: u32, appear: Vec<Appear>) -> Snapshot {
    let header =
        Header { tick, focus: ME, length: 640, half_w: 300, half_h: 188, radius: 640_000, ..Header::default() };
    Snapshot { header, appear, ..Snapshot::default() }
}

/// One who was welcomed and has a snake in the middle.
fn player(tick: u32) -> Referee {
    let mut referee = Referee::new(true);
    referee.hear(&bytes(&welcome()), 0).unwrap();
    referee.hear(&bytes(&ToClient::Spawned { id: ME }), 0).unwrap();
    let first = snapshot(tick, vec![appear(ME, Point::new(0, 0))]);
    referee.hear(&bytes(&ToClient::Snapshot(first)), 0).unwrap();
    referee
}

fn then(referee: &mut Referee, snapshot: Snapshot) -> Result<Heard, Fault> {
    referee.hear(&bytes(&ToClient::Snapshot(snapshot)), 0)
}

#[test]
fn ticks_ascend_and_may_wrap() {
    let mut referee = player(u32::MAX - 1);
    assert_eq!(then(&mut referee, snapshot(u32::MAX, vec![])), Ok(Heard::Snapshot { tick: u32::MAX, gap: 1 }));
    assert_eq!(then(&mut referee, snapshot(3, vec![])), Ok(Heard::Snapshot { tick: 3, gap: 4 }));
    assert_eq!(then(&mut referee, snapshot(3, vec![])), Err(Fault::Tick));
    assert_eq!(then(&mut referee, snapshot(2, vec![])), Err(Fault::Tick));
}

#[test]
fn who_is_shown_is_in_view() {
    let within = Point::new(355 * 64, 0);
    let beyond = Point::new(365 * 64, 0);
    assert!(then(&mut player(1), snapshot(3, vec![appear(YOU, within)])).is_ok());
    assert_eq!(then(&mut player(1), snapshot(3, vec![appear(YOU, beyond)])), Err(Fault::Outside(YOU)));
    let mut partly = appear(YOU, beyond);
    partly.total = 9;
    assert!(then(&mut player(1), snapshot(3, vec![partly])).is_ok(), "the rest may be in view");
}

#[test]
fn no_input_is_acknowledged_that_was_not_sent() {
    let acked = |ack, sent| {
        let mut ahead = snapshot(3, vec![]);
        ahead.header.ack = ack;
        player(1).hear(&bytes(&ToClient::Snapshot(ahead)), sent)
    };
    assert!(acked(4, 4).is_ok() && acked(u16::MAX, 3).is_ok());
    assert_eq!(acked(5, 4), Err(Fault::Ack));
}

#[test]
fn the_camera_follows_the_own_snake_and_nobody_dies_twice() {
    let mut other = snapshot(3, vec![appear(YOU, Point::new(64, 0))]);
    other.header.focus = YOU;
    assert_eq!(then(&mut player(1), other), Err(Fault::Focus));
    assert_eq!(player(1).hear(&bytes(&ToClient::Spawned { id: YOU }), 0), Err(Fault::Stage));
    assert_eq!(Referee::new(true).hear(&bytes(&ToClient::Spawned { id: YOU }), 0), Err(Fault::Welcome));
}

#[test]
fn the_same_seed_steers_the_same_way_and_away_from_others() {
    let mut referee = player(1);
    let wall = (-20..20).map(|i| appear(SnakeId::from_bits((100 + i) as u32), Point::new(3_000, i * 640)));
    then(&mut referee, snapshot(3, wall.collect())).unwrap();
    let inputs = |seed| {
        let mut pilot = Pilot::new(seed);
        (0..200).filter_map(|_| pilot.decide(&referee)).collect::<Vec<_>>()
    };
    assert_eq!(inputs(7), inputs(7));
    assert_ne!(inputs(7), inputs(8));
    let into_it = inputs(7).iter().filter(|(_, heading, _)| (heading.cast_signed()).unsigned_abs() < 4_000).count();
    assert_eq!(into_it, 0, "nobody steers at a wall that is near");
}

#[test]
fn obstacles_follow_the_welcome_and_come_once() {
    let disc = Obstacle::Disc { center: Point::new(64, 0), radius: 640 };
    let message = bytes(&ToClient::Obstacles(vec![disc]));
    let mut referee = Referee::new(true);
    referee.hear(&bytes(&welcome()), 0).unwrap();
    assert_eq!(referee.hear(&message, 0), Ok(Heard::Other));
    assert_eq!(referee.mirror().obstacles, [disc]);
    assert_eq!(referee.hear(&message, 0), Err(Fault::Obstacles));
    assert_eq!(player(1).hear(&message, 0), Err(Fault::Obstacles));
}
