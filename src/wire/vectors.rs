//! The vectors that this codec shares with the client's. `vectors.json` is frozen: a change of it is a
//! change of the format.

use super::message::{Board, Died, Map, Obituary, Obstacle, Reason, Row, Welcome};
use super::read::WireError;
use super::snapshot::{Appear, Header, More, Move, Snapshot, State};
use super::{OBSTACLES_MAX, ToClient, ToServer, VERSION};
use crate::geom::lattice::Point;
use crate::world::{Food, SnakeId};
use serde_json::{Value, json};

#[test]
fn every_vector_decodes_to_its_value_and_encodes_to_its_bytes() {
    for vector in frozen().iter().filter(|vector| vector["error"] != true) {
        let (name, bytes) = (&vector["name"], unhex(vector["hex"].as_str().unwrap()));
        let message = decode(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(message.to_json(), (vector["kind"].as_str().unwrap(), vector["value"].clone()), "{name}");
        assert_eq!(message.to_bytes(), bytes, "{name}");
    }
}

#[test]
fn every_malformed_vector_is_refused() {
    for vector in frozen().iter().filter(|vector| vector["error"] == true) {
        let bytes = unhex(vector["hex"].as_str().unwrap());
        assert!(decode(&bytes).is_err(), "{}", vector["name"]);
    }
}

#[test]
fn every_cut_of_a_valid_vector_is_refused() {
    for vector in frozen().iter().filter(|vector| vector["error"] != true) {
        let bytes = unhex(vector["hex"].as_str().unwrap());
        for n in 0..bytes.len() {
            assert!(decode(&bytes[..n]).is_err(), "{} cut at {n}", vector["name"]);
        }
    }
}

#[test]
fn whatever_decodes_has_no_other_bytes() {
    let mut seed = 1_u64;
    let mut below = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    for vector in frozen() {
        let bytes = unhex(vector["hex"].as_str().unwrap());
        for _ in 0..2_000 * bytes.len().min(1) {
            let mut odd = bytes.clone();
            (0..=below(3)).for_each(|_| odd[below(bytes.len())] = below(256) as u8);
            if let Ok(message) = decode(&odd) {
                assert_eq!(message.to_bytes(), odd, "{}", vector["name"]);
            }
        }
    }
}

#[test]
#[ignore = "writes vectors.json anew: only for a new version of the format"]
fn make_vectors() {
    let valid = valid().into_iter().map(|(name, message)| {
        let (kind, value) = message.to_json();
        json!({"name": name, "kind": kind, "hex": hex(&message.to_bytes()), "value": value})
    });
    let malformed =
        malformed().into_iter().map(|(name, bytes)| json!({"name": name, "hex": hex(&bytes), "error": true}));
    let lines: Vec<_> = valid.chain(malformed).map(|vector| vector.to_string()).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/wire/vectors.json");
    std::fs::write(path, format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
}

fn frozen() -> Vec<Value> {
    serde_json::from_str(include_str!("vectors.json")).unwrap()
}

enum Message {
    Up(ToServer),
    Down(ToClient),
}

fn decode(bytes: &[u8]) -> Result<Message, WireError> {
    match bytes.first() {
        Some(0..0x80) => ToServer::decode(bytes).map(Message::Up),
        _ => ToClient::decode(bytes).map(Message::Down),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

impl Message {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Self::Up(message) => message.encode(&mut bytes),
            Self::Down(message) => message.encode(&mut bytes),
        }
        bytes
    }

    fn to_json(&self) -> (&'static str, Value) {
        match self {
            Self::Up(message) => up_json(message),
            Self::Down(message) => down_json(message),
        }
    }
}

fn up_json(message: &ToServer) -> (&'static str, Value) {
    match message {
        ToServer::Join { version, skin, name } => ("join", json!({"version": version, "skin": skin, "name": name})),
        ToServer::Input { seq, heading, boost } => ("input", json!({"seq": seq, "heading": heading, "boost": boost})),
        ToServer::Ping { stamp } => ("ping", json!({"stamp": stamp})),
    }
}

fn down_json(message: &ToClient) -> (&'static str, Value) {
    match message {
        ToClient::Welcome(w) => (
            "welcome",
            json!({"version": w.version, "tick_hz": w.tick_hz, "rules": w.rules,
                "ticks_a_snapshot": w.ticks_a_snapshot, "arena_radius": w.arena_radius, "spacing": w.spacing,
                "cruise": w.cruise, "boost": w.boost}),
        ),
        ToClient::Spawned { id } => ("spawned", json!({"id": id.to_bits()})),
        ToClient::Refused { reason, text } => ("refused", json!({"reason": *reason as u8, "text": text})),
        ToClient::Snapshot(snapshot) => ("snapshot", snapshot_json(snapshot)),
        ToClient::Feed(deaths) => (
            "feed",
            json!({"deaths": each(deaths, |d| {
                json!({"cause": d.cause, "victim": d.victim, "killer": d.killer})
            })}),
        ),
        ToClient::Died(d) => (
            "died",
            json!({"cause": d.cause, "killer": d.killer.to_bits(), "killer_name": d.killer_name, "length": d.length,
                "ticks": d.ticks, "kills": d.kills, "rank": d.rank}),
        ),
        ToClient::Board(board) => (
            "board",
            json!({"players": board.players, "rank": board.rank,
            "rows": each(&board.rows, |row| json!({"you": row.you, "length": row.length, "name": row.name}))}),
        ),
        ToClient::Map(map) => ("map", json!({"side": map.side(), "bytes": map.bits()})),
        ToClient::Pong { stamp, tick } => ("pong", json!({"stamp": stamp, "tick": tick})),
        ToClient::Obstacles(list) => ("obstacles", json!({"obstacles": each(list, obstacle_json)})),
    }
}

fn each<T>(items: &[T], one: impl Fn(&T) -> Value) -> Value {
    items.iter().map(one).collect()
}

fn obstacle_json(obstacle: &Obstacle) -> Value {
    match *obstacle {
        Obstacle::Box { min, max } => json!({"shape": "box", "min": point(min), "max": point(max)}),
        Obstacle::Disc { center, radius } => json!({"shape": "disc", "center": point(center), "radius": radius}),
    }
}

fn point(at: Point) -> Value {
    json!([at.x, at.y])
}

fn state_json(state: &State) -> Value {
    json!({"head": point(state.head), "heading": state.heading, "radius": state.radius, "boost": state.boost,
        "shield": state.shield})
}

fn snapshot_json(snapshot: &Snapshot) -> Value {
    let h = &snapshot.header;
    json!({
        "tick": h.tick, "ack": h.ack, "radius": h.radius, "focus": h.focus.to_bits(), "length": h.length,
        "half_w": h.half_w, "half_h": h.half_h, "fresh": h.fresh,
        "gone": each(&snapshot.gone, |id| json!(id.to_bits())),
        "appear": each(&snapshot.appear, |a| json!({"id": a.id.to_bits(), "skin": a.skin, "name": a.name,
            "state": state_json(&a.state), "end": a.end, "total": a.total, "body": each(&a.body, |&at| point(at)),
            "breaks": a.breaks})),
        "more": each(&snapshot.more, |m| json!({"id": m.id.to_bits(), "steps": m.steps, "breaks": m.breaks})),
        "moves": each(&snapshot.moves, |m| json!({"id": m.id.to_bits(), "state": state_json(&m.state),
            "pushed": m.pushed, "breaks": m.breaks, "popped": m.popped})),
        "food_gone": snapshot.food_gone,
        "food_new": each(&snapshot.food_new, |f| json!({"id": f.id, "at": point(f.at), "size": f.size})),
    })
}

fn valid() -> Vec<(&'static str, Message)> {
    let (up, down) = (Message::Up, Message::Down);
    vec![
        ("join", up(ToServer::Join { version: VERSION, skin: 7, name: "Ana".into() })),
        ("join without a name", up(ToServer::Join { version: VERSION, skin: 0, name: String::new() })),
        ("join with a name of 64 bytes", up(ToServer::Join { version: 255, skin: 255, name: "Žü".repeat(16) })),
        ("input", up(ToServer::Input { seq: 258, heading: 16_384, boost: false })),
        ("input with boost, all bits", up(ToServer::Input { seq: 65_535, heading: 65_535, boost: true })),
        ("ping", up(ToServer::Ping { stamp: 0xFEDC_BA98 })),
        ("welcome", down(ToClient::Welcome(welcome()))),
        ("spawned", down(ToClient::Spawned { id: id(4_711, 3) })),
        ("spawned with the highest bit set", down(ToClient::Spawned { id: id(1_048_575, 4_094) })),
        ("refused", down(ToClient::Refused { reason: Reason::NoRoom, text: "kein Platz: später".into() })),
        ("feed", down(ToClient::Feed(feed()))),
        ("feed of nobody", down(ToClient::Feed(Vec::new()))),
        ("died by another", down(ToClient::Died(died(2, id(9, 1), "Große Schlange")))),
        ("died at the edge", down(ToClient::Died(died(3, SnakeId::NOBODY, "")))),
        ("board", down(ToClient::Board(board()))),
        ("map", down(ToClient::Map(map(5, &[(0, 0), (4, 0), (3, 1), (4, 4)])))),
        ("map of whole bytes", down(ToClient::Map(map(4, &[(3, 3), (0, 1)])))),
        ("pong", down(ToClient::Pong { stamp: 0xFEDC_BA98, tick: 4_294_967_290 })),
        ("obstacles", down(ToClient::Obstacles(obstacles()))),
        ("no obstacles", down(ToClient::Obstacles(Vec::new()))),
        ("snapshot, empty", down(ToClient::Snapshot(Snapshot::default()))),
        ("snapshot, fresh, with appear and breaks", down(ToClient::Snapshot(fresh()))),
        ("snapshot with all sections", down(ToClient::Snapshot(full()))),
        ("snapshot with moves, breaks and pops", down(ToClient::Snapshot(moving()))),
        ("snapshot with more", down(ToClient::Snapshot(older()))),
        ("snapshot with a body of 200 samples at the range's end", down(ToClient::Snapshot(long()))),
        ("snapshot where an id goes and appears anew", down(ToClient::Snapshot(anew()))),
    ]
}

fn obstacles() -> Vec<Obstacle> {
    let place = |x, y| Point::new(x, y);
    vec![
        Obstacle::Box { min: place(-2_560, 6_400), max: place(3_840, 8_320) },
        Obstacle::Disc { center: place(-12_800, -9_600), radius: 1_920 },
        Obstacle::Box { min: place(-8_388_608, 8_388_607), max: place(8_388_607, 8_388_607) },
        Obstacle::Disc { center: place(8_388_607, -8_388_608), radius: 8_388_607 },
        Obstacle::Disc { center: place(0, 0), radius: 0 },
    ]
}

fn id(index: u32, generation: u32) -> SnakeId {
    SnakeId::new(index, generation)
}

fn welcome() -> Welcome {
    Welcome {
        version: VERSION,
        tick_hz: 30,
        rules: 1,
        ticks_a_snapshot: 2,
        arena_radius: 1_280_000,
        spacing: 640,
        cruise: 216,
        boost: 459,
    }
}

fn feed() -> Vec<Obituary> {
    let line = |cause, victim: &str, killer: &str| Obituary { cause, victim: victim.into(), killer: killer.into() };
    vec![line(0, "Ana", "Bob"), line(3, "蛇", ""), line(6, "", "")]
}

fn died(cause: u8, killer: SnakeId, name: &str) -> Died {
    Died { cause, killer, killer_name: name.into(), length: 6_400_000, ticks: 123_456, kills: 17, rank: 1_000 }
}

fn board() -> Board {
    let row = |you, length, name: &str| Row { you, length, name: name.into() };
    Board { players: 1_000, rank: 2, rows: vec![row(false, 6_400_000, "Ana"), row(true, 19_200, "🐍")] }
}

fn map(side: u8, marks: &[(u8, u8)]) -> Map {
    let mut map = Map::new(side);
    marks.iter().for_each(|&(column, row)| map.mark(column, row));
    map
}

fn header(tick: u32, focus: SnakeId) -> Header {
    Header { tick, ack: 513, radius: 1_280_000, focus, length: 19_200, half_w: 310, half_h: 194, fresh: false }
}

fn state(x: i32, y: i32) -> State {
    State { head: Point::new(x, y), heading: 40_000, radius: 128, boost: false, shield: false }
}

fn points(at: &[[i32; 2]]) -> Vec<Point> {
    at.iter().map(|&[x, y]| Point::new(x, y)).collect()
}

fn appear() -> Appear {
    Appear {
        id: id(12, 5),
        skin: 3,
        name: "Ana".into(),
        state: State { boost: true, shield: true, ..state(-1_000, 2_000) },
        end: 3,
        total: 6,
        body: points(&[[-1_300, 2_100], [-1_940, 2_100], [-2_580, 2_099], [-90_000, 64]]),
        breaks: vec![0, 2, 3],
    }
}

fn fresh() -> Snapshot {
    let one = Appear {
        id: id(13, 0),
        name: String::new(),
        end: 1,
        total: 1,
        body: points(&[[5, -5]]),
        breaks: Vec::new(),
        ..appear()
    };
    let header = Header { fresh: true, ..header(77, id(12, 5)) };
    Snapshot { header, appear: vec![appear(), one], ..Snapshot::default() }
}

fn full() -> Snapshot {
    Snapshot {
        header: header(4_294_967_295, id(12, 5)),
        gone: vec![id(1, 1), id(700_000, 4_000)],
        appear: vec![Appear { end: 4_294_967_295, breaks: Vec::new(), ..appear() }],
        more: vec![More { id: id(2, 1), steps: vec![[640, 0], [0, -640]], breaks: vec![1] }],
        moves: vec![Move { id: id(3, 1), state: state(64, -64), pushed: vec![[1, -1]], breaks: vec![], popped: 1 }],
        food_gone: vec![0, 0xFF00_0001],
        food_new: vec![
            Food { id: 0x0100_0002, at: Point::new(-8_388_607, 8_388_607), size: 255 },
            Food { id: 3, at: Point::new(0, -1), size: 1 },
        ],
    }
}

fn moving() -> Snapshot {
    let step = |id, pushed: &[[i32; 2]], breaks: &[u32], popped| {
        let state = State { boost: true, ..state(640, -640) };
        Move { id, state, pushed: pushed.to_vec(), breaks: breaks.to_vec(), popped }
    };
    let moves = vec![
        step(id(12, 5), &[[63, -64], [64, -65], [8_191, -8_192], [8_192, -8_193]], &[], 0),
        step(id(13, 5), &[[640, 0], [300_000, -300_000], [0, 640]], &[1], 128),
        step(id(14, 5), &[], &[], 0),
        step(id(15, 5), &[[-640, 0], [-640, 0]], &[0, 1], 16_384),
    ];
    Snapshot { header: header(78, SnakeId::NOBODY), moves, ..Snapshot::default() }
}

fn older() -> Snapshot {
    let more = vec![
        More { id: id(12, 5), steps: vec![[-640, 1]; 3], breaks: vec![] },
        More { id: id(13, 5), steps: vec![[16_777_214, 0], [-1, -16_777_214]], breaks: vec![0, 1] },
    ];
    Snapshot { header: header(79, id(12, 5)), more, ..Snapshot::default() }
}

fn long() -> Snapshot {
    let body = (0..200).map(|n| Point::new(8_388_607 - 640 * n, -8_388_607 + 7 * n)).collect();
    let appear = Appear { total: 5_600, end: 100, body, breaks: vec![0, 127, 128, 199], ..appear() };
    Snapshot { header: header(80, id(12, 5)), appear: vec![appear], ..Snapshot::default() }
}

fn anew() -> Snapshot {
    Snapshot { header: header(81, id(12, 5)), gone: vec![id(12, 5)], appear: vec![appear()], ..Snapshot::default() }
}

fn malformed() -> Vec<(&'static str, Vec<u8>)> {
    let bytes = |message: ToClient| Message::Down(message).to_bytes();
    let snapshot = |snapshot| bytes(ToClient::Snapshot(snapshot));
    let with = |mut bytes: Vec<u8>, at: usize, new: &[u8]| {
        bytes.splice(at..=at, new.iter().copied());
        bytes
    };
    let empty = || snapshot(Snapshot::default());
    let moves = |pushed: Vec<[i32; 2]>, breaks| {
        let m = Move { id: id(1, 1), state: state(0, 0), pushed, breaks, popped: 0 };
        Snapshot { moves: vec![m], ..Snapshot::default() }
    };
    let appears = |appear| Snapshot { appear: vec![appear], ..Snapshot::default() };
    let more = More { id: id(1, 1), steps: vec![], breaks: vec![] };
    let disc = Obstacle::Disc { center: Point::new(0, 0), radius: 64 };
    vec![
        ("no bytes", vec![]),
        ("unknown kind of a client", vec![0x04, 0, 0, 0, 0]),
        ("unknown kind of a server", vec![0x8B, 0, 0, 0, 0]),
        ("kind zero", vec![0]),
        ("spawned ends early", vec![0x82, 1, 2, 3]),
        ("spawned and a byte left over", vec![0x82, 1, 2, 3, 4, 5]),
        ("snapshot ends before the last count", empty()[..29].to_vec()),
        ("snapshot and a byte left over", [empty(), vec![0]].concat()),
        ("var not shortest", with(empty(), 24, &[0x80, 0x00])),
        ("var of six bytes", with(empty(), 24, &[0x80, 0x80, 0x80, 0x80, 0x80, 0x01])),
        ("var of 33 bits", with(empty(), 24, &[0xFF, 0xFF, 0xFF, 0xFF, 0x1F])),
        ("count of 2^32 - 1 with nothing behind it", with(empty(), 24, &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F])),
        ("count of food one too large", with(empty(), 29, &[1])),
        ("feed with a count beyond the bytes", vec![0x85, 2, 0, 0, 0]),
        ("refused with text that is not UTF-8", vec![0x83, 1, 2, 0xC3, 0x28]),
        ("refused with a surrogate in its text", vec![0x83, 1, 3, 0xED, 0xA0, 0x80]),
        ("board with a name longer than the message", vec![0x87, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 4, 65]),
        ("map with too few bytes", vec![0x88, 5, 0, 0, 0]),
        ("appear with a body larger than its total", snapshot(appears(Appear { total: 3, ..appear() }))),
        ("appear with a break beyond its samples", snapshot(appears(Appear { breaks: vec![4], ..appear() }))),
        ("appear with breaks that do not ascend", snapshot(appears(Appear { breaks: vec![2, 1], ..appear() }))),
        ("move with a break and nothing pushed", snapshot(moves(vec![], vec![0]))),
        ("move with a break twice", snapshot(moves(vec![[1, 1], [1, 1]], vec![1, 1]))),
        ("more without samples", snapshot(Snapshot { more: vec![more], ..Snapshot::default() })),
        ("input with an unknown flag", vec![0x02, 0, 0, 0, 0, 2]),
        ("obstacle of an unknown shape", vec![0x8A, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("box with its upper corner to the left", vec![0x8A, 1, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0, 0, 0]),
        ("box with its upper corner below", vec![0x8A, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("disc with a radius of 2^23", vec![0x8A, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0]),
        ("more obstacles than an arena may have", bytes(ToClient::Obstacles(vec![disc; OBSTACLES_MAX + 1]))),
        ("obstacles with a count beyond the bytes", vec![0x8A, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("join with a name of 65 bytes", [vec![0x01, 1, 0, 65], vec![b'a'; 65]].concat()),
    ]
}
