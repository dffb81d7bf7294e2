//! Each question with its fields, and the function of the crate that answers it.

use super::question::{Coords, Length, Number, Object, cut, dimension, present, read};
use super::tick;
use crate::geom::ccd::{self, Aabb, RayHit, Sphere, Struck};
use crate::geom::swept;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

type Answer = Result<Value, String>;

/// Answers one line.
pub(super) fn answer(line: &[u8]) -> Answer {
    let Op { op } = read(line)?;
    match op.as_str() {
        "segment_distance" => read::<SegmentDistance>(line)?.answer(),
        "swept_hit" => read::<SweptHit>(line)?.answer(),
        "tick" => tick::answer(line),
        "swept_sphere_aabb" => in_space(&read::<SweptSphereAabb>(line)?),
        "swept_sphere_sphere" => in_space(&read::<SweptSphereSphere>(line)?),
        "ray_aabb" => in_space(&read::<RayAabb>(line)?),
        "ray_sphere" => in_space(&read::<RaySphere>(line)?),
        "ray_segment" => in_space(&read::<RaySegment>(line)?),
        "tunnelling" => read::<Tunnelling>(line)?.answer(),
        "bullet_step" => in_space(&read::<BulletStep>(line)?),
        _ => Err(format!("unknown op {:?}", cut(&op))),
    }
}

/// The one field that every question has.
#[derive(Deserialize)]
struct Op {
    op: String,
}

/// A question in the plane or in space.
trait InSpace {
    /// Its points, named.
    fn points(&self) -> Vec<(&str, &Coords)>;
    /// The answer in the dimension of all points.
    fn answer<const D: usize>(&self) -> Answer;
}

fn in_space(question: &impl InSpace) -> Answer {
    if dimension(question.points())? == 2 { question.answer::<2>() } else { question.answer::<3>() }
}

fn aabb<const D: usize>(min: &Coords, max: &Coords) -> Result<Aabb<D>, String> {
    let aabb = Aabb { min: min.get::<D>(), max: max.get::<D>() };
    match (0..D).find(|&i| aabb.min[i] > aabb.max[i]) {
        Some(i) => Err(format!("min[{i}] = {} is above max[{i}] = {}", aabb.min[i], aabb.max[i])),
        None => Ok(aabb),
    }
}

fn ray_answer<const D: usize>(hit: Option<RayHit<D>>) -> Answer {
    let list = |v: [f64; D]| v.to_vec();
    let (point, normal) = (hit.map(|hit| list(hit.point)), hit.map(|hit| list(hit.normal)));
    Ok(json!({ "toi": hit.map(|hit| hit.toi), "point": point, "normal": normal }))
}

