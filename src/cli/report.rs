//! A report for people: a line a field, wrapped at 80 columns.

use crate::server::Failure;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;

/// Columns of a line.
const WIDTH: usize = 80;

/// Columns of a field's name, with the two that part it from what it holds.
const INDENT: usize = 14;

/// Prints a report: on one line, or for people.
pub fn print(report: &Value, json: bool) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let done = if json { writeln!(out, "{report}") } else { write!(out, "{}", table(report)) };
    done.and_then(|()| out.flush()).map_err(|error| Failure::system("cannot write the report", &error))
}

/// The fields of an object, one below the other.
pub fn table(report: &Value) -> String {
    let mut text = String::new();
    for (name, value) in report.as_object().into_iter().flatten() {
        let parts = parts(value);
        let _ = write!(text, "{name:>width$}  ", width = INDENT - 2);
        let mut column = INDENT;
        for (n, part) in parts.iter().enumerate() {
            let len = part.chars().count();
            if n > 0 && column + 2 + len > WIDTH {
                let _ = write!(text, "\n{:INDENT$}", "");
                column = INDENT;
            } else if n > 0 {
                text.push_str("  ");
                column += 2;
            }
            text.push_str(part);
            column += len;
        }
        text.push('\n');
    }
    text
}

/// What stands in a value, a part each; none is to be broken.
pub fn parts(value: &Value) -> Vec<String> {
    let mut parts = Vec::new();
    collect(value, "", &mut parts);
    parts
}

/// Collects the parts; those of objects have their names before them.
fn collect(value: &Value, name: &str, parts: &mut Vec<String>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (field, value) in fields {
                let name = if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
                collect(value, &name, parts);
            }
        }
        Value::Array(items) if !items.is_empty() => items.iter().for_each(|item| collect(item, name, parts)),
        one if name.is_empty() => parts.push(word(one)),
        one => parts.push(format!("{name} {}", word(one))),
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // Nothing that is measured here means more than its thousandths; and no zero has a sign.
        Value::Number(number) if number.is_f64() => {
            let rounded = (number.as_f64().unwrap_or(f64::NAN) * 1e3).round() / 1e3;
            (rounded + 0.0).to_string()
        }
        Value::Number(number) => number.to_string(),
        Value::Bool(answer) => answer.to_string(),
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_long_field_is_wrapped_between_its_parts() {
        let lost: serde_json::Map<_, _> = (0..9).map(|n| (format!("reason{n}"), json!(n))).collect();
        let text = table(&json!({ "ramp": { "lost": lost, "seconds": 0.013_333_000_000_000_001 }, "simd": "avx2" }));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.starts_with("        ramp  lost.reason0 0  lost.reason1 1"));
        assert!(text.contains("seconds 0.013\n"), "{text}");
        assert!(text.ends_with("        simd  avx2\n"));
    }

    #[test]
    fn nothing_is_a_dash_and_no_zero_has_a_sign() {
        assert_eq!(table(&json!({ "faults": {}, "join_ms": null, "lost": -0.0 })), {
            "      faults  -\n     join_ms  -\n        lost  0\n"
        });
    }
}
