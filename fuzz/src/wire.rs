//! Bytes from the net: they are refused, or have one form only; and a mirror follows any snapshot or refuses it.

use super::bytes::Bytes;
use ringsnake::wire::mirror::Mirror;
use ringsnake::wire::{NAME_MAX, ToClient, ToServer};

/// One message, read from either side.
pub fn wire(bytes: &[u8]) {
    let mut again = Vec::new();
    if let Ok(message) = ToServer::decode(bytes) {
        message.encode(&mut again);
        assert_eq!(again, bytes, "{message:?}");
        assert!(!matches!(message, ToServer::Join { ref name, .. } if name.len() > NAME_MAX));
    }
    again.clear();
    if let Ok(message) = ToClient::decode(bytes) {
        message.encode(&mut again);
        assert_eq!(again, bytes, "{message:?}");
        assert_eq!(again[0], message.kind());
    }
}

/// Snapshots one after another, each with two bytes of length before it, to one mirror. What it holds in the end is
/// no more than what came in: four samples a byte would be a bomb.
pub fn mirror(bytes: &[u8]) {
    let (mut mirror, mut rest) = (Mirror::default(), Bytes(bytes));
    while !rest.is_empty() {
        let n = usize::from(rest.u16());
        let Ok(ToClient::Snapshot(snapshot)) = ToClient::decode(rest.take(n)) else { continue };
        if mirror.apply(&snapshot).is_err() {
            mirror = Mirror::default();
        }
        let samples: usize = mirror.snakes().map(|(_, snake)| snake.samples.len()).sum();
        let held = samples + mirror.snakes().len() + mirror.food().len();
        assert!(held <= bytes.len(), "{held} things held of {} bytes", bytes.len());
        assert!(mirror.snakes().all(|(_, snake)| !snake.samples.is_empty()), "a snake without a sample");
    }
}
