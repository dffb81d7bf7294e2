//! Distances and times of impact, held against the oracle in `f64`, against exact fractions where these fit into 128
//! bits, and against themselves: mirrored, reversed, exchanged.

use super::bytes::Bytes;
use ringsnake::geom::lattice::Point;
use ringsnake::geom::segment::{heads_within, live_within, segments_within};
use ringsnake::geom::swept::{segment_distance, swept_hit};
use ringsnake::geom::toi as engine;
use ringsnake::limits::COORD_MAX;
use ringsnake::oracle;

/// How near a kill distance a verdict of the oracle is not asked for, u: its own rounding at the lattice's far
/// corners is a thousandth of this.
const MARGIN: f64 = 1e-7;

/// How far a time of impact may be from the oracle's, as u along the way.
const WAY: f64 = 1e-5;

/// Contacts that go less deep than this have no well-defined time: the way runs along the kill distance. In u, for
/// pairs of up to 1,000 u; in proportion for larger ones, where the oracle's own rounding is what is seen.
const GRAZE: f64 = 1e-6;

/// Two ways, or a way and a segment, and a kill distance in quanta.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub p: [Point; 2],
    pub q: [Point; 2],
    pub reach: i32,
}

impl Pair {
    /// Small enough for exact fractions; as large as in a game, anywhere; or as large as the lattice.
    pub fn read(bytes: &mut Bytes<'_>) -> Self {
        match bytes.below(3) {
            0 => {
                let [p, q] = [0; 2].map(|_| [0; 2].map(|_| Point::new(bytes.i8(), bytes.i8())));
                Self { p, q, reach: i32::from(bytes.u8()) }
            }
            1 => {
                let center = Point::new(bytes.i24(), bytes.i24());
                let [p, q] = [0; 2].map(|_| [0; 2].map(|_| bytes.near(center)));
                Self { p, q, reach: i32::from(bytes.u16()) }
            }
            _ => {
                let [p, q] = [0; 2].map(|_| [0; 2].map(|_| bytes.anywhere()));
                Self { p, q, reach: 2 * bytes.i24().unsigned_abs().min(1 << 23) as i32 }
            }
        }
    }

    /// See [`GRAZE`].
    fn graze(&self) -> f64 {
        let size = |at: &Point| (at.x - self.p[0].x).abs().max((at.y - self.p[0].y).abs());
        let quanta = self.p.iter().chain(&self.q).map(size).chain([self.reach]).max().unwrap_or(0);
        GRAZE * (f64::from(quanta) / 64_000.0).max(1.0)
    }

    fn is_small(&self) -> bool {
        let small = |at: &Point| at.x.abs() <= 128 && at.y.abs() <= 128;
        self.reach < 256 && self.p.iter().chain(&self.q).all(small)
    }

    fn units(&self) -> ([[f64; 2]; 2], [[f64; 2]; 2], f64) {
        (self.p.map(Point::to_units), self.q.map(Point::to_units), f64::from(self.reach) / 64.0)
    }

    fn map(&self, f: impl Fn(Point) -> Point) -> Self {
        Self { p: self.p.map(&f), q: self.q.map(&f), reach: self.reach }
    }

    fn body(&self) -> bool {
        segments_within(self.p[0], self.p[1], self.q[0], self.q[1], self.reach)
    }

    fn live(&self) -> bool {
        live_within(self.p[0], self.p[1], self.q[0], self.q[1], self.reach)
    }

    fn heads(&self) -> bool {
        heads_within(self.p[0], self.p[1], self.q[0], self.q[1], self.reach)
    }
}

/// The exact verdicts of `geom::segment`.
pub fn segment(bytes: &[u8]) {
    let pair = Pair::read(&mut Bytes(bytes));
    let (p, q, reach) = pair.units();
    for (found, distance) in [
        (pair.body(), oracle::distance(p, q)),
        (pair.live(), oracle::live_distance(p, q)),
        (pair.heads(), oracle::heads_distance(p, q)),
    ] {
        let close = (distance - reach).abs() < MARGIN;
        assert!(close || found == (distance < reach), "{pair:?}: {found}, the oracle measures {distance}");
    }
    assert!(!pair.heads() || pair.live(), "{pair:?}: a head is part of its trail");
    assert!(!pair.live() || pair.body(), "{pair:?}: laid trail is part of the whole way");
    if pair.is_small() {
        assert_eq!(pair.body(), within_by_fractions(&pair), "{pair:?}");
        assert!(pair.live() || !live_by_raster(&pair), "{pair:?}: a contact is missed");
    }
    if pair.reach < i32::MAX {
        let wider = Pair { reach: pair.reach + 1, ..pair };
        assert!((!pair.body() || wider.body()) && (!pair.live() || wider.live()), "{pair:?}: wider is less");
    }
    segment_moved(&pair);
}

