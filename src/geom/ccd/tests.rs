use super::*;

const WALL: Aabb<3> = Aabb { min: [0.45, -5.0, -5.0], max: [0.55, 5.0, 5.0] };
const CRATE: Aabb<2> = Aabb { min: [0.0, 0.0], max: [1.0, 1.0] };

fn near(found: Option<f64>, expected: f64) {
    assert!(found.is_some_and(|t| (t - expected).abs() < 1e-12), "{found:?} for {expected}");
}

#[test]
fn the_overlap_test_misses_the_bullet_that_the_sweep_catches() {
    let (p0, p1, radius) = ([0.0; 3], [1.0, 0.0, 0.0], 0.05);
    for end in [p0, p1] {
        assert_eq!(swept_sphere_aabb_exact(end, end, radius, &WALL), None);
    }
    near(swept_sphere_aabb(p0, p1, radius, &WALL), 0.4);
    near(swept_sphere_aabb_exact(p0, p1, radius, &WALL), 0.4);
}

#[test]
fn beside_a_slab_there_is_none() {
    assert_eq!(swept_sphere_aabb([0.0, 7.0, 0.0], [1.0, 7.0, 0.0], 0.05, &WALL), None);
    assert_eq!(swept_sphere_aabb_exact([0.0, 7.0, 0.0], [1.0, 7.0, 0.0], 0.05, &WALL), None);
    assert_eq!(ray_aabb([0.0, 1.0], [9.0, 1.0], &CRATE), None, "along a face");
}

#[test]
fn who_starts_inside_hits_at_zero_wherever_it_goes() {
    for to in [[9.0, 9.0], [0.5, 0.5], [-7.0, 0.5]] {
        assert_eq!(swept_sphere_aabb([0.5, 0.5], to, 0.5, &CRATE), Some(0.0));
        assert_eq!(swept_sphere_aabb_exact([0.5, 0.5], to, 0.5, &CRATE), Some(0.0));
        assert_eq!(swept_sphere_aabb_exact([-0.3, 0.5], to, 0.5, &CRATE), Some(0.0));
        assert_eq!(ray_aabb([0.5, 0.5], to, &CRATE), Some(RayHit::inside([0.5, 0.5])));
        let ball = Sphere { center: [1.0, 1.0], radius: 1.0 };
        assert_eq!(ray_sphere([0.5, 0.5], to, &ball), Some(RayHit::inside([0.5, 0.5])));
        assert_eq!(ray_segment([0.5, 0.5], to, [1.0, 0.0], [1.0, 3.0], 1.0), Some(RayHit::inside([0.5, 0.5])));
    }
}

#[test]
fn who_touches_at_the_start_hits_only_by_moving_in() {
    let ball = Sphere { center: [3.0, 0.0], radius: 1.0 };
    let from = [0.0, 0.0];
    assert_eq!(swept_sphere_sphere(from, [1.0, 0.5], 2.0, &ball), Some(0.0));
    for away in [[-1.0, 0.5], [0.0, 1.0], from] {
        assert_eq!(swept_sphere_sphere(from, away, 2.0, &ball), None, "{away:?}");
    }
    for test in [swept_sphere_aabb, swept_sphere_aabb_exact] {
        assert_eq!(test([-0.5, 0.5], [0.0, 0.6], 0.5, &CRATE), Some(0.0));
        for away in [[-1.0, 0.5], [-0.5, 0.7], [-0.5, 0.5]] {
            assert_eq!(test([-0.5, 0.5], away, 0.5, &CRATE), None, "{away:?}");
        }
    }
}

#[test]
fn who_grazes_hits_nothing() {
    let ball = Sphere { center: [0.0, 0.0], radius: 1.0 };
    assert_eq!(swept_sphere_sphere([-5.0, 3.0], [5.0, 3.0], 2.0, &ball), None);
    assert_eq!(ray_segment([-5.0, 2.0], [5.0, 2.0], [-1.0, 0.0], [1.0, 0.0], 2.0), None);
    assert_eq!(swept_sphere_aabb([-5.0, 1.5], [5.0, 1.5], 0.5, &CRATE), None);
    assert_eq!(swept_sphere_aabb_exact([-5.0, 1.5], [5.0, 1.5], 0.5, &CRATE), None);
}

