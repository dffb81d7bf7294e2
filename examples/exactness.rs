//! Random pairs of a head's way and a segment, a live trail or another head, put to the engine and to the oracle.
//!
//!     cargo run --release --example exactness -- [--pairs 100000000] [--seed 1] [--threads 2]
//!
//! Each verdict of the engine (whole numbers, exact) is compared with the oracle's (`f64`), and they must agree unless
//! the oracle measures a distance within 1e-4 u of the kill distance. A third of the pairs is made to be difficult:
//! within a few quanta of the kill distance, nearly parallel, collinear, without length, sharing an end, crossing.
//! Everything lies on the lattice, up to 20,000 u from the origin along each axis. Exit status 1 when a verdict
//! differs outside the band.
//!
//! The oracle finds its times by the same algebra; so the distance at each time found is measured besides.
//!
//! The errors of distance are those of the same formula in `f64` (`geom::swept`) and in `f32` (what a single-precision
//! filter would compute from the exact differences of lattice points) against the distance in whole numbers, rounded
//! once.

use ringsnake::geom::lattice::Point;
use ringsnake::geom::segment::{heads_within, live_within, segments_within};
use ringsnake::geom::swept::segment_distance;
use ringsnake::geom::toi;
use ringsnake::oracle;
use ringsnake::world::Rng;
use std::io::{IsTerminal, Write};
use std::ops::Range;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Verdicts may differ when the distance is this near to the kill distance, u.
const BAND: f64 = 1e-4;

/// A contact less deep than this has no well-defined time, u.
const GRAZE: f64 = 1e-6;

/// Part of a way by which a time of impact could be too late without being noticed.
const JUST: f64 = 1e-6;

/// Offsets of a pair from the origin, quanta.
const OFFSET: i32 = 20_000 * 64;

/// Pairs that a thread takes at once.
const BATCH: u64 = 1 << 16;

/// Figures of the game: radii in quanta.
const RADII: Range<i32> = 2 * 64..80 * 64 + 1;

struct Options {
    pairs: u64,
    seed: u64,
    threads: u64,
}

impl Options {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self { pairs: 10_000_000, seed: 1, threads: 2 };
        while let Some(name) = args.next() {
            let number = args.next().and_then(|text| text.replace('_', "").parse().ok());
            let number = number.ok_or_else(|| format!("{name} needs a number"))?;
            match name.as_str() {
                "--pairs" => options.pairs = number,
                "--seed" => options.seed = number,
                "--threads" => options.threads = number.clamp(1, 256),
                _ => return Err(format!("{name} is none of --pairs, --seed, --threads")),
            }
        }
        Ok(options)
    }
}

/// A head's way, a segment or another's way, and the kill distance in quanta.
#[derive(Clone, Copy, Debug)]
struct Pair {
    p: [Point; 2],
    q: [Point; 2],
    reach: i32,
}

fn go(from: Point, dx: i32, dy: i32) -> Point {
    Point::new(from.x + dx, from.y + dy)
}

fn around(dice: &mut Rng, from: Point, most: i32) -> Point {
    go(from, dice.between(-most, most), dice.between(-most, most))
}

/// A radius in quanta: mostly thin, as in a game.
fn radius(dice: &mut Rng) -> i32 {
    match dice.below(4) {
        0 => RADII.start,
        1 => RADII.end - 1,
        _ => dice.between(RADII.start, RADII.end - 1),
    }
}

impl Pair {
    fn random(dice: &mut Rng) -> Self {
        let reach = radius(dice) + radius(dice) * 9 / 10;
        let p0 = around(dice, Point::default(), OFFSET);
        let p1 = around(dice, p0, 460);
        let a = around(dice, p0, reach + 900);
        let pair = Self { p: [p0, p1], q: [a, around(dice, a, 640)], reach };
        if dice.below(3) == 0 { pair.made_difficult(dice) } else { pair }
    }