fn segment_moved(pair: &Pair) {
    let Pair { p, q, reach } = *pair;
    let turned = [Pair { p: [p[1], p[0]], q, reach }, Pair { p, q: [q[1], q[0]], reach }, Pair { p: q, q: p, reach }];
    for other in turned {
        assert_eq!(pair.body(), other.body(), "{pair:?} {other:?}");
    }
    assert_eq!(pair.heads(), turned[2].heads(), "{pair:?}");
    let moves: [fn(Point) -> Point; 3] =
        [|a| Point::new(-a.x, a.y), |a| Point::new(a.y, a.x), |a| Point::new(-a.y, a.x)];
    for moved in moves.map(|f| pair.map(f)) {
        assert_eq!((pair.body(), pair.live(), pair.heads()), (moved.body(), moved.live(), moved.heads()), "{pair:?}");
    }
}

/// The nearest points of two segments by the closed form of RTCD 5.1.9, in whole numbers: `s = sn / sd` along the
/// first, `t = tn / (e sd)` along the second. With coordinates of 8 bits nothing is longer than 120 bits.
fn within_by_fractions(pair: &Pair) -> bool {
    let v = |a: Point, b: Point| [i128::from(b.x - a.x), i128::from(b.y - a.y)];
    let dot = |a: [i128; 2], b: [i128; 2]| a[0] * b[0] + a[1] * b[1];
    let (d1, d2, r) = (v(pair.p[0], pair.p[1]), v(pair.q[0], pair.q[1]), v(pair.q[0], pair.p[0]));
    let (a, e, b, c, f) = (dot(d1, d1), dot(d2, d2), dot(d1, d2), dot(d1, r), dot(d2, r));
    let det = a * e - b * b;
    let (mut sn, mut sd) = if det > 0 { ((b * f - c * e).clamp(0, det), det) } else { (0, 1) };
    let (mut tn, mut td) = (b * sn + f * sd, e * sd);
    if e == 0 || tn < 0 {
        (tn, td, sn, sd) = (0, 1, (-c).clamp(0, a), a.max(1));
    } else if tn > td {
        (tn, td, sn, sd) = (1, 1, (b - c).clamp(0, a), a.max(1));
    }
    let away = [0, 1].map(|i| r[i] * td * sd + d1[i] * sn * td - d2[i] * tn * sd);
    within_scaled(away, td * sd, sd, pair.reach)
}

/// Whether `away / scale` is strictly shorter than `reach`; `common` divides both, and is taken out first.
fn within_scaled(away: [i128; 2], scale: i128, common: i128, reach: i32) -> bool {
    let common = if away.iter().all(|x| x % common == 0) { common } else { 1 };
    let ([x, y], scale) = (away.map(|x| x / common), scale / common);
    x * x + y * y < i128::from(reach) * i128::from(reach) * scale * scale
}

/// Whether one of some 150 places of the triangle 0 <= s <= t <= 1 is a contact: exact, but only one way.
fn live_by_raster(pair: &Pair) -> bool {
    let at = |[a, b]: [Point; 2], k: i32| [16 * a.x + k * (b.x - a.x), 16 * a.y + k * (b.y - a.y)];
    let near = |[x0, y0]: [i32; 2], [x1, y1]: [i32; 2]| {
        let (dx, dy, reach) = (i64::from(x1 - x0), i64::from(y1 - y0), 16 * i64::from(pair.reach));
        dx * dx + dy * dy < reach * reach
    };
    (0..=16).any(|t| (0..=t).any(|s| near(at(pair.p, t), at(pair.q, s))))
}

