//! Sixteen lanes as one vector of 512 bits, eight as one of 256.
//!
//! Every function is one instruction, or a load in front of it. They are safe to call only on a CPU that has
//! AVX-512 F, BW, VL and DQ; a kernel over [`Avx512`] is entered in one place, behind the level's check.

use super::eight::{eight_lanes, ops};
use super::vector::{Kernel, Vector};
use std::arch::x86_64::*;

/// 512 bits. Made only where [`Level::Avx512`](super::Level::Avx512) was found.
#[derive(Clone, Copy)]
pub(crate) struct Avx512;

/// The one way into code of this level.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn enter<K: Kernel>(kernel: K) -> K::Out {
    kernel.run::<Avx512>()
}

impl Vector for Avx512 {
    type I = __m512i;
    type E = __m256i;
    type P = __m512i;
    type F = __m512;
    type H = __m256i;

    const PAIRS: usize = 16;

    #[inline(always)]
    fn shift_right<const BITS: u32>(a: __m512i) -> __m512i {
        // SAFETY: as in `ops!`.
        unsafe { _mm512_srai_epi32::<BITS>(a) }
    }

    #[inline(always)]
    fn compress<const N: usize>(values: [__m512i; N], mask: u16, out: [&mut [i32; 16]; N]) {
        for (values, out) in values.into_iter().zip(out) {
            // SAFETY: as in `ops!`; the store fills the array.
            unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(mask, values)) }
        }
    }

    #[inline(always)]
    fn look_up(table: &[u32], places: __m512i) -> __m512i {
        // SAFETY: as in `ops!`; every place lies inside the table.
        unsafe {
            let end = _mm512_set1_epi32(i32::try_from(table.len()).unwrap_or(i32::MAX));
            assert!(_mm512_cmpge_epu32_mask(places, end) == 0, "the places lie inside the table");
            _mm512_i32gather_epi32::<4>(places, table.as_ptr().cast())
        }
    }

    eight_lanes!();

    #[inline(always)]
    fn load_p(values: &[i32]) -> __m512i {
        Self::load(values.first_chunk().expect("sixteen or more"))
    }

    #[inline(always)]
    fn split_p(values: &[i32]) -> [__m512i; 2] {
        let pairs = Self::load_p(values);
        // SAFETY: as in `ops!`.
        unsafe { [_mm512_srai_epi32::<16>(_mm512_slli_epi32::<16>(pairs)), _mm512_srai_epi32::<16>(pairs)] }
    }

    #[inline(always)]
    fn look_up_p(table: &[i32], places: __m512i) -> __m512i {
        Self::look_up(bytemuck::cast_slice(table), places)
    }

    #[inline(always)]
    fn compress_p(values: __m512i, mask: u16, out: &mut [i32]) {
        Self::compress([values], mask, [out.first_chunk_mut().expect("sixteen or more")]);
    }

    ops! {
        splat(value: i32) -> __m512i = _mm512_set1_epi32(value);
        load(values: &[i32; 16]) -> __m512i = _mm512_loadu_si512(values.as_ptr().cast());
        add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        sub(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
        mul(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi32(a, b);
        and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        power(a: __m512i) -> __m512i = _mm512_sllv_epi32(_mm512_set1_epi32(1), a);
        min(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epi32(a, b);
        max(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epi32(a, b);
        store(a: __m512i, out: &mut [i32; 16]) -> () = _mm512_storeu_si512(out.as_mut_ptr().cast(), a);
        less(a: __m512i, b: __m512i) -> u16 = _mm512_cmplt_epi32_mask(a, b);
        equal(a: __m512i, b: __m512i) -> u16 = _mm512_cmpeq_epi32_mask(a, b);
        pick(mask: u16, yes: __m512i, no: __m512i) -> __m512i = _mm512_mask_blend_epi32(mask, no, yes);
        float(a: __m512i) -> __m512 = _mm512_cvtepi32_ps(a);
        splat_f(value: f32) -> __m512 = _mm512_set1_ps(value);
        add_f(a: __m512, b: __m512) -> __m512 = _mm512_add_ps(a, b);
        sub_f(a: __m512, b: __m512) -> __m512 = _mm512_sub_ps(a, b);
        mul_f(a: __m512, b: __m512) -> __m512 = _mm512_mul_ps(a, b);
        sqrt_f(a: __m512) -> __m512 = _mm512_sqrt_ps(a);
        abs_f(a: __m512) -> __m512 = _mm512_abs_ps(a);
        min_f(a: __m512, b: __m512) -> __m512 = _mm512_min_ps(a, b);
        less_f(a: __m512, b: __m512) -> u16 = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b);
        pick_if_less(a: __m512, b: __m512, yes: __m512, no: __m512) -> __m512 =
            _mm512_mask_blend_ps(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b), no, yes);
        add_p(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        sub_p(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
        compress_e(values: __m256i, mask: u8, out: &mut [i32; 8]) -> () =
            _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm256_maskz_compress_epi32(mask, values));
    }

    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Out {
        // SAFETY: whoever names this type has found the level on this CPU.
        unsafe { enter(kernel) }
    }
}