    /// The same pair bent to one of the cases that break closed forms.
    fn made_difficult(self, dice: &mut Rng) -> Self {
        let Self { p: [p0, p1], q: [a, b], reach } = self;
        let (ux, uy) = (p1.x - p0.x, p1.y - p0.y);
        match dice.below(8) {
            // Nearly parallel: the same way, an end off by a quantum or two.
            0 => Self { q: [a, around(dice, go(a, ux, uy), 2)], ..self }.grazing(dice),
            1 => Self { q: [go(a, ux, uy), around(dice, a, 1)], ..self },
            // Collinear: along the same line, apart, touching or one in the other.
            2 => {
                let (j, k) = (dice.between(-3, 3), dice.between(-3, 3));
                Self { q: [go(p0, j * ux, j * uy), go(p0, k * ux, k * uy)], ..self }
            }
            // Without length.
            3 => Self { p: [p0; 2], ..self }.grazing(dice),
            4 => Self { q: [a; 2], ..self }.grazing(dice),
            // A shared end.
            5 => Self { q: [if dice.below(2) == 0 { p0 } else { p1 }, b], ..self },
            // Crossing somewhere.
            6 => Self { q: [around(dice, go(p0, ux / 2, uy / 2), 300), around(dice, p0, 300)], reach, ..self },
            _ => self.grazing(dice),
        }
    }

    /// The kill distance within two quanta of the distance.
    fn grazing(mut self, dice: &mut Rng) -> Self {
        let (p, q) = self.units();
        let near = if dice.below(2) == 0 { oracle::distance(p, q) } else { oracle::live_distance(p, q) };
        self.reach = ((near * 64.0) as i32 + dice.between(-1, 2)).max(1);
        self
    }

    fn units(&self) -> ([[f64; 2]; 2], [[f64; 2]; 2]) {
        (self.p.map(Point::to_units), self.q.map(Point::to_units))
    }
}

/// What one kind of question gave.
#[derive(Clone, Copy)]
struct Tally {
    hits: u64,
    outside: u64,
    inside: u64,
    margin: f64,
    toi: f64,
    residue: f64,
}

impl Default for Tally {
    fn default() -> Self {
        Self { hits: 0, outside: 0, inside: 0, margin: f64::INFINITY, toi: 0.0, residue: 0.0 }
    }
}

impl Tally {
    fn verdict(&mut self, found: bool, distance: f64, reach: f64, pair: &Pair) {
        let margin = (distance - reach).abs();
        self.margin = self.margin.min(if margin > 0.0 { margin } else { f64::INFINITY });
        self.hits += u64::from(found);
        if found == (distance < reach) {
        } else if margin < BAND {
            self.inside += 1;
        } else {
            self.outside += 1;
            eprintln!("differs: {pair:?}: engine {found}, oracle {distance} against {reach}");
        }
    }

    fn time(&mut self, found: f64, expected: Option<f64>, way: f64) {
        self.toi = self.toi.max(expected.map_or(f64::INFINITY, |expected| (found - expected).abs() * way));
    }

    fn plus(self, other: Self) -> Self {
        Self {
            hits: self.hits + other.hits,
            outside: self.outside + other.outside,
            inside: self.inside + other.inside,
            margin: self.margin.min(other.margin),
            toi: self.toi.max(other.toi),
            residue: self.residue.max(other.residue),
        }
    }
}

/// Everything that was found.
#[derive(Clone, Copy, Default)]
struct Findings {
    body: Tally,
    live: Tally,
    heads: Tally,
    distance_f64: f64,
    distance_f32: f64,
}

impl Findings {
    fn plus(self, other: Self) -> Self {
        Self {
            body: self.body.plus(other.body),
            live: self.live.plus(other.live),
            heads: self.heads.plus(other.heads),
            distance_f64: self.distance_f64.max(other.distance_f64),
            distance_f32: self.distance_f32.max(other.distance_f32),
        }
    }

    fn differences(&self) -> u64 {
        self.body.outside + self.live.outside + self.heads.outside
    }

