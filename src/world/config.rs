//! The figures of a game: every rule and bound is a field here, validated once, never a constant elsewhere.

use crate::lanes::Level;
use crate::limits;
use std::fmt;

#[cfg(feature = "server")]
use serde::{Deserialize, Serialize};

/// What makes a world. Lengths are in u, speeds in u/s, times in seconds, turning in u of radius.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct Config {
    /// Ticks a second, 1..=240.
    pub tick_hz: u32,
    /// Snakes that may live at once, 1..2^20.
    pub capacity: u32,
    /// The place.
    pub arena: ArenaConfig,
    /// What a snake is.
    pub body: BodyConfig,
    /// How a head moves.
    pub motion: MotionConfig,
    /// How a snake enters.
    pub spawn: SpawnConfig,
    /// Which game is played, and who dies.
    pub rules: RulesConfig,
    /// Figures of the rule set `survival`.
    pub survival: SurvivalConfig,
    /// Figures of the rule set `pellets`.
    pub pellets: PelletsConfig,
    /// How the machine is used; nothing here changes a verdict.
    pub engine: EngineConfig,
}

/// The circle, and what stands in it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct ArenaConfig {
    /// Largest radius of the circle, u, up to 250,000.
    pub radius: f64,
    /// Smallest radius of the circle, u. Equal to `radius`: the circle never moves.
    pub radius_min: f64,
    /// Area a living snake is given, u². The circle's area follows the population between the two limits.
    pub area_per_snake: f64,
    /// Speed at which the edge moves inwards, u/s. Far below the speed of a head, so that it can be fled from.
    pub breathe_speed: f64,
    /// Speed at which the edge moves outwards, u/s. Fast, so that a crowd that joins at once finds room.
    pub expand_speed: f64,
    /// Walls that do not move.
    pub obstacles: Vec<Obstacle>,
}

/// A static obstacle of the arena.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize), serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Obstacle {
    /// An axis-aligned box.
    Box {
        /// Lower corner, u.
        min: [f64; 2],
        /// Upper corner, u.
        max: [f64; 2],
    },
    /// A disc.
    Circle {
        /// Centre, u.
        center: [f64; 2],
        /// Radius, u.
        radius: f64,
    },
}

/// Length, radius and samples of a body.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct BodyConfig {
    /// A new sample is laid when the head is at least this far from the newest, u.
    pub spacing: f64,
    /// Units in a metre: lengths are shown to players in metres.
    pub metre: f64,
    /// A radius is the length in metres divided by this, in u, between the next two.
    pub metres_per_radius: f64,
    /// Radius of a newborn, u.
    pub radius_min: f64,
    /// Radius of a giant, u.
    pub radius_max: f64,
    /// The part of its radius with which a body kills, 0..=1. Kill distance: r(head) + share * r(body).
    pub kill_share: f64,
    /// Fastest change of a radius, u/s: after a kill nobody beside the killer is touched by a jump.
    pub radius_rate: f64,
    /// Shortest length, u.
    pub length_min: f64,
    /// Longest length, u.
    pub length_max: f64,
}

/// Speeds and turning.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct MotionConfig {
    /// Cruise speed, u/s.
    pub speed: f64,
    /// Speed while boosting, u/s.
    pub boost: f64,
    /// Length that a second of boost costs, u.
    pub boost_cost: f64,
    /// Tightest turn of the thinnest snake at cruise speed, radius in u.
    pub turn_radius: f64,
    /// How much wider the tightest turn becomes with each u of a snake's radius, u per u.
    pub turn_radius_per_radius: f64,
}

/// Birth.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct SpawnConfig {
    /// Length of a newborn, u. It unrolls from one point.
    pub length: f64,
    /// Seconds in which a newborn neither kills nor dies and leaves no trail.
    pub shield: f64,
    /// Free distance asked for around a newborn, u, beyond every kill distance.
    pub clearance: f64,
    /// Distance to the nearest other head that a newborn is placed at, as near as can be found, u: in sight of
    /// others, and out of their reach. Distances beyond `survival.alone` count as that.
    pub company: f64,
    /// Places that are tried before a spawn is refused, 1..=10,000.
    pub attempts: u32,
}

