//! The kernels, one text for every width: the interval cull of a block's eight lanes, and the distance verdict of
//! as many pairs as the level takes at once.

use crate::broadphase::Block;
use crate::lanes::Vector;

/// The lanes of a block that may come within reach: those of others whose box overlaps the way's along both axes.
///
/// ```text
///   sum    of the ends of the way, relative to twice the corner of the block's cell
///   reach  extent of the way, plus twice the largest kill distance
/// ```
/// In doubled coordinates a lane's middle is its sum, its extent along an axis the size of its difference;
/// boxes are nearer than a reach when |sum - sum'| < extent + extent' + 2 reach. Integers, so exact; what leaves
/// 16 bits is cut to them, which only brings boxes nearer: what is culled here cannot be touched.
#[inline(always)]
pub(super) fn cull<V: Vector>(block: &Block, sum: i32, reach: i32, index: i32) -> u8 {
    let between = V::abs_h(V::sub_h(V::load_h(&block.sum), V::splat_h(bytemuck::cast(sum))));
    let limit = V::add_h(V::abs_h(V::load_h(&block.side)), V::splat_h(bytemuck::cast(reach)));
    let (owner, own) = (V::load_e(bytemuck::cast_ref(&block.owner)), V::splat_e(index));
    block.mask as u8 & V::within_h(between, limit, owner, own)
}

/// Pairs of a way and a segment, in doubled coordinates relative to the start of the way.
pub(super) struct Pairs<V: Vector> {
    /// Ends of the segment.
    pub a: [V::F; 2],
    pub b: [V::F; 2],
    /// End of the way.
    pub u: [V::F; 2],
    /// Twice the kill distance.
    pub reach: V::F,
}

/// What `f32` can say of the pairs, a bit each. (Sixteen at once would not fit the registers of AVX2.)
#[derive(Clone, Copy)]
pub(super) struct Verdict {
    /// Touched for certain.
    pub hit: u16,
    /// Too near to the kill distance for `f32`: to be decided on integers.
    pub unsure: u16,
}

/// Error bound in units of 2^-24 of the sum of all coordinates' squares; 14 would do, see [`verdict`].
const BAND: f32 = 32.0 / 16_777_216.0;

/// Coordinates whose squares have a sum below this, 2^46, are exact in `f32`.
const EXACT_MAX: f32 = 70_368_744_177_664.0;

/// Whether the ways come strictly closer to the segments than their reach.
///
/// ```text
///   value = min( |end - end'|² - R²              over the four pairs of ends,
///                |cross| - R len                 over the ends whose foot falls inside the other segment )
///   hit: value < 0        each is (distance - R) times a positive length
/// ```
/// Departures from the text: (1) no division and no closed form, so nothing cancels on near-parallel pairs;
/// (2) a foot that rounding puts on the wrong side of an end changes the distance by less than 2^-23 of the
/// coordinates, so it may; (3) a product carries an error of at most 2^-24 of itself, and a value is made of so few that
/// all of them and of their sums come to 14 times 2^-24 of |a|² + |b|² + |u|² + R²: inside a band of more than twice that
/// nothing is decided here; (4) segments that cross without an end near the other are so rare (a way longer than
/// the reach) that they are left to the integers too.
#[inline(always)]
pub(super) fn verdict<V: Vector>(pairs: &Pairs<V>) -> Verdict {
    let Pairs { a, b, u, reach } = *pairs;
    let (e, au) = (minus::<V>(b, a), minus::<V>(a, u));
    let (a2, b2, e2, u2) = (dot::<V>(a, a), dot::<V>(b, b), dot::<V>(e, e), dot::<V>(u, u));
    let (foot_a, foot_b) = (dot::<V>(a, u), dot::<V>(b, u));
    let (end_e, end_u) = (V::mul_f(reach, V::sqrt_f(e2)), V::mul_f(reach, V::sqrt_f(u2)));
    let both = V::add_f(b2, u2);
    // |b - u|² = |b|² + |u|² - 2 b u
    let bu2 = V::sub_f(both, V::add_f(foot_b, foot_b));
    let nearest = min4::<V>(a2, b2, dot::<V>(au, au), bu2);
    let zero = V::splat_f(0.0);
    let (ua, ub, ea) = (cross::<V>(u, a), cross::<V>(u, b), cross::<V>(e, a));
    // e x (a - u) = e x a - e x u, and e x u = u x a - u x b.
    let eu = V::add_f(ea, V::sub_f(ub, ua));
    let sides = min4::<V>(
        side::<V>(ua, foot_a, u2, end_u),
        side::<V>(ub, foot_b, u2, end_u),
        side::<V>(ea, V::sub_f(zero, dot::<V>(a, e)), e2, end_e),
        side::<V>(eu, V::sub_f(zero, dot::<V>(au, e)), e2, end_e),
    );
    let reach2 = V::mul_f(reach, reach);
    let value = V::min_f(V::sub_f(nearest, reach2), sides);
    let size = V::add_f(V::add_f(a2, reach2), both);
    let band = V::mul_f(V::splat_f(BAND), size);
    let exact = V::less_f(size, V::splat_f(EXACT_MAX));
    let hit = V::less_f(value, V::sub_f(zero, band)) & exact;
    let miss = V::less_f(band, value) & exact;
    let crossing = V::less_f(V::mul_f(ua, ub), zero) & V::less_f(V::mul_f(ea, eu), zero);
    Verdict { hit, unsure: !hit & (!miss | crossing) }
}

