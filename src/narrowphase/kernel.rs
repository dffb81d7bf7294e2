//! The kernels, one text for every width: the interval cull of a block's eight lanes, and the distance verdict of
//! eight pairs.

use crate::broadphase::{Block, Half};
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
pub(super) fn cull<V: Vector>(block: &Block, sum: Half, reach: Half, index: u32) -> u8 {
    let between = V::abs_h(V::sub_h(V::load_h(&block.sum), V::splat_h(sum)));
    let limit = V::add_h(V::abs_h(V::load_h(&block.side)), V::splat_h(reach));
    let (owner, own) = (V::load_e(bytemuck::cast_ref(&block.owner)), V::splat_e(index as i32));
    block.mask as u8 & V::within_h(between, limit, owner, own)
}

/// Eight pairs of a way and a segment, in doubled coordinates relative to the start of the way.
pub(super) struct Pairs<V: Vector> {
    /// Ends of the segment.
    pub a: [V::F; 2],
    pub b: [V::F; 2],
    /// End of the way.
    pub u: [V::F; 2],
    /// Twice the kill distance.
    pub reach: V::F,
}

/// What `f32` can say of eight pairs. (Sixteen at once would not fit the registers of AVX2.)
#[derive(Clone, Copy)]
pub(super) struct Verdict {
    /// Touched for certain.
    pub hit: u8,
    /// Too near to the kill distance for `f32`: to be decided on integers.
    pub unsure: u8,
}

/// Error bound in units of 2^-24 of the square of all coordinates' sum; 8 would do, see [`verdict`].
const BAND: f32 = 16.0 / 16_777_216.0;

/// Coordinates whose sum is below this are exact in `f32`.
const EXACT_MAX: f32 = 8_388_608.0;

/// Whether the ways come strictly closer to the segments than their reach.
///
/// ```text
///   value = min( |end - end'|² - R²              over the four pairs of ends,
///                |cross| - R len                 over the ends whose foot falls inside the other segment )
///   hit: value < 0        each is (distance - R) times a positive length
/// ```
/// Departures from the text: (1) no division and no closed form, so nothing cancels on near-parallel pairs;
/// (2) a foot that rounding puts on the wrong side of an end changes the distance by less than 2^-23 of the
/// coordinates, so it may; (3) each product carries an error of at most 2^-24 of the coordinates' square, and
/// a value has at most eight of them: inside a band of twice that nothing is decided here; (4) segments that
/// cross without an end near the other are so rare (a way longer than the reach) that they are left to the
/// integers too.
#[inline(always)]
pub(super) fn verdict<V: Vector>(pairs: &Pairs<V>) -> Verdict {
    let Pairs { a, b, u, reach } = *pairs;
    let (e, au, bu) = (minus::<V>(b, a), minus::<V>(a, u), minus::<V>(b, u));
    let (e2, u2) = (dot::<V>(e, e), dot::<V>(u, u));
    let (end_e, end_u) = (V::mul_f(reach, V::sqrt_f(e2)), V::mul_f(reach, V::sqrt_f(u2)));
    let nearest = min4::<V>(dot::<V>(a, a), dot::<V>(b, b), dot::<V>(au, au), dot::<V>(bu, bu));
    let zero = V::splat_f(0.0);
    let (ua, ub, ea, eu) = (cross::<V>(u, a), cross::<V>(u, b), cross::<V>(e, a), cross::<V>(e, au));
    let sides = min4::<V>(
        side::<V>(ua, dot::<V>(a, u), u2, end_u),
        side::<V>(ub, dot::<V>(b, u), u2, end_u),
        side::<V>(ea, V::sub_f(zero, dot::<V>(a, e)), e2, end_e),
        side::<V>(eu, V::sub_f(zero, dot::<V>(au, e)), e2, end_e),
    );
    let value = V::min_f(V::sub_f(nearest, V::mul_f(reach, reach)), sides);
    let size = V::add_f(reach, V::add_f(size::<V>(a), V::add_f(size::<V>(b), size::<V>(u))));
    let band = V::mul_f(V::splat_f(BAND), V::mul_f(size, size));
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
fn size<V: Vector>(a: [V::F; 2]) -> V::F {
    V::add_f(V::abs_f(a[0]), V::abs_f(a[1]))
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
