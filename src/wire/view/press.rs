//! Where snapshots are made: the MOVEs that clients share, and the scratch that one snapshot needs.

use super::chunks::{Base, Chunks};
use super::regions::{Regions, Seen};
use super::scene::{Body, Scene};
use super::{APPEAR_SAMPLES_MAX, Held, Roster, Section, Viewer};
use crate::geom::lattice::Point;
use crate::wire::snapshot::{APPEAR_LEN_MIN, EMPTY_LEN, FOOD_LEN, Intro, put_appear, put_food, put_more, step_between};
use crate::wire::write;
use crate::world::{Food, SnakeId};

/// Bytes that the six counts of a snapshot may take beyond one each.
const COUNTS_SLACK: usize = 12;
/// Bytes of the longest `total` and `count` of an APPEAR, or `count` and number of breaks, beyond one each.
const NUMBERS_SLACK: usize = 8;

/// What all viewers of one world share. It notices by itself when the tick has changed; a
/// snapshot is made at the end of a tick, before anything else of the world is changed.
#[derive(Debug, Default)]
pub struct Press {
    regions: Regions,
    tick: Option<u64>,
    hands: Vec<Hand>,
}

/// What the snapshots that one thread makes share.
#[derive(Debug, Default)]
pub(crate) struct Hand {
    chunks: Chunks,
    seen: Seen,
    tick: Option<u64>,
    near: Vec<SnakeId>,
    food: Vec<Food>,
    /// What is held of each snake after its MOVE.
    after: Vec<Base>,
    /// Held snakes or new ones by the order in which they are served.
    order: Vec<(u64, usize)>,
    /// New snakes.
    enter: Vec<SnakeId>,
    gone: Vec<SnakeId>,
    appear: Section,
    more: Section,
    moves: Section,
    food_gone: Vec<u32>,
    food_new: Vec<Food>,
}

impl Press {
    /// MOVEs encoded in this tick: about one a snake in view of anybody, however many clients there are.
    pub fn encoded(&self) -> usize {
        self.hands.iter().map(|hand| hand.chunks.encoded()).sum()
    }

    /// Takes the world as it is; what all threads read, and something to write with for each of so many.
    pub(crate) fn turn_to<S: Scene>(&mut self, scene: &S, hands: usize) -> (&Regions, &mut [Hand]) {
        let tick = Some(scene.tick());
        if self.tick != tick {
            self.tick = tick;
            self.regions.rebuild(scene);
        }
        if self.hands.len() < hands {
            self.hands.resize_with(hands, Hand::default);
        }
        for hand in self.hands.iter_mut().filter(|hand| hand.tick != tick) {
            hand.tick = tick;
            hand.chunks.clear();
        }
        (&self.regions, &mut self.hands[..hands])
    }
}

impl Hand {
    /// Finds who leaves and who enters. When half of the budget would go on GONE, it is cheaper to forget all.
    pub(super) fn survey<S: Scene>(&mut self, viewer: &mut Viewer, scene: &S, regions: &Regions, focus: SnakeId) {
        self.near.clear();
        regions.within(scene, viewer.outer(), &mut self.seen, &mut self.near);
        include(&mut self.near, focus);
        self.part(viewer, scene);
        if self.gone.len() * 4 > viewer.budget / 2 {
            viewer.forget();
            self.gone.clear();
        }
        self.meet(viewer, scene, regions, focus);
        self.survey_food(viewer, scene);
    }

    /// Takes those out of the view who left it, and those who moved on too far to be followed.
    fn part<S: Scene>(&mut self, viewer: &mut Viewer, scene: &S) {
        let (gone, mut is_near) = (&mut self.gone, in_step(&self.near, |&id| id));
        gone.clear();
        viewer.held.retain(|held| {
            let stays = is_near(held.id) && scene.snake(held.id).is_some_and(|snake| held.can_follow(&snake));
            if !stays {
                gone.push(held.id);
            }
            stays
        });
    }