#[test]
fn who_reaches_touching_distance_at_the_very_end_hits_at_one() {
    let ball = Sphere { center: [10.0, 0.0], radius: 1.0 };
    assert_eq!(swept_sphere_sphere([0.0, 0.0], [7.0, 0.0], 2.0, &ball), Some(1.0));
    assert_eq!(swept_sphere_aabb([-2.5, 0.5], [-0.5, 0.5], 0.5, &CRATE), Some(1.0));
    assert_eq!(swept_sphere_aabb_exact([-2.5, 0.5], [-0.5, 0.5], 0.5, &CRATE), Some(1.0));
    assert_eq!(swept_sphere_sphere([0.0, 0.0], [6.9, 0.0], 2.0, &ball), None);
}

#[test]
fn a_sharp_corner_is_told_from_a_round_one() {
    let (p0, p1) = ([-1.0, 0.9], [0.1, 2.0]);
    assert!(swept_sphere_aabb(p0, p1, 0.5, &CRATE).is_some());
    assert_eq!(swept_sphere_aabb_exact(p0, p1, 0.5, &CRATE), None);
    assert!(swept_sphere_aabb_exact(p0, p1, 0.65, &CRATE).is_some());
}

#[test]
fn two_movers_meet_head_on() {
    let other = Sphere { center: [50.0, 0.0, 0.0], radius: 1.8 };
    near(swept_spheres([-50.0, 0.0, 0.0], [50.0, 0.0, 0.0], 2.0, &other, [-50.0, 0.0, 0.0]), 0.481);
    assert_eq!(swept_spheres([0.0; 3], [-50.0, 0.0, 0.0], 2.0, &other, [99.0, 0.0, 0.0]), None);
    assert_eq!(swept_spheres([0.0; 3], [5.0, 0.0, 0.0], 2.0, &other, [55.0, 0.0, 0.0]), None);
}

#[test]
fn what_has_no_thickness_is_hit_where_it_is_met() {
    let point = Sphere { center: [10.0, 0.0], radius: 0.0 };
    near(ray_sphere([0.0, 0.0], [20.0, 0.0], &point).map(|hit| hit.toi), 0.5);
    assert_eq!(ray_sphere([0.0, 0.1], [20.0, 0.1], &point), None);
    let pane = Aabb { min: [10.0, -1.0], max: [10.0, 1.0] };
    near(ray_aabb([0.0, 0.0], [20.0, 0.0], &pane).map(|hit| hit.toi), 0.5);
    let bare = ray_segment([0.0, 0.0], [20.0, 0.0], [9.0, -1.0], [11.0, 1.0], 0.0).unwrap();
    near(Some(bare.toi), 0.5);
    near(Some(bare.normal[0]), -0.5_f64.sqrt());
    near(Some(bare.normal[1]), 0.5_f64.sqrt());
    assert!(ray_segment([0.0; 3], [4.0, 4.0, 4.0], [2.0, 2.0, 0.0], [2.0, 2.0, 4.0], 0.0).is_some());
    assert!(ray_segment([0.0; 3], [4.0, 4.0, 4.0], [2.0, 2.1, 0.0], [2.0, 2.1, 4.0], 0.0).is_none());
    assert_eq!(ray_segment([0.0, 0.0], [20.0, 0.0], [10.0, 10.0], [10.0, 10.0], 0.0), None);
    near(ray_segment([0.0, 0.0], [20.0, 0.0], [15.0, 0.0], [5.0, 0.0], 0.0).map(|hit| hit.toi), 0.25);
}

