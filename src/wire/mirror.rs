//! The other end of a view: what a client knows after each snapshot, kept strictly. For tests, bots over the
//! network and load generators.

use super::message::Obstacle;
use super::snapshot::{Appear, Header, More, Move, Snapshot, State, step_from};
use crate::geom::lattice::Point;
use crate::world::{Food, SnakeId};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;

/// What a client knows.
#[derive(Clone, Debug, Default)]
pub struct Mirror {
    /// That of the last snapshot.
    pub header: Header,
    /// What stands in the arena, as told after the welcome.
    pub obstacles: Vec<Obstacle>,
    snakes: BTreeMap<SnakeId, Reflection>,
    food: BTreeMap<u32, Food>,
}

/// A snake, as far as a client knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reflection {
    /// Its name.
    pub name: String,
    /// Its skin.
    pub skin: u8,
    /// Its head, as last told.
    pub state: State,
    /// Number after that of the newest sample.
    pub end: u32,
    /// Samples between the true tail and the oldest one here.
    pub missing: u32,
    /// Samples, oldest first; at least one.
    pub samples: VecDeque<Sample>,
}

/// A sample of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Where, quanta.
    pub at: Point,
    /// Whether the trail is broken before it.
    pub broken: bool,
}

/// Why a snapshot cannot follow the ones before. What the mirror shows afterwards means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MirrorError {
    /// A GONE, MORE or MOVE of a snake that is not held.
    Stranger(SnakeId),
    /// An APPEAR of a snake that is held.
    Twin(SnakeId),
    /// More than one MOVE of a snake in a snapshot, or one beside its APPEAR.
    Twice(SnakeId),
    /// A MORE with more samples than are missing.
    TooMany(SnakeId),
    /// A MOVE that leaves no sample.
    Emptied(SnakeId),
    /// A step off the range of the wire.
    Off(SnakeId),
    /// A focus that is not held.
    NoFocus(SnakeId),
    /// Food that goes and is not held, or comes and is.
    Food(u32),
}

impl fmt::Display for MirrorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stranger(id) => write!(f, "snake {id:?} is not held"),
            Self::Twin(id) => write!(f, "snake {id:?} appears and is held"),
            Self::Twice(id) => write!(f, "snake {id:?} comes twice in a snapshot"),
            Self::TooMany(id) => write!(f, "snake {id:?} gets more samples than are missing"),
            Self::Emptied(id) => write!(f, "snake {id:?} is left without a sample"),
            Self::Off(id) => write!(f, "snake {id:?} steps off the range"),
            Self::NoFocus(id) => write!(f, "snake {id:?} is the focus and not held"),
            Self::Food(id) => write!(f, "food {id:#x} goes and is not held, or comes and is"),
        }
    }
}

impl std::error::Error for MirrorError {}

impl Mirror {
    /// The snake with this id, when it is held.
    pub fn snake(&self, id: SnakeId) -> Option<&Reflection> {
        self.snakes.get(&id)
    }

    /// All snakes that are held.
    pub fn snakes(&self) -> impl ExactSizeIterator<Item = (SnakeId, &Reflection)> {
        self.snakes.iter().map(|(&id, snake)| (id, snake))
    }

    /// All food that is held, by ascending id.
    pub fn food(&self) -> impl ExactSizeIterator<Item = &Food> {
        self.food.values()
    }

    /// Follows the next snapshot.
    pub fn apply(&mut self, snapshot: &Snapshot) -> Result<(), MirrorError> {
        self.header = snapshot.header;
        if snapshot.header.fresh {
            self.snakes.clear();
            self.food.clear();
        }
        for &id in &snapshot.gone {
            self.snakes.remove(&id).ok_or(MirrorError::Stranger(id))?;
        }
        snapshot.appear.iter().try_for_each(|appear| self.appear(appear))?;
        snapshot.more.iter().try_for_each(|more| self.get(more.id)?.grow(more))?;
        check_once(snapshot)?;
        snapshot.moves.iter().try_for_each(|m| self.get(m.id)?.follow(m))?;
        self.apply_food(snapshot)?;
        let focus = snapshot.header.focus;
        let known = focus == SnakeId::NOBODY || self.snakes.contains_key(&focus);
        if known { Ok(()) } else { Err(MirrorError::NoFocus(focus)) }
    }

