//! Flat passes over a batch of heads: which tiles, which cells, which blocks, which lanes, which pairs.
//!
//! ```text
//!   heads --boxes--> tiles --table--> cells --tiles--> blocks --cull--> lanes --verdict--> hits
//! ```
//! Each pass reads the list that the one before it wrote and asks for the memory that the next one will read.
//! No pass calls another per head: the loops are short, their branches the same for the whole list.

use super::kernel::{Interval, Pairs, cull, verdict};
use super::{Scene, Tally};
use crate::broadphase::{Grid, LAST, Lane, TileKey};
use crate::geom::lattice::Point;
use crate::geom::segment::segments_within;
#[cfg(target_arch = "x86_64")]
use crate::lanes::{Avx2, Avx512};
use crate::lanes::{Base, Level, Vector};
use std::cell::RefCell;
use std::ops::Range;

/// What becomes of the lanes that heads touch.
pub(super) trait Sink {
    /// A head (by row) comes strictly too close to a lane of another.
    fn hit(&mut self, head: u32, lane: &Lane);
}

/// A tile that a head's reach covers a part of.
#[derive(Clone, Copy)]
struct TileProbe {
    key: TileKey,
    head: u32,
    cells: u32,
}

/// Cells of a tile that hold something, to be looked at for a head.
#[derive(Clone, Copy)]
struct OpenTile {
    key: TileKey,
    tile: u32,
    head: u32,
    cells: u32,
}

/// A chain of blocks to be looked at for a head.
#[derive(Clone, Copy)]
struct Chain {
    corner: Point,
    block: u32,
    head: u32,
}

/// The lists between the passes, and the pairs on their way to the verdict; kept by each thread.
#[derive(Default)]
struct Lists {
    probes: Vec<TileProbe>,
    open: Vec<OpenTile>,
    chains: Vec<Chain>,
    stage: Stage,
}

thread_local! {
    static LISTS: RefCell<Lists> = RefCell::default();
}

/// Heads a pass: what the lists hold of them stays in the first-level cache.
const PASS: usize = 64;

