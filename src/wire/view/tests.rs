use super::toy::{Dice, Toy};
use super::{APPEAR_SAMPLES_MAX, BUDGET, Body, Press, Scene, Seat, Viewer, view_extent};
use crate::geom::lattice::Point;
use crate::wire::mirror::{Mirror, Reflection};
use crate::wire::{Snapshot, ToClient};
use crate::world::{Config, Food, SnakeId, World};

/// The longest APPEAR of a toy snake that is written whatever the budget: one sample, short name.
const ONE_APPEAR: usize = 60;
/// The longest MOVE of the focus: 64 samples, all broken. It is sent even when half of a small budget went
/// on GONE.
const ONE_MOVE: usize = 18 + 64 * 5;

struct Client {
    viewer: Viewer,
    mirror: Mirror,
    bytes: Vec<u8>,
}

impl Client {
    fn new(budget: usize) -> Self {
        Self { viewer: Viewer::new(budget), mirror: Mirror::default(), bytes: Vec::new() }
    }

    /// Takes the next snapshot through the codec, strictly, and checks all that holds at any budget.
    fn see(&mut self, toy: &Toy, press: &mut Press, seat: Seat) -> Snapshot {
        self.bytes.clear();
        self.viewer.snapshot(toy, toy, press, seat, &mut self.bytes);
        assert!(self.bytes.len() <= self.bytes_max(), "{} bytes", self.bytes.len());
        let message = ToClient::decode(&self.bytes).unwrap();
        let mut again = Vec::new();
        message.encode(&mut again);
        assert_eq!(again, self.bytes);
        let ToClient::Snapshot(snapshot) = message else { panic!("not a snapshot") };
        self.mirror.apply(&snapshot).unwrap();
        self.check_true(toy);
        if let Some(focus) = toy.snake(seat.focus) {
            check_head(self.mirror.snake(seat.focus).expect("the focus is held"), focus);
        }
        snapshot
    }

    fn bytes_max(&self) -> usize {
        let too_small = self.viewer.budget < 1_000;
        self.viewer.budget + ONE_APPEAR + if too_small { ONE_MOVE } else { 0 }
    }

    /// A snapshot of a scene in which samples move, which no true scene does.
    fn glance(&mut self, toy: &Toy, press: &mut Press, focus: SnakeId) -> Snapshot {
        self.bytes.clear();
        self.viewer.snapshot(toy, toy, press, toy.watch(focus), &mut self.bytes);
        let Ok(ToClient::Snapshot(snapshot)) = ToClient::decode(&self.bytes) else { panic!("not a snapshot") };
        snapshot
    }

    /// Nothing that the mirror shows was never so, and nobody is held that is not near.
    fn check_true(&self, toy: &Toy) {
        assert_eq!(self.mirror.snakes().len(), self.viewer.held());
        for (id, shown) in self.mirror.snakes() {
            let snake = toy.snake(id).expect("the dead are gone");
            assert!(self.viewer.holds(id));
            assert_eq!(shown.name, snake.name);
            let newest = shown.end.wrapping_sub(snake.start) as usize;
            assert_eq!(shown.samples, &snake.laid[newest - shown.samples.len()..newest]);
        }
    }

    /// All that is in view is shown, as it is now, to the tail.
    fn check_all(&self, toy: &Toy, focus: SnakeId) {
        let (mut inner, mut outer) = (Vec::new(), Vec::new());
        toy.snakes_in(self.viewer.inner(), &mut inner);
        toy.snakes_in(self.viewer.outer(), &mut outer);
        for id in inner {
            assert!(self.mirror.snake(id).is_some(), "{id:?} is in view");
        }
        for (id, shown) in self.mirror.snakes() {
            assert!(id == focus || outer.contains(&id), "{id:?} left the view");
            check_same(shown, toy.snake(id).unwrap());
        }
        self.check_food(toy);
    }

    fn check_food(&self, toy: &Toy) {
        let (mut inner, mut outer) = (Vec::new(), Vec::new());
        toy.food_in(self.viewer.inner(), &mut inner);
        toy.food_in(self.viewer.outer(), &mut outer);
        let shown: Vec<Food> = self.mirror.food().copied().collect();
        assert!(inner.iter().all(|piece| shown.contains(piece)));
        assert!(shown.iter().all(|piece| outer.contains(piece)));
    }
}

fn check_head(shown: &Reflection, snake: impl Body) {
    assert_eq!((shown.state, shown.end), (snake.state(), snake.end()));
}

fn check_same(shown: &Reflection, snake: impl Body) {
    check_head(shown, snake);
    assert_eq!(shown.missing, 0);
    assert_eq!(shown.samples.len() as u32, snake.end().wrapping_sub(snake.first()));
}

