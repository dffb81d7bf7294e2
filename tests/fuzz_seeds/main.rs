//! Every seed and every kept crash of `fuzz/`, through the very functions that the fuzz targets call.

#[path = "../../fuzz/src/lib.rs"]
mod fuzz;
#[cfg(feature = "server")]
mod make;

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

fn files(kind: &str, target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(kind).join(target);
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_target_has_seeds_and_holds_on_each_of_them() {
    for (name, target) in fuzz::TARGETS {
        let seeds = files("seeds", name);
        assert!(!seeds.is_empty(), "{name}");
        seeds.iter().for_each(|path| target(&std::fs::read(path).unwrap()));
    }
}

#[test]
fn what_once_failed_does_not_fail_again() {
    for (name, target) in fuzz::TARGETS {
        files("crashes", name).iter().for_each(|path| target(&std::fs::read(path).unwrap()));
    }
}

#[test]
fn every_target_takes_any_bytes() {
    let mut dice = ringsnake::world::Rng::new(1);
    for (_, target) in fuzz::TARGETS {
        for len in (0..200).chain([2_000]) {
            let bytes: Vec<u8> = (0..len).map(|_| dice.next_u64() as u8).collect();
            target(&bytes);
        }
    }
}

#[test]
fn the_planted_fault_is_one() {
    let kept = files("crashes", "canary");
    assert!(!kept.is_empty());
    for path in kept {
        let bytes = std::fs::read(path).unwrap();
        assert!(catch_unwind(|| fuzz::canary(&bytes)).is_err());
    }
}