    fn ask(&mut self, pair: &Pair) {
        let Pair { p: [p0, p1], q: [q0, q1], reach: quanta } = *pair;
        let (p, q) = pair.units();
        let (reach, way) = (f64::from(quanta) / 64.0, (p[0][0] - p[1][0]).hypot(p[0][1] - p[1][1]));
        let [body, live, heads] = [oracle::distance(p, q), oracle::live_distance(p, q), oracle::heads_distance(p, q)];
        self.body.verdict(segments_within(p0, p1, q0, q1, quanta), body, reach, pair);
        self.live.verdict(live_within(p0, p1, q0, q1, quanta), live, reach, pair);
        self.heads.verdict(heads_within(p0, p1, q0, q1, quanta), heads, reach, pair);
        if reach - body > GRAZE {
            let found = toi::body(p0, p1, q0, q1, quanta);
            self.body.time(found, oracle::toi(p, q, reach), way);
            self.body.residue = self.body.residue.max(residue(pair, found, |_| 1.0));
        }
        if reach - live > GRAZE {
            let found = toi::live(p0, p1, q0, q1, quanta).toi;
            self.live.time(found, oracle::live_toi(p, q, reach), way);
            self.live.residue = self.live.residue.max(residue(pair, found, |t| t));
        }
        self.measure(pair);
    }

    fn measure(&mut self, pair: &Pair) {
        let exact = exact_distance(pair);
        let [p, q] =
            [pair.p, pair.q].map(|[a, b]| [a.to_units(), b.to_units()].concat().try_into().unwrap_or([0.0; 4]));
        self.distance_f64 = self.distance_f64.max((segment_distance(p, q) - exact).abs());
        self.distance_f32 = self.distance_f32.max((f64::from(distance_f32(pair)) - exact).abs());
    }
}

/// How far from the kill distance the head is at its time of impact, or how much nearer just before, u: a measure that
/// knows nothing of roots. `laid` is the part of `q` that is there at a time. Taken near the origin, where `f64` is finer.
fn residue(pair: &Pair, toi: f64, laid: impl Fn(f64) -> f64) -> f64 {
    let at = |a: Point| go(a, -pair.p[0].x, -pair.p[0].y).to_units();
    let (end, [a, b], reach) = (at(pair.p[1]), pair.q.map(at), f64::from(pair.reach) / 64.0);
    let distance = |t: f64| {
        let ([x, y], s) = (end.map(|x| t * x), laid(t));
        segment_distance([x, y, x, y], [a[0], a[1], a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])])
    };
    let just_before = (toi - JUST).max(0.0);
    let early = distance(toi) - reach;
    if toi > 0.0 { early.abs().max(reach - distance(just_before)) } else { early.max(0.0) }
}

/// The square of the distance is a fraction of whole numbers; here its root is taken, rounded only in the end. u.
fn exact_distance(pair: &Pair) -> f64 {
    let Pair { p, q, .. } = *pair;
    if crosses(pair) {
        return 0.0;
    }
    let from = |c: Point, [a, b]: [Point; 2]| {
        let v = |to: Point| [i64::from(to.x) - i64::from(a.x), i64::from(to.y) - i64::from(a.y)];
        let (e, w) = (v(b), v(c));
        let (length2, along) = (e[0] * e[0] + e[1] * e[1], e[0] * w[0] + e[1] * w[1]);
        match along {
            ..=0 => (c.distance2(a) as f64).sqrt(),
            _ if along >= length2 => (c.distance2(b) as f64).sqrt(),
            _ => (e[0] * w[1] - e[1] * w[0]).unsigned_abs() as f64 / (length2 as f64).sqrt(),
        }
    };
    let at_p = from(p[0], q).min(from(p[1], q));
    at_p.min(from(q[0], p)).min(from(q[1], p)) / 64.0
}

fn crosses(pair: &Pair) -> bool {
    let side = |[a, b]: [Point; 2], c: Point| {
        let ([ex, ey], [wx, wy]) = ([b.x - a.x, b.y - a.y], [c.x - a.x, c.y - a.y]);
        (i64::from(ex) * i64::from(wy) - i64::from(ey) * i64::from(wx)).signum()
    };
    let Pair { p, q, .. } = *pair;
    side(p, q[0]) * side(p, q[1]) < 0 && side(q, p[0]) * side(q, p[1]) < 0
}

