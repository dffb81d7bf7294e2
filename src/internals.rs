//! Rings and grids under test: each driver lets given operations act on the real thing and on a plain model, and
//! tells the first difference. For the project's own fuzz targets and benches; no promise of stability.

use crate::body::{Pool, Ring, Seat};
use crate::broadphase::{Grid, Lane, box_of};
use crate::geom::lattice::{Point, Rect};
use std::collections::{BTreeMap, VecDeque};

/// Rings of one pool that a run of operations uses.
pub const RINGS: usize = 4;

/// Something done to one of [`RINGS`] rings, or to the pool.
#[derive(Clone, Copy, Debug)]
pub enum RingOp {
    /// Gives the ring back and takes one for so many samples, whose first has this number.
    Take {
        /// Which.
        ring: usize,
        /// Room asked for.
        samples: u16,
        /// Number of the first sample.
        first: u32,
    },
    /// Lays a sample.
    Push {
        /// Which.
        ring: usize,
        /// Where.
        at: Point,
        /// Whether the trail is broken before it.
        gap: bool,
        /// Whether a lane ends there.
        lane: bool,
    },
    /// Drops the oldest samples; never the last one.
    Trim {
        /// Which.
        ring: usize,
        /// How many.
        samples: u16,
    },
    /// Packs the pool.
    Pack,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    at: Point,
    gap: bool,
    lane: Option<u32>,
}

#[derive(Default)]
struct RingModel {
    first: u32,
    samples: VecDeque<Sample>,
}

/// Lets the operations act on rings of one pool; an error tells the operation after which a ring differs from a
/// plain queue.
pub fn check_ring(ops: impl IntoIterator<Item = RingOp>) -> Result<(), String> {
    let mut pool = Pool::default();
    let mut rings: [Ring; RINGS] = std::array::from_fn(|_| pool.take(1, 0));
    let mut models: [RingModel; RINGS] = Default::default();
    for (k, op) in ops.into_iter().enumerate() {
        apply_ring(op, k as u32, &mut pool, &mut rings, &mut models);
        for (ring, model) in rings.iter().zip(&models) {
            compare_ring(&pool, ring, model).map_err(|what| format!("after operation {k}, {op:?}: {what}"))?;
        }
    }
    Ok(())
}

fn apply_ring(op: RingOp, k: u32, pool: &mut Pool, rings: &mut [Ring; RINGS], models: &mut [RingModel; RINGS]) {
    match op {
        RingOp::Take { ring, samples, first } => {
            let n = ring % RINGS;
            pool.give_back(rings[n]);
            rings[n] = pool.take(u32::from(samples), first);
            models[n] = RingModel { first, samples: VecDeque::new() };
        }
        RingOp::Push { ring, at, gap, lane } => {
            let n = ring % RINGS;
            let sample = Sample { at, gap, lane: lane.then_some(k) };
            pool.push(&mut rings[n], at, Seat::NONE.at(sample.lane).with_gap(gap));
            models[n].samples.push_back(sample);
        }
        RingOp::Trim { ring, samples } => {
            let n = ring % RINGS;
            let gone = usize::from(samples).min(models[n].samples.len().saturating_sub(1));
            models[n].samples.drain(..gone);
            models[n].first = models[n].first.wrapping_add(gone as u32);
            rings[n].first = rings[n].first.wrapping_add(gone as u32);
        }
        RingOp::Pack => pool.pack(rings.iter_mut()),
    }
}