    fn meet<S: Scene>(&mut self, viewer: &Viewer, scene: &S, regions: &Regions, focus: SnakeId) {
        self.enter.clear();
        let mut is_held = in_step(&viewer.held, |held| held.id);
        self.enter.extend(self.near.iter().filter(|&&id| !is_held(id)));
        let (inner, gone) = (viewer.inner(), &self.gone);
        // Who goes only to appear anew has not left, wherever it is.
        self.enter.retain(|&id| id == focus || gone.contains(&id) || regions.shows(scene, inner, id));
    }

    fn survey_food<S: Scene>(&mut self, viewer: &Viewer, scene: &S) {
        self.food.clear();
        scene.food_in(viewer.outer(), &mut self.food);
        self.food.sort_unstable_by_key(|piece| piece.id);
        let (food, inner) = (&self.food, viewer.inner());
        let is_there = |id: &u32| food.binary_search_by_key(id, |piece| piece.id).is_ok();
        self.food_gone.clear();
        self.food_gone.extend(viewer.food.iter().filter(|&id| !is_there(id)));
        let is_new = |piece: &&Food| inner.contains(piece.at) && viewer.food.binary_search(&piece.id).is_err();
        self.food_new.clear();
        self.food_new.extend(food.iter().filter(is_new));
    }

    /// Fills the sections within the budget.
    pub(super) fn fill<S: Scene>(&mut self, viewer: &mut Viewer, scene: &S, roster: &impl Roster, focus: SnakeId) {
        let fixed = EMPTY_LEN + COUNTS_SLACK + 4 * self.gone.len();
        let room = viewer.budget.saturating_sub(fixed);
        let room = self.fill_moves(viewer, scene, focus, room);
        let room = self.fill_food(viewer, room);
        let room = self.fill_appear(viewer, scene, roster, focus, room);
        self.fill_more(viewer, scene, room);
    }

    /// Serves the focus first, then by distance in the measure of the time waited. A quarter of the room is
    /// kept for what else is to be told.
    fn fill_moves<S: Scene>(&mut self, viewer: &mut Viewer, scene: &S, focus: SnakeId, room: usize) -> usize {
        let share = if self.is_behind(viewer) { room / 4 * 3 } else { room };
        self.moves.clear();
        if self.fill_all_moves(viewer, scene, share) {
            return room - self.moves.bytes.len();
        }
        self.order_moves(viewer, scene, focus);
        self.moves.clear();
        for &(_, at) in &self.order {
            let held = &mut viewer.held[at];
            let found = self.chunks.move_of(held.id, held.base, || scene.snake(held.id));
            let Some((chunk, after)) = found else { continue };
            if self.moves.bytes.len() + chunk.len() > share && held.id != focus {
                break;
            }
            self.moves.bytes.extend_from_slice(chunk);
            self.moves.count += 1;
            held.follow(after, viewer.count);
        }
        room.saturating_sub(self.moves.bytes.len())
    }

    /// The usual case: everybody's MOVE fits, and it does not matter who comes first.
    fn fill_all_moves<S: Scene>(&mut self, viewer: &mut Viewer, scene: &S, share: usize) -> bool {
        self.after.clear();
        for held in &viewer.held {
            let found = self.chunks.move_of(held.id, held.base, || scene.snake(held.id));
            // (Who does not live was taken out of the view before.)
            let Some((chunk, after)) = found else { return false };
            self.moves.bytes.extend_from_slice(chunk);
            self.moves.count += 1;
            self.after.push(after);
            if self.moves.bytes.len() > share {
                return false;
            }
        }
        for (held, &after) in viewer.held.iter_mut().zip(&self.after) {
            held.follow(after, viewer.count);
        }
        true
    }

