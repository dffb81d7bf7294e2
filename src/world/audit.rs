//! A full scan that holds the indexes against the bodies: for tests, fuzzers and the doubtful.

use super::World;
use super::heads::flag;
use crate::broadphase::Lane;

impl World {
    /// Compares every lane of the grids with every sample of the living. Tells the first difference: a lane of
    /// someone removed, a segment without a lane, a trail longer than its ring says. Reads everything.
    pub fn audit(&self) -> Result<(), String> {
        let mut expected: [Vec<Lane>; 2] = [Vec::new(), Vec::new()];
        for i in self.heads.rows() {
            self.audit_trail(i, &mut expected[self.wide(i)])?;
        }
        for (wide, mut lanes) in expected.into_iter().enumerate() {
            let order = |lane: &Lane| (lane.owner, lane.a, lane.b);
            let mut found = self.bodies.grids[wide].all();
            found.sort_by_key(order);
            lanes.sort_by_key(order);
            if found != lanes {
                return Err(difference(&found, &lanes));
            }
            let tiles = self.bodies.grids[wide].tiles();
            if tiles > lanes.len() {
                return Err(format!("{tiles} tiles for {} lanes", lanes.len()));
            }
            self.bodies.grids[wide].audit_map()?;
        }
        Ok(())
    }

    fn audit_trail(&self, i: usize, lanes: &mut Vec<Lane>) -> Result<(), String> {
        let (ring, pool) = (self.bodies.rings.get(i), &self.bodies.pool);
        if ring.len() == 0 || self.heads.has(i, flag::SHIELD) && ring.len() != 1 {
            return Err(format!("{:?} has {} samples", self.heads.id(i), ring.len()));
        }
        if pool.point(ring.newest_at()) != self.bodies.newest(i) {
            return Err(format!("{:?} is said to have laid its newest sample elsewhere", self.heads.id(i)));
        }
        let gap = |n: u32| n == ring.first || pool.seat(ring.at(n)).gap();
        let mut arc = 0;
        for n in ring.numbers() {
            let (b, next) = (pool.point(ring.at(n)), n.wrapping_add(1));
            if !gap(n) {
                let a = pool.point(ring.at(n.wrapping_sub(1)));
                arc += i64::from(crate::geom::segment::length(a, b));
                lanes.push(Lane { a, b, owner: i as u32 });
            } else if next != ring.end && gap(next) {
                lanes.push(Lane { a: b, b, owner: i as u32 });
            }
        }
        if arc == self.bodies.arc[i] {
            Ok(())
        } else {
            Err(format!("arc of {:?}: {arc}, kept {}", self.heads.id(i), self.bodies.arc[i]))
        }
    }
}

fn difference(found: &[Lane], expected: &[Lane]) -> String {
    let stray = found.iter().find(|lane| !expected.contains(lane));
    let missing = expected.iter().find(|lane| !found.contains(lane));
    format!("grid of {} lanes, bodies of {}: stray {stray:?}, missing {missing:?}", found.len(), expected.len())
}
