//! Texts from outside: configurations and lines for the probe.

use ringsnake::server::FileConfig;
use ringsnake::world::{Config, World};

/// A configuration file: refused with a reason, or a world that can be stepped.
pub fn config(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(mut file) = toml::from_str::<FileConfig>(text) else { return };
    // Names of hosts would be looked up, and folders on the disk.
    "127.0.0.1:0".clone_into(&mut file.server.addr);
    file.server.web_dir = None;
    let valid = file.validate().is_ok();
    match file.world.validate() {
        Ok(()) => play(file.world),
        Err(error) => {
            assert!(!valid && !error.field.is_empty());
            assert!(World::new(file.world, 1).is_err(), "the world takes what the config refuses: {error}");
        }
    }
}

fn play(mut config: Config) {
    config.engine.threads = 1;
    config.spawn.attempts = config.spawn.attempts.min(100);
    let mut world = World::new(config, 1).expect("the config is valid");
    for tick in 0..12_u16 {
        if tick < 6 {
            let born = world.spawn().or_else(|_| world.spawn());
            born.into_iter().for_each(|id| _ = world.steer(id, tick << 13, true));
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
