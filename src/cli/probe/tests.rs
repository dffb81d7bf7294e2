use super::*;
use serde_json::Value;
use std::io::BufReader;

fn ask(lines: &str) -> (Vec<Value>, bool) {
    let mut out = Vec::new();
    let all = run(lines.as_bytes(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), all)
}

/// The error that a single line gets.
fn refusal(line: &str) -> String {
    let (answers, all) = ask(line);
    assert!(!all && answers.len() == 1, "{line} was answered with {answers:?}");
    answers[0]["error"].as_str().unwrap_or_else(|| panic!("{line}: {answers:?}")).to_owned()
}

#[test]
fn every_line_has_its_answer_and_a_bad_one_spoils_only_the_verdict() {
    let good = r#"{"op":"tunnelling","speed":60,"dt":0.1,"thickness":1,"radius":0}"#;
    let (answers, all) = ask(&format!("{good}\nnonsense\n\n{good}"));
    assert!(!all);
    assert_eq!(answers.len(), 4);
    assert_eq!((&answers[0], &answers[3]), (&json!({"tunnels": true, "substeps": 12}), &answers[0]));
    assert!(answers[1]["error"].as_str().unwrap().starts_with("line 2: column 2"), "{}", answers[1]);
    assert!(answers[2]["error"].as_str().unwrap().starts_with("line 3: "));
    assert_eq!(ask(""), (vec![], true));
}

