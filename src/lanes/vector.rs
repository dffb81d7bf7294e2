//! The closed set of operations that a kernel is written in: sixteen lanes at a time, or eight, at any width.

/// A mask of so many lanes, at most sixteen.
#[inline(always)]
pub(crate) fn first_lanes(count: usize) -> u16 {
    u16::MAX >> 16_usize.saturating_sub(count)
}

/// What is said of pairs where a verdict is made of eight at once, as many as a block has lanes.
macro_rules! eight_pairs {
    () => {
        const PAIRS: usize = 8;

        #[inline(always)]
        fn load_p(values: &[i32]) -> Self::P {
            Self::load_e(values.first_chunk().expect("eight or more"))
        }

        #[inline(always)]
        fn split_p(values: &[i32]) -> [Self::P; 2] {
            let eight: &[i32; 8] = values.first_chunk().expect("eight or more");
            Self::split_e(bytemuck::cast_ref(eight))
        }

        #[inline(always)]
        fn add_p(a: Self::P, b: Self::P) -> Self::P {
            Self::add_e(a, b)
        }

        #[inline(always)]
        fn look_up_p(table: &[i32], places: Self::P) -> Self::P {
            let mut all = [0; 8];
            Self::store_e(places, &mut all);
            Self::load_e(&all.map(|place| table[place as usize]))
        }

        #[inline(always)]
        fn compress_p(values: Self::P, mask: u16, out: &mut [i32]) {
            Self::compress_e(values, mask as u8, out.first_chunk_mut().expect("eight or more"));
        }
    };
}

pub(super) use eight_pairs;

/// Sixteen lanes of `i32`, eight of `i32`, and eight or sixteen of `i32` and `f32`. All operations are exact or rounded
/// as IEEE 754 says, lane by lane, so every implementation gives the same bits; there is no fused multiply-add and
/// no estimate among them.
///
/// Masks have a bit a lane, bit k for lane k.
pub(crate) trait Vector: Copy {
    /// Sixteen `i32`.
    type I: Copy;
    /// Eight `i32`.
    type E: Copy;
    /// How many pairs a verdict is made of at once: sixteen where the registers are many enough, else eight.
    const PAIRS: usize;
    /// So many `i32`, and so many `f32`.
    type P: Copy;
    type F: Copy;
    /// Eight pairs of `i16`, x and y.
    type H: Copy;

    fn splat(value: i32) -> Self::I;
    /// So many and the fifteen after it.
    #[inline(always)]
    fn count_from(first: i32) -> Self::I {
        Self::add(Self::load(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]), Self::splat(first))
    }
    fn load(values: &[i32; 16]) -> Self::I;
    fn add(a: Self::I, b: Self::I) -> Self::I;
    fn sub(a: Self::I, b: Self::I) -> Self::I;
    /// The low 32 bits of the product.
    fn mul(a: Self::I, b: Self::I) -> Self::I;
    /// Arithmetic.
    fn shift_right<const BITS: u32>(a: Self::I) -> Self::I;
    fn and(a: Self::I, b: Self::I) -> Self::I;
    /// 1 << a for a in 0..32, 0 for 32, and anything for others.
    fn power(a: Self::I) -> Self::I;
    fn min(a: Self::I, b: Self::I) -> Self::I;
    fn max(a: Self::I, b: Self::I) -> Self::I;
    fn store(a: Self::I, out: &mut [i32; 16]);
    /// a < b
    fn less(a: Self::I, b: Self::I) -> u16;
    /// The words at these places of a table; panics if one lies beyond its end.
    fn look_up(table: &[u32], places: Self::I) -> Self::I;
    fn equal(a: Self::I, b: Self::I) -> u16;
    /// Lane by lane `yes` where the mask has its bit, else `no`.
    fn pick(mask: u16, yes: Self::I, no: Self::I) -> Self::I;
    /// The lower 16 bits of each, x in the lower half.
    #[inline(always)]
    fn pair(x: Self::I, y: Self::I) -> Self::I {
        Self::add(Self::and(x, Self::splat(0xFFFF)), Self::mul(y, Self::splat(1 << 16)))
    }
    /// Each cut to 16 bits, x in the lower half.
    #[inline(always)]
    fn halves(x: Self::I, y: Self::I) -> Self::I {
        let (low, high) = (Self::splat(i16::MIN.into()), Self::splat(i16::MAX.into()));
        let [x, y] = [x, y].map(|axis| Self::max(Self::min(axis, high), low));
        Self::pair(x, y)
    }
    /// Of each vector, stores the lanes of the mask one after the other from the start of its place; what follows them is
    /// undefined.
    fn compress<const N: usize>(values: [Self::I; N], mask: u16, out: [&mut [i32; 16]; N]);

    fn load_e(values: &[i32; 8]) -> Self::E;
    fn splat_e(value: i32) -> Self::E;
    /// All x, and all y.
    fn split_e(values: &[[i16; 2]; 8]) -> [Self::E; 2];
    fn add_e(a: Self::E, b: Self::E) -> Self::E;
    fn store_e(a: Self::E, out: &mut [i32; 8]);
    /// As [`Vector::compress`].
    fn compress_e(values: Self::E, mask: u8, out: &mut [i32; 8]);

    /// The first of these.
    fn load_p(values: &[i32]) -> Self::P;
    /// All x, and all y, of the first of these: 16 bits each, x in the lower half.
    fn split_p(values: &[i32]) -> [Self::P; 2];
    fn add_p(a: Self::P, b: Self::P) -> Self::P;
    fn sub_p(a: Self::P, b: Self::P) -> Self::P;
    /// The figures at these places of a table; panics if one lies beyond its end.
    fn look_up_p(table: &[i32], places: Self::P) -> Self::P;
    /// As [`Vector::compress`].
    fn compress_p(values: Self::P, mask: u16, out: &mut [i32]);

    fn load_h(values: &[[i16; 2]; 8]) -> Self::H;
    /// Eight times x and y.
    fn splat_h(pair: [i16; 2]) -> Self::H;
    /// Saturating.
    fn add_h(a: Self::H, b: Self::H) -> Self::H;
    /// Saturating.
    fn sub_h(a: Self::H, b: Self::H) -> Self::H;
    /// The least `i16` stays what it is.
    fn abs_h(a: Self::H) -> Self::H;
    /// Which pairs have a <= b in x and in y, and e != f.
    fn within_h(a: Self::H, b: Self::H, e: Self::E, f: Self::E) -> u8;

    fn float(a: Self::P) -> Self::F;
    fn splat_f(value: f32) -> Self::F;
    fn add_f(a: Self::F, b: Self::F) -> Self::F;
    fn sub_f(a: Self::F, b: Self::F) -> Self::F;
    fn mul_f(a: Self::F, b: Self::F) -> Self::F;
    fn sqrt_f(a: Self::F) -> Self::F;
    fn abs_f(a: Self::F) -> Self::F;
    fn min_f(a: Self::F, b: Self::F) -> Self::F;
    /// a < b
    fn less_f(a: Self::F, b: Self::F) -> u16;
    /// a < b ? yes : no
    fn pick_if_less(a: Self::F, b: Self::F, yes: Self::F, no: Self::F) -> Self::F;

    /// Runs a kernel as a function of its own, compiled for this level: what it keeps in registers is its own.
    fn call<K: Kernel>(kernel: K) -> K::Out;
}

/// Work whose text is the same at every level.
pub(crate) trait Kernel {
    /// What it returns.
    type Out;

    /// Does it. To be marked `#[inline(always)]`, as all that it calls with vectors.
    fn run<V: Vector>(self) -> Self::Out;
}