    fn get(&mut self, id: SnakeId) -> Result<&mut Reflection, MirrorError> {
        self.snakes.get_mut(&id).ok_or(MirrorError::Stranger(id))
    }

    fn appear(&mut self, appear: &Appear) -> Result<(), MirrorError> {
        match self.snakes.insert(appear.id, Reflection::new(appear)) {
            Some(_) => Err(MirrorError::Twin(appear.id)),
            None => Ok(()),
        }
    }

    fn apply_food(&mut self, snapshot: &Snapshot) -> Result<(), MirrorError> {
        for &id in &snapshot.food_gone {
            self.food.remove(&id).ok_or(MirrorError::Food(id))?;
        }
        for &piece in &snapshot.food_new {
            if self.food.insert(piece.id, piece).is_some() {
                return Err(MirrorError::Food(piece.id));
            }
        }
        Ok(())
    }
}

fn check_once(snapshot: &Snapshot) -> Result<(), MirrorError> {
    let mut ids: Vec<_> = snapshot.appear.iter().map(|a| a.id).chain(snapshot.moves.iter().map(|m| m.id)).collect();
    ids.sort_unstable();
    ids.windows(2).find(|pair| pair[0] == pair[1]).map_or(Ok(()), |pair| Err(MirrorError::Twice(pair[0])))
}

impl Reflection {
    fn new(appear: &Appear) -> Self {
        let mut samples: VecDeque<_> = appear.body.iter().map(|&at| Sample { at, broken: false }).collect();
        for &at in &appear.breaks {
            samples.get_mut(at as usize).into_iter().for_each(|sample| sample.broken = true);
        }
        samples.make_contiguous().reverse();
        Self {
            name: appear.name.clone(),
            skin: appear.skin,
            state: appear.state,
            end: appear.end,
            missing: appear.total.saturating_sub(appear.body.len() as u32),
            samples,
        }
    }

    fn grow(&mut self, more: &More) -> Result<(), MirrorError> {
        let rest = self.missing.checked_sub(more.steps.len() as u32);
        self.missing = rest.ok_or(MirrorError::TooMany(more.id))?;
        let mut at = self.samples.front().ok_or(MirrorError::Emptied(more.id))?.at;
        for (i, &step) in (0..).zip(&more.steps) {
            at = step_from(at, step).ok_or(MirrorError::Off(more.id))?;
            let broken = more.breaks.binary_search(&i).is_ok();
            self.samples.push_front(Sample { at, broken });
        }
        Ok(())
    }

    fn follow(&mut self, m: &Move) -> Result<(), MirrorError> {
        self.state = m.state;
        let mut at = self.samples.back().ok_or(MirrorError::Emptied(m.id))?.at;
        for (i, &step) in (0..).zip(&m.pushed) {
            at = step_from(at, step).ok_or(MirrorError::Off(m.id))?;
            let broken = m.breaks.binary_search(&i).is_ok();
            self.samples.push_back(Sample { at, broken });
        }
        self.end = self.end.wrapping_add(m.pushed.len() as u32);
        self.pop(m)
    }

