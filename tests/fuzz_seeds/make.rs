//! Makes the seeds of `fuzz/` from what the project has: the cases, the vectors of the wire, the default config.

use ringsnake::world::Rng;
use serde_json::Value;
use std::path::Path;

#[test]
#[ignore = "writes fuzz/seeds anew: only when a target reads its bytes otherwise"]
fn make_seeds() {
    for (n, case) in lines(include_str!("../cases/geometry.jsonl")).enumerate() {
        let question = &case["in"];
        put("probe", &format!("case-{n:02}"), format!("{question}\n").as_bytes());
        for (target, bytes) in of_case(question).into_iter().chain(of_toolbox(question)) {
            put(target, &format!("case-{n:02}"), &bytes);
        }
    }
    make_wire();
    make_configs();
    for target in ["ring", "grid", "world", "tick", "toi", "segment", "ccd"] {
        for (n, len) in [(0, 60), (1, 150), (2, 400)] {
            let mut dice = Rng::new(n + len);
            put(target, &format!("dice-{n}"), &(0..len).map(|_| dice.next_u64() as u8).collect::<Vec<u8>>());
        }
    }
}

fn put(target: &str, name: &str, bytes: &[u8]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), bytes).unwrap();
}

fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap())
}

fn make_wire() {
    let vectors: Vec<Value> = serde_json::from_str(include_str!("../../src/wire/vectors.json")).unwrap();
    let unhex = |hex: &str| -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    };
    let mut film = Vec::new();
    for (n, vector) in vectors.iter().enumerate() {
        let bytes = unhex(vector["hex"].as_str().unwrap());
        put("wire", &format!("vector-{n:02}"), &bytes);
        if vector["kind"] == "snapshot" {
            let framed = [&(bytes.len() as u16).to_le_bytes(), &bytes[..]].concat();
            put("mirror", &format!("vector-{n:02}"), &framed);
            film.extend(framed);
        }
    }
    put("mirror", "film", &film);
}

fn make_configs() {
    let mut file = ringsnake::server::FileConfig::default();
    put("config", "default", toml::to_string(&file).unwrap().as_bytes());
    file.world.arena.obstacles = vec![
        ringsnake::world::Obstacle::Box { min: [-50.0, -50.0], max: [50.0, 60.0] },
        ringsnake::world::Obstacle::Circle { center: [300.0, 0.0], radius: 40.0 },
    ];
    file.world.rules.set = ringsnake::world::RuleSet::Pellets;
    put("config", "pellets-and-walls", toml::to_string(&file).unwrap().as_bytes());
    for text in ["", "[world.body]\nspacing = nan\n", "[world]\ntick_hz = 241\n", "[world.rules]\nset = \"chess\"\n"] {
        put("config", &format!("short-{}", text.len()), text.as_bytes());
    }
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

fn of_case(question: &Value) -> Vec<(&'static str, Vec<u8>)> {
    let (p, q) = match question["op"].as_str() {
        Some("segment_distance") => ("p", "q"),
        Some("swept_hit") => ("head", "body"),
        Some("tick") => return vec![("tick", tick(question))],
        _ => return Vec::new(),
    };
    let ends = [numbers(&question[p]), numbers(&question[q])].concat();
    let kill = question["kill"].as_f64().unwrap_or(3.8);
    let near: Vec<u8> = ends.iter().flat_map(|x| quanta(*x).to_le_bytes()).collect();
    let pair = [&[1, 0, 0, 0, 0, 0, 0], &near[..], &quanta(kill).to_le_bytes()].concat();
    let plain: Vec<u8> = ends.iter().chain([&kill]).flat_map(|x| x.to_le_bytes()).collect();
    vec![("segment", pair.clone()), ("toi", pair), ("swept", [&[1], &plain[..]].concat())]
}

/// A mover's way, two places, two radii, in as many dimensions as the question has.
fn of_toolbox(question: &Value) -> Option<(&'static str, Vec<u8>)> {
    let first = |names: &[&str]| names.iter().map(|name| numbers(&question[name])).find(|list| !list.is_empty());
    let way = [first(&["p0", "origin"])?, first(&["p1", "to"])?].concat();
    let wall = &question["boxes"][0];
    let pair = |list: [&Value; 2]| list.map(numbers).concat();
    let places = [
        numbers(&question["segment"]),
        pair([&question["min"], &question["max"]]),
        pair([&wall["min"], &wall["max"]]),
        pair([&question["center"], &question["center_to"]]),
    ];
    let places = places.into_iter().find(|list| list.len() == way.len())?;
    let radii = ["radius", "other_radius"].map(|name| question[name].as_f64().unwrap_or(0.0));
    let flags = 2 | u8::from(way.len() == 6);
    let bytes = way.iter().chain(&places).chain(&radii).flat_map(|x| x.to_le_bytes());
    Some(("ccd", std::iter::once(flags).chain(bytes).collect()))
}

fn quanta(x: f64) -> i16 {
    (x * 64.0).round() as i16
}

/// As the target reads it: rules, centre, edge; then each snake.
fn tick(question: &Value) -> Vec<u8> {
    let own = question["rules"]["own_body"] == true;
    let longer = question["rules"]["head_on"] == "longer_survives";
    let mut out = vec![u8::from(longer) | u8::from(own) << 1, 0, 0, 0, 0, 0, 0, 0];
    for snake in question["snakes"].as_array().into_iter().flatten() {
        put_snake(&mut out, snake);
    }
    out
}

fn put_snake(out: &mut Vec<u8>, snake: &Value) {
    let body: Vec<Vec<f64>> = snake["body"].as_array().into_iter().flatten().map(numbers).take(15).collect();
    let from = numbers(&snake["from"]);
    let path: Vec<[i16; 2]> =
        body.iter().chain([&from]).filter(|at| at.len() > 1).map(|at| [quanta(at[0]), quanta(at[1])]).collect();
    let (Some(first), to) = (path.first(), numbers(&snake["to"])) else { return };
    out.push(0x80 | 0x20 | (path.len() - 1) as u8);
    out.extend(quanta(snake["radius"].as_f64().unwrap_or(2.0)).to_le_bytes());
    out.extend(first.iter().flat_map(|x| x.to_le_bytes()));
    for pair in path.windows(2) {
        let step = [0, 1].map(|i| i32::from(pair[1][i]) - i32::from(pair[0][i]));
        let shift = (0..7).find(|shift| step.iter().all(|d| (d >> shift).abs() < 128)).unwrap_or(7);
        out.push(shift << 5 | 1);
        out.extend(step.map(|d| (d >> shift) as u8));
    }
    let last = path[path.len() - 1];
    out.extend(to.iter().zip(last).flat_map(|(x, from)| quanta(*x).wrapping_sub(from).to_le_bytes()));
}
