//! Bots: they hunt, flee and keep clear of walls and bodies by asking the world, through its public face only.
//!
//! A bot looks a few times a second. It picks a goal (the place ahead of a prey's head, a piece of food, the
//! way back from the edge, or just on), sends discs out along a fan of headings, and takes the heading that is
//! free for longest and turns least from the goal. It sees bodies where they stand, not where they will be,
//! which makes it beatable.

use crate::geom::angle::{heading_of, turn_between, unit};
use crate::geom::lattice::{Point, Rect, units};
use crate::geom::segment::segments_within;
use crate::geom::toi;
use crate::limits::QUANTA_PER_UNIT;
use crate::world::{Food, Rng, RuleSet, Snake, SnakeId, World};

/// Ticks between two looks of a bot; bots take turns.
const LOOK_EVERY: u64 = 4;

/// Headings that are tried, relative to the present one, in 65536ths of a turn.
const FAN: [i32; 11] = [0, 2_000, -2_000, 5_000, -5_000, 9_000, -9_000, 15_000, -15_000, 24_000, -24_000];

/// Bots of a temper below this avoid others.
const BOLD: u8 = 190;

/// What a free way is worth against a turn of half a circle; one that is free for nine tenths is as good as free.
const FREE_ENOUGH: f64 = 2.7;

/// How far ahead a bot expects other heads to go straight on.
const FORESEEN_TICKS: f64 = 14.0;

/// How far a bot looks: this many ticks of cruise.
const FORESIGHT_TICKS: f64 = 55.0;

/// Ticks until a dead bot comes back, at least; as many again at random.
const REST_TICKS: u32 = 30;

/// Snakes farther than this are no prey, u.
const SIGHT: i32 = 650;

/// One bot's mind.
#[derive(Clone, Debug)]
struct Bot {
    id: SnakeId,
    /// 0: timid, 255: goes for every head it sees.
    temper: u8,
    /// Where it drifts when it has no goal.
    drift: u16,
    back_at: u64,
    /// Something is near: look at every tick.
    alarmed: bool,
}

/// A crowd of bots of one world.
///
/// ```
/// use ringsnake::{Config, World, bots::Bots};
/// let mut world = World::new(Config::default(), 1)?;
/// let mut bots = Bots::new(20, 1);
/// for _ in 0..60 {
///     bots.think(&mut world);
///     world.step();
/// }
/// assert_eq!(world.population(), 20);
/// # Ok::<(), ringsnake::world::ConfigError>(())
/// ```
pub struct Bots {
    bots: Vec<Bot>,
    rng: Rng,
    scene: Sight,
}

impl Bots {
    /// So many bots, none of them in the world yet. The seed decides their tempers and whims.
    pub fn new(count: usize, seed: u64) -> Self {
        let mut bots = Self { bots: Vec::new(), rng: Rng::new(seed ^ 0xB07), scene: Sight::default() };
        while bots.bots.len() < count {
            let bot = bots.newcomer(0);
            bots.bots.push(bot);
        }
        bots
    }

    fn newcomer(&mut self, back_at: u64) -> Bot {
        let dice = self.rng.next_u64();
        Bot { id: SnakeId::NOBODY, temper: dice as u8, drift: (dice >> 8) as u16, back_at, alarmed: false }
    }

    /// How many there are, resting ones included.
    pub fn len(&self) -> usize {
        self.bots.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bots.is_empty()
    }

    /// Adds bots, or takes the last ones out of the world.
    pub fn set_count(&mut self, world: &mut World, count: usize) {
        while self.bots.len() > count {
            if let Some(bot) = self.bots.pop() {
                world.remove(bot.id);
            }
        }
        while self.bots.len() < count {
            let bot = self.newcomer(world.tick());
            self.bots.push(bot);
        }
    }