    /// Whether there is anything to tell besides MOVEs.
    fn is_behind(&self, viewer: &Viewer) -> bool {
        let partial = |held: &Held| held.oldest != held.base.tail;
        !(self.enter.is_empty() && self.food_gone.is_empty() && self.food_new.is_empty())
            || viewer.held.iter().any(partial)
    }

    fn order_moves<S: Scene>(&mut self, viewer: &Viewer, scene: &S, focus: SnakeId) {
        self.order.clear();
        for (at, held) in viewer.held.iter().enumerate() {
            let waited = u64::from(viewer.count.wrapping_sub(held.moved));
            let distance2 = distance2(scene, held.id, viewer.center);
            let key = if held.id == focus { 0 } else { 1 + distance2 / waited.saturating_mul(waited).max(1) };
            self.order.push((key, at));
        }
        self.order.sort_unstable();
    }

    /// Takes at most half of the room for food that went, and half of the rest for new food.
    fn fill_food(&mut self, viewer: &mut Viewer, room: usize) -> usize {
        self.food_gone.truncate(room / 2 / 4);
        let room = room - 4 * self.food_gone.len();
        self.food_new.truncate(room / 2 / FOOD_LEN);
        let gone = &self.food_gone;
        viewer.food.retain(|id| gone.binary_search(id).is_err());
        viewer.food.extend(self.food_new.iter().map(|piece| piece.id));
        viewer.food.sort_unstable();
        room - FOOD_LEN * self.food_new.len()
    }

    fn fill_appear<S: Scene>(
        &mut self,
        viewer: &mut Viewer,
        scene: &S,
        roster: &impl Roster,
        focus: SnakeId,
        mut room: usize,
    ) -> usize {
        self.order_enter(scene, viewer.center, focus);
        self.appear.clear();
        for &(_, at) in &self.order {
            let Some(snake) = scene.snake(self.enter[at]) else { continue };
            let (name, skin) = roster.look(snake.id());
            let fixed = APPEAR_LEN_MIN + NUMBERS_SLACK + name.len().min(255);
            if fixed > room && self.appear.count > 0 {
                break;
            }
            let count = 1 + fitting(snake, newest(&snake), APPEAR_SAMPLES_MAX - 1, room.saturating_sub(fixed));
            let before = self.appear.bytes.len();
            write_appear(&mut self.appear.bytes, snake, name, skin, count);
            self.appear.count += 1;
            room = room.saturating_sub(self.appear.bytes.len() - before);
            viewer.held.push(hold(&snake, count, viewer.count));
        }
        viewer.held.sort_unstable_by_key(|held| held.id.index());
        room
    }

    fn order_enter<S: Scene>(&mut self, scene: &S, center: Point, focus: SnakeId) {
        self.order.clear();
        for (at, &id) in self.enter.iter().enumerate() {
            let key = if id == focus { 0 } else { 1 + distance2(scene, id, center) };
            self.order.push((key, at));
        }
        self.order.sort_unstable();
    }

    /// Sends older samples, nearest head first, as long as there is room.
    fn fill_more<S: Scene>(&mut self, viewer: &mut Viewer, scene: &S, mut room: usize) {
        self.order_more(viewer, scene);
        self.more.clear();
        for &(_, at) in &self.order {
            let held = &mut viewer.held[at];
            let Some(snake) = scene.snake(held.id) else { continue };
            let fixed = 4 + 2 + NUMBERS_SLACK;
            let count = fitting(snake, held.oldest, held.missing(snake.first()), room.saturating_sub(fixed));
            if count == 0 {
                break;
            }
            let before = self.more.bytes.len();
            write_more(&mut self.more.bytes, snake, held.oldest, count);
            self.more.count += 1;
            held.oldest = held.oldest.wrapping_sub(count);
            room = room.saturating_sub(self.more.bytes.len() - before);
        }
    }