impl Scene<'_> {
    /// Finds every lane of others that the mortal heads of these rows touch.
    pub(super) fn touch_batch<S: Sink>(&self, heads: Range<usize>, tally: &mut Tally, sink: &mut S) {
        match self.level {
            Level::Scalar => self.touch_one_by_one(heads, tally, sink),
            Level::Base => self.passes::<Base, S>(heads, tally, sink),
            // SAFETY: a scene's level is one that was found on this CPU.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { self.passes_avx2(heads, tally, sink) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { self.passes_avx512(heads, tally, sink) },
            #[cfg(not(target_arch = "x86_64"))]
            Level::Avx2 | Level::Avx512 => self.passes::<Base, S>(heads, tally, sink),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn passes_avx2<S: Sink>(&self, heads: Range<usize>, tally: &mut Tally, sink: &mut S) {
        self.passes::<Avx2, S>(heads, tally, sink);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi1,bmi2,lzcnt,popcnt")]
    fn passes_avx512<S: Sink>(&self, heads: Range<usize>, tally: &mut Tally, sink: &mut S) {
        self.passes::<Avx512, S>(heads, tally, sink);
    }

    #[inline(always)]
    fn passes<V: Vector, S: Sink>(&self, heads: Range<usize>, tally: &mut Tally, sink: &mut S) {
        LISTS.with_borrow_mut(|lists| {
            for (grid, &kill_max) in self.grids.iter().zip(&self.kill_max).filter(|(grid, _)| grid.len() > 0) {
                let mut first = heads.start;
                while first < heads.end {
                    let end = (first + PASS).min(heads.end);
                    self.find_tiles(grid, kill_max, first..end, lists);
                    find_cells(grid, lists);
                    find_chains(grid, lists);
                    self.scan_chains::<V, S>(grid, kill_max, lists, tally, sink);
                    tally.tiles += lists.probes.len() as u64;
                    tally.cells += lists.chains.len() as u64;
                    first = end;
                }
                self.touch_overlong(grid, heads.clone(), sink);
            }
            self.flush::<V, S>(&mut lists.stage, tally, sink);
        });
    }

    /// The tiles that the reach of each head covers.
    #[inline(always)]
    fn find_tiles(&self, grid: &Grid, kill_max: i32, heads: Range<usize>, lists: &mut Lists) {
        lists.probes.clear();
        for i in heads.filter(|&i| self.heads.is_mortal(i)) {
            let sweep = self.sweep(i);
            let cells = grid.cells_near(sweep.bounds, sweep.radius + kill_max);
            let tiles = cells.tiles();
            for tx in tiles.x0..=tiles.x1 {
                for ty in tiles.y0..=tiles.y1 {
                    let key = TileKey::new(tx, ty);
                    prefetch(grid.table.home_entry(key));
                    lists.probes.push(TileProbe { key, head: i as u32, cells: cells.cells_of_tile(tx, ty) });
                }
            }
        }
    }

    #[inline(always)]
    fn scan_chains<V: Vector, S: Sink>(
        &self,
        grid: &Grid,
        kill_max: i32,
        lists: &mut Lists,
        tally: &mut Tally,
        sink: &mut S,
    ) {
        for chain in &lists.chains {
            let i = chain.head as usize;
            let (p0, p1) = (self.heads.from(i), self.heads.to(i));
            let reach = 2 * (self.heads.radius[i] + kill_max);
            let way = Interval {
                sum: [p0.x + p1.x - 2 * chain.corner.x, p0.y + p1.y - 2 * chain.corner.y],
                reach: [(p1.x - p0.x).abs() + reach, (p1.y - p0.y).abs() + reach],
                index: chain.head,
            };
            let mut block = chain.block;
            while block != LAST {
                let (header, lanes) = (grid.header(block), grid.block(block));
                let near = cull::<V>(lanes, &way) & header.mask as u16;
                tally.blocks += 1;
                if near != 0 {
                    lists.stage.add::<V>(lanes, near, chain, p0);
                    tally.measured += u64::from(near.count_ones());
                    if lists.stage.len >= 16 {
                        self.decide::<V, S>(&mut lists.stage, 16, tally, sink);
                    }
                }
                block = header.next;
            }
        }
    }

    #[inline(always)]
    fn flush<V: Vector, S: Sink>(&self, stage: &mut Stage, tally: &mut Tally, sink: &mut S) {
        if stage.len > 0 {
            self.decide::<V, S>(stage, stage.len, tally, sink);
        }
    }

    /// Decides the first `count` pairs of the stage and moves the others to the front.
    #[inline(always)]
    fn decide<V: Vector, S: Sink>(&self, stage: &mut Stage, count: usize, tally: &mut Tally, sink: &mut S) {
        let pairs = self.pairs(stage);
        let verdict = verdict::<V>(&pairs);
        let wanted = ((1_u32 << count) - 1) as u16;
        let (mut found, unsure) = ((verdict.hit | verdict.unsure) & wanted, verdict.unsure & wanted);
        while found != 0 {
            let k = found.trailing_zeros() as usize;
            found &= found - 1;
            let lane = stage.lane(k, self.heads.from(stage.head[k] as usize));
            if unsure & 1 << k == 0 || self.is_touched(stage.head[k] as usize, &lane) {
                sink.hit(stage.head[k], &lane);
            }
        }
        tally.exact += u64::from(unsure.count_ones());
        stage.drop_first(count);
    }

    /// Sixteen pairs with the ways and reaches of their heads.
    #[inline(always)]
    fn pairs(&self, stage: &Stage) -> Pairs {
        let mut pairs = Pairs::default();
        pairs.ax.copy_from_slice(&stage.ax[..16]);
        pairs.ay.copy_from_slice(&stage.ay[..16]);
        pairs.bx.copy_from_slice(&stage.bx[..16]);
        pairs.by.copy_from_slice(&stage.by[..16]);
        // Places beyond the last pair hold what was there before, rows of another world perhaps.
        let last = self.heads.len() - 1;
        for k in 0..16 {
            let (head, owner) = ((stage.head[k] as usize).min(last), (stage.owner[k] as usize).min(last));
            pairs.ux[k] = 2 * (self.heads.x[head] - self.heads.x0[head]);
            pairs.uy[k] = 2 * (self.heads.y[head] - self.heads.y0[head]);
            pairs.reach[k] = 2 * (self.heads.radius[head] + self.heads.kill[owner]);
        }
        pairs
    }

    /// The truth of one pair.
    fn is_touched(&self, head: usize, lane: &Lane) -> bool {
        let reach = self.heads.radius[head] + self.heads.kill[lane.owner as usize];
        segments_within(self.heads.from(head), self.heads.to(head), lane.a, lane.b, reach)
    }

    fn touch_overlong<S: Sink>(&self, grid: &Grid, heads: Range<usize>, sink: &mut S) {
        for lane in grid.overlong() {
            for i in heads.clone().filter(|&i| self.heads.is_mortal(i) && lane.owner as usize != i) {
                if self.is_touched(i, lane) {
                    sink.hit(i as u32, lane);
                }
            }
        }
    }

    /// The scalar way: the same questions, one after the other, every answer on integers.
    fn touch_one_by_one<S: Sink>(&self, heads: Range<usize>, tally: &mut Tally, sink: &mut S) {
        for i in heads.clone().filter(|&i| self.heads.is_mortal(i)) {
            let sweep = self.sweep(i);
            for (grid, &kill_max) in self.grids.iter().zip(&self.kill_max).filter(|(grid, _)| grid.len() > 0) {
                let cells = grid.cells_near(sweep.bounds, sweep.radius + kill_max);
                grid.query(cells, sweep.index, |bucket| {
                    tally.blocks += 1;
                    for lane in bucket.lanes().filter(|lane| lane.owner != sweep.index) {
                        tally.measured += 1;
                        if self.is_near(&sweep, &lane) && self.is_touched(i, &lane) {
                            sink.hit(sweep.index, &lane);
                        }
                    }
                });
            }
        }
        self.grids.iter().for_each(|grid| self.touch_overlong(grid, heads.clone(), sink));
    }
}

/// The tiles that hold something in the cells asked for and do not belong to the asking head.
#[inline(always)]
fn find_cells(grid: &Grid, lists: &mut Lists) {
    lists.open.clear();
    for probe in &lists.probes {
        let entry = grid.table.look(probe.key);
        let cells = entry.cells & probe.cells;
        if cells != 0 && entry.owner != probe.head {
            prefetch(&raw const grid.tiles.all[entry.tile as usize]);
            lists.open.push(OpenTile { key: probe.key, tile: entry.tile, head: probe.head, cells });
        }
    }
}

/// The chains of the cells that others have a part in.
#[inline(always)]
fn find_chains(grid: &Grid, lists: &mut Lists) {
    lists.chains.clear();
    for open in &lists.open {
        let tile = &grid.tiles.all[open.tile as usize];
        let mut cells = open.cells;
        while cells != 0 {
            let number = cells.trailing_zeros();
            cells &= cells - 1;
            let block = tile.first[number as usize];
            if tile.owner[number as usize] != open.head {
                prefetch(grid.header(block));
                prefetch(grid.block(block));
                let corner = grid.corner(open.key.cell(number));
                lists.chains.push(Chain { corner, block, head: open.head });
            }
        }
    }
}

/// Pairs that passed the cull, up to fifteen and those of one block.
#[derive(Default)]
struct Stage {
    len: usize,
    ax: [i32; 32],
    ay: [i32; 32],
    bx: [i32; 32],
    by: [i32; 32],
    owner: [i32; 32],
    head: [u32; 32],
}

/// The sixteen places from `at` on, `at` below 16.
#[inline(always)]
fn sixteen<T>(values: &mut [T; 32], at: usize) -> &mut [T; 16] {
    let (_, rest) = values.split_at_mut(at & 15);
    rest.first_chunk_mut().expect("sixteen of at least seventeen")
}

impl Stage {
    /// Adds the lanes of a mask, relative to the start of the head's way.
    #[inline(always)]
    fn add<V: Vector>(&mut self, block: &crate::broadphase::Block, mask: u16, chain: &Chain, p0: Point) {
        let at = self.len;
        let ends = |sums: &[i16; 16], sides: &[i16; 16], shift: i32| {
            let (sum, side) = (V::add(V::widen(sums), V::splat(shift)), V::widen(sides));
            (V::sub(sum, side), V::add(sum, side))
        };
        let (ax, bx) = ends(&block.sx, &block.dx, 2 * (chain.corner.x - p0.x));
        let (ay, by) = ends(&block.sy, &block.dy, 2 * (chain.corner.y - p0.y));
        V::compress(ax, mask, sixteen(&mut self.ax, at));
        V::compress(ay, mask, sixteen(&mut self.ay, at));
        V::compress(bx, mask, sixteen(&mut self.bx, at));
        V::compress(by, mask, sixteen(&mut self.by, at));
        V::compress(V::load(bytemuck::cast_ref(&block.owner)), mask, sixteen(&mut self.owner, at));
        *sixteen(&mut self.head, at) = [chain.head; 16];
        self.len = at + mask.count_ones() as usize;
    }

    /// The lane of a pair, in its own coordinates.
    #[inline(always)]
    fn lane(&self, k: usize, p0: Point) -> Lane {
        let point = |x: i32, y: i32| Point::new((x >> 1) + p0.x, (y >> 1) + p0.y);
        Lane { a: point(self.ax[k], self.ay[k]), b: point(self.bx[k], self.by[k]), owner: self.owner[k] as u32 }
    }

    #[inline(always)]
    fn drop_first(&mut self, count: usize) {
        self.len -= count;
        if self.len > 0 {
            for values in [&mut self.ax, &mut self.ay, &mut self.bx, &mut self.by, &mut self.owner] {
                values.copy_within(16.., 0);
            }
            self.head.copy_within(16.., 0);
        }
    }
}

/// Asks for a cache line. Wrong or useless addresses are harmless.
#[inline(always)]
fn prefetch<T>(_address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and faults on no address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(_address.cast());
    }
}