    /// The bots that live, with their place in the crowd, which stays theirs over deaths.
    pub fn ids(&self) -> impl Iterator<Item = (usize, SnakeId)> + '_ {
        self.bots.iter().map(|bot| bot.id).enumerate().filter(|(_, id)| *id != SnakeId::NOBODY)
    }

    /// Spawns who is due and steers who is due to look; call once before each step.
    pub fn think(&mut self, world: &mut World) {
        for k in 0..self.bots.len() {
            if world.snake(self.bots[k].id).is_none() {
                self.come_back(world, k);
            } else if self.bots[k].alarmed || (world.tick() + k as u64).is_multiple_of(LOOK_EVERY) {
                self.look(world, k);
            }
        }
    }

    fn come_back(&mut self, world: &mut World, k: usize) {
        let now = world.tick();
        if self.bots[k].id != SnakeId::NOBODY {
            self.bots[k].id = SnakeId::NOBODY;
            self.bots[k].back_at = now + u64::from(REST_TICKS + self.rng.below(REST_TICKS));
        }
        if now >= self.bots[k].back_at && !is_crowded(world) {
            match world.spawn() {
                Ok(id) => self.bots[k].id = id,
                Err(_) => self.bots[k].back_at = now + u64::from(REST_TICKS),
            }
        }
    }

    fn look(&mut self, world: &mut World, k: usize) {
        let bot = &mut self.bots[k];
        let Some(me) = world.snake(bot.id) else { return };
        if self.rng.below(24) == 0 {
            bot.drift = bot.drift.wrapping_add(self.rng.between(-12_000, 12_000) as u16);
        }
        self.scene.see(world, me);
        let goal = choose_goal(world, me, bot, &mut self.scene);
        let (heading, free) = freest(world, me, goal.heading, &self.scene.others);
        let boost = goal.urgent && free > 0.9 && me.length() > 350 * QUANTA_PER_UNIT;
        bot.alarmed = free < 0.5;
        let id = bot.id;
        world.steer(id, heading, boost);
    }
}

/// Whether the circle has yet to grow to the size that belongs to those in it. Bots wait for that: a crowd that comes
/// all at once would start in a heap.
fn is_crowded(world: &World) -> bool {
    let (arena, radius) = (&world.config().arena, units(world.radius()));
    let room = std::f64::consts::PI * radius * radius / arena.area_per_snake;
    radius < arena.radius - 1.0 && world.population() as f64 > 8.0 + 1.5 * room
}

/// What a bot sees around it.
#[derive(Default)]
struct Sight {
    ids: Vec<SnakeId>,
    others: Vec<Other>,
    food: Vec<Food>,
}

/// Another head, and where it will be if it goes straight on.
#[derive(Clone, Copy)]
struct Other {
    at: Point,
    heading: u16,
    soon: Point,
    radius: i32,
    distance2: i64,
}

impl Sight {
    fn see(&mut self, world: &World, me: Snake<'_>) {
        let sight = SIGHT * QUANTA_PER_UNIT;
        self.ids.clear();
        self.others.clear();
        world.heads_in(Rect::around(me.head(), sight, sight), &mut self.ids);
        let config = world.config();
        let step = config.motion.speed / f64::from(config.tick_hz) * f64::from(QUANTA_PER_UNIT);
        let others = self.ids.iter().filter(|id| **id != me.id()).filter_map(|id| world.snake(*id));
        self.others.extend(others.map(|other| Other {
            at: other.head(),
            heading: other.heading(),
            soon: along(
                other.head(),
                other.heading(),
                (step * FORESEEN_TICKS) as i32 * if other.boosting() { 2 } else { 1 },
            ),
            radius: other.radius(),
            distance2: other.head().distance2(me.head()),
        }));
    }

    fn nearest_head(&self) -> Option<Other> {
        self.others.iter().copied().min_by_key(|other| (other.distance2, other.at))
    }
}

/// Where a bot wants to go.
#[derive(Clone, Copy)]
struct Goal {
    heading: u16,
    urgent: bool,
}

fn choose_goal(world: &World, me: Snake<'_>, bot: &Bot, sight: &mut Sight) -> Goal {
    let at = me.head();
    let from_center = at.distance2(Point::default());
    if from_center > i64::from(world.radius() - world.radius() / 6).pow(2) {
        return Goal { heading: heading_of(-at.x, -at.y), urgent: false };
    }
    if let Some(goal) = hunt(me, bot, sight) {
        return goal;
    }
    let pellets = world.config().rules.set == RuleSet::Pellets;
    match if pellets { nearest_food(world, at, &mut sight.food) } else { None } {
        Some(food) => Goal { heading: towards(at, food), urgent: false },
        None => Goal { heading: bot.drift, urgent: false },
    }
}