fn plain(numbers: [Number; 4]) -> [f64; 4] {
    numbers.map(|Number(number)| number)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SegmentDistance {
    #[serde(rename = "op")]
    _op: IgnoredAny,
    p: [Number; 4],
    q: [Number; 4],
}

impl SegmentDistance {
    fn answer(&self) -> Answer {
        Ok(json!({ "distance": swept::segment_distance(plain(self.p), plain(self.q)) }))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SweptHit {
    #[serde(rename = "op")]
    _op: IgnoredAny,
    head: [Number; 4],
    body: [Number; 4],
    kill: Length,
}

impl SweptHit {
    fn answer(&self) -> Answer {
        let found = swept::swept_hit(plain(self.head), plain(self.body), self.kill.0);
        Ok(json!({ "hit": found.toi.is_some(), "toi": found.toi, "distance": found.distance }))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SweptSphereAabb {
    #[serde(rename = "op")]
    _op: IgnoredAny,
    p0: Coords,
    p1: Coords,
    radius: Length,
    min: Coords,
    max: Coords,
    #[serde(default)]
    exact: bool,
}

impl InSpace for SweptSphereAabb {
    fn points(&self) -> Vec<(&str, &Coords)> {
        vec![("p0", &self.p0), ("p1", &self.p1), ("min", &self.min), ("max", &self.max)]
    }

    fn answer<const D: usize>(&self) -> Answer {
        let wall = aabb::<D>(&self.min, &self.max)?;
        let sweep = if self.exact { ccd::swept_sphere_aabb_exact } else { ccd::swept_sphere_aabb };
        Ok(json!({ "toi": sweep(self.p0.get(), self.p1.get(), self.radius.0, &wall) }))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SweptSphereSphere {
    #[serde(rename = "op")]
    _op: IgnoredAny,
    p0: Coords,
    p1: Coords,
    radius: Length,
    center: Coords,
    #[serde(default, deserialize_with = "present")]
    center_to: Option<Coords>,
    other_radius: Length,
}

impl InSpace for SweptSphereSphere {
    fn points(&self) -> Vec<(&str, &Coords)> {
        let fixed = [("p0", &self.p0), ("p1", &self.p1), ("center", &self.center)];
        fixed.into_iter().chain(self.center_to.as_ref().map(|to| ("center_to", to))).collect()
    }

    fn answer<const D: usize>(&self) -> Answer {
        let other = Sphere { center: self.center.get::<D>(), radius: self.other_radius.0 };
        let center_to = self.center_to.as_ref().map_or(other.center, Coords::get);
        let toi = ccd::swept_spheres(self.p0.get(), self.p1.get(), self.radius.0, &other, center_to);
        Ok(json!({ "toi": toi }))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RayAabb {
    #[serde(rename = "op")]
    _op: IgnoredAny,
    origin: Coords,
    to: Coords,
    min: Coords,
    max: Coords,
}

impl InSpace for RayAabb {
    fn points(&self) -> Vec<(&str, &Coords)> {
        vec![("origin", &self.origin), ("to", &self.to), ("min", &self.min), ("max", &self.max)]
    }

    fn answer<const D: usize>(&self) -> Answer {
        ray_answer(ccd::ray_aabb(self.origin.get(), self.to.get(), &aabb::<D>(&self.min, &self.max)?))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RaySphere {
    #[serde(rename = "op")]
    _op: IgnoredAny,
    origin: Coords,
    to: Coords,
    center: Coords,
    radius: Length,
}

impl InSpace for RaySphere {
    fn points(&self) -> Vec<(&str, &Coords)> {
        vec![("origin", &self.origin), ("to", &self.to), ("center", &self.center)]
    }

    fn answer<const D: usize>(&self) -> Answer {
        let sphere = Sphere { center: self.center.get::<D>(), radius: self.radius.0 };
        ray_answer(ccd::ray_sphere(self.origin.get(), self.to.get(), &sphere))
    }
}

/// `segment` has the coordinates of both ends, 4 or 6 numbers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RaySegment {
    #[serde(rename = "op")]
    _op: IgnoredAny,
    origin: Coords,
    to: Coords,
    segment: Vec<Number>,
    #[serde(default, deserialize_with = "present")]
    radius: Option<Length>,
}

impl InSpace for RaySegment {
    fn points(&self) -> Vec<(&str, &Coords)> {
        vec![("origin", &self.origin), ("to", &self.to)]
    }

    fn answer<const D: usize>(&self) -> Answer {
        if self.segment.len() != 2 * D {
            return Err(format!(
                "segment has {} numbers, {} are needed beside a point of {D}",
                self.segment.len(),
                2 * D
            ));
        }
        let end = |first: usize| std::array::from_fn::<f64, D, _>(|i| self.segment[first + i].0);
        let radius = self.radius.map_or(0.0, |radius| radius.0);
        ray_answer(ccd::ray_segment(self.origin.get(), self.to.get(), end(0), end(D), radius))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tunnelling {
    #[serde(rename = "op")]
    _op: IgnoredAny,
    speed: Length,
    dt: Length,
    thickness: Length,
    radius: Length,
}

impl Tunnelling {
    fn answer(&self) -> Answer {
        let (speed, dt, thickness, radius) = (self.speed.0, self.dt.0, self.thickness.0, self.radius.0);
        let substeps = ccd::substeps(speed, dt, thickness, radius);
        Ok(json!({ "tunnels": ccd::tunnels(speed, dt, thickness, radius), "substeps": substeps }))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BulletStep {
    #[serde(rename = "op")]
    _op: IgnoredAny,
    p0: Coords,
    p1: Coords,
    radius: Length,
    #[serde(default, deserialize_with = "present")]
    skin: Option<Length>,
    boxes: Vec<Object<BoxLine>>,
    spheres: Vec<Object<SphereLine>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoxLine {
    min: Coords,
    max: Coords,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SphereLine {
    center: Coords,
    radius: Length,
}

impl InSpace for BulletStep {
    fn points(&self) -> Vec<(&str, &Coords)> {
        let boxes = self.boxes.iter().flat_map(|Object(b)| [("a box's min", &b.min), ("a box's max", &b.max)]);
        let spheres = self.spheres.iter().map(|Object(s)| ("a sphere's center", &s.center));
        [("p0", &self.p0), ("p1", &self.p1)].into_iter().chain(boxes).chain(spheres).collect()
    }

    fn answer<const D: usize>(&self) -> Answer {
        let box_at = |(i, Object(b)): (usize, &Object<BoxLine>)| {
            aabb::<D>(&b.min, &b.max).map_err(|what| format!("boxes[{i}]: {what}"))
        };
        let boxes = self.boxes.iter().enumerate().map(box_at).collect::<Result<Vec<_>, _>>()?;
        let sphere = |Object(s): &Object<SphereLine>| Sphere { center: s.center.get::<D>(), radius: s.radius.0 };
        let spheres: Vec<_> = self.spheres.iter().map(sphere).collect();
        let skin = self.skin.map_or(ccd::SKIN, |skin| skin.0);
        let step = ccd::bullet_step(self.p0.get(), self.p1.get(), self.radius.0, skin, &boxes, &spheres);
        let hit = step.hit.map(|(_, struck)| match struck {
            Struck::Box(i) => json!({ "box": i }),
            Struck::Sphere(i) => json!({ "sphere": i }),
        });
        Ok(json!({ "position": step.position.to_vec(), "toi": step.hit.map(|hit| hit.0), "hit": hit }))
    }
}