/// The rule sets that the engine brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize), serde(rename_all = "snake_case"))]
pub enum RuleSet {
    /// Length grows by itself and is the score; kills hand over length; the lonely slow down.
    Survival,
    /// Length comes from food on the ground; the dead turn into food.
    Pellets,
}

/// What happens to two heads that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize), serde(rename_all = "snake_case"))]
pub enum HeadOn {
    /// Each head that comes within its kill distance dies.
    BothDie,
    /// Head-to-head contact kills only who is not longer than the other.
    LongerSurvives,
}

/// Which game is played, and who dies.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct RulesConfig {
    /// The rule set.
    pub set: RuleSet,
    /// Two heads that meet.
    pub head_on: HeadOn,
    /// Whether a snake's own body kills it, beyond the neck: the arc of pi/2 kill distances behind its head.
    pub own_body: bool,
}

/// Figures of `survival`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct SurvivalConfig {
    /// Growth, u/s.
    pub growth: f64,
    /// Part of the victim's length that its killer gets, 0..=1.
    pub kill_share: f64,
    /// Distance to the nearest other head from which a snake counts as less than in company, u.
    pub company: f64,
    /// Distance from which it counts as alone, u.
    pub alone: f64,
    /// Factor on speed and growth of who is alone, 0..=1.
    pub alone_factor: f64,
}

/// Figures of `pellets`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct PelletsConfig {
    /// Pieces that the ground holds for each living snake; new ones are strewn until then.
    pub per_snake: u32,
    /// Most pieces at once, those of the dead included.
    pub pieces_max: u32,
    /// Length in a piece of size 1, u.
    pub length: f64,
    /// Radius of a piece, u: eaten when the head's path comes strictly closer than both radii.
    pub radius: f64,
    /// Extra reach of a mouth, u.
    pub mouth: f64,
    /// Part of a dead body's length that turns into food, 0..=1.
    pub death_share: f64,
}

/// How the machine is used.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct EngineConfig {
    /// Threads of a step, 1..=64. Verdicts and hashes do not depend on it.
    pub threads: u32,
    /// Snakes from which on a step is shared out among them; below it one thread does it all. Waking another one and
    /// waiting for it takes as long as a few thousand snakes in a thin arena.
    pub share_from: u32,
    /// SIMD level: `auto`, or the name of a [`Level`](crate::lanes::Level) that this CPU has.
    pub simd: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            tick_hz: 30,
            capacity: 20_000,
            arena: ArenaConfig::default(),
            body: BodyConfig::default(),
            motion: MotionConfig::default(),
            spawn: SpawnConfig::default(),
            rules: RulesConfig::default(),
            survival: SurvivalConfig::default(),
            pellets: PelletsConfig::default(),
            engine: EngineConfig::default(),
        }
    }
}

impl Default for ArenaConfig {
    fn default() -> Self {
        Self {
            radius: 20_000.0,
            radius_min: 900.0,
            area_per_snake: 300_000.0,
            breathe_speed: 12.0,
            expand_speed: 2_000.0,
            obstacles: Vec::new(),
        }
    }
}

impl Default for BodyConfig {
    fn default() -> Self {
        Self {
            spacing: 10.0,
            metre: 100.0,
            metres_per_radius: 7.0,
            radius_min: 2.0,
            radius_max: 80.0,
            kill_share: 0.9,
            radius_rate: 2.0,
            length_min: 200.0,
            length_max: 100_000.0,
        }
    }
}

impl Default for MotionConfig {
    fn default() -> Self {
        Self { speed: 101.25, boost: 215.0, boost_cost: 60.0, turn_radius: 22.0, turn_radius_per_radius: 1.4 }
    }
}