fn compare_ring(pool: &Pool, ring: &Ring, model: &RingModel) -> Result<(), String> {
    if (ring.first, ring.len() as usize) != (model.first, model.samples.len()) || ring.len() > ring.capacity() {
        return Err(format!("{ring:?} against {} samples from {}", model.samples.len(), model.first));
    }
    for (k, (n, &expected)) in ring.numbers().zip(&model.samples).enumerate() {
        let seat = pool.seat(ring.at(n));
        let found = Sample { at: pool.point(ring.at(n)), gap: seat.gap(), lane: seat.lane() };
        if found != expected {
            return Err(format!("sample {n} is {found:?}, was laid as {expected:?}"));
        }
        let older = if k == 0 || expected.gap { expected.at } else { model.samples[k - 1].at };
        let stretch = expected.lane.map(|_| (older, expected.at));
        if ring.stretch(pool, n) != stretch {
            return Err(format!("stretch {n} is {:?}, should be {stretch:?}", ring.stretch(pool, n)));
        }
    }
    Ok(())
}

/// Something done to a grid, or asked of it. Points and lengths in quanta.
#[derive(Clone, Copy, Debug)]
pub enum GridOp {
    /// Enters a segment.
    Insert {
        /// One end.
        a: Point,
        /// The other.
        b: Point,
        /// Whose it is.
        owner: u32,
        /// Whether the grid is told of another segment of the same owner.
        beside: bool,
    },
    /// Takes one out: which, counted round among those that are there.
    Remove(u32),
    /// Asks for everything whose box comes within `reach` of the box of two points.
    Query {
        /// One corner.
        a: Point,
        /// The opposite one.
        b: Point,
        /// How far around, not negative.
        reach: i32,
        /// Whose own cells may be passed over.
        skip: u32,
    },
}

/// Lets the operations act on a grid of cells of `1 << shift` quanta (12 or 13); an error tells the operation after
/// which the grid differs from a plain map.
pub fn check_grid(shift: u32, ops: impl IntoIterator<Item = GridOp>) -> Result<(), String> {
    let mut grid = Grid::new(shift);
    let mut model = BTreeMap::new();
    for (k, op) in ops.into_iter().enumerate() {
        let done = apply_grid(op, &mut grid, &mut model).and_then(|()| compare_grid(&grid, &model));
        done.map_err(|what| format!("after operation {k}, {op:?}: {what}"))?;
    }
    grid.audit_map()?;
    for &number in model.keys() {
        grid.remove(number);
    }
    grid.audit_map()?;
    compare_grid(&grid, &BTreeMap::new()).map_err(|what| format!("when all is removed: {what}"))
}

fn apply_grid(op: GridOp, grid: &mut Grid, model: &mut BTreeMap<u32, Lane>) -> Result<(), String> {
    match op {
        GridOp::Insert { a, b, owner, beside } => {
            let lane = Lane { a, b, owner };
            let mut others = model.iter().filter(|(_, other)| beside && other.owner == owner);
            let number = grid.insert_near(&lane, others.next_back().map_or(u32::MAX, |(&number, _)| number));
            model.insert(number, lane).map_or(Ok(()), |old| Err(format!("number {number} is that of {old:?}")))
        }
        GridOp::Remove(which) => {
            let at = which as usize % model.len().max(1);
            if let Some(&number) = model.keys().nth(at) {
                model.remove(&number);
                grid.remove(number);
            }
            Ok(())
        }
        GridOp::Query { a, b, reach, skip } => {
            let found = query(grid, box_of(a, b), reach, skip);
            compare_query(&found, model, box_of(a, b), reach, skip)
        }
    }
}

fn query(grid: &Grid, rect: Rect, reach: i32, skip: u32) -> Vec<Lane> {
    let mut found: Vec<Lane> = grid.overlong().copied().collect();
    grid.query(grid.cells_near(rect, reach), skip, |block| found.extend(block.lanes(grid.shift())));
    found.retain(|lane| lane.owner != skip);
    found.sort_unstable_by_key(key);
    found
}

/// Nothing may be missed and nothing come twice; what lies farther away may be found as well.
fn compare_query(found: &[Lane], model: &BTreeMap<u32, Lane>, rect: Rect, reach: i32, skip: u32) -> Result<(), String> {
    let mut lanes: Vec<Lane> = model.values().filter(|lane| lane.owner != skip).copied().collect();
    lanes.sort_unstable_by_key(key);
    let mut rest = found.iter().peekable();
    for lane in &lanes {
        if rest.next_if_eq(&lane).is_none() && touches(rect, reach, lane) {
            return Err(format!("{lane:?} is missed"));
        }
    }
    rest.next().map_or(Ok(()), |lane| Err(format!("{lane:?} is not there, or comes twice")))
}