#[test]
fn normals_have_length_one_and_times_are_right_at_any_size() {
    for exponent in -323..=50 {
        let e = 10_f64.powi(exponent);
        let (from, to) = ([3.0 * e, 4.0 * e], [0.0, 0.0]);
        let hits = [
            ray_sphere(from, to, &Sphere { center: to, radius: 0.0 }),
            ray_segment(from, to, [-e, 0.0], [2.0 * e, 0.0], 0.0),
            ray_segment([3.0, 4.0], [-3.0, -4.0], [e, -e], [e, 2.0 * e], e),
        ];
        for hit in hits.into_iter().flatten() {
            let length = vector::dot(hit.normal, hit.normal).sqrt();
            assert!((length - 1.0).abs() < 1e-9 || (length == 0.0 && hit.toi == 0.0), "{e:e}: {hit:?}");
        }
        if exponent < -10 {
            let met = ray_segment([5.0, 0.0], [-5.0, 0.0], [e, -e], [e, 2.0 * e], 4.0).unwrap();
            assert!((met.toi - 0.1).abs() < 1e-9 && (met.normal[0] - 1.0).abs() < 1e-9, "{e:e}: {met:?}");
        }
    }
}

#[test]
fn ten_substeps_and_no_eleventh() {
    assert!(tunnels(60.0, 1.0 / 60.0, 0.1, 0.05));
    assert_eq!(substeps(60.0, 1.0 / 60.0, 0.1, 0.05), Some(10));
    assert_eq!(substeps(60.1, 1.0 / 60.0, 0.1, 0.05), Some(11));
    assert_eq!(substeps(0.0, 1.0 / 60.0, 0.1, 0.05), Some(1));
    assert_eq!(substeps(1e300, 1.0, 0.1, 0.05), None);
    for n in 1..=1_000_u32 {
        let speed = f64::from(n) * 6.0;
        assert_eq!(substeps(speed, 1.0 / 60.0, 0.1, 0.05), Some(u64::from(n)), "{n} times 0.1 u");
    }
}

#[test]
fn a_bullet_stops_short_of_the_first_thing_and_never_goes_back() {
    let walls = [Aabb { min: [8.0, -5.0], max: [9.0, 5.0] }, Aabb { min: [4.0, -5.0], max: [5.0, 5.0] }];
    let balls = [Sphere { center: [3.0, 0.0], radius: 0.5 }];
    let step = |p0, balls: &[Sphere<2>]| bullet_step(p0, [10.0, 0.0], 0.5, SKIN, &walls, balls);
    assert_eq!(step([0.0, 0.0], &balls).hit.map(|hit| hit.1), Some(Struck::Sphere(0)));
    assert_eq!(step([0.0, 0.0], &[]).hit.map(|hit| hit.1), Some(Struck::Box(1)));
    near(Some(step([0.0, 0.0], &[]).position[0]), 3.495);
    assert_eq!(step([3.498, 0.0], &[]).position, [3.498, 0.0]);
    assert_eq!(step([4.5, 0.0], &[]).position, [4.5, 0.0]);
    let free = bullet_step([0.0, 9.0], [10.0, 9.0], 0.5, SKIN, &walls, &balls);
    assert_eq!((free.position, free.hit), ([10.0, 9.0], None));
}

struct Draw(u64);

impl Draw {
    fn next(&mut self, n: u64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n) as f64
    }

    fn place<const D: usize>(&mut self, center: f64) -> [f64; D] {
        std::array::from_fn(|_| center + self.next(41) / 4.0 - 5.0)
    }

    /// Every other number shrunk, down to where squares lose their precision, and numbers theirs.
    fn odd_place<const D: usize>(&mut self) -> [f64; D] {
        const SIZES: [f64; 12] = [1.0, 1.0, 1.0, 1.0, 0.0, 1e-9, 1e-20, 1e-80, 1e-154, 1e-161, 1e-200, 1e-322];
        self.place(0.0).map(|x: f64| x * SIZES[self.next(12) as usize])
    }
}

