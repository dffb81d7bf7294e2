//! Headings: 65,536 to a turn, 0 along +x, counted towards +y; sine, cosine and arc tangent of our own.
//!
//! A platform's `libm` may round differently from the next one's. Everything here is integers, or `f64`
//! arithmetic that IEEE 754 fixes to the last bit, so a heading leads to the same place on every machine.

/// Fraction bits of [`unit()`].
pub const UNIT_BITS: u32 = 16;

/// Steps of the sine table in a quarter turn; between them it is interpolated.
const QUARTER: usize = 256;

/// `round(2^28 sin(pi/2 k / 256))`: the interpolation over 64 headings is off by less than 5e-6.
///
/// It goes on to twice its length, with zeros, so that nine bits are always a place in it.
static SINE: [i32; 2 * QUARTER + 1] = sine_table();

const fn sine_table() -> [i32; 2 * QUARTER + 1] {
    let mut table = [0; 2 * QUARTER + 1];
    let mut k = 0;
    while k <= QUARTER {
        table[k] = (sine(k as f64 * (std::f64::consts::FRAC_PI_2 / QUARTER as f64)) * 268_435_456.0 + 0.5) as i32;
        k += 1;
    }
    table
}

/// Taylor's series of the sine for 0 <= x <= pi/2; the term after the last is below 2^-60.
pub(crate) const fn sine(x: f64) -> f64 {
    let (mut term, mut sum, mut n) = (x, x, 1.0);
    while n < 24.0 {
        term = -term * x * x / ((n + 1.0) * (n + 2.0));
        sum += term;
        n += 2.0;
    }
    sum
}

/// Sines of headings in 2^-28: three loops, so that only the looking up is done one by one.
#[inline(always)]
fn sines<const N: usize>(headings: &[u16; N]) -> [i32; N] {
    let (mut step, mut part) = ([0; N], [0; N]);
    for n in 0..N {
        let within = i32::from(headings[n] & 0x7FFF);
        let folded = within.min(0x8000 - within);
        (step[n], part[n]) = (folded >> 6, folded & 63);
    }
    let (mut low, mut high) = ([0; N], [0; N]);
    for n in 0..N {
        let k = step[n] as usize & 0x1FF;
        (low[n], high[n]) = (SINE[k], SINE[k + 1]);
    }
    let mut sines = [0; N];
    for n in 0..N {
        let value = low[n] + (((high[n] - low[n]) * part[n]) >> 6);
        let sign = i32::from(headings[n] as i16 >> 15);
        sines[n] = (value ^ sign) - sign;
    }
    sines
}

/// The directions of headings as vectors of length 2^16, each part rounded to the nearest integer; first all x, then
/// all y.
#[inline(always)]
pub(crate) fn units<const N: usize>(headings: &[u16; N]) -> [[i32; N]; 2] {
    let mut units = [[0; N]; 2];
    for (unit, ahead) in units.iter_mut().zip([0x4000, 0]) {
        let mut turned = *headings;
        for heading in &mut turned {
            *heading = heading.wrapping_add(ahead);
        }
        let sines = sines(&turned);
        for n in 0..N {
            unit[n] = (sines[n] + (1 << 11)) >> 12;
        }
    }
    units
}

/// The direction of a heading as a vector of length 2^16, each part rounded to the nearest integer.
///
/// ```
/// assert_eq!(ringsnake::geom::angle::unit(0), [65536, 0]);
/// assert_eq!(ringsnake::geom::angle::unit(16384), [0, 65536]);
/// ```
pub fn unit(heading: u16) -> [i32; 2] {
    units(&[heading]).map(|part| part[0])
}

/// The heading of a vector; 0 for the zero vector.
///
/// The quotient of the lesser by the greater side goes through Hastings' polynomial for the arc tangent
/// (error below 1e-5 turn, that is one heading), in `f64` with plain multiplication and addition.
pub fn heading_of(dx: i32, dy: i32) -> u16 {
    if dx == 0 && dy == 0 {
        return 0;
    }
    let (ax, ay) = (f64::from(dx).abs(), f64::from(dy).abs());
    let z = ax.min(ay) / ax.max(ay);
    let z2 = z * z;
    let poly = ((((0.020_835_1 * z2 - 0.085_133_0) * z2 + 0.180_141_0) * z2 - 0.330_299_5) * z2 + 0.999_866_0) * z;
    let eighth = (poly * (32_768.0 / std::f64::consts::PI)).round() as i32;
    let quarter = if ay > ax { 16_384 - eighth } else { eighth };
    let half = if dx < 0 { 32_768 - quarter } else { quarter };
    (if dy < 0 { -half } else { half }) as u16
}

/// The signed turn from one heading to another, the short way round, -32768..=32767.
pub fn turn_between(from: u16, to: u16) -> i32 {
    i32::from(to.wrapping_sub(from) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_heading_is_a_unit_vector_and_comes_back() {
        for heading in 0..=u16::MAX {
            let [x, y] = unit(heading);
            let length = (f64::from(x) * f64::from(x) + f64::from(y) * f64::from(y)).sqrt();
            assert!((length - 65_536.0).abs() < 1.5, "{heading}: {length}");
            assert!(turn_between(heading, heading_of(x, y)).abs() <= 2, "{heading}");
        }
    }

    #[test]
    fn the_table_is_the_sine() {
        for heading in (0..=u16::MAX).step_by(7) {
            let angle = f64::from(heading) * std::f64::consts::TAU / 65_536.0;
            let [x, y] = unit(heading);
            assert!((f64::from(x) / 65_536.0 - angle.cos()).abs() < 2e-5);
            assert!((f64::from(y) / 65_536.0 - angle.sin()).abs() < 2e-5);
        }
    }

    #[test]
    fn turns_go_the_short_way() {
        assert_eq!(turn_between(65_000, 500), 1_036);
        assert_eq!(turn_between(500, 65_000), -1_036);
    }
}