    fn order_more<S: Scene>(&mut self, viewer: &Viewer, scene: &S) {
        self.order.clear();
        for (at, held) in viewer.held.iter().enumerate().filter(|(_, held)| held.oldest != held.base.tail) {
            if scene.snake(held.id).is_some_and(|snake| held.missing(snake.first()) > 0) {
                self.order.push((distance2(scene, held.id, viewer.center), at));
            }
        }
        self.order.sort_unstable();
    }

    /// Appends the sections, after the header.
    pub(super) fn assemble(&self, out: &mut Vec<u8>) {
        write::list(out, &self.gone, |out, id| write::u32(out, id.to_bits()));
        self.appear.put(out);
        self.more.put(out);
        self.moves.put(out);
        write::list(out, &self.food_gone, |out, &id| write::u32(out, id));
        write::list(out, &self.food_new, put_food);
    }
}

/// Tells of one id after the other whether it is in the list; both in ascending index order.
fn in_step<'l, T>(list: &'l [T], id_of: impl Fn(&T) -> SnakeId + 'l) -> impl FnMut(SnakeId) -> bool + 'l {
    let mut rest = list;
    move |id| {
        while let Some((first, others)) = rest.split_first()
            && id_of(first).index() < id.index()
        {
            rest = others;
        }
        rest.first().is_some_and(|first| id_of(first) == id)
    }
}

fn include(ids: &mut Vec<SnakeId>, id: SnakeId) {
    let found = ids.binary_search_by_key(&id.index(), |other| other.index());
    if let (Err(at), true) = (found, id != SnakeId::NOBODY) {
        ids.insert(at, id);
    }
}

fn distance2<S: Scene>(scene: &S, id: SnakeId, from: Point) -> u64 {
    scene.snake(id).map_or(u64::MAX / 2, |snake| snake.state().head.distance2(from).unsigned_abs())
}

fn newest(snake: &impl Body) -> u32 {
    snake.end().wrapping_sub(1)
}

/// Steps from the sample `from` to older ones.
fn older(snake: impl Body, from: u32, count: u32) -> impl ExactSizeIterator<Item = [i32; 2]> {
    let number = move |i: u32| from.wrapping_sub(i);
    (0..count).map(move |i| step_between(snake.sample(number(i)), snake.sample(number(i + 1))))
}

/// Which of the `count` samples from `from` on to older ones have the trail broken before them.
fn breaks(snake: impl Body, from: u32, count: u32) -> impl Iterator<Item = u32> + Clone {
    (0..count).filter(move |&i| snake.gap_before(from.wrapping_sub(i)))
}

/// How many of the `most` samples older than `from` fit into so many bytes, with their breaks.
fn fitting(snake: impl Body, from: u32, most: u32, room: usize) -> u32 {
    let most = most.min(from.wrapping_sub(snake.first()));
    let mut left = room;
    let fits = |(i, step): (u32, [i32; 2])| {
        let broken = snake.gap_before(from.wrapping_sub(i + 1));
        let size = write::step_len(step) + if broken { write::var_len(i + 1) } else { 0 };
        left.checked_sub(size).map(|rest| left = rest)
    };
    (0..).zip(older(snake, from, most)).map_while(fits).count() as u32
}

fn write_appear(out: &mut Vec<u8>, snake: impl Body, name: &str, skin: u8, count: u32) {
    let (id, state, end, from) = (snake.id(), snake.state(), snake.end(), newest(&snake));
    let total = end.wrapping_sub(snake.first());
    let intro = Intro { id, skin, name, state, end, total, newest: snake.newest_sample() };
    put_appear(out, &intro, older(snake, from, count - 1), breaks(snake, from, count));
}

fn write_more(out: &mut Vec<u8>, snake: impl Body, oldest: u32, count: u32) {
    put_more(out, snake.id(), older(snake, oldest, count), breaks(snake, oldest.wrapping_sub(1), count));
}

fn hold(snake: &impl Body, count: u32, snapshot: u32) -> Held {
    Held { id: snake.id(), base: Base::of(snake), oldest: snake.end().wrapping_sub(count), moved: snapshot }
}