/// Holds a time against small steps: at it the distance is `reach` (or less, at 0), before it never below.
fn holds(toi: Option<f64>, reach: f64, distance: impl Fn(f64) -> f64) {
    let steps = (0..=200).map(|k| f64::from(k) / 200.0);
    let before = toi.unwrap_or(1.0);
    for t in steps.filter(|&t| t < before) {
        assert!(distance(t) >= reach - 1e-9, "closer at {t} than at {toi:?}");
    }
    if let Some(t) = toi {
        let found = distance(t);
        assert!(found <= reach + 1e-9 && (t == 0.0 || found >= reach - 1e-9), "{found} at {t} for {reach}");
    }
}

fn sweeps_hold<const D: usize>(seed: u64, place: impl Fn(&mut Draw) -> [f64; D]) {
    let mut draw = Draw(seed);
    let length = |v: [f64; D]| vector::dot(v, v).sqrt();
    for _ in 0..4_000 {
        let (p0, p1, a, b) = (place(&mut draw), place(&mut draw), place(&mut draw), place(&mut draw));
        let (at, reach) = (|t| vector::along(p0, vector::sub(p1, p0), t), draw.next(8) / 4.0 + 0.25);
        let ball = Sphere { center: a, radius: reach / 2.0 };
        holds(swept_sphere_sphere(p0, p1, reach / 2.0, &ball), reach, |t| length(vector::sub(at(t), a)));
        let moved = |t| vector::along(a, vector::sub(b, a), t);
        holds(swept_spheres(p0, p1, reach / 2.0, &ball, b), reach, |t| length(vector::sub(at(t), moved(t))));
        let wall = Aabb { min: std::array::from_fn(|i| a[i].min(b[i])), max: std::array::from_fn(|i| a[i].max(b[i])) };
        let outside = |p: [f64; D]| std::array::from_fn(|i| (wall.min[i] - p[i]).max(p[i] - wall.max[i]).max(0.0));
        let exact = swept_sphere_aabb_exact(p0, p1, reach, &wall);
        holds(exact, reach, |t| length(outside(at(t))));
        if let Some(t) = exact {
            let eager = swept_sphere_aabb(p0, p1, reach, &wall);
            assert!(eager.is_some_and(|eager| eager <= t + 1e-12), "{p0:?} {p1:?} {reach} {wall:?}: {eager:?} {t}");
        }
        let hit = ray_segment(p0, p1, a, b, reach);
        let beside = |p: [f64; D]| {
            let ab = vector::sub(b, a);
            let s = (vector::dot(vector::sub(p, a), ab) / vector::dot(ab, ab).max(1e-300)).clamp(0.0, 1.0);
            length(vector::sub(p, vector::along(a, ab, s)))
        };
        holds(hit.map(|hit| hit.toi), reach, |t| beside(at(t)));
        for hit in [hit, ray_sphere(p0, p1, &ball), ray_aabb(p0, p1, &wall)].into_iter().flatten() {
            let unit = length(hit.normal);
            assert!((unit - 1.0).abs() < 1e-9 || (unit == 0.0 && hit.toi == 0.0), "{hit:?}");
            assert!(vector::dot(hit.normal, vector::sub(p1, p0)) <= 1e-9, "{hit:?}");
            assert!(length(vector::sub(hit.point, at(hit.toi))) < 1e-9);
        }
    }
}

#[test]
fn sweeps_agree_with_small_steps_in_the_plane_and_in_space() {
    sweeps_hold::<2>(3, |draw| draw.place(0.0));
    sweeps_hold::<3>(5, |draw| draw.place(0.0));
}

#[test]
fn sweeps_agree_with_small_steps_at_the_rim_of_the_arena() {
    sweeps_hold::<2>(7, |draw| draw.place(20_000.0));
    sweeps_hold::<3>(9, |draw| draw.place(-20_000.0));
}

#[test]
fn sweeps_agree_with_small_steps_where_numbers_are_tiny() {
    sweeps_hold::<2>(11, Draw::odd_place);
    sweeps_hold::<3>(13, Draw::odd_place);
}
