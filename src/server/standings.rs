//! What everybody is told once a second: who leads, and where people are.

use super::roster::Roster;
use super::session::Session;
use crate::wire::ToClient;
use crate::wire::message::{Board, Map, Row};
use crate::world::{Snake, SnakeId, World};

/// Lines of the board.
const ROWS: usize = 10;

/// Fields along an edge of the map.
const MAP_SIDE: u8 = 64;

/// The state of a moment, used by all clients until the next second.
#[derive(Default)]
pub struct Standings {
    leaders: Vec<SnakeId>,
    rows: Vec<Row>,
    /// Everybody's length, longest first.
    lengths: Vec<i32>,
    map: Vec<u8>,
}

impl Standings {
    /// Looks at the world.
    pub fn survey(&mut self, world: &World, roster: &Roster) {
        self.leaders.clear();
        world.longest(ROWS, &mut self.leaders);
        self.rows.clear();
        self.rows.extend(self.leaders.iter().map(|&id| Row {
            you: false,
            length: world.snake(id).map_or(0, |snake| snake.length().unsigned_abs()),
            name: roster.name(id).to_owned(),
        }));
        self.lengths.clear();
        self.lengths.extend(world.snakes().map(|snake| snake.length()));
        self.lengths.sort_unstable_by(|a, b| b.cmp(a));
        self.map.clear();
        ToClient::Map(map_of(world)).encode(&mut self.map);
    }

    /// The longest snake, or nobody.
    pub fn leader(&self) -> SnakeId {
        self.leaders.first().copied().unwrap_or(SnakeId::NOBODY)
    }

    /// The place of this length, from 1.
    pub fn rank(&self, length: i32) -> u16 {
        let longer = self.lengths.partition_point(|&other| other > length);
        u16::try_from(longer + 1).unwrap_or(u16::MAX)
    }

    /// The encoded map.
    pub fn map(&self) -> &[u8] {
        &self.map
    }

    /// Appends the board as this client sees it.
    pub fn put_board(&self, session: &Session, world: &World, out: &mut Vec<u8>) {
        let mine = session.snake();
        let rank = mine.and_then(|id| world.snake(id)).map_or(0, |snake| self.rank(snake.length()));
        let players = u16::try_from(self.lengths.len()).unwrap_or(u16::MAX);
        let mut rows = self.rows.clone();
        for (row, &id) in rows.iter_mut().zip(&self.leaders) {
            row.you = mine == Some(id);
        }
        ToClient::Board(Board { players, rank, rows }).encode(out);
    }
}

/// Heads, and enough samples of each body that a field it crosses is seldom missed.
fn map_of(world: &World) -> Map {
    let mut map = Map::new(MAP_SIDE);
    let radius = i64::from(world.radius().max(1));
    let field = 2 * radius / i64::from(MAP_SIDE);
    let spacing = world.config().body.spacing * f64::from(crate::limits::QUANTA_PER_UNIT);
    let stride = (field as f64 / spacing.max(1.0)).clamp(1.0, 1e6) as u32;
    let column = |v: i32| u8::try_from((i64::from(v) + radius) / field.max(1)).ok();
    for snake in world.snakes() {
        for at in outline(snake, stride) {
            if let (Some(x), Some(y)) = (column(at.x), column(at.y)) {
                map.mark(x, y);
            }
        }
    }
    map
}

fn outline(snake: Snake<'_>, stride: u32) -> impl Iterator<Item = crate::geom::lattice::Point> {
    let count = snake.end().wrapping_sub(snake.first());
    let samples = (0..count).step_by(stride as usize);
    std::iter::once(snake.head()).chain(samples.map(move |n| snake.sample(snake.first().wrapping_add(n))))
}
