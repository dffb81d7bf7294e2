//! What may stand on a line: numbers, points and objects, checked as they are read, so that an error has its column.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// Largest magnitude of a number: its fourth power is still finite, so no answer overflows.
const NUMBER_MAX: f64 = 1e50;

/// Longest message of an error, bytes: it may quote the line.
const MESSAGE_MAX: usize = 200;

/// Reads a whole line as `T`.
pub(super) fn read<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    let Object(question) = serde_json::from_slice(line).map_err(|error| explain(&error))?;
    Ok(question)
}

/// The message of an error with its column; the line that it names is always the first of one.
fn explain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    format!("column {}: {}", error.column(), cut(what))
}

/// The beginning of a text that came from outside.
pub(super) fn cut(text: &str) -> String {
    if text.len() <= MESSAGE_MAX {
        return text.to_owned();
    }
    format!("{}...", &text[..text.floor_char_boundary(MESSAGE_MAX)])
}

/// A number of reasonable size.
#[derive(Clone, Copy)]
pub(super) struct Number(pub f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(from)?;
        if number.abs() <= NUMBER_MAX {
            return Ok(Self(number));
        }
        Err(D::Error::custom(format_args!("{number:e} is beyond {NUMBER_MAX:e}")))
    }
}

/// A number that is not negative: a radius, a distance, a speed.
#[derive(Clone, Copy)]
pub(super) struct Length(pub f64);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Number(number) = Number::deserialize(from)?;
        if number >= 0.0 {
            return Ok(Self(number));
        }
        Err(D::Error::custom(format_args!("{number} is negative")))
    }
}

/// A point of the plane or of space.
pub(super) struct Coords {
    at: [f64; 3],
    dimension: usize,
}

impl Coords {
    /// The first `D` coordinates.
    pub fn get<const D: usize>(&self) -> [f64; D] {
        std::array::from_fn(|i| self.at.get(i).copied().unwrap_or(0.0))
    }
}

impl<'de> Deserialize<'de> for Coords {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Seen;
        impl<'de> Visitor<'de> for Seen {
            type Value = Coords;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a point of 2 or 3 numbers")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Coords, A::Error> {
                let mut point = Coords { at: [0.0; 3], dimension: 0 };
                while let Some(Number(number)) = seq.next_element()? {
                    let place = point.at.get_mut(point.dimension);
                    *place.ok_or_else(|| A::Error::invalid_length(4, &self))? = number;
                    point.dimension += 1;
                }
                if point.dimension < 2 {
                    return Err(A::Error::invalid_length(point.dimension, &self));
                }
                Ok(point)
            }
        }
        from.deserialize_seq(Seen)
    }
}

/// The dimension that all the named points share.
pub(super) fn dimension<'a>(points: impl IntoIterator<Item = (&'a str, &'a Coords)>) -> Result<usize, String> {
    let mut points = points.into_iter();
    let Some((first, Coords { dimension, .. })) = points.next() else { return Ok(2) };
    match points.find(|(_, point)| point.dimension != *dimension) {
        Some((name, other)) => {
            Err(format!("mixed dimensions: {first} has {dimension} numbers, {name} has {}", other.dimension))
        }
        None => Ok(*dimension),
    }
}

/// A `T` written as an object. (As derived, a list of the fields' values would do as well.)
pub(super) struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Seen<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Seen<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }
        from.deserialize_map(Seen(PhantomData))
    }
}

/// For a field that may be absent, but not null.
pub(super) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}
