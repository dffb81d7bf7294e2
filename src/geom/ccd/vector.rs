//! Vectors as arrays.

pub(super) fn sub<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|i| a[i] - b[i])
}

pub(super) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).fold(0.0, |sum, i| sum + a[i] * b[i])
}

/// The squared length; of vectors shorter than some 1e-154, whose square has no precision left, it is 0.
///
/// Who divides by it must take such a vector for none: in a scene that matters it is shorter than any rounding.
pub(in crate::geom) fn length2<const D: usize>(v: [f64; D]) -> f64 {
    let square = dot(v, v);
    if square < f64::MIN_POSITIVE { 0.0 } else { square }
}

/// `m + t d`.
pub(super) fn along<const D: usize>(m: [f64; D], d: [f64; D], t: f64) -> [f64; D] {
    std::array::from_fn(|i| m[i] + t * d[i])
}

/// The same vector in space.
pub(super) fn widen<const D: usize>(v: [f64; D]) -> [f64; 3] {
    const { assert!(D == 2 || D == 3, "the plane or space") };
    std::array::from_fn(|i| v.get(i).copied().unwrap_or(0.0))
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let part = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
    [part(1, 2), part(2, 0), part(0, 1)]
}

/// The vector at length 1; none for the zero vector.
pub(super) fn unit<const D: usize>(v: [f64; D]) -> Option<[f64; D]> {
    let v = if length2(v) == 0.0 { v.map(|x| x * ENLARGE) } else { v };
    let length = length2(v).sqrt();
    (length > 0.0).then(|| v.map(|x| x / length))
}

/// 2^600: makes the smallest number's square a normal one, and no square infinite of what [`length2`] calls 0.
const ENLARGE: f64 = f64::from_bits((1023 + 600) << 52);

/// A few roundings of the larger vector: the thickness of what has none.
pub(super) fn thin<const D: usize>(m: [f64; D], d: [f64; D]) -> f64 {
    let largest = m.iter().chain(&d).fold(0.0_f64, |max, x| max.max(x.abs()));
    4.0 * f64::EPSILON * largest
}