    fn pop(&mut self, m: &Move) -> Result<(), MirrorError> {
        let here = m.popped.saturating_sub(self.missing) as usize;
        if here >= self.samples.len() {
            return Err(MirrorError::Emptied(m.id));
        }
        self.missing -= m.popped.min(self.missing);
        self.samples.drain(..here);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHO: SnakeId = SnakeId::new(7, 1);

    /// A mirror that holds two of five samples.
    fn mirror() -> Mirror {
        let mut mirror = Mirror::default();
        mirror.apply(&Snapshot { appear: vec![appear()], ..Snapshot::default() }).unwrap();
        mirror
    }

    fn appear() -> Appear {
        let (name, body) = ("Ana".to_owned(), vec![Point::new(640, 0), Point::new(0, 0)]);
        Appear { id: WHO, skin: 1, name, state: State::default(), end: 1, total: 5, body, breaks: vec![1] }
    }

    fn moves(pushed: usize, popped: u32) -> Snapshot {
        let pushed = vec![[640, 0]; pushed];
        let one = Move { id: WHO, state: State::default(), pushed, breaks: vec![], popped };
        Snapshot { moves: vec![one], ..Snapshot::default() }
    }

    fn more(samples: usize) -> Snapshot {
        let one = More { id: WHO, steps: vec![[-640, 0]; samples], breaks: vec![] };
        Snapshot { more: vec![one], ..Snapshot::default() }
    }

    #[test]
    fn pops_go_from_what_is_missing_first() {
        let mut mirror = mirror();
        mirror.apply(&moves(1, 2)).unwrap();
        let snake = mirror.snake(WHO).unwrap();
        assert_eq!((snake.samples.len(), snake.missing, snake.end), (3, 1, 2));
        mirror.apply(&moves(0, 2)).unwrap();
        let snake = mirror.snake(WHO).unwrap();
        assert_eq!((snake.samples.len(), snake.missing), (2, 0));
        assert_eq!(snake.samples[0], Sample { at: Point::new(640, 0), broken: false });
    }

    #[test]
    fn a_move_may_pop_what_it_pushed_but_not_the_last_sample() {
        assert_eq!(mirror().apply(&moves(3, 7)), Ok(()));
        assert_eq!(mirror().apply(&moves(3, 8)), Err(MirrorError::Emptied(WHO)));
        assert_eq!(mirror().apply(&moves(0, u32::MAX)), Err(MirrorError::Emptied(WHO)));
    }

    #[test]
    fn no_more_samples_come_than_are_missing() {
        assert_eq!(mirror().apply(&more(3)), Ok(()));
        assert_eq!(mirror().apply(&more(4)), Err(MirrorError::TooMany(WHO)));
    }

    #[test]
    fn strangers_and_twins_are_refused() {
        assert_eq!(Mirror::default().apply(&moves(0, 0)), Err(MirrorError::Stranger(WHO)));
        assert_eq!(Mirror::default().apply(&more(1)), Err(MirrorError::Stranger(WHO)));
        let again = Snapshot { appear: vec![appear()], ..Snapshot::default() };
        assert_eq!(mirror().apply(&again), Err(MirrorError::Twin(WHO)));
        assert_eq!(mirror().apply(&Snapshot { gone: vec![WHO], ..again.clone() }), Ok(()));
        let both = Snapshot { moves: moves(0, 0).moves, ..again };
        assert_eq!(Mirror::default().apply(&both), Err(MirrorError::Twice(WHO)));
    }

    #[test]
    fn food_comes_once_and_goes_once() {
        let piece = Food { id: 3, at: Point::new(0, 0), size: 1 };
        let (come, go) = (vec![piece], vec![3]);
        let mut mirror = Mirror::default();
        assert_eq!(mirror.apply(&Snapshot { food_new: come.clone(), ..Snapshot::default() }), Ok(()));
        let again = Snapshot { food_new: come, ..Snapshot::default() };
        assert_eq!(mirror.clone().apply(&again), Err(MirrorError::Food(3)));
        let gone = Snapshot { food_gone: go, ..Snapshot::default() };
        assert_eq!(mirror.apply(&gone), Ok(()));
        assert_eq!(mirror.apply(&gone), Err(MirrorError::Food(3)));
    }
}