/// Four ends and a crossing test in single precision, from exact differences. u.
fn distance_f32(pair: &Pair) -> f32 {
    let v = |a: Point, b: Point| [(b.x - a.x) as f32, (b.y - a.y) as f32];
    let cross = |a: [f32; 2], b: [f32; 2]| a[0] * b[1] - a[1] * b[0];
    let from = |c: Point, [a, b]: [Point; 2]| {
        let (e, w) = (v(a, b), v(a, c));
        let length2 = (e[0] * e[0] + e[1] * e[1]).max(1.0);
        let t = ((e[0] * w[0] + e[1] * w[1]) / length2).clamp(0.0, 1.0);
        let away = [w[0] - t * e[0], w[1] - t * e[1]];
        away[0] * away[0] + away[1] * away[1]
    };
    let Pair { p, q, .. } = *pair;
    let split = |s: [Point; 2], o: [Point; 2]| {
        let e = v(s[0], s[1]);
        cross(e, v(s[0], o[0])) * cross(e, v(s[0], o[1])) < 0.0
    };
    if split(p, q) && split(q, p) {
        return 0.0;
    }
    let least = from(p[0], q).min(from(p[1], q)).min(from(q[0], p)).min(from(q[1], p));
    least.sqrt() / 64.0
}

/// One thread's share: batches, each with dice of its own, so that the pairs do not depend on the number of threads.
fn work(options: &Options, next: &AtomicU64) -> Findings {
    let mut findings = Findings::default();
    loop {
        let first = next.fetch_add(BATCH, Ordering::Relaxed);
        if first >= options.pairs {
            return findings;
        }
        let mut dice = Rng::new(Rng::new(options.seed ^ first.wrapping_mul(0x9E37_79B9)).next_u64());
        for _ in first..(first + BATCH).min(options.pairs) {
            findings.ask(&Pair::random(&mut dice));
        }
    }
}

fn watch(options: &Options, next: &AtomicU64, start: Instant) {
    while std::io::stderr().is_terminal() && next.load(Ordering::Relaxed) < options.pairs {
        let done = next.load(Ordering::Relaxed) as f64 / options.pairs as f64;
        eprint!("\r{:5.1} %  {:.0} s", 100.0 * done, start.elapsed().as_secs_f64());
        let _ = std::io::stderr().flush();
        std::thread::sleep(Duration::from_millis(500));
    }
}

fn run(options: &Options, start: Instant) -> Findings {
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let shares: Vec<_> = (0..options.threads).map(|_| scope.spawn(|| work(options, &next))).collect();
        watch(options, &next, start);
        shares.into_iter().filter_map(|share| share.join().ok()).fold(Findings::default(), Findings::plus)
    })
}

fn print(options: &Options, found: &Findings, seconds: f64) {
    let Options { pairs, seed, threads } = options;
    println!("{pairs} pairs, seed {seed}, {threads} threads, {seconds:.1} s");
    println!(
        "kind   hits         differ outside the band   inside it   smallest margin, u   toi: oracle, u   distance, u"
    );
    for (kind, tally) in [("body", &found.body), ("live", &found.live), ("heads", &found.heads)] {
        let Tally { hits, outside, inside, margin, toi, residue } = tally;
        println!("{kind:5}  {hits:11}  {outside:23}  {inside:10}  {margin:19.3e}  {toi:15.3e}  {residue:12.3e}");
    }
    println!("toi: how far along the way it is from the oracle's, and how far from the kill distance the head is then");
    println!("largest error of distance: f64 {:.3e} u, f32 {:.3e} u", found.distance_f64, found.distance_f32);
}

fn main() -> ExitCode {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(what) => {
            eprintln!("exactness: {what}");
            return ExitCode::from(2);
        }
    };
    let start = Instant::now();
    let found = run(&options, start);
    print(&options, &found, start.elapsed().as_secs_f64());
    if found.differences() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