impl Default for SpawnConfig {
    fn default() -> Self {
        Self { length: 300.0, shield: 3.0, clearance: 200.0, company: 450.0, attempts: 64 }
    }
}

impl Default for RulesConfig {
    fn default() -> Self {
        Self { set: RuleSet::Survival, head_on: HeadOn::BothDie, own_body: false }
    }
}

impl Default for SurvivalConfig {
    fn default() -> Self {
        Self { growth: 45.0, kill_share: 0.4, company: 700.0, alone: 1_500.0, alone_factor: 0.62 }
    }
}

impl Default for PelletsConfig {
    fn default() -> Self {
        Self { per_snake: 40, pieces_max: 100_000, length: 12.0, radius: 4.0, mouth: 8.0, death_share: 0.5 }
    }
}

impl Default for EngineConfig {
    fn default() -> Self {
        Self { threads: 1, share_from: 4_096, simd: "auto".to_owned() }
    }
}

/// A field of a [`Config`] that is out of its range.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigError {
    /// Path of the field, as it stands in a configuration file.
    pub field: String,
    /// The value found.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} is out of range, allowed is {}", self.field, self.value, self.allowed)
    }
}

impl std::error::Error for ConfigError {}

/// Refuses NaN along with everything outside `min..=max`.
fn within(field: &str, value: f64, min: f64, max: f64) -> Result<(), ConfigError> {
    if value >= min && value <= max {
        return Ok(());
    }
    Err(ConfigError { field: field.to_owned(), value: value.to_string(), allowed: format!("{min}..={max}") })
}

impl Config {
    /// Checks every field; the first one that is out of its range is the error.
    pub fn validate(&self) -> Result<(), ConfigError> {
        within("tick_hz", f64::from(self.tick_hz), 1.0, 240.0)?;
        within("capacity", f64::from(self.capacity), 1.0, f64::from(limits::SNAKES_MAX))?;
        within("engine.threads", f64::from(self.engine.threads), 1.0, 64.0)?;
        self.engine.level()?;
        self.validate_motion()?;
        self.validate_arena()?;
        self.validate_body()?;
        self.validate_spawn()?;
        self.validate_rules()
    }

    fn validate_arena(&self) -> Result<(), ConfigError> {
        let arena = &self.arena;
        within("arena.radius", arena.radius, 100.0, limits::ARENA_RADIUS_MAX)?;
        within("arena.radius_min", arena.radius_min, 100.0, arena.radius)?;
        within("arena.area_per_snake", arena.area_per_snake, 1.0, 1e12)?;
        within("arena.breathe_speed", arena.breathe_speed, 0.0, self.motion.speed / 2.0)?;
        within("arena.expand_speed", arena.expand_speed, 0.0, 1e6)?;
        within("arena.obstacles (number of)", arena.obstacles.len() as f64, 0.0, 10_000.0)?;
        for (i, obstacle) in arena.obstacles.iter().enumerate() {
            obstacle.validate(&format!("arena.obstacles[{i}]"))?;
        }
        Ok(())
    }

    fn validate_body(&self) -> Result<(), ConfigError> {
        let body = &self.body;
        within("body.spacing", body.spacing, 1.0, 100.0)?;
        within("body.metre", body.metre, 1.0, 1e6)?;
        within("body.metres_per_radius", body.metres_per_radius, 0.01, 1e6)?;
        within("body.radius_min", body.radius_min, 0.25, limits::RADIUS_MAX)?;
        within("body.radius_max", body.radius_max, body.radius_min, limits::RADIUS_MAX)?;
        within("body.kill_share", body.kill_share, 0.0, 1.0)?;
        within("body.radius_rate", body.radius_rate, 0.0, 1e6)?;
        within("body.length_min", body.length_min, body.spacing, 1e6)?;
        within("body.length_max", body.length_max, body.length_min, 1e6)
    }