#[test]
fn what_is_wrong_is_named() {
    for (line, what) in [
        (r#"{"op":"fly"}"#, r#"unknown op "fly""#),
        (r#"{"p":[0,0,0,0]}"#, "missing field `op`"),
        (r#"["segment_distance"]"#, "expected an object"),
        (r#"{"op":"segment_distance","p":[0,0,1,1]}"#, "missing field `q`"),
        (r#"{"op":"segment_distance","p":[0,0,1],"q":[0,0,0,0]}"#, "invalid length 3"),
        (r#"{"op":"segment_distance","p":[0,0,1,1,1],"q":[0,0,0,0]}"#, "column 39"),
        (r#"{"op":"segment_distance","p":[0,0,"x",0],"q":[0,0,0,0]}"#, "invalid type: string"),
        (r#"{"op":"segment_distance","p":[0,0,null,0],"q":[0,0,0,0]}"#, "invalid type: null"),
        (r#"{"op":"segment_distance","p":[0,0,1,1],"q":[0,0,0,0],"r":1}"#, "unknown field `r`"),
        (r#"{"op":"segment_distance","p":[0,0,1,1],"p":[0,0,1,1],"q":[0,0,0,0]}"#, "duplicate field `p`"),
        (r#"{"op":"segment_distance","p":[0,0,1e999,1],"q":[0,0,0,0]}"#, "number out of range"),
        (r#"{"op":"segment_distance","p":[0,0,1e200,1],"q":[0,0,0,0]}"#, "1e200 is beyond 1e50"),
        (r#"{"op":"segment_distance","p":[0,0,NaN,1],"q":[0,0,0,0]}"#, "expected value"),
        (r#"{"op":"swept_hit","head":[0,0,1,1],"body":[0,0,0,0],"kill":-1}"#, "-1 is negative"),
        (r#"{"op":"swept_hit","head":[0,0,1,1],"body":[0,0,0,0],"kill":1} {}"#, "trailing"),
        (r#"{"op":"ray_sphere","origin":[0,0],"to":[1,0,0],"center":[0,0],"radius":1}"#, "to has 3"),
        (r#"{"op":"ray_sphere","origin":[0,0,0,0],"to":[1,0],"center":[0,0],"radius":1}"#, "2 or 3 numbers"),
        (r#"{"op":"ray_sphere","origin":[0],"to":[1,0],"center":[0,0],"radius":1}"#, "2 or 3 numbers"),
        (r#"{"op":"ray_aabb","origin":[0,0],"to":[1,0],"min":[0,3],"max":[1,2]}"#, "min[1] = 3 is above max[1] = 2"),
        (r#"{"op":"ray_segment","origin":[0,0],"to":[1,0],"segment":[0,0,0,1,1,1]}"#, "segment has 6 numbers"),
        (r#"{"op":"ray_segment","origin":[0,0],"to":[1,0],"segment":[0,0,1,1],"radius":null}"#, "null"),
        (r#"{"op":"bullet_step","p0":[0,0],"p1":[1,0],"radius":1,"boxes":[[[0,0],[1,1]]],"spheres":[]}"#, "an object"),
        (
            r#"{"op":"bullet_step","p0":[0,0],"p1":[1,0],"radius":1,"boxes":[{"min":[2,0],"max":[1,1]}],"spheres":[]}"#,
            "boxes[0]: min[0]",
        ),
        (r#"{"op":"swept_sphere_aabb","p0":[0,0],"p1":[1,0],"radius":1,"min":[0,0],"max":[1,1],"exact":1}"#, "boolean"),
    ] {
        let found = refusal(line);
        assert!(found.contains(what), "{line}: {found}");
    }
}

#[test]
fn what_is_wrong_with_a_tick_is_named() {
    let snake = r#"{"id":1,"radius":2,"body":[[0,0]],"from":[0,0],"to":[1,0]}"#;
    let tick = |snakes: &str, rules: &str| refusal(&format!(r#"{{"op":"tick","snakes":[{snakes}]{rules}}}"#));
    for (change, into, what) in [
        ("\"radius\":2", "\"radius\":-2", "-2 is negative"),
        ("\"radius\":2", "\"radius\":501", "snakes[0]: radius: 501 is above 500"),
        ("\"id\":1", "\"id\":-1", "invalid value"),
        ("\"id\":1", "\"id\":1.5", "invalid type"),
        ("[[0,0]]", "[]", "snakes[0]: body: no samples"),
        ("[[0,0]]", "[[0,0,0]]", "a tick is in the plane"),
        ("[1,0]", "[1,1e30]", "snakes[0]: to: [1.0, 1e30] is off the lattice"),
        ("[1,0]}", "[1,0],\"gaps\":[1]}", "gaps: there is no sample 1"),
        ("[1,0]}", "[1,0],\"name\":\"x\"}", "unknown field `name`"),
    ] {
        let found = tick(&snake.replace(change, into), "");
        assert!(found.contains(what), "{into}: {found}");
    }
    assert!(tick(&format!("{snake},{snake}"), "").contains("id 1 stands twice"));
    assert!(tick(snake, r#","rules":{"gravity":1}"#).contains("unknown field `gravity`"));
    assert!(tick(snake, r#","rules":{"arena_radius":250001}"#).contains("rules: arena_radius"));
    assert!(tick(snake, r#","rules":{"head_on":"nobody"}"#).contains("unknown variant"));
}

#[test]
fn a_line_without_end_is_skipped_without_being_held() {
    let endless = io::repeat(b'[').take(3 * LINE_MAX as u64);
    let good = &b"\n{\"op\":\"swept_hit\",\"head\":[0,0,1,0],\"body\":[5,0,6,0],\"kill\":1}"[..];
    let mut out = Vec::new();
    assert!(!run(BufReader::new(endless.chain(good)), &mut out).unwrap());
    let text = String::from_utf8(out).unwrap();
    let (first, second) = text.split_once('\n').unwrap();
    assert!(first.contains("line 1: longer than 16777216 bytes"), "{first}");
    assert_eq!(second, "{\"distance\":4.0,\"hit\":false,\"toi\":null}\n");
}

#[test]
fn odd_bytes_are_refused_and_not_echoed_at_length() {
    for line in ["[".repeat(100_000), format!("{{\"op\":\"{}\"}}", "é".repeat(50_000)), "\u{0}".to_owned()] {
        assert!(refusal(&line).len() < 400);
    }
    let mut out = Vec::new();
    assert!(!run(&b"{\"op\":\"\xFF\xFE\"}\n"[..], &mut out).unwrap());
}

/// Every op, with `#` where a number goes and `+` where one goes that is not negative.
const FORMS: [&str; 9] = [
    r##"{"op":"segment_distance","p":[#,#,#,#],"q":[#,#,#,#]}"##,
    r##"{"op":"swept_hit","head":[#,#,#,#],"body":[#,#,#,#],"kill":+}"##,
    r##"{"op":"swept_sphere_aabb","p0":[#,#],"p1":[#,#],"radius":+,"min":[#,#],"max":[1e50,1e50],"exact":true}"##,
    r##"{"op":"swept_sphere_sphere","p0":[#,#],"p1":[#,#],"radius":+,"center":[#,#],"other_radius":+}"##,
    r##"{"op":"ray_aabb","origin":[#,#,#],"to":[#,#,#],"min":[-1e50,#,#],"max":[#,1e50,1e50]}"##,
    r##"{"op":"ray_sphere","origin":[#,#,#],"to":[#,#,#],"center":[#,#,#],"radius":+}"##,
    r##"{"op":"ray_segment","origin":[#,#,#],"to":[#,#,#],"segment":[#,#,#,#,#,#],"radius":+}"##,
    r##"{"op":"tunnelling","speed":+,"dt":+,"thickness":+,"radius":+}"##,
    r##"{"op":"bullet_step","p0":[#,#],"p1":[#,#],"radius":+,"boxes":[],"spheres":[{"center":[#,#],"radius":+}]}"##,
];

#[test]
fn numbers_of_every_size_have_an_answer() {
    const ODD: [&str; 12] =
        ["0", "-0.0", "1", "-1", "5e-324", "-1e-310", "1e-160", "1e50", "-1e50", "1e25", "20000.1", "0.1"];
    let mut seed = 1_u64;
    let mut number = |from: usize| loop {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let drawn = ODD[(seed >> 40) as usize % ODD.len()];
        if from == 0 || !drawn.starts_with('-') {
            return drawn;
        }
    };
    for form in FORMS.iter().cycle().take(20_000) {
        let line: String =
            form.chars().map(|c| "#+".find(c).map_or_else(|| c.to_string(), |from| number(from).to_owned())).collect();
        let (answers, all) = ask(&line);
        assert!(all, "{line}: {answers:?}");
        let fair = |toi: f64| (0.0..=1.0).contains(&toi);
        assert!(answers[0].get("toi").and_then(Value::as_f64).is_none_or(fair), "{line}: {answers:?}");
    }
}
