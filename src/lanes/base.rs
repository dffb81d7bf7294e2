//! Sixteen lanes as four vectors of four, through `wide`: SSE2, NEON, or plain code.

use super::vector::{Kernel, Vector, eight_pairs};
use wide::{f32x4, i16x8, i32x4};

/// What every CPU of the target has.
#[derive(Clone, Copy)]
pub(crate) struct Base;

type I = [i32x4; 4];
type F = [f32x4; 2];
type E = [i32x4; 2];
type H = [i16x8; 2];

#[inline(always)]
fn map<T: Copy, U>(a: [T; 4], f: impl Fn(T) -> U) -> [U; 4] {
    [f(a[0]), f(a[1]), f(a[2]), f(a[3])]
}

#[inline(always)]
fn zip<T: Copy, U>(a: [T; 4], b: [T; 4], f: impl Fn(T, T) -> U) -> [U; 4] {
    [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])]
}

#[inline(always)]
fn mask(bits: [u32; 4]) -> u16 {
    (bits[0] | bits[1] << 4 | bits[2] << 8 | bits[3] << 12) as u16
}

impl Vector for Base {
    type I = I;
    type E = E;
    type P = E;
    type F = F;
    type H = H;

    eight_pairs!();

    #[inline(always)]
    fn splat(value: i32) -> I {
        [i32x4::splat(value); 4]
    }

    #[inline(always)]
    fn load(values: &[i32; 16]) -> I {
        let part = |k: usize| i32x4::from([values[4 * k], values[4 * k + 1], values[4 * k + 2], values[4 * k + 3]]);
        [part(0), part(1), part(2), part(3)]
    }

