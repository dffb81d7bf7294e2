//! The SNAPSHOT: its typed form, and the writers of its sections.
//!
//! A server never builds the typed form. It calls the section writers with iterators over the world; the
//! typed form is encoded by the same writers, so there is one text of each section.

use super::read::{Cursor, WireError};
use super::{COORD_MAX, write};
use crate::geom::lattice::Point;
use crate::world::{Food, SnakeId};

/// What a client sees of the world at the end of a tick, as a difference to what it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// What stands before the sections.
    pub header: Header,
    /// Snakes to forget.
    pub gone: Vec<SnakeId>,
    /// Snakes that are new.
    pub appear: Vec<Appear>,
    /// Older samples of snakes that are not known to the tail.
    pub more: Vec<More>,
    /// Snakes that moved.
    pub moves: Vec<Move>,
    /// Food to forget.
    pub food_gone: Vec<u32>,
    /// Food that is new.
    pub food_new: Vec<Food>,
}

/// What stands before the sections of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Low 32 bits of the tick whose end this is.
    pub tick: u32,
    /// Number of the last input that took effect.
    pub ack: u16,
    /// Radius of the arena, quanta.
    pub radius: u32,
    /// Whom the camera follows.
    pub focus: SnakeId,
    /// Length of your snake, quanta; 0 for none.
    pub length: u32,
    /// Half the width of the view, u.
    pub half_w: u16,
    /// Half the height of the view, u.
    pub half_h: u16,
    /// Whether everything held is to be forgotten first.
    pub fresh: bool,
}

impl Default for Header {
    fn default() -> Self {
        Self { tick: 0, ack: 0, radius: 0, focus: SnakeId::NOBODY, length: 0, half_w: 0, half_h: 0, fresh: false }
    }
}

/// Head and looks of a snake that change from tick to tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Head, quanta.
    pub head: Point,
    /// Heading.
    pub heading: u16,
    /// Radius, quanta.
    pub radius: u16,
    /// Whether it boosts.
    pub boost: bool,
    /// Whether its spawn shield is up.
    pub shield: bool,
}

/// A snake that enters the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appear {
    /// Who.
    pub id: SnakeId,
    /// Its skin.
    pub skin: u8,
    /// Its name.
    pub name: String,
    /// Its head.
    pub state: State,
    /// Number of the sample after the newest.
    pub end: u32,
    /// Samples of the body.
    pub total: u32,
    /// The newest of them, newest first, quanta; at least one.
    pub body: Vec<Point>,
    /// Indices into `body` of the samples before which the trail is broken, ascending.
    pub breaks: Vec<u32>,
}

/// Older samples of a snake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct More {
    /// Whose.
    pub id: SnakeId,
    /// Steps from the oldest sample held to older ones, quanta; at least one.
    pub steps: Vec<[i32; 2]>,
    /// Indices into `steps` of the samples before which the trail is broken, ascending.
    pub breaks: Vec<u32>,
}

/// What a snake did since the last MOVE, or since its APPEAR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who.
    pub id: SnakeId,
    /// Its head.
    pub state: State,
    /// Steps from the newest sample held to newer ones, quanta.
    pub pushed: Vec<[i32; 2]>,
    /// Indices into `pushed` of the samples before which the trail is broken, ascending.
    pub breaks: Vec<u32>,
    /// Samples that went at the tail.
    pub popped: u32,
}

/// Bytes of a snapshot without anything in its sections, kind included.
pub const EMPTY_LEN: usize = 30;
/// Bytes of an [`Appear`] with one sample, without its name and without breaks.
pub(crate) const APPEAR_LEN_MIN: usize = 30;
const MORE_LEN_MIN: usize = 8;
const MOVE_LEN_MIN: usize = 18;
/// Bytes of a new piece of food.
pub(crate) const FOOD_LEN: usize = 11;

/// Appends a header, without the kind.
pub fn put_header(out: &mut Vec<u8>, header: &Header) {
    write::u32(out, header.tick);
    write::u16(out, header.ack);
    write::u32(out, header.radius);
    write::u32(out, header.focus.to_bits());
    write::u32(out, header.length);
    write::u16(out, header.half_w);
    write::u16(out, header.half_h);
    out.push(u8::from(header.fresh));
}