/// Segments off the lattice: `geom::swept` against a search that halves.
pub fn swept(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let on_lattice = bytes.u8() % 2 == 0;
    let mut number = || if on_lattice { f64::from(bytes.i24()) / 64.0 } else { bytes.f64() };
    let [head, body] = [0; 2].map(|_| [0; 4].map(|_| number()));
    let kill = number().abs();
    let size = head.iter().chain(&body).chain([&kill]).fold(1.0_f64, |size, x| size.max(x.abs()));
    let finite = [head, body].iter().flatten().chain([&kill]).all(|x| x.abs() <= 1e50);
    if !finite {
        return;
    }
    let found = swept_hit(head, body, kill);
    assert!(found.distance >= 0.0 && found.toi.is_some() == (found.distance < kill), "{head:?} {body:?}: {found:?}");
    if size > 1e6 {
        return;
    }
    let slack = 1e-9 * size;
    let (nearest, distance) = nearest_by_halving(head, body);
    assert!((found.distance - distance).abs() <= slack, "{head:?} {body:?}: {found:?}, halving finds {distance}");
    assert!((segment_distance(body, head) - found.distance).abs() <= slack, "{head:?} {body:?} exchanged");
    let Some(toi) = found.toi else { return };
    let at_toi = distance_at(head, body, toi);
    assert!((0.0..=1.0).contains(&toi) && at_toi <= kill + slack, "{head:?} {body:?} {kill}: {found:?}, {at_toi}");
    if toi > 0.0 && nearest >= toi {
        let before = distance_at(head, body, toi - toi.min(1e-6));
        assert!(before >= kill - slack, "{head:?} {body:?} {kill}: {found:?} is late");
    }
}

/// Distance of the head's place at `t` from the body.
fn distance_at(head: [f64; 4], body: [f64; 4], t: f64) -> f64 {
    let at = [head[0] + t * (head[2] - head[0]), head[1] + t * (head[3] - head[1])];
    segment_distance([at[0], at[1], at[0], at[1]], body)
}

/// Part of the way at which the head is nearest, and how near: a distance from a convex set is convex along a way.
fn nearest_by_halving(head: [f64; 4], body: [f64; 4]) -> (f64, f64) {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..120 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if distance_at(head, body, a) <= distance_at(head, body, b) {
            high = b;
        } else {
            low = a;
        }
    }
    let times = [0.0, 1.0, (low + high) / 2.0];
    let distances = times.map(|t| (t, distance_at(head, body, t)));
    distances.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0.0, f64::INFINITY))
}

/// Times of impact: engine against oracle, for bodies, live trails and the circle.
pub fn toi(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let pair = Pair::read(&mut bytes);
    let (p, q, reach) = pair.units();
    let Pair { p: [p0, p1], q: [q0, q1], .. } = pair;
    if pair.body() && reach - oracle::distance(p, q) > pair.graze() {
        let found = engine::body(p0, p1, q0, q1, pair.reach);
        same_time(&pair, "body", found, oracle::toi(p, q, reach));
    }
    if pair.live() && reach - oracle::live_distance(p, q) > pair.graze() {
        let found = engine::live(p0, p1, q0, q1, pair.reach);
        same_time(&pair, "live", found.toi, oracle::live_toi(p, q, reach));
        assert!(!found.head || pair.heads(), "{pair:?}: {found:?}, and no heads meet");
    }
    let circle = [0; 2].map(|_| (2 * bytes.i24()).unsigned_abs().min(COORD_MAX as u32) as i32);
    let found = engine::leaves_circle(p0, p1, circle[0], circle[1]);
    let expected = oracle::leaves_circle(p, circle.map(|r| f64::from(r) / 64.0));
    assert_eq!(found.is_some(), expected.is_some(), "{pair:?} {circle:?}");
    if let Some(found) = found {
        leaves_there(&pair, circle, found);
    }
}

fn same_time(pair: &Pair, what: &str, found: f64, expected: Option<f64>) {
    let (p, ..) = pair.units();
    let way = (p[0][0] - p[1][0]).hypot(p[0][1] - p[1][1]);
    let off = expected.map(|expected| (found - expected).abs() * way);
    assert!(
        (0.0..=1.0).contains(&found) && off.is_some_and(|off| off <= WAY),
        "{pair:?}: {what} at {found}, the oracle says {expected:?}"
    );
}

/// At the time found the head stands on the circle, unless it was outside from the start. That is asked of the place
/// and not of the time: on a way that follows the edge a rounding of the root is a large part of the way.
fn leaves_there(pair: &Pair, circle: [i32; 2], t: f64) {
    let (p, ..) = pair.units();
    let radius = (f64::from(circle[0]) + t * f64::from(circle[1] - circle[0])) / 64.0;
    let at = [0, 1].map(|i| p[0][i] + t * (p[1][i] - p[0][i]));
    let out = at[0].hypot(at[1]) - radius;
    assert!((0.0..=1.0).contains(&t) && (out.abs() < WAY || t == 0.0 && out > 0.0), "{pair:?} {circle:?} {t}: {out}");
}