fn crowd(seed: u64, n: usize, reach: i32) -> Toy {
    let mut toy = Toy::new(seed, n, reach);
    for index in 0..n {
        toy.enter_anywhere(index);
    }
    toy
}

#[test]
fn with_room_enough_every_snapshot_shows_all_that_is_in_view() {
    for seed in 0..12 {
        let (mut toy, mut press) = (crowd(seed, 40, 700), Press::default());
        let mut clients = [(); 3].map(|()| (Client::new(200_000), toy.anybody()));
        for _ in 0..400 {
            toy.step(true);
            for (client, focus) in &mut clients {
                if !toy.dice.one_in(3) {
                    let seat = toy.watch(*focus);
                    client.see(&toy, &mut press, seat);
                    client.check_all(&toy, *focus);
                    if toy.snake(*focus).is_none() || toy.dice.one_in(40) {
                        *focus = toy.anybody();
                    }
                }
            }
        }
    }
}

#[test]
fn with_little_room_all_is_shown_when_the_world_stands_still() {
    for (seed, budget) in (0..).zip([150, 200, 250, 400, 400, 700, 1_300, 1_300, 2_600]) {
        let (mut toy, mut press) = (crowd(seed, 60, 500), Press::default());
        let (mut client, focus) = (Client::new(budget), toy.anybody());
        for _ in 0..300 {
            toy.step(true);
            client.see(&toy, &mut press, toy.watch(focus));
        }
        for _ in 0..200_000 / budget {
            toy.tick += 1;
            client.see(&toy, &mut press, toy.watch(focus));
        }
        client.check_all(&toy, focus);
    }
}

#[test]
fn a_slow_client_with_little_room_is_never_shown_what_was_not() {
    for (seed, budget) in (0..).zip([150, 300, 600, 1_300]) {
        let (mut toy, mut press, mut dice) = (crowd(seed, 60, 400), Press::default(), Dice(seed));
        let (mut client, mut focus) = (Client::new(budget), toy.anybody());
        for _ in 0..400 {
            let skipped = [1, 1, 2, 4, 9, 70][dice.below(6) as usize];
            (0..skipped).for_each(|_| toy.step(true));
            focus = if toy.snake(focus).is_some() && !dice.one_in(30) { focus } else { toy.anybody() };
            client.see(&toy, &mut press, toy.watch(focus));
        }
    }
}

#[test]
fn ticks_and_counts_of_snapshots_may_wrap() {
    let (mut toy, mut press) = (crowd(3, 60, 500), Press::default());
    toy.tick = u64::from(u32::MAX) - 100;
    let (mut client, focus) = (Client::new(1_300), toy.anybody());
    client.viewer.count = u32::MAX - 50;
    let mut before = None;
    for number in 0..200 {
        toy.crawl();
        let snapshot = client.see(&toy, &mut press, toy.watch(focus));
        assert!(before.is_none_or(|before: u32| snapshot.header.tick == before.wrapping_add(1)));
        assert!(number == 0 || snapshot.moves.iter().any(|m| m.id == focus), "{number}");
        before = Some(snapshot.header.tick);
    }
    assert_eq!((before, client.viewer.count), (Some(99), 149));
    (0..200).for_each(|_| {
        toy.tick += 1;
        client.see(&toy, &mut press, toy.watch(focus));
    });
    client.check_all(&toy, focus);
}

#[test]
fn a_slow_client_follows_from_what_it_holds() {
    for seed in 0..8 {
        let (mut toy, mut press, mut dice) = (crowd(seed, 30, 600), Press::default(), Dice(seed));
        let (mut client, mut focus) = (Client::new(200_000), toy.anybody());
        for _ in 0..80 {
            let skipped = [1, 2, 10, 60, 400][dice.below(5) as usize];
            (0..skipped).for_each(|_| toy.step(true));
            focus = if toy.snake(focus).is_some() { focus } else { toy.anybody() };
            let fresh = dice.one_in(5);
            if fresh {
                client.viewer.forget();
            }
            let snapshot = client.see(&toy, &mut press, toy.watch(focus));
            assert!(snapshot.header.fresh || !fresh);
            client.check_all(&toy, focus);
        }
    }
}