/// Appends a STATE.
pub fn put_state(out: &mut Vec<u8>, state: &State) {
    write::pos(out, state.head);
    write::u16(out, state.heading);
    write::u16(out, state.radius);
    out.push(u8::from(state.boost) | u8::from(state.shield) << 1);
}

fn put_breaks(out: &mut Vec<u8>, breaks: impl Iterator<Item = u32> + Clone) {
    write::count(out, breaks.clone().count());
    breaks.for_each(|at| write::var(out, at));
}

fn put_steps(out: &mut Vec<u8>, steps: impl ExactSizeIterator<Item = [i32; 2]>) {
    write::count(out, steps.len());
    steps.for_each(|step| write::step(out, step));
}

/// What an APPEAR says before the samples.
#[derive(Clone, Copy, Debug)]
pub struct Intro<'n> {
    /// Who.
    pub id: SnakeId,
    /// Its skin.
    pub skin: u8,
    /// Its name.
    pub name: &'n str,
    /// Its head.
    pub state: State,
    /// Number of the sample after the newest.
    pub end: u32,
    /// Samples of the body.
    pub total: u32,
    /// The newest sample, quanta.
    pub newest: Point,
}

/// Appends an APPEAR; `older` are the steps to the samples after the newest, `breaks` count from the newest.
pub fn put_appear(
    out: &mut Vec<u8>,
    intro: &Intro<'_>,
    older: impl ExactSizeIterator<Item = [i32; 2]>,
    breaks: impl Iterator<Item = u32> + Clone,
) {
    write::u32(out, intro.id.to_bits());
    out.push(intro.skin);
    write::str(out, intro.name);
    put_state(out, &intro.state);
    write::u32(out, intro.end);
    write::var(out, intro.total);
    write::count(out, older.len() + 1);
    write::pos(out, intro.newest);
    older.for_each(|step| write::step(out, step));
    put_breaks(out, breaks);
}

/// Appends a MORE.
pub fn put_more(
    out: &mut Vec<u8>,
    id: SnakeId,
    steps: impl ExactSizeIterator<Item = [i32; 2]>,
    breaks: impl Iterator<Item = u32> + Clone,
) {
    write::u32(out, id.to_bits());
    put_steps(out, steps);
    put_breaks(out, breaks);
}

/// Appends a MOVE.
pub fn put_move(
    out: &mut Vec<u8>,
    id: SnakeId,
    state: &State,
    pushed: impl ExactSizeIterator<Item = [i32; 2]>,
    breaks: impl Iterator<Item = u32> + Clone,
    popped: u32,
) {
    write::u32(out, id.to_bits());
    put_state(out, state);
    put_steps(out, pushed);
    put_breaks(out, breaks);
    write::var(out, popped);
}

/// Appends a new piece of food.
pub fn put_food(out: &mut Vec<u8>, food: &Food) {
    write::u32(out, food.id);
    write::pos(out, food.at);
    out.push(food.size);
}

/// The step from one place to another.
pub fn step_between(from: Point, to: Point) -> [i32; 2] {
    [to.x - from.x, to.y - from.y]
}

/// The place that a step leads to; none when it is off the wire's range.
pub fn step_from(from: Point, [dx, dy]: [i32; 2]) -> Option<Point> {
    let go = |v: i32, d: i32| v.checked_add(d).filter(|v| (-COORD_MAX - 1..=COORD_MAX).contains(v));
    Some(Point::new(go(from.x, dx)?, go(from.y, dy)?))
}

