//! Cases met in the field, each widened to its kind: mirrored, turned, reversed, moved far out, scaled; all asked
//! through the probe. A case of `tests/cases/geometry.jsonl` has `in` (the question), `out` (the fields that the answer
//! must have), `tol` (how far numbers may be off), `why`, and `border` if it hangs on the last bit of its numbers.
#![cfg(feature = "server")]

use serde_json::{Map, Value, json};

/// Rounding allowed for a case that was moved out to ±20,000 u.
const FAR_TOL: f64 = 1e-8;

fn cases() -> Vec<Value> {
    include_str!("cases/geometry.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ask(question: &Value) -> Value {
    let mut answer = Vec::new();
    ringsnake::cli::probe::run(question.to_string().as_bytes(), &mut answer).unwrap();
    serde_json::from_slice(&answer).unwrap()
}

/// A movement of space: axes permuted, then mirrored, scaled and shifted.
#[derive(Clone, Copy)]
struct Motion {
    name: &'static str,
    turn: usize,
    sign: [f64; 3],
    scale: f64,
    shift: [f64; 3],
}

const STILL: Motion = Motion { name: "as it is", turn: 0, sign: [1.0; 3], scale: 1.0, shift: [0.0; 3] };

fn motions() -> Vec<Motion> {
    let far = |name, shift| Motion { name, shift, ..STILL };
    vec![
        STILL,
        Motion { name: "mirrored in x", sign: [-1.0, 1.0, 1.0], ..STILL },
        Motion { name: "mirrored in y", sign: [1.0, -1.0, 1.0], ..STILL },
        Motion { name: "turned half round", sign: [-1.0, -1.0, 1.0], ..STILL },
        Motion { name: "axes swapped", turn: 1, ..STILL },
        Motion { name: "axes swapped and mirrored", turn: 1, sign: [-1.0, 1.0, -1.0], ..STILL },
        Motion { name: "1,024 times as large", scale: 1_024.0, ..STILL },
        Motion { name: "1,024 times as small", scale: 1.0 / 1_024.0, ..STILL },
        far("far out to the right", [20_000.0, -20_000.0, 20_000.0]),
        far("far out to the left", [-20_000.0, 20_000.0, -20_000.0]),
    ]
}

impl Motion {
    fn exact(&self) -> bool {
        self.shift == [0.0; 3]
    }

    fn point(&self, at: &[f64]) -> Vec<f64> {
        let n = at.len();
        (0..n).map(|i| self.sign[i] * self.scale * at[(i + self.turn) % n] + self.shift[i]).collect()
    }

    /// A list of points that stand one after another.
    fn chain(&self, list: &Value, dimension: usize) -> Value {
        json!(numbers(list).chunks(dimension).flat_map(|at| self.point(at)).collect::<Vec<_>>())
    }

    /// The field of a question, moved. What is no number stays what it is.
    fn field(&self, name: &str, value: &Value, dimension: usize) -> Value {
        let odd = value.as_array().is_some_and(|list| list.iter().any(Value::is_string));
        match (name, value) {
            _ if odd => value.clone(),
            ("snakes" | "boxes" | "spheres" | "deaths", Value::Array(list)) => {
                list.iter().map(|each| json!(self.object(each, dimension))).collect()
            }
            ("body", Value::Array(list)) if list.first().is_some_and(Value::is_array) => {
                list.iter().map(|at| self.chain(at, dimension)).collect()
            }
            ("hit", _) => value.clone(),
            (_, Value::Array(_)) => self.chain(value, dimension),
            ("radius" | "other_radius" | "kill" | "skin" | "speed" | "thickness" | "distance", Value::Number(_)) => {
                json!(value.as_f64().unwrap() * self.scale)
            }
            _ => value.clone(),
        }
    }

    fn object(&self, object: &Value, dimension: usize) -> Map<String, Value> {
        let fields = object.as_object().unwrap();
        let mut moved: Map<_, _> =
            fields.iter().map(|(name, value)| (name.clone(), self.field(name, value, dimension))).collect();
        if let (Some(min), Some(max)) = (moved.get("min").map(numbers), moved.get("max").map(numbers)) {
            let side =
                |pick: fn(f64, f64) -> f64| json!(min.iter().zip(&max).map(|(&a, &b)| pick(a, b)).collect::<Vec<_>>());
            moved.insert("min".to_owned(), side(f64::min));
            moved.insert("max".to_owned(), side(f64::max));
        }
        moved
    }
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn op(question: &Value) -> &str {
    question["op"].as_str().unwrap()
}

fn dimension(question: &Value) -> usize {
    let point = ["p0", "origin"].iter().find_map(|&name| question.get(name));
    point.map_or(2, |at| at.as_array().unwrap().len())
}

/// The case under a motion: question, answer, tolerance.
fn moved(case: &Value, motion: Motion) -> (Value, Value, f64) {
    let mut question = case["in"].clone();
    if op(&question) == "bullet_step" {
        question["skin"] = json!(0.005);
    }
    let dimension = dimension(&question);
    let tol = case["tol"].as_f64().unwrap() * motion.scale.max(1.0) + if motion.exact() { 0.0 } else { FAR_TOL };
    (json!(motion.object(&question, dimension)), json!(motion.object(&case["out"], dimension)), tol)
}

/// The same question asked otherwise: which segment is the first, and which end.
fn reworded(question: &Value) -> Vec<Value> {
    let mut all = vec![question.clone()];
    let flat = |name: &str| question.get(name).filter(|list| list.as_array().is_some_and(|list| list.len() > 3));
    for name in ["p", "q", "segment", "body"].into_iter().filter(|&name| op(question) != "tick" && flat(name).is_some())
    {
        let list = question[name].as_array().unwrap();
        let mut turned = question.clone();
        turned[name] = list[list.len() / 2..].iter().chain(&list[..list.len() / 2]).cloned().collect();
        all.push(turned);
    }
    if op(question) == "segment_distance" {
        all.push(json!({ "op": "segment_distance", "p": question["q"], "q": question["p"] }));
    }
    if let Some(center_to) = question.get("center_to") {
        let [p0, p1, center] = ["p0", "p1", "center"].map(|name| &question[name]);
        let radii = [&question["radius"], &question["other_radius"]];
        all.push(json!({ "op": "swept_sphere_sphere", "p0": center, "p1": center_to, "radius": radii[1],
            "center": p0, "center_to": p1, "other_radius": radii[0] }));
    }
    all
}

/// Whether the answer has everything that is expected, numbers to within the tolerance.
fn has(found: &Value, expected: &Value, tol: f64) -> bool {
    match (found, expected) {
        (Value::Number(a), Value::Number(b)) => (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() <= tol,
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| has(a, b, tol)),
        (Value::Object(a), Value::Object(b)) => b.iter().all(|(k, b)| a.get(k).is_some_and(|a| has(a, b, tol))),
        _ => found == expected,
    }
}

fn hold(question: &Value, expected: &Value, tol: f64, what: &str) {
    let answer = ask(question);
    let fine = if expected.get("error").is_some() { answer["error"].is_string() } else { has(&answer, expected, tol) };
    assert!(fine, "{what}\n  asked    {question}\n  expected {expected} to within {tol}\n  found    {answer}");
}

/// Whether a case is a tick that has an answer.
fn engine_case(case: &Value) -> bool {
    op(&case["in"]) == "tick" && case["out"].get("error").is_none()
}

#[test]
fn the_cases_hold_as_they_stand() {
    for case in cases().iter().filter(|case| !engine_case(case)) {
        hold(&case["in"], &case["out"], case["tol"].as_f64().unwrap(), case["why"].as_str().unwrap());
    }
}

#[test]
fn the_cases_hold_wherever_they_are_moved_and_however_they_are_asked() {
    for case in cases().iter().filter(|case| !engine_case(case)) {
        let on_border = case.get("border").is_some();
        for motion in motions().into_iter().filter(|motion| motion.exact() || !on_border) {
            let (question, expected, tol) = moved(case, motion);
            for question in reworded(&question) {
                hold(&question, &expected, tol, &format!("{}, {}", case["why"], motion.name));
            }
        }
    }
}

#[test]
fn the_ticks_hold_wherever_they_are_moved_and_in_every_order() {
    for case in cases().iter().filter(|case| engine_case(case)) {
        for motion in motions().into_iter().filter(|motion| motion.scale == 1.0) {
            let (mut question, expected, tol) = moved(case, motion);
            for _ in question["snakes"].as_array().unwrap().clone() {
                hold(&question, &expected, tol, &format!("{}, {}", case["why"], motion.name));
                question["snakes"].as_array_mut().unwrap().rotate_left(1);
            }
        }
    }
}
