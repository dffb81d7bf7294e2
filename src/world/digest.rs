//! The state hash: everything that decides how the game goes on, in an order that no layout can change.

use super::World;
use super::bodies::Bodies;
use super::heads::Heads;
use super::rng::mix;

/// Folds 64-bit words, each of which changes every bit of what follows.
struct Digest(u64);

impl Digest {
    fn word(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
    }

    fn pair(&mut self, a: i32, b: i32) {
        self.word(u64::from(a as u32) << 32 | u64::from(b as u32));
    }
}

impl World {
    /// A hash of the whole state: equal states give equal hashes on every machine, at every SIMD level and
    /// number of threads. It reads every sample: 4 ns each, so not for every tick of a full server.
    pub fn state_hash(&self) -> u64 {
        let mut digest = Digest(self.tick);
        digest.word(self.rng.state());
        digest.pair(self.circle[0], self.circle[1]);
        for i in self.heads.rows() {
            digest_head(&mut digest, &self.heads, i);
            digest_trail(&mut digest, &self.bodies, i);
        }
        for food in self.larder.iter() {
            digest.pair(food.id as i32, i32::from(food.size));
            digest.pair(food.at.x, food.at.y);
        }
        digest.0
    }
}

/// A hash of all heads and trails, the part of [`World::state_hash`] that every user of the engine has.
pub(crate) fn trails(heads: &Heads, bodies: &Bodies) -> u64 {
    let mut digest = Digest(0);
    for i in heads.rows() {
        digest_head(&mut digest, heads, i);
        digest_trail(&mut digest, bodies, i);
    }
    digest.0
}

fn digest_head(digest: &mut Digest, heads: &Heads, i: usize) {
    digest.pair(heads.id(i).to_bits() as i32, i32::from(heads.flags[i]));
    digest.pair(heads.x[i], heads.y[i]);
    digest.pair(i32::from(heads.heading[i]), i32::from(heads.want[i]));
    digest.pair(heads.radius[i], heads.length[i]);
    digest.pair(heads.vigour[i] << 16 | heads.vigour_due[i], heads.kills[i] as i32);
    digest.word(heads.shield_until[i]);
    digest.word(heads.born[i]);
}

fn digest_trail(digest: &mut Digest, bodies: &Bodies, i: usize) {
    let ring = bodies.rings.get(i);
    digest.pair(ring.first as i32, ring.end as i32);
    for n in ring.numbers() {
        let (at, gap) = (bodies.pool.point(ring.at(n)), bodies.pool.seat(ring.at(n)).gap());
        digest.pair(at.x << 1 | i32::from(gap), at.y);
    }
}