impl Snapshot {
    /// Appends the snapshot, without the kind.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        put_header(out, &self.header);
        write::list(out, &self.gone, |out, id| write::u32(out, id.to_bits()));
        write::list(out, &self.appear, |out, appear| appear.write(out));
        write::list(out, &self.more, |out, more| {
            put_more(out, more.id, more.steps.iter().copied(), more.breaks.iter().copied());
        });
        write::list(out, &self.moves, |out, m| {
            put_move(out, m.id, &m.state, m.pushed.iter().copied(), m.breaks.iter().copied(), m.popped);
        });
        write::list(out, &self.food_gone, |out, &id| write::u32(out, id));
        write::list(out, &self.food_new, put_food);
    }

    /// Reads a snapshot after its kind.
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        Ok(Self {
            header: Header::read(cursor)?,
            gone: cursor.list(4, read_id)?,
            appear: cursor.list(APPEAR_LEN_MIN, Appear::read)?,
            more: cursor.list(MORE_LEN_MIN, More::read)?,
            moves: cursor.list(MOVE_LEN_MIN, Move::read)?,
            food_gone: cursor.list(4, Cursor::u32)?,
            food_new: cursor.list(FOOD_LEN, read_food)?,
        })
    }
}

fn read_id(cursor: &mut Cursor<'_>) -> Result<SnakeId, WireError> {
    cursor.u32().map(SnakeId::from_bits)
}

fn read_food(cursor: &mut Cursor<'_>) -> Result<Food, WireError> {
    Ok(Food { id: cursor.u32()?, at: cursor.pos()?, size: cursor.u8()? })
}

fn read_breaks(cursor: &mut Cursor<'_>, samples: usize) -> Result<Vec<u32>, WireError> {
    let mut floor = 0;
    cursor.list(1, |cursor| {
        let at = cursor.var()?;
        if at < floor || at as usize >= samples {
            return Err(WireError::Value("breaks"));
        }
        floor = at + 1;
        Ok(at)
    })
}

impl Header {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        Ok(Self {
            tick: cursor.u32()?,
            ack: cursor.u16()?,
            radius: cursor.u32()?,
            focus: read_id(cursor)?,
            length: cursor.u32()?,
            half_w: cursor.u16()?,
            half_h: cursor.u16()?,
            fresh: cursor.flags(1)? != 0,
        })
    }
}

impl State {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        let (head, heading, radius) = (cursor.pos()?, cursor.u16()?, cursor.u16()?);
        let flags = cursor.flags(3)?;
        Ok(Self { head, heading, radius, boost: flags & 1 != 0, shield: flags & 2 != 0 })
    }
}

impl Appear {
    fn write(&self, out: &mut Vec<u8>) {
        let Some(&newest) = self.body.first() else { return };
        let Self { id, skin, ref name, state, end, total, .. } = *self;
        let intro = Intro { id, skin, name, state, end, total, newest };
        let older = self.body.windows(2).map(|pair| step_between(pair[0], pair[1]));
        put_appear(out, &intro, older, self.breaks.iter().copied());
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        let (id, skin, name) = (read_id(cursor)?, cursor.u8()?, cursor.str()?.to_owned());
        let (state, end, total) = (State::read(cursor)?, cursor.u32()?, cursor.var()?);
        let body = Self::read_body(cursor, total)?;
        let breaks = read_breaks(cursor, body.len())?;
        Ok(Self { id, skin, name, state, end, total, body, breaks })
    }

    fn read_body(cursor: &mut Cursor<'_>, total: u32) -> Result<Vec<Point>, WireError> {
        let count = cursor.count(2)?;
        if count == 0 || count > total as usize {
            return Err(WireError::Value("count"));
        }
        let mut body = Vec::with_capacity(count);
        let mut at = cursor.pos()?;
        body.push(at);
        for _ in 1..count {
            at = step_from(at, cursor.step()?).ok_or(WireError::Value("step"))?;
            body.push(at);
        }
        Ok(body)
    }
}

impl More {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        let (id, steps) = (read_id(cursor)?, cursor.list(2, Cursor::step)?);
        if steps.is_empty() {
            return Err(WireError::Value("count"));
        }
        let breaks = read_breaks(cursor, steps.len())?;
        Ok(Self { id, steps, breaks })
    }
}

impl Move {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, WireError> {
        let (id, state) = (read_id(cursor)?, State::read(cursor)?);
        let pushed = cursor.list(2, Cursor::step)?;
        let breaks = read_breaks(cursor, pushed.len())?;
        Ok(Self { id, state, pushed, breaks, popped: cursor.var()? })
    }
}