fn touches(rect: Rect, reach: i32, lane: &Lane) -> bool {
    let own = box_of(lane.a, lane.b);
    let near = |min: i32, max: i32, low: i32, high: i32| {
        i64::from(min) - i64::from(reach) <= i64::from(high) && i64::from(low) <= i64::from(max) + i64::from(reach)
    };
    near(rect.min.x, rect.max.x, own.min.x, own.max.x) && near(rect.min.y, rect.max.y, own.min.y, own.max.y)
}

fn compare_grid(grid: &Grid, model: &BTreeMap<u32, Lane>) -> Result<(), String> {
    let (mut found, mut lanes) = (grid.all(), model.values().copied().collect::<Vec<_>>());
    found.sort_unstable_by_key(key);
    lanes.sort_unstable_by_key(key);
    if found != lanes || grid.len() != lanes.len() {
        return Err(format!("it holds {} lanes: {found:?}\n  instead of {lanes:?}", grid.len()));
    }
    if grid.tiles() > lanes.len() {
        return Err(format!("{} tiles for {} lanes", grid.tiles(), lanes.len()));
    }
    Ok(())
}

fn key(lane: &Lane) -> (u32, Point, Point) {
    (lane.owner, lane.a, lane.b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::COORD_MAX;
    use crate::world::Rng;

    fn point(dice: &mut Rng, span: i32) -> Point {
        Point::new(dice.between(-span, span), dice.between(-span, span))
    }

    fn ring_op(dice: &mut Rng) -> RingOp {
        let ring = dice.below(RINGS as u32) as usize;
        match dice.below(100) {
            0 => RingOp::Pack,
            1..4 => RingOp::Take { ring, samples: dice.below(70) as u16, first: 0_u32.wrapping_sub(dice.below(60)) },
            4..15 => RingOp::Trim { ring, samples: dice.below(40) as u16 },
            _ => {
                let at = point(dice, COORD_MAX);
                RingOp::Push { ring, at, gap: dice.below(5) == 0, lane: dice.below(3) > 0 }
            }
        }
    }

    /// Half of the points lie around the origin and a cell's border, where cells are easily mistaken. Long segments
    /// make every query wide and so hide mistakes: most runs have none longer than `way`.
    fn grid_op(dice: &mut Rng, way: i32) -> GridOp {
        let span = [8_300, 8_300, 300_000, COORD_MAX][dice.below(4) as usize];
        let a = point(dice, span);
        let end = |v: i32, d: i32| (v + d).clamp(-COORD_MAX, COORD_MAX);
        let b = Point::new(end(a.x, dice.between(-way, way)), end(a.y, dice.between(-way, way)));
        match dice.below(10) {
            0..5 => GridOp::Insert { a, b, owner: dice.below(5), beside: dice.below(2) == 0 },
            5..8 => GridOp::Remove(dice.next_u64() as u32),
            _ => GridOp::Query { a, b, reach: dice.between(0, 700), skip: dice.below(6) },
        }
    }

    #[test]
    fn rings_agree_with_queues_whatever_is_done_to_them() {
        for seed in 0..60 {
            let mut dice = Rng::new(seed);
            check_ring((0..600).map(|_| ring_op(&mut dice))).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
        }
    }

    #[test]
    fn grids_agree_with_maps_whatever_is_done_to_them() {
        for seed in 0..60 {
            let mut dice = Rng::new(seed);
            let way = [0, 100, 700, 32_767, 32_768][seed as usize / 2 % 5];
            let ops = (0..500).map(|_| grid_op(&mut dice, way));
            check_grid(12 + seed as u32 % 2, ops).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
        }
    }
}