#[test]
fn a_giant_arrives_in_parts_while_it_crawls() {
    let (mut toy, mut press) = (Toy::new(5, 1, 1_000), Press::default());
    let giant = toy.enter(0, Point::new(0, 0), 5_600);
    let mut client = Client::new(BUDGET);
    let mut snapshots = 0;
    while client.mirror.snake(giant).is_none_or(|shown| shown.missing > 0) {
        toy.crawl();
        toy.crawl();
        let snapshot = client.see(&toy, &mut press, toy.watch(giant));
        assert!(snapshot.appear.iter().all(|a| a.body.len() <= APPEAR_SAMPLES_MAX as usize));
        snapshots += 1;
    }
    assert!(snapshots <= 20, "{snapshots} snapshots");
    client.check_all(&toy, giant);
}

#[test]
fn a_body_that_shrinks_before_it_has_arrived_is_whole() {
    for budget in [120, 200, 600] {
        let (mut toy, mut press) = (Toy::new(7, 1, 1_000), Press::default());
        let id = toy.enter(0, Point::new(0, 0), 900);
        let mut client = Client::new(budget);
        for size in (1..=900).rev().step_by(3) {
            toy.crawl();
            toy.slots[0].as_mut().unwrap().size = size;
            client.see(&toy, &mut press, toy.watch(id));
        }
        client.check_all(&toy, id);
    }
}

#[test]
fn who_circles_at_the_edge_enters_once() {
    let (mut toy, mut press) = (Toy::new(1, 2, 1_000), Press::default());
    let focus = toy.enter(0, Point::new(0, 0), 1);
    let [half_w, _] = view_extent(128);
    let edge = i32::from(half_w) * 64;
    let other = toy.enter(1, Point::new(edge, 0), 1);
    let (mut client, mut entered, mut left) = (Client::new(BUDGET), 0, 0);
    for turn in 0..300_u16 {
        let [x, y] = crate::geom::angle::unit(turn.wrapping_mul(6_000));
        toy.put(1, Point::new(edge + x / 1_024, y / 1_024));
        let snapshot = client.glance(&toy, &mut press, focus);
        entered += snapshot.appear.iter().filter(|a| a.id == other).count();
        left += snapshot.gone.len();
    }
    assert_eq!((entered, left), (1, 0));
    (0..2).for_each(|_| toy.put(1, Point::new(edge * 2, 0)));
    assert_eq!(client.glance(&toy, &mut press, focus).gone, [other]);
}

#[test]
fn who_moved_on_too_far_between_the_two_edges_appears_anew() {
    let (mut toy, mut press) = (Toy::new(1, 2, 1_000), Press::default());
    let focus = toy.enter(0, Point::new(0, 0), 1);
    let edge = i32::from(view_extent(128)[0]) * 64;
    let other = toy.enter(1, Point::new(edge, 0), 1);
    let mut client = Client::new(BUDGET);
    client.glance(&toy, &mut press, focus);
    toy.put(1, Point::new(edge + 640, 0));
    let snake = toy.slots[1].as_mut().unwrap();
    (snake.laid, snake.gone) = (vec![snake.laid[2]; 80], 0);
    let snapshot = client.glance(&toy, &mut press, focus);
    assert_eq!(snapshot.gone, [other]);
    assert_eq!(snapshot.appear[0].id, other);
}

#[test]
fn a_body_broken_everywhere_keeps_to_the_budget() {
    let (mut toy, mut press) = (Toy::new(5, 1, 1_000), Press::default());
    let id = toy.enter(0, Point::new(0, 0), 2_000);
    toy.slots[0].as_mut().unwrap().laid.iter_mut().for_each(|sample| sample.broken = true);
    let mut client = Client::new(BUDGET);
    for _ in 0..20 {
        toy.tick += 1;
        client.see(&toy, &mut press, toy.watch(id));
        assert!(client.bytes.len() <= BUDGET);
    }
    client.check_all(&toy, id);
}

#[test]
fn an_id_used_again_between_snapshots_is_another_snake() {
    let (mut toy, mut press) = (Toy::new(2, 2, 1_000), Press::default());
    let focus = toy.enter(0, Point::new(0, 0), 5);
    let old = toy.enter(1, Point::new(640, 0), 5);
    let mut client = Client::new(BUDGET);
    toy.crawl();
    client.see(&toy, &mut press, toy.watch(focus));
    let new = toy.enter(1, Point::new(640, 0), 5);
    toy.crawl();
    let snapshot = client.see(&toy, &mut press, toy.watch(focus));
    assert_eq!(snapshot.gone, [old]);
    assert_eq!(client.mirror.snake(new).unwrap().name, format!("snake {new:?}"));
}

/// A world in which nobody has a name.
struct Nameless;

impl super::Roster for Nameless {
    fn look(&self, _: SnakeId) -> (&str, u8) {
        ("", 0)
    }
}

