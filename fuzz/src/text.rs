//! Texts from outside: configurations and lines for the probe.

use ringsnake::world::{Config, World};

/// A configuration file: refused with a reason, or a world that can be stepped.
pub fn config(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(mut config) = toml::from_str::<Config>(text) else { return };
    match config.validate() {
        Ok(()) => {
            config.engine.threads = 1;
            play(config);
        }
        Err(error) => {
            assert!(!error.field.is_empty());
            assert!(World::new(config, 1).is_err(), "the world takes what the config refuses: {error}");
        }
    }
}

fn play(config: Config) {
    let mut world = World::new(config, 1).expect("the config is valid");
    for tick in 0..12_u16 {
        if tick < 6 {
            let born = world.spawn().or_else(|_| world.spawn());
            born.into_iter().for_each(|id| drop(world.steer(id, tick << 13, true)));
        }
        world.step();
    }
    world.audit().unwrap_or_else(|what| panic!("{what}"));
}

/// Lines for the probe: one answer a line, each a whole object.
pub fn probe(bytes: &[u8]) {
    let mut out = Vec::new();
    let all = ringsnake::cli::probe::run(bytes, &mut out).expect("memory does not fail");
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').count();
    let answers = out.split_inclusive(|&byte| byte == b'\n');
    assert_eq!(answers.clone().count(), lines);
    assert!(answers.clone().all(|answer| answer.starts_with(b"{") && answer.ends_with(b"}\n")));
    assert_eq!(all, !answers.into_iter().any(|answer| answer.starts_with(b"{\"error\":")));
}