/// The bold aim at the place ahead of the nearest head, so that its owner runs into the trail laid there;
/// the timid turn away from who comes near.
fn hunt(me: Snake<'_>, bot: &Bot, sight: &Sight) -> Option<Goal> {
    let prey = sight.nearest_head()?;
    let u = i64::from(QUANTA_PER_UNIT);
    let distance = prey.distance2.isqrt();
    let at = me.head();
    if bot.temper < BOLD {
        let away = heading_of(at.x - prey.at.x, at.y - prey.at.y);
        return (distance < 160 * u).then_some(Goal { heading: away, urgent: distance < 90 * u });
    }
    let lead = (distance * 4 / 5).clamp(70 * u, 280 * u);
    let ahead = along(prey.at, prey.heading, lead as i32);
    Some(Goal { heading: towards(at, ahead), urgent: distance < 300 * u && bot.temper > 200 })
}

fn nearest_food(world: &World, at: Point, food: &mut Vec<Food>) -> Option<Point> {
    food.clear();
    world.food_in(Rect::around(at, 220 * QUANTA_PER_UNIT, 220 * QUANTA_PER_UNIT), food);
    food.iter().map(|piece| piece.at).min_by_key(|piece| (piece.distance2(at), *piece))
}

/// The heading of the fan that is free for longest and nearest to the goal, and the free part of the view.
fn freest(world: &World, me: Snake<'_>, goal: u16, others: &[Other]) -> (u16, f64) {
    let config = world.config();
    let reach = config.motion.speed / f64::from(config.tick_hz) * FORESIGHT_TICKS * f64::from(QUANTA_PER_UNIT);
    let reach = reach as i32 + 3 * me.radius();
    let width = me.radius() + me.radius() / 2 + 4 * QUANTA_PER_UNIT;
    let mut best = (f64::MIN, goal, 0.0);
    for (cost, heading) in ways(me.heading(), goal) {
        // The next ways cost more: not even free ones would be better.
        if FREE_ENOUGH - cost <= best.0 {
            break;
        }
        let end = along(me.head(), heading, reach);
        let hit = world.cast(me.head(), end, width, me.id());
        let free = hit.map_or(1.0, |hit| hit.toi).min(free_of_heads(me.head(), end, width, others));
        let score = (3.0 * free).min(FREE_ENOUGH) - cost;
        if score > best.0 {
            best = (score, heading, free);
        }
    }
    (best.1, best.2)
}

/// The fan and the way to the goal, cheapest first: what they turn from the goal, and a little of what they turn.
fn ways(heading: u16, goal: u16) -> [(f64, u16); FAN.len() + 1] {
    let part = |turn: i32| f64::from(turn.abs()) / 32_768.0;
    let straight = turn_between(heading, goal).clamp(-24_000, 24_000);
    let mut ways = [0; FAN.len() + 1].map(|_| (0.0, heading));
    for (way, turn) in ways.iter_mut().zip(FAN.into_iter().chain([straight])) {
        let there = heading.wrapping_add(turn as u16);
        *way = (part(turn_between(there, goal)) + 0.1 * part(turn), there);
    }
    ways.sort_by(|a, b| a.0.total_cmp(&b.0));
    ways
}

/// The part of a way that is free of where other heads are about to be.
fn free_of_heads(from: Point, to: Point, width: i32, others: &[Other]) -> f64 {
    let touched = others.iter().filter_map(|other| {
        let reach = width + other.radius + 4 * QUANTA_PER_UNIT;
        let met = segments_within(from, to, other.at, other.soon, reach);
        met.then(|| toi::body(from, to, other.at, other.soon, reach))
    });
    touched.fold(1.0, f64::min)
}

fn towards(from: Point, to: Point) -> u16 {
    heading_of(to.x - from.x, to.y - from.y)
}

/// The point `way` quanta from another along a heading.
fn along(from: Point, heading: u16, way: i32) -> Point {
    let part = |direction: i32| ((i64::from(direction) * i64::from(way)) >> 16) as i32;
    let [c, s] = unit(heading);
    let end = |v: i32| v.clamp(-crate::limits::COORD_MAX, crate::limits::COORD_MAX);
    Point::new(end(from.x + part(c)), end(from.y + part(s)))
}