#[test]
fn a_shielded_newborn_appears_once_and_moves_from_then_on() {
    for skipped in [1, 2, 5, 13] {
        let (mut world, mut press) = (World::new(Config::default(), 4).unwrap(), Press::default());
        let (newborn, mut client) = (world.spawn().unwrap(), Client::new(BUDGET));
        let mut shielded = 0;
        for told in 0..160 / skipped {
            (0..skipped).for_each(|_| world.step());
            client.bytes.clear();
            let seat = Seat { focus: newborn, playing: true, ack: 0 };
            client.viewer.snapshot(&world, &Nameless, &mut press, seat, &mut client.bytes);
            let Ok(ToClient::Snapshot(snapshot)) = ToClient::decode(&client.bytes) else { panic!("not a snapshot") };
            client.mirror.apply(&snapshot).unwrap();
            assert_eq!((snapshot.appear.len(), snapshot.gone.len()), (usize::from(told == 0), 0), "snapshot {told}");
            let (shown, snake) = (client.mirror.snake(newborn).unwrap(), world.snake(newborn).unwrap());
            check_same(shown, snake);
            assert!(snake.trail().eq(shown.samples.iter().map(|sample| sample.at)));
            shielded += i32::from(snake.shielded());
        }
        assert!(shielded > 60 / skipped && world.snake(newborn).is_some_and(|snake| snake.trail().count() > 3));
    }
}

#[test]
fn a_move_is_encoded_once_for_all_who_see_it() {
    let (mut toy, mut press) = (crowd(3, 20, 100), Press::default());
    let mut clients: Vec<_> = (0..50).map(|_| (Client::new(100_000), toy.anybody())).collect();
    for _ in 0..10 {
        toy.crawl();
        for (client, focus) in &mut clients {
            client.see(&toy, &mut press, toy.watch(*focus));
        }
        assert!(press.encoded() <= 20, "{}", press.encoded());
    }
}

#[test]
fn in_a_crowd_the_near_move_more_often_and_nobody_is_left_out() {
    let (mut toy, mut press) = (crowd(4, 200, 180), Press::default());
    let focus = toy.enter(0, Point::new(0, 0), 1);
    let mut client = Client::new(BUDGET);
    let (mut moves, mut bytes) = (vec![0; 200], 0);
    for snapshot in 0..200 {
        toy.tick += 2;
        let seat = toy.watch(focus);
        let seen = client.see(&toy, &mut press, seat);
        if snapshot >= 80 {
            assert!(seen.moves.iter().any(|m| m.id == focus));
            seen.moves.iter().for_each(|m| moves[m.id.index()] += 1);
            bytes += client.bytes.len();
        }
    }
    let head = |index: usize| toy.slots[index].as_ref().unwrap().head;
    let near = (1..200).min_by_key(|&index| head(index).distance2(head(0))).unwrap();
    let far = (1..200).max_by_key(|&index| head(index).distance2(head(0))).unwrap();
    assert_eq!(moves.iter().filter(|&&n| n == 0).count(), 0);
    assert!(moves[near] > 2 * moves[far], "{} and {}", moves[near], moves[far]);
    assert!(bytes / 120 <= BUDGET);
}

#[test]
fn a_jump_of_the_camera_starts_from_nothing_when_that_is_cheaper() {
    let mut toy = Toy::new(6, 301, 1_000);
    for index in 0..300 {
        toy.enter(index, Point::new(index as i32 * 64, 0), 2);
    }
    let far = toy.enter(300, Point::new(3_000_000, 0), 2);
    let (mut client, mut press) = (Client::new(BUDGET), Press::default());
    let near = toy.slots[0].as_ref().unwrap().id;
    for _ in 0..60 {
        toy.tick += 1;
        client.see(&toy, &mut press, toy.watch(near));
    }
    assert!(client.viewer.held() > 200);
    toy.tick += 1;
    let snapshot = client.see(&toy, &mut press, toy.watch(far));
    assert!(snapshot.header.fresh && snapshot.gone.is_empty());
    client.check_all(&toy, far);
}

#[test]
fn without_a_focus_the_camera_stays() {
    let (mut toy, mut press) = (crowd(9, 10, 100), Press::default());
    let (mut client, focus) = (Client::new(100_000), toy.anybody());
    toy.crawl();
    client.see(&toy, &mut press, toy.watch(focus));
    let place = client.viewer.inner();
    toy.slots[focus.index()] = None;
    toy.crawl();
    let snapshot = client.see(&toy, &mut press, toy.watch(focus));
    assert_eq!((snapshot.header.focus, snapshot.header.length), (SnakeId::NOBODY, 0));
    assert_eq!(client.viewer.inner(), place);
    client.check_all(&toy, SnakeId::NOBODY);
}