    #[inline(always)]
    fn add(a: I, b: I) -> I {
        zip(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(a: I, b: I) -> I {
        zip(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(a: I, b: I) -> I {
        zip(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(a: I) -> I {
        map(a, |a| a >> BITS)
    }

    #[inline(always)]
    fn and(a: I, b: I) -> I {
        zip(a, b, |a, b| a & b)
    }

    #[inline(always)]
    fn power(a: I) -> I {
        map(a, |a| i32x4::from(a.to_array().map(|a| (1_u64 << (a & 63)) as i32)))
    }

    #[inline(always)]
    fn min(a: I, b: I) -> I {
        zip(a, b, i32x4::min)
    }

    #[inline(always)]
    fn max(a: I, b: I) -> I {
        zip(a, b, i32x4::max)
    }

    #[inline(always)]
    fn store(a: I, out: &mut [i32; 16]) {
        for k in 0..4 {
            out[4 * k..4 * k + 4].copy_from_slice(&a[k].to_array());
        }
    }

    #[inline(always)]
    fn less(a: I, b: I) -> u16 {
        mask(zip(a, b, |a, b| a.simd_lt(b).to_bitmask()))
    }

    #[inline(always)]
    fn look_up(table: &[u32], places: I) -> I {
        map(places, |places| i32x4::from(places.to_array().map(|place| table[place as usize] as i32)))
    }

    #[inline(always)]
    fn equal(a: I, b: I) -> u16 {
        mask(zip(a, b, |a, b| a.simd_eq(b).to_bitmask()))
    }

    #[inline(always)]
    fn pick(mask: u16, yes: I, no: I) -> I {
        let bits = i32x4::from([1, 2, 4, 8]);
        std::array::from_fn(|k| {
            let chosen = (i32x4::splat(i32::from(mask >> (4 * k))) & bits).simd_eq(bits);
            chosen.select(yes[k], no[k])
        })
    }

    #[inline(always)]
    fn compress<const N: usize>(values: [I; N], mask: u16, mut out: [&mut [i32; 16]; N]) {
        let all = values.map(bytemuck::cast::<I, [i32; 16]>);
        // One by one, but all vectors at once.
        let (mut left, mut at) = (mask, 0);
        while left != 0 {
            let lane = left.trailing_zeros() as usize % 16;
            all.iter().zip(&mut out).for_each(|(all, out)| out[at % 16] = all[lane]);
            at += 1;
            left &= left - 1;
        }
    }

    #[inline(always)]
    fn load_e(values: &[i32; 8]) -> E {
        bytemuck::cast(*values)
    }

    #[inline(always)]
    fn splat_e(value: i32) -> E {
        [i32x4::splat(value); 2]
    }

    #[inline(always)]
    fn split_e(values: &[[i16; 2]; 8]) -> [E; 2] {
        let pairs: E = bytemuck::cast(*values);
        [pairs.map(|pairs| (pairs << 16_u32) >> 16_u32), pairs.map(|pairs| pairs >> 16_u32)]
    }

    #[inline(always)]
    fn add_e(a: E, b: E) -> E {
        [a[0] + b[0], a[1] + b[1]]
    }

    #[inline(always)]
    fn store_e(a: E, out: &mut [i32; 8]) {
        *out = bytemuck::cast(a);
    }

    #[inline(always)]
    fn compress_e(values: E, mask: u8, out: &mut [i32; 8]) {
        let all: [i32; 8] = bytemuck::cast(values);
        let mut at = 0;
        for (k, value) in all.into_iter().enumerate() {
            out[at % 8] = value;
            at += usize::from(mask >> k & 1);
        }
    }

    #[inline(always)]
    fn sub_p(a: E, b: E) -> E {
        [a[0] - b[0], a[1] - b[1]]
    }

    #[inline(always)]
    fn load_h(values: &[[i16; 2]; 8]) -> H {
        bytemuck::cast(*values)
    }

    #[inline(always)]
    fn splat_h(pair: [i16; 2]) -> H {
        bytemuck::cast([i32x4::splat(bytemuck::cast(pair)); 2])
    }

    #[inline(always)]
    fn add_h(a: H, b: H) -> H {
        [a[0].saturating_add(b[0]), a[1].saturating_add(b[1])]
    }

    #[inline(always)]
    fn sub_h(a: H, b: H) -> H {
        [a[0].saturating_sub(b[0]), a[1].saturating_sub(b[1])]
    }

    #[inline(always)]
    fn abs_h(a: H) -> H {
        a.map(i16x8::abs)
    }

    #[inline(always)]
    fn within_h(a: H, b: H, e: E, f: E) -> u8 {
        let within = |k: usize| {
            let greater: i32x4 = bytemuck::cast(a[k].simd_gt(b[k]));
            (greater.simd_eq(i32x4::splat(0)) & !e[k].simd_eq(f[k])).to_bitmask()
        };
        (within(0) | within(1) << 4) as u8
    }

    #[inline(always)]
    fn float(a: E) -> F {
        a.map(f32x4::from_i32x4)
    }

    #[inline(always)]
    fn splat_f(value: f32) -> F {
        [f32x4::splat(value); 2]
    }

    #[inline(always)]
    fn add_f(a: F, b: F) -> F {
        [a[0] + b[0], a[1] + b[1]]
    }

    #[inline(always)]
    fn sub_f(a: F, b: F) -> F {
        [a[0] - b[0], a[1] - b[1]]
    }

    #[inline(always)]
    fn mul_f(a: F, b: F) -> F {
        [a[0] * b[0], a[1] * b[1]]
    }

    #[inline(always)]
    fn sqrt_f(a: F) -> F {
        a.map(f32x4::sqrt)
    }

    #[inline(always)]
    fn abs_f(a: F) -> F {
        a.map(f32x4::abs)
    }

    #[inline(always)]
    fn min_f(a: F, b: F) -> F {
        [a[0].fast_min(b[0]), a[1].fast_min(b[1])]
    }

    #[inline(always)]
    fn less_f(a: F, b: F) -> u16 {
        (a[0].simd_lt(b[0]).to_bitmask() | a[1].simd_lt(b[1]).to_bitmask() << 4) as u16
    }

    #[inline(always)]
    fn pick_if_less(a: F, b: F, yes: F, no: F) -> F {
        [a[0].simd_lt(b[0]).select(yes[0], no[0]), a[1].simd_lt(b[1]).select(yes[1], no[1])]
    }

    #[inline(never)]
    fn call<K: Kernel>(kernel: K) -> K::Out {
        kernel.run::<Self>()
    }
}