/// How much farther than its limit an end is from the line of the other segment, times that one's length; a
/// great number when its foot falls outside the segment.
#[inline(always)]
fn side<V: Vector>(cross: V::F, foot: V::F, len2: V::F, limit: V::F) -> V::F {
    let big = V::splat_f(f32::MAX);
    let value = V::sub_f(V::abs_f(cross), limit);
    V::pick_if_less(V::splat_f(0.0), foot, V::pick_if_less(foot, len2, value, big), big)
}

#[inline(always)]
fn min4<V: Vector>(a: V::F, b: V::F, c: V::F, d: V::F) -> V::F {
    V::min_f(V::min_f(a, b), V::min_f(c, d))
}

#[inline(always)]
fn minus<V: Vector>(a: [V::F; 2], b: [V::F; 2]) -> [V::F; 2] {
    [V::sub_f(a[0], b[0]), V::sub_f(a[1], b[1])]
}

#[inline(always)]
fn dot<V: Vector>(a: [V::F; 2], b: [V::F; 2]) -> V::F {
    V::add_f(V::mul_f(a[0], b[0]), V::mul_f(a[1], b[1]))
}

#[inline(always)]
fn cross<V: Vector>(a: [V::F; 2], b: [V::F; 2]) -> V::F {
    V::sub_f(V::mul_f(a[0], b[1]), V::mul_f(a[1], b[0]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::lattice::Point;
    use crate::geom::segment::segments_within;
    use crate::lanes::{Kernel, Level};

    /// A vector's worth of ways from the origin, segments and reaches.
    struct Ask<'p>(&'p [[i32; 7]]);

    impl Kernel for Ask<'_> {
        type Out = (usize, Verdict);

        #[inline(always)]
        fn run<V: Vector>(self) -> (usize, Verdict) {
            let doubled = |field: usize| {
                let column: Vec<i32> = self.0.iter().map(|pair| 2 * pair[field]).collect();
                V::float(V::load_p(&column))
            };
            let [ax, ay, bx, by, ux, uy, reach] = [0, 1, 2, 3, 4, 5, 6].map(doubled);
            (V::PAIRS, verdict::<V>(&Pairs { a: [ax, ay], b: [bx, by], u: [ux, uy], reach }))
        }
    }

    #[test]
    fn what_is_certain_in_f32_is_true_at_every_scale_and_level() {
        let mut seed = 3_u32;
        let mut next = |span: i32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 4) as i32 % (2 * span + 1) - span
        };
        // Spans in quanta: where the segment lies, how long it is, how long the way.
        let scales = [(2_000, 640, 440), (2_000, 2, 440), (9, 3, 3), (20_000, 30_000, 25_600), (60_000, 1, 25_600)];
        for (place, length, way) in scales {
            let (mut sure, mut all) = (0, 0);
            for _ in 0..2_000 {
                let pairs: [[i32; 7]; 16] = std::array::from_fn(|k| {
                    let (a, side, u) =
                        ([next(place), next(place)], [next(length), next(length)], [next(way), next(way)]);
                    let b = [a[0] + side[0], a[1] + side[1]];
                    let touch = |reach: i32| {
                        let [a, b, u] = [a, b, u].map(|at| Point::new(at[0], at[1]));
                        segments_within(Point::new(0, 0), u, a, b, reach)
                    };
                    // The smallest reach that touches, or near it, or any.
                    let (mut low, mut high) = (0, 1 << 18);
                    while low + 1 < high {
                        let middle = (low + high) / 2;
                        *(if touch(middle) { &mut high } else { &mut low }) = middle;
                    }
                    let reach = if k % 4 == 3 { next(place).abs() } else { high - 1 + k as i32 % 4 };
                    [a[0], a[1], b[0], b[1], u[0], u[1], reach.max(1)]
                });
                for level in Level::ALL.into_iter().filter(|level| level.is_here()) {
                    let (count, found) = level.call(Ask(&pairs));
                    for (k, &[ax, ay, bx, by, ux, uy, reach]) in pairs.iter().take(count).enumerate() {
                        let (a, b, u) = (Point::new(ax, ay), Point::new(bx, by), Point::new(ux, uy));
                        let truth = segments_within(Point::new(0, 0), u, a, b, reach);
                        let (hit, unsure) = (found.hit >> k & 1 == 1, found.unsure >> k & 1 == 1);
                        assert!(unsure || hit == truth, "{level}: {:?}, truth {truth}", pairs[k]);
                        all += 1;
                        sure += usize::from(!unsure);
                    }
                }
            }
            assert!(2 * sure > all, "{sure} of {all} are certain where segments lie within {place}");
        }
    }
}
