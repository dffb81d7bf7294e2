//! The config's figures taken to the lattice and to ticks, once.

use super::config::Config;
use crate::limits::QUANTA_PER_UNIT;

/// Fraction bits of speeds, and of the factor of who is alone.
pub(crate) const SPEED_BITS: u32 = 8;

/// Integers that the phases calculate with: quanta, quanta a tick, headings a tick.
#[derive(Clone, Debug)]
pub(crate) struct Tuning {
    /// Quanta a tick, 2^-8.
    pub speed: i32,
    pub boost: i32,
    pub boost_cost: i32,
    /// Turn limit of radius r: `turn / (turn_radius + turn_slope * (r - radius_min) / 256)` headings a tick.
    pub turn: i64,
    pub turn_radius: i64,
    pub turn_slope: i64,
    pub spacing2: i64,
    /// Radius from length: `length * radius_of >> 32`.
    pub radius_of: i64,
    pub radius_min: i32,
    pub radius_max: i32,
    pub radius_rate: i32,
    pub kill_milli: i32,
    pub length_min: i32,
    pub length_max: i32,
    pub growth: i32,
    pub hand_over_milli: i64,
    pub company: i64,
    pub alone: i64,
    pub alone_factor: i32,
    pub arena_min: i32,
    pub arena_max: i32,
    pub breathe: i32,
    pub expand: i32,
    /// Quanta² a snake over pi: the circle's radius is the root of this times the population.
    pub room: f64,
    pub shield_ticks: u32,
    pub clearance: i32,
    pub spawn_company: i64,
    pub piece_length: i32,
    pub bite: i32,
    pub death_milli: i64,
}

impl Tuning {
    /// Of a validated config.
    pub fn new(config: &Config) -> Self {
        let hz = f64::from(config.tick_hz);
        let q = f64::from(QUANTA_PER_UNIT);
        let per_tick = |speed: f64| (speed * q / hz).round() as i32;
        let fine = |speed: f64| (speed * q / hz * f64::from(1 << SPEED_BITS)).round() as i32;
        let length = |u: f64| (u * q).round() as i32;
        let Config { arena, body, motion, spawn, survival, pellets, .. } = config;
        Self {
            speed: fine(motion.speed),
            boost: fine(motion.boost),
            boost_cost: per_tick(motion.boost_cost),
            turn: (32_768.0 / std::f64::consts::PI * motion.speed * q / hz).round() as i64,
            turn_radius: i64::from(length(motion.turn_radius).max(1)),
            turn_slope: (motion.turn_radius_per_radius * 256.0).round() as i64,
            spacing2: i64::from(length(body.spacing)).pow(2),
            radius_of: (4_294_967_296.0 / (body.metre * body.metres_per_radius)).round() as i64,
            radius_min: length(body.radius_min),
            radius_max: length(body.radius_max),
            radius_rate: per_tick(body.radius_rate).max(i32::from(body.radius_rate > 0.0)),
            kill_milli: (body.kill_share * 1_000.0).round() as i32,
            length_min: length(body.length_min),
            length_max: length(body.length_max),
            growth: per_tick(survival.growth),
            hand_over_milli: (survival.kill_share * 1_000.0).round() as i64,
            company: i64::from(length(survival.company)),
            alone: i64::from(length(survival.alone)),
            alone_factor: (survival.alone_factor * 256.0).round() as i32,
            arena_min: length(arena.radius_min),
            arena_max: length(arena.radius),
            breathe: per_tick(arena.breathe_speed),
            expand: per_tick(arena.expand_speed),
            room: arena.area_per_snake * q * q / std::f64::consts::PI,
            shield_ticks: (spawn.shield * hz).round() as u32,
            clearance: length(spawn.clearance),
            spawn_company: i64::from(length(spawn.company)),
            piece_length: length(pellets.length),
            bite: length(pellets.radius + pellets.mouth),
            death_milli: (pellets.death_share * 1_000.0).round() as i64,
        }
    }

    /// The radius that belongs to a length, both in quanta.
    pub fn radius_of(&self, length: i32) -> i32 {
        let radius = ((i128::from(length) * i128::from(self.radius_of)) >> 32) as i64;
        radius.clamp(self.radius_min.into(), self.radius_max.into()) as i32
    }

    /// What a body of this radius adds to a kill distance.
    pub fn kill_of(&self, radius: i32) -> i32 {
        (i64::from(radius) * i64::from(self.kill_milli) / 1_000) as i32
    }

    /// Headings that a head of this radius may turn in a tick.
    pub fn turn_of(&self, radius: i32) -> i32 {
        let wider = self.turn_slope * i64::from((radius - self.radius_min).max(0)) / 256;
        (self.turn / (self.turn_radius + wider)).clamp(1, 16_384) as i32
    }

    /// The radius that the circle tends to with so many snakes.
    pub fn arena_for(&self, population: usize) -> i32 {
        let radius = (population as f64 * self.room).sqrt();
        radius.clamp(f64::from(self.arena_min), f64::from(self.arena_max)) as i32
    }
}
