//! Sixteen lanes as one vector of 512 bits.
//!
//! Every function is one instruction, or a load in front of it. They are safe to call only on a CPU that has
//! AVX-512 F, BW, VL and DQ; a kernel over [`Avx512`] is entered in one place, behind the level's check.

use super::vector::{Kernel, Vector};
use std::arch::x86_64::*;

/// 512 bits. Made only where [`Level::Avx512`](super::Level::Avx512) was found.
#[derive(Clone, Copy)]
pub(crate) struct Avx512;

macro_rules! ops {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty = $body:expr;)*) => {$(
        #[inline(always)]
        fn $name($($arg: $ty),*) -> $out {
            // SAFETY: the entry that instantiates a kernel over Avx512 enables these features and is called only
            // after the level was found on this CPU; loads and stores stay inside the arrays they are given.
            unsafe { $body }
        }
    )*};
}

/// The one way into code of this level.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn enter<K: Kernel>(kernel: K) -> K::Out {
    kernel.run::<Avx512>()
}

impl Vector for Avx512 {
    type I = __m512i;
    type F = __m256;
    type E = __m256i;
    type H = __m256i;

    #[inline(always)]
    fn shift_right<const BITS: u32>(a: __m512i) -> __m512i {
        // SAFETY: as in `ops!`.
        unsafe { _mm512_srai_epi32::<BITS>(a) }
    }

    #[inline(always)]
    fn greater_h(a: __m256i, b: __m256i) -> u8 {
        // SAFETY: as in `ops!`.
        let greater = unsafe { _mm256_cmpgt_epi16_mask(a, b) };
        (greater | greater >> 8) as u8
    }

    ops! {
        splat(value: i32) -> __m512i = _mm512_set1_epi32(value);
        load(values: &[i32; 16]) -> __m512i = _mm512_loadu_si512(values.as_ptr().cast());
        add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        sub(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
        mul(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi32(a, b);
        and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        min(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epi32(a, b);
        max(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epi32(a, b);
        store(a: __m512i, out: &mut [i32; 16]) -> () = _mm512_storeu_si512(out.as_mut_ptr().cast(), a);
        less(a: __m512i, b: __m512i) -> u16 = _mm512_cmplt_epi32_mask(a, b);
        compress(values: __m512i, mask: u16, out: &mut [i32; 16]) -> () =
            _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(mask, values));
        load_e(values: &[i32; 8]) -> __m256i = _mm256_loadu_si256(values.as_ptr().cast());
        splat_e(value: i32) -> __m256i = _mm256_set1_epi32(value);
        widen_e(values: &[i16; 8]) -> __m256i = _mm256_cvtepi16_epi32(_mm_loadu_si128(values.as_ptr().cast()));
        add_e(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
        sub_e(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi32(a, b);
        equal_e(a: __m256i, b: __m256i) -> u8 = _mm256_cmpeq_epi32_mask(a, b);
        store_e(a: __m256i, out: &mut [i32; 8]) -> () = _mm256_storeu_si256(out.as_mut_ptr().cast(), a);
        compress_e(values: __m256i, mask: u8, out: &mut [i32; 8]) -> () =
            _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm256_maskz_compress_epi32(mask, values));
        load_h(values: &[[i16; 8]; 2]) -> __m256i = _mm256_loadu_si256(values.as_ptr().cast());
        splat_h(pair: i32) -> __m256i = {
            let [x, y] = [_mm_set1_epi16(0x0100), _mm_set1_epi16(0x0302)];
            _mm256_shuffle_epi8(_mm256_set1_epi32(pair), _mm256_set_m128i(y, x))
        };
        add_h(a: __m256i, b: __m256i) -> __m256i = _mm256_adds_epi16(a, b);
        sub_h(a: __m256i, b: __m256i) -> __m256i = _mm256_subs_epi16(a, b);
        abs_h(a: __m256i) -> __m256i = _mm256_abs_epi16(a);
        float(a: __m256i) -> __m256 = _mm256_cvtepi32_ps(a);
        splat_f(value: f32) -> __m256 = _mm256_set1_ps(value);
        add_f(a: __m256, b: __m256) -> __m256 = _mm256_add_ps(a, b);
        sub_f(a: __m256, b: __m256) -> __m256 = _mm256_sub_ps(a, b);
        mul_f(a: __m256, b: __m256) -> __m256 = _mm256_mul_ps(a, b);
        sqrt_f(a: __m256) -> __m256 = _mm256_sqrt_ps(a);
        abs_f(a: __m256) -> __m256 = _mm256_andnot_ps(_mm256_set1_ps(-0.0), a);
        min_f(a: __m256, b: __m256) -> __m256 = _mm256_min_ps(a, b);
        less_f(a: __m256, b: __m256) -> u8 = _mm256_cmp_ps_mask::<_CMP_LT_OQ>(a, b);
        pick_if_less(a: __m256, b: __m256, yes: __m256, no: __m256) -> __m256 =
            _mm256_mask_blend_ps(_mm256_cmp_ps_mask::<_CMP_LT_OQ>(a, b), no, yes);
    }

    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Out {
        // SAFETY: whoever names this type has found the level on this CPU.
        unsafe { enter(kernel) }
    }
}
