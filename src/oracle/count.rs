//! Brute force over the canonical workload: every head against every segment of the others.

use super::plane::{V, segment_segment2};
use super::trail::{Bounds, Trail};
use crate::geom::lattice::Point;
use crate::workload::{Move, Workload, hit_sum};
use std::collections::VecDeque;

/// The hits of one tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Count {
    /// Head and owner of each hit, in ascending order; a pair stands once for each segment that is hit.
    pub pairs: Vec<(u32, u32)>,
    /// Sum of [`hit_sum`] over the hits, wrapping.
    pub hsum: u32,
    /// Smallest |distance - kill distance| of a head and a segment, u; infinite when none were within 1 u.
    pub margin: f64,
}

impl Count {
    /// How many hits there are.
    pub fn hits(&self) -> u64 {
        self.pairs.len() as u64
    }

    fn add(&mut self, head: u32, owner: u32) {
        self.pairs.push((head, owner));
        self.hsum = self.hsum.wrapping_add(hit_sum(head, owner));
    }
}

/// The bodies of a workload, kept as plain lists.
#[derive(Clone, Debug)]
pub struct Counter {
    bodies: Vec<VecDeque<Point>>,
}

impl Counter {
    /// Starts from the samples that [`Workload::new`] gives.
    pub fn new(bodies: Vec<Vec<Point>>) -> Self {
        Self { bodies: bodies.into_iter().map(VecDeque::from).collect() }
    }

    /// The samples of a snake as they stand, oldest first.
    ///
    /// # Panics
    /// When there are not that many snakes.
    pub fn body(&self, id: u32) -> impl ExactSizeIterator<Item = Point> {
        self.bodies[id as usize].iter().copied()
    }

    /// Lays and drops the samples of one step, without counting.
    pub fn follow(&mut self, workload: &Workload, moves: &[Move]) {
        for ((id, body), way) in (0..).zip(&mut self.bodies).zip(moves).filter(|(_, way)| way.pushed) {
            body.push_back(way.to);
            if body.len() > workload.scenario().points(id) as usize {
                body.pop_front();
            }
        }
    }

    /// Counts the hits of the heads' ways against the bodies as they stand: [`follow`](Self::follow) comes first.
    ///
    /// A hit is decided on squares, which are exact where it matters: nothing is rounded at a segment's end.
    pub fn count(&self, workload: &Workload, moves: &[Move]) -> Count {
        let trails: Vec<Trail> = self.bodies.iter().map(trail).collect();
        let mut count = Count { margin: f64::INFINITY, ..Count::default() };
        for (head, way) in (0..).zip(moves) {
            for (owner, trail) in (0..).zip(&trails).filter(|&(owner, _)| owner != head) {
                let reach = f64::from(workload.radius(head) + workload.kill_radius(owner)) / 64.0;
                count_pair(&mut count, (head, owner), [units(way.from), units(way.to)], trail, reach);
            }
        }
        count
    }
}

fn count_pair(count: &mut Count, (head, owner): (u32, u32), [p0, p1]: [V; 2], trail: &Trail, reach: f64) {
    for [a, b] in trail.near(&Bounds::of([p0, p1]), reach) {
        let distance2 = segment_segment2(p0, p1, a, b);
        count.margin = count.margin.min((distance2.sqrt() - reach).abs());
        if distance2 < reach * reach {
            count.add(head, owner);
        }
    }
}

fn trail(body: &VecDeque<Point>) -> Trail {
    Trail::new(body.iter().zip(body.iter().skip(1)).map(|(&a, &b)| [units(a), units(b)]).collect())
}

fn units(at: Point) -> V {
    [f64::from(at.x) / 64.0, f64::from(at.y) / 64.0]
}
