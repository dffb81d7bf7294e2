//! The CCD toolbox, in the plane and in space, against searches that halve.

use super::bytes::Bytes;
use ringsnake::geom::ccd::*;

/// Largest number for which distances are held against a search; up to 1e50 the answers need only be answers.
const MEASURED_MAX: f64 = 1e6;

/// A mover, and the two places that everything it may meet is made of.
#[derive(Clone, Copy, Debug)]
struct Scene<const D: usize> {
    p0: [f64; D],
    p1: [f64; D],
    a: [f64; D],
    b: [f64; D],
    radius: f64,
    other_radius: f64,
}

/// One sweep: its answer, and the distance that it is about, which is convex along the way.
struct Sweep<'s> {
    name: &'static str,
    toi: Option<f64>,
    reach: f64,
    distance: Box<dyn Fn(f64) -> f64 + 's>,
}

/// Sweeps, rays and a bullet in two or three dimensions.
pub fn ccd(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let flags = bytes.u8();
    if flags & 1 == 0 { scene::<2>(&mut bytes, flags) } else { scene::<3>(&mut bytes, flags) }
}

fn scene<const D: usize>(bytes: &mut Bytes<'_>, flags: u8) {
    let mut number = || if flags & 2 == 0 { f64::from(bytes.i24()) / 64.0 } else { bytes.f64() };
    let [p0, p1, a, b] = [0; 4].map(|_| [0; D].map(|_| number()));
    let [radius, other_radius] = [0; 2].map(|_| number().abs());
    let scene = Scene { p0, p1, a, b, radius, other_radius };
    let numbers = [p0, p1, a, b].concat().into_iter().chain([radius, other_radius]).collect::<Vec<f64>>();
    let size = numbers.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    if size <= 1e50 && !numbers.iter().any(|x| x.is_nan()) {
        scene.sweeps().iter().for_each(|sweep| scene.hold(sweep, size));
        scene.hold_rays(size);
        scene.hold_bullet(size);
    }
}

fn sub<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn length<const D: usize>(v: [f64; D]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn between<const D: usize>(a: [f64; D], b: [f64; D], t: f64) -> [f64; D] {
    std::array::from_fn(|i| a[i] + t * (b[i] - a[i]))
}

/// The least value over 0..=1 of a convex function.
fn least(f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..64 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if f(a) <= f(b) { high = b } else { low = a }
    }
    f(0.0).min(f(1.0)).min(f((low + high) / 2.0))
}

impl<const D: usize> Scene<D> {
    fn at(&self, t: f64) -> [f64; D] {
        between(self.p0, self.p1, t)
    }

    fn ball(&self) -> Sphere<D> {
        Sphere { center: self.a, radius: self.other_radius }
    }

    fn wall(&self) -> Aabb<D> {
        let Self { a, b, .. } = self;
        Aabb { min: std::array::from_fn(|i| a[i].min(b[i])), max: std::array::from_fn(|i| a[i].max(b[i])) }
    }

    /// How far outside of the box a place is, along each axis.
    fn outside(&self, p: [f64; D]) -> [f64; D] {
        let wall = self.wall();
        std::array::from_fn(|i| (wall.min[i] - p[i]).max(p[i] - wall.max[i]).max(0.0))
    }

    fn sweeps(&self) -> Vec<Sweep<'_>> {
        let Self { p0, p1, a, b, radius, other_radius } = *self;
        let (ball, wall, both) = (self.ball(), self.wall(), radius + other_radius);
        let sweep = |name, toi, reach, distance| Sweep { name, toi, reach, distance };
        vec![
            sweep(
                "sphere",
                swept_sphere_sphere(p0, p1, radius, &ball),
                both,
                Box::new(move |t| length(sub(self.at(t), a))),
            ),
            sweep(
                "spheres",
                swept_spheres(p0, p1, radius, &ball, b),
                both,
                Box::new(move |t| length(sub(self.at(t), between(a, b, t)))),
            ),
            sweep(
                "grown box",
                swept_sphere_aabb(p0, p1, radius, &wall),
                radius,
                Box::new(|t| self.outside(self.at(t)).into_iter().fold(0.0, f64::max)),
            ),
            sweep(
                "round box",
                swept_sphere_aabb_exact(p0, p1, radius, &wall),
                radius,
                Box::new(|t| length(self.outside(self.at(t)))),
            ),
            sweep(
                "segment",
                ray_segment(p0, p1, a, b, radius).map(|hit| hit.toi),
                radius,
                Box::new(move |t| least(|s| length(sub(self.at(t), between(a, b, s))))),
            ),
        ]
    }

    fn hold(&self, sweep: &Sweep<'_>, size: f64) {
        let Sweep { name, toi, reach, ref distance } = *sweep;
        assert!(toi.is_none_or(|t| (0.0..=1.0).contains(&t)), "{name}: {toi:?} of {self:?}");
        if size > MEASURED_MAX {
            return;
        }
        let slack = 1e-9 * size;
        let Some(t) = toi else {
            let nearest = least(distance);
            return assert!(nearest >= reach - slack, "{name} missed at {nearest} of {reach}: {self:?}");
        };
        let (there, before) = (distance(t), distance(t - t.min(1e-6)));
        assert!(there <= reach + slack, "{name} at {t} is {there} off, of {reach}: {self:?}");
        assert!(t == 0.0 || before >= reach - slack, "{name} at {t} is late, {before} of {reach}: {self:?}");
    }

    fn hold_rays(&self, size: f64) {
        let Self { p0, p1, a, b, radius, .. } = *self;
        let rays = [
            (ray_sphere(p0, p1, &self.ball()), self.other_radius),
            (ray_aabb(p0, p1, &self.wall()), size),
            (ray_segment(p0, p1, a, b, radius), radius),
        ];
        for (hit, radius) in rays {
            let Some(hit) = hit else { continue };
            let normal = length(hit.normal);
            assert!((normal - 1.0).abs() < 1e-9 || (normal == 0.0 && hit.toi == 0.0), "{hit:?} of {self:?}");
            let off = length(sub(hit.point, self.at(hit.toi)));
            assert!(size > MEASURED_MAX || off <= 1e-9 * size, "{hit:?} is {off} beside the way: {self:?}");
            // A normal is that of a place, known to a few roundings; of what is not much larger it may point anywhere.
            let against: f64 = hit.normal.iter().zip(sub(p1, p0)).map(|(n, d)| n * d).sum();
            // Who starts on the surface has met it, whichever way it goes on.
            let starts_there = hit.toi == 0.0;
            assert!(starts_there || radius < 1e-6 * size || against <= 1e-6 * size, "{hit:?} faces away: {self:?}");
        }
    }

    fn hold_bullet(&self, size: f64) {
        let Self { p0, p1, radius, .. } = *self;
        let step = bullet_step(p0, p1, radius, SKIN, &[self.wall()], &[self.ball()]);
        let at_box = swept_sphere_aabb_exact(p0, p1, radius, &self.wall());
        let at_ball = swept_sphere_sphere(p0, p1, radius, &self.ball());
        let first = [at_box, at_ball].into_iter().flatten().min_by(f64::total_cmp);
        assert_eq!(step.hit.map(|hit| hit.0), first, "{self:?}");
        let (gone, way) = (length(sub(step.position, p0)), length(sub(p1, p0)));
        let most = first.unwrap_or(1.0) * way;
        let least = if first.is_some() { most - SKIN } else { most };
        let slack = 1e-9 * size;
        assert!(least - slack <= gone && gone <= most + slack, "{step:?} went {gone}: {self:?}");
    }
}
