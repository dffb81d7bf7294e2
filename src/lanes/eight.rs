//! Eight lanes as one vector of 256 bits: the part of [`Vector`](super::Vector) that AVX2 and AVX-512 have in common.

/// Functions of an `impl Vector`. Each is safe where its level is: what enables AVX-512 enables AVX2.
macro_rules! eight_lanes {
    () => {
        super::eight::ops! {
            load_e(values: &[i32; 8]) -> __m256i = _mm256_loadu_si256(values.as_ptr().cast());
            splat_e(value: i32) -> __m256i = _mm256_set1_epi32(value);
            split_e(values: &[[i16; 2]; 8]) -> [__m256i; 2] = {
                let pairs = _mm256_loadu_si256(values.as_ptr().cast());
                [_mm256_srai_epi32::<16>(_mm256_slli_epi32::<16>(pairs)), _mm256_srai_epi32::<16>(pairs)]
            };
            add_e(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
            store_e(a: __m256i, out: &mut [i32; 8]) -> () = _mm256_storeu_si256(out.as_mut_ptr().cast(), a);
            load_h(values: &[[i16; 2]; 8]) -> __m256i = _mm256_loadu_si256(values.as_ptr().cast());
            splat_h(pair: [i16; 2]) -> __m256i = _mm256_set1_epi32(bytemuck::cast(pair));
            add_h(a: __m256i, b: __m256i) -> __m256i = _mm256_adds_epi16(a, b);
            sub_h(a: __m256i, b: __m256i) -> __m256i = _mm256_subs_epi16(a, b);
            abs_h(a: __m256i) -> __m256i = _mm256_abs_epi16(a);
            within_h(a: __m256i, b: __m256i, e: __m256i, f: __m256i) -> u8 = {
                let neither = _mm256_cmpeq_epi32(_mm256_cmpgt_epi16(a, b), _mm256_setzero_si256());
                let other = _mm256_andnot_si256(_mm256_cmpeq_epi32(e, f), neither);
                _mm256_movemask_ps(_mm256_castsi256_ps(other)) as u8
            };
        }
    };
}

macro_rules! ops {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty = $body:expr;)*) => {$(
        #[inline(always)]
        fn $name($($arg: $ty),*) -> $out {
            // SAFETY: the entry that instantiates a kernel enables AVX2 or more and is called only after the level was
            // found on this CPU; loads and stores stay inside the arrays they are given.
            unsafe { $body }
        }
    )*};
}

pub(super) use {eight_lanes, ops};
