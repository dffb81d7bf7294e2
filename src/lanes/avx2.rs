//! Sixteen lanes as two vectors of 256 bits.
//!
//! The functions are safe to call only on a CPU that has AVX2; a kernel over [`Avx2`] is entered in one place,
//! behind the level's check.

use super::eight::{eight_lanes, ops};
use super::vector::{Kernel, Vector, eight_pairs};
use std::arch::x86_64::*;

/// 256 bits. Made only where [`Level::Avx2`](super::Level::Avx2) was found.
#[derive(Clone, Copy)]
pub(crate) struct Avx2;

type I = [__m256i; 2];

/// For each byte the places of its bits, lowest first; what follows them does not matter.
static ORDER: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut len) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][len] = bit;
                len += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Operations lane by lane, each half by itself.
macro_rules! halves {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty = |$($half:ident),*| $body:expr;)*) => {$(
        #[inline(always)]
        fn $name($($arg: $ty),*) -> $out {
            // SAFETY: the entry that instantiates a kernel over Avx2 enables AVX2 and is called only after
            // the level was found on this CPU.
            unsafe {
                [{ $(let $half = $arg[0];)* $body }, { $(let $half = $arg[1];)* $body }]
            }
        }
    )*};
}

/// The signs of sixteen 32-bit lanes.
#[inline(always)]
fn signs(halves: I) -> u16 {
    // SAFETY: as in `halves!`.
    let [low, high] = unsafe {
        [_mm256_movemask_ps(_mm256_castsi256_ps(halves[0])), _mm256_movemask_ps(_mm256_castsi256_ps(halves[1]))]
    };
    (low | high << 8) as u16
}

/// The one way into code of this level.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn enter<K: Kernel>(kernel: K) -> K::Out {
    kernel.run::<Avx2>()
}

impl Vector for Avx2 {
    type I = I;
    type E = __m256i;
    type P = __m256i;
    type F = __m256;
    type H = __m256i;

    eight_pairs!();