    fn validate_motion(&self) -> Result<(), ConfigError> {
        let motion = &self.motion;
        let speed_max = limits::STEP_MAX * f64::from(self.tick_hz);
        within("motion.speed", motion.speed, 0.0, speed_max)?;
        within("motion.boost", motion.boost, motion.speed, speed_max)?;
        within("motion.boost_cost", motion.boost_cost, 0.0, 1e6)?;
        within("motion.turn_radius", motion.turn_radius, 0.1, 1e6)?;
        within("motion.turn_radius_per_radius", motion.turn_radius_per_radius, 0.0, 1e3)
    }

    fn validate_spawn(&self) -> Result<(), ConfigError> {
        let spawn = &self.spawn;
        within("spawn.length", spawn.length, self.body.length_min, self.body.length_max)?;
        within("spawn.shield", spawn.shield, 0.0, 60.0)?;
        within("spawn.clearance", spawn.clearance, 0.0, 10_000.0)?;
        within("spawn.company", spawn.company, 0.0, 1e6)?;
        within("spawn.attempts", f64::from(spawn.attempts), 1.0, 10_000.0)
    }

    fn validate_rules(&self) -> Result<(), ConfigError> {
        let (survival, pellets) = (&self.survival, &self.pellets);
        within("survival.growth", survival.growth, 0.0, 1e5)?;
        within("survival.kill_share", survival.kill_share, 0.0, 1.0)?;
        within("survival.company", survival.company, 0.0, 1e6)?;
        within("survival.alone", survival.alone, survival.company, 1e6)?;
        within("survival.alone_factor", survival.alone_factor, 0.0, 1.0)?;
        within("pellets.per_snake", f64::from(pellets.per_snake), 0.0, 10_000.0)?;
        within("pellets.pieces_max", f64::from(pellets.pieces_max), 0.0, 4e6)?;
        within("pellets.length", pellets.length, 0.0, 1e4)?;
        within("pellets.radius", pellets.radius, 0.25, 100.0)?;
        within("pellets.mouth", pellets.mouth, 0.0, 100.0)?;
        within("pellets.death_share", pellets.death_share, 0.0, 1.0)
    }
}

impl EngineConfig {
    /// The level asked for, if this CPU has it.
    pub fn level(&self) -> Result<Level, ConfigError> {
        Level::named(&self.simd).map_err(|error| ConfigError {
            field: "engine.simd".to_owned(),
            value: format!("{:?}", self.simd),
            allowed: error.to_string(),
        })
    }
}

impl Obstacle {
    pub(super) fn validate(&self, field: &str) -> Result<(), ConfigError> {
        let bound = limits::ARENA_RADIUS_MAX;
        match *self {
            Self::Box { min, max } => {
                for axis in 0..2 {
                    within(&format!("{field}.box.min[{axis}]"), min[axis], -bound, bound)?;
                    within(&format!("{field}.box.max[{axis}]"), max[axis], min[axis], bound)?;
                }
                Ok(())
            }
            Self::Circle { center, radius } => {
                for (axis, &value) in center.iter().enumerate() {
                    within(&format!("{field}.circle.center[{axis}]"), value, -bound, bound)?;
                }
                within(&format!("{field}.circle.radius"), radius, 0.0, bound)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_config_is_valid() {
        Config::default().validate().unwrap();
    }

    #[test]
    fn an_error_names_the_field_the_value_and_the_range() {
        let mut config = Config::default();
        config.body.kill_share = 1.5;
        let error = config.validate().unwrap_err().to_string();
        assert_eq!(error, "body.kill_share: 1.5 is out of range, allowed is 0..=1");
    }

    #[test]
    fn nan_is_out_of_every_range() {
        let mut config = Config::default();
        config.motion.speed = f64::NAN;
        assert_eq!(config.validate().unwrap_err().field, "motion.speed");
    }

    #[test]
    fn company_beyond_its_range_is_refused_by_name() {
        let mut config = Config::default();
        config.spawn.company = -1.0;
        let error = config.validate().unwrap_err().to_string();
        assert_eq!(error, "spawn.company: -1 is out of range, allowed is 0..=1000000");
    }
}