    halves! {
        add(a: I, b: I) -> I = |x, y| _mm256_add_epi32(x, y);
        sub(a: I, b: I) -> I = |x, y| _mm256_sub_epi32(x, y);
        mul(a: I, b: I) -> I = |x, y| _mm256_mullo_epi32(x, y);
        and(a: I, b: I) -> I = |x, y| _mm256_and_si256(x, y);
        power(a: I) -> I = |x| _mm256_sllv_epi32(_mm256_set1_epi32(1), x);
        min(a: I, b: I) -> I = |x, y| _mm256_min_epi32(x, y);
        max(a: I, b: I) -> I = |x, y| _mm256_max_epi32(x, y);
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(a: I) -> I {
        // SAFETY: as in `halves!`; the shift has 32 bits in the register.
        unsafe {
            let bits = _mm_cvtsi32_si128(BITS as i32);
            [_mm256_sra_epi32(a[0], bits), _mm256_sra_epi32(a[1], bits)]
        }
    }

    #[inline(always)]
    fn store(a: I, out: &mut [i32; 16]) {
        let at: *mut __m256i = out.as_mut_ptr().cast();
        // SAFETY: as in `halves!`; both stores of 32 bytes lie inside the array of 64.
        unsafe {
            _mm256_storeu_si256(at, a[0]);
            _mm256_storeu_si256(at.add(1), a[1]);
        }
    }

    #[inline(always)]
    fn splat(value: i32) -> I {
        // SAFETY: as in `halves!`.
        unsafe { [_mm256_set1_epi32(value); 2] }
    }

    #[inline(always)]
    fn load(values: &[i32; 16]) -> I {
        let at: *const __m256i = values.as_ptr().cast();
        // SAFETY: as in `halves!`; both loads of 32 bytes lie inside the array of 64.
        unsafe { [_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))] }
    }

    #[inline(always)]
    fn less(a: I, b: I) -> u16 {
        // SAFETY: as in `halves!`.
        signs(unsafe { [_mm256_cmpgt_epi32(b[0], a[0]), _mm256_cmpgt_epi32(b[1], a[1])] })
    }

    /// Word by word: gathering loads are slow on CPUs that were mended against reading others' registers, and QEMU 7.2
    /// takes one with its places in `ymm4` for one without places.
    #[inline(always)]
    fn look_up(table: &[u32], places: I) -> I {
        let end = Self::splat(i32::try_from(table.len()).unwrap_or(i32::MAX));
        let inside = Self::less(places, end) & !signs(places);
        assert!(inside == u16::MAX, "the places lie inside the table");
        let mut at = [0; 16];
        Self::store(places, &mut at);
        // SAFETY: every place lies inside the table.
        let word = |k: usize| unsafe { *table.as_ptr().add(at[k] as usize) as i32 };
        let eight = |k: usize| {
            let [a, b, c, d] = [k, k + 1, k + 2, k + 3].map(word);
            let [e, f, g, h] = [k + 4, k + 5, k + 6, k + 7].map(word);
            // SAFETY: as in `halves!`.
            unsafe { _mm256_setr_epi32(a, b, c, d, e, f, g, h) }
        };
        [eight(0), eight(8)]
    }

    #[inline(always)]
    fn equal(a: I, b: I) -> u16 {
        // SAFETY: as in `halves!`.
        signs(unsafe { [_mm256_cmpeq_epi32(a[0], b[0]), _mm256_cmpeq_epi32(a[1], b[1])] })
    }

    #[inline(always)]
    fn pick(mask: u16, yes: I, no: I) -> I {
        // SAFETY: as in `halves!`.
        unsafe {
            let (all, bits) = (_mm256_set1_epi32(i32::from(mask)), _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128));
            let high = _mm256_slli_epi32(bits, 8);
            let chosen = [bits, high].map(|bits| _mm256_cmpeq_epi32(_mm256_and_si256(all, bits), bits));
            [_mm256_blendv_epi8(no[0], yes[0], chosen[0]), _mm256_blendv_epi8(no[1], yes[1], chosen[1])]
        }
    }

    #[inline(always)]
    fn compress<const N: usize>(values: [I; N], mask: u16, out: [&mut [i32; 16]; N]) {
        let (low, high) = (mask as u8, (mask >> 8) as u8);
        for (values, out) in values.into_iter().zip(out) {
            Self::compress_e(values[0], low, out.first_chunk_mut().expect("eight of sixteen"));
            // Over what the first store has left behind its own lanes.
            let (_, rest) = out.split_at_mut(low.count_ones() as usize & 15);
            Self::compress_e(values[1], high, rest.first_chunk_mut().expect("eight of eight or more"));
        }
    }

    eight_lanes!();

    ops! {
        float(a: __m256i) -> __m256 = _mm256_cvtepi32_ps(a);
        splat_f(value: f32) -> __m256 = _mm256_set1_ps(value);
        add_f(a: __m256, b: __m256) -> __m256 = _mm256_add_ps(a, b);
        sub_f(a: __m256, b: __m256) -> __m256 = _mm256_sub_ps(a, b);
        mul_f(a: __m256, b: __m256) -> __m256 = _mm256_mul_ps(a, b);
        sqrt_f(a: __m256) -> __m256 = _mm256_sqrt_ps(a);
        abs_f(a: __m256) -> __m256 = _mm256_andnot_ps(_mm256_set1_ps(-0.0), a);
        min_f(a: __m256, b: __m256) -> __m256 = _mm256_min_ps(a, b);
        less_f(a: __m256, b: __m256) -> u16 = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a, b)) as u16;
        pick_if_less(a: __m256, b: __m256, yes: __m256, no: __m256) -> __m256 =
            _mm256_blendv_ps(no, yes, _mm256_cmp_ps::<_CMP_LT_OQ>(a, b));
        sub_p(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi32(a, b);
    }

    #[inline(always)]
    fn compress_e(values: __m256i, mask: u8, out: &mut [i32; 8]) {
        // SAFETY: as in `halves!`; eight bytes are loaded of a table row, and the store fills the array.
        unsafe {
            let order = _mm256_cvtepu8_epi32(_mm_loadl_epi64(ORDER[usize::from(mask)].as_ptr().cast()));
            _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm256_permutevar8x32_epi32(values, order));
        }
    }

    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Out {
        // SAFETY: whoever names this type has found the level on this CPU.
        unsafe { enter(kernel) }
    }
}
