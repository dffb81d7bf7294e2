//! A grid of segments: cells in a flat table, lanes in blocks, +1 at the head and -1 at the tail.

use super::block::{Block, FULL, LAST, Lane, Pressed, SLOTS};
use super::cell::{Cell, CellRect};
use super::glance::{self, Glance, MIXED};
use super::table::{self, Entry, Table, TileKey, number_in_tile};
use super::tiles::Tiles;
use crate::lanes::prefetch;
use crate::limits::{LANE_REACH_MAX, grow_by_parts};

/// The grid keeps this many spare blocks, plus as many as it uses, before it gives memory back.
const SPARE_MAX: usize = 1 << 10;

/// Blocks that a grid has room for from the start.
const CAPACITY_MIN: usize = 1_024;

/// Lanes numbered from here stand in the list of the overlong.
const OVERLONG: u32 = 1 << 30;

/// Segments by the cell of their middle. A segment whose difference does not fit a lane is kept in a list
/// that every query reads whole; such segments come from tools and tests, not from play.
pub(crate) struct Grid {
    shift: u32,
    pub(crate) glance: Glance,
    pub(crate) table: Table,
    pub(crate) tiles: Tiles,
    blocks: Vec<Block>,
    /// Head of the list of free blocks.
    free: u32,
    free_len: usize,
    overlong: Vec<Option<Lane>>,
    lanes: usize,
    /// The longest side of any segment since the grid was last empty, in quanta.
    side_max: i32,
}

impl Grid {
    /// A grid with cells of `1 << shift` quanta, 12..=13: wider cells would not fit 16-bit sums.
    pub fn new(shift: u32) -> Self {
        assert!((12..=13).contains(&shift));
        Self {
            shift,
            glance: Glance::default(),
            table: Table::default(),
            tiles: Tiles::default(),
            blocks: Vec::with_capacity(CAPACITY_MIN),
            free: LAST,
            free_len: 0,
            overlong: Vec::new(),
            lanes: 0,
            side_max: 0,
        }
    }

    /// Lanes in the grid.
    pub fn len(&self) -> usize {
        self.lanes
    }

    /// Tiles that hold something.
    pub fn tiles(&self) -> usize {
        self.table.len()
    }

    /// Bytes held, used or not.
    pub fn bytes(&self) -> usize {
        self.glance.bytes()
            + self.table.bytes()
            + self.tiles.bytes()
            + self.blocks.capacity() * size_of::<Block>()
            + self.overlong.capacity() * size_of::<Option<Lane>>()
    }

    /// How far a segment may extend beyond its middle along an axis, in quanta.
    #[inline]
    pub fn overhang(&self) -> i32 {
        (self.side_max + 1) >> 1
    }

    /// Enters a segment; the number returned takes it out again.
    pub fn insert(&mut self, lane: &Lane) -> u32 {
        self.insert_near(lane, u32::MAX)
    }

    /// Enters a segment whose owner already has the lane of this number, if that is one: mostly the cell is the
    /// same, and then the table need not be asked, nor the owner be noted.
    #[inline]
    pub fn insert_near(&mut self, lane: &Lane, neighbour: u32) -> u32 {
        let size = lane.size();
        if size > LANE_REACH_MAX {
            return self.insert_overlong(*lane);
        }
        let lane = lane.pressed(self.shift);
        let beside = put_beside(&mut self.blocks, &lane, neighbour);
        self.note_joined(usize::from(beside.is_some()), size);
        beside.unwrap_or_else(|| self.insert_elsewhere(&lane))
    }

    /// The blocks, for [`put_beside`], and what to ask for where that does not work. Who has joined is to be noted.
    #[inline(always)]
    pub fn joining(&mut self) -> (&mut [Block], Directory<'_>) {
        (&mut self.blocks, Directory { glance: self.glance.reader(), table: self.table.reader() })
    }

    /// Notes lanes that joined by [`put_beside`], and the longest side of those and of others that will.
    pub fn note_joined(&mut self, lanes: usize, side: i32) {
        self.lanes += lanes;
        self.side_max = self.side_max.max(side);
    }

    /// Enters a lane that was taken to pieces for this grid.
    #[inline(never)]
    pub fn insert_elsewhere(&mut self, lane: &Pressed) -> u32 {
        self.lanes += 1;
        let block = self.block_with_room(lane.cell, lane.owner);
        block * SLOTS as u32 + self.blocks[block as usize].put(lane)
    }

    fn insert_overlong(&mut self, lane: Lane) -> u32 {
        self.lanes += 1;
        let at = self.overlong.iter().position(Option::is_none).unwrap_or(self.overlong.len());
        if at == self.overlong.len() {
            self.overlong.push(None);
        }
        self.overlong[at] = Some(lane);
        OVERLONG + at as u32
    }

    /// The first block of the cell's chain with a free slot; a new block becomes the chain's first.
    fn block_with_room(&mut self, cell: Cell, owner: u32) -> u32 {
        let (key, number) = (TileKey::of(cell), number_in_tile(cell) as usize);
        let at = self.tile_for(key, 1 << number);
        let tile = &mut self.tiles.all[at];
        let (first, kept) = (tile.first[number], &mut tile.owner[number]);
        // Who is noted in the cell is noted in the tile.
        if first == LAST || (*kept != owner && *kept != MIXED) {
            *kept = if first == LAST { owner } else { MIXED };
            self.glance.note(key, at as u32, owner);
        }
        let mut block = first;
        while block != LAST && self.blocks[block as usize].mask == FULL {
            block = self.blocks[block as usize].next;
        }
        if block == LAST {
            block = self.take_block(cell, first);
            self.tiles.all[at].first[number] = block;
        }
        block
    }

    /// The tile of this key, with this cell marked.
    fn tile_for(&mut self, key: TileKey, cell: u32) -> usize {
        if let Some(place) = self.table.find(key) {
            self.table.mark(place, cell);
            return self.table.entry(place).tile as usize;
        }
        let tile = self.tiles.take();
        self.table.insert(Entry { key, tile, cells: cell });
        tile as usize
    }

    /// The one place where the blocks' memory grows.
    fn take_block(&mut self, cell: Cell, next: u32) -> u32 {
        if self.free == LAST {
            assert!(self.blocks.len() < OVERLONG as usize / SLOTS, "a grid holds fewer than 2^27 blocks");
            grow_by_parts(&mut self.blocks, 1);
            self.blocks.push(Block::new(cell, next));
            return self.blocks.len() as u32 - 1;
        }
        let block = self.free;
        self.free = self.blocks[block as usize].next;
        self.free_len -= 1;
        self.blocks[block as usize] = Block::new(cell, next);
        block
    }

    /// Takes out the segment that [`Grid::insert`] gave this number.
    #[inline]
    pub fn remove(&mut self, number: u32) {
        self.remove_all(&mut [number]);
    }

    /// Takes out the segments of all these numbers; the list is used up.
    pub fn remove_all(&mut self, numbers: &mut [u32]) {
        let directory = Directory { glance: self.glance.reader(), table: self.table.reader() };
        let blocks = &mut self.blocks[..];
        let mut emptied = 0;
        for k in 0..numbers.len() {
            let number = numbers[k];
            let (block, bit) = (number / SLOTS as u32, 1 << (number % SLOTS as u32));
            let Some(place) = blocks.get_mut(block as usize) else {
                self.overlong[(number - OVERLONG) as usize] = None;
                continue;
            };
            debug_assert!(place.mask & bit != 0, "the lane is there");
            place.mask &= !bit;
            if place.mask == 0 {
                let cell = place.cell;
                // It is the next to be filled.
                prefetch(&raw const *place);
                directory.ask_for(cell);
                numbers[emptied] = block;
                emptied += 1;
            }
        }
        self.lanes -= numbers.len();
        let emptied = &numbers[..emptied];
        for &block in emptied {
            self.ask_for_tile(self.blocks[block as usize].cell);
        }
        emptied.iter().for_each(|&block| self.unlink(block));
        if self.lanes == 0 {
            self.side_max = 0;
            self.overlong.clear();
        }
    }

    /// Takes an empty block out of its cell's chain, and the tile out of the table when it was the last.
    #[inline(never)]
    fn unlink(&mut self, block: u32) {
        let Block { cell, next, .. } = self.blocks[block as usize];
        let (key, number) = (TileKey::of(cell), number_in_tile(cell));
        let place = self.table.find(key).expect("a block's tile is in the table");
        let tile = self.table.entry(place).tile;
        let first = &mut self.tiles.all[tile as usize].first[number as usize];
        if *first != block {
            let mut before = *first;
            while self.blocks[before as usize].next != block {
                before = self.blocks[before as usize].next;
            }
            self.blocks[before as usize].next = next;
        } else {
            *first = next;
            if next == LAST && self.table.unmark(place, 1 << number) == 0 {
                self.table.remove(place);
                self.glance.forget(key);
                self.tiles.give_back(tile);
            }
        }
        let gone = &mut self.blocks[block as usize];
        (gone.cell, gone.next) = (Cell::NONE, self.free);
        self.free = block;
        self.free_len += 1;
    }

    /// Whether so many blocks are free that rebuilding the grid pays.
    pub fn is_sparse(&self) -> bool {
        self.free_len > SPARE_MAX + 2 * (self.blocks.len() - self.free_len)
    }

    /// Calls `visit` with every block that may hold a segment which touches the cells, unless `skip` owns the
    /// whole cell. Overlong segments are not among them.
    #[inline]
    pub fn query<'g>(&'g self, rect: CellRect, skip: u32, mut visit: impl FnMut(&'g Block)) {
        let tiles = rect.tiles();
        if tiles.count() > 4 * self.table.len() as u64 + 16 {
            self.table.iter().for_each(|entry| self.visit_tile(&entry, rect, skip, &mut visit));
            return;
        }
        for tx in tiles.x0..=tiles.x1 {
            for ty in tiles.y0..=tiles.y1 {
                self.visit_tile(&self.table.look(TileKey::new(tx, ty)), rect, skip, &mut visit);
            }
        }
    }

    #[inline]
    fn visit_tile<'g>(&'g self, entry: &Entry, rect: CellRect, skip: u32, visit: &mut impl FnMut(&'g Block)) {
        let mut cells = entry.cells & rect.cells_of_tile(entry.key.corner());
        if cells == 0 {
            return;
        }
        let tile = &self.tiles.all[entry.tile as usize];
        while cells != 0 {
            let number = cells.trailing_zeros();
            cells &= cells - 1;
            if tile.owner[number as usize] != skip {
                self.chain(tile.first[number as usize], visit);
            }
        }
    }

    #[inline]
    fn chain<'g>(&'g self, first: u32, visit: &mut impl FnMut(&'g Block)) {
        let mut number = first;
        while number != LAST {
            let block = &self.blocks[number as usize];
            visit(block);
            number = block.next;
        }
    }

    /// A cell is this power of two of quanta wide.
    #[inline]
    pub(crate) fn shift(&self) -> u32 {
        self.shift
    }

    /// Asks for the tile of a cell; its number.
    #[inline(always)]
    pub fn ask_for_tile(&self, cell: Cell) -> u32 {
        let tile = self.table.look(TileKey::of(cell)).tile;
        self.tiles.ask_for(tile);
        tile
    }

    /// Asks for what a new lane of a cell of this tile looks at in its first block.
    #[inline(always)]
    pub fn ask_for_first(&self, tile: u32, cell: Cell) {
        if let Some(tile) = self.tiles.all.get(tile as usize) {
            ask_for(&self.blocks, tile.first[number_in_tile(cell) as usize]);
        }
    }

    /// All blocks, by number.
    #[inline]
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Segments too long for a lane.
    pub fn overlong(&self) -> impl Iterator<Item = &Lane> {
        self.overlong.iter().flatten()
    }

    /// The cells to look at for segments that touch a rectangle grown by `reach` quanta.
    #[inline]
    pub fn cells_near(&self, rect: crate::geom::lattice::Rect, reach: i32) -> CellRect {
        CellRect::covering(rect, reach + self.overhang(), self.shift)
    }

    /// For checks: a lane whose tile is another in the map than in the table, or whose owner is not noted there; tiles that
    /// the map has and the table has not.
    pub fn audit_map(&self) -> Result<(), String> {
        for Entry { key, tile, .. } in self.table.iter() {
            let blocks = |&first: &u32| {
                std::iter::successors(self.blocks.get(first as usize), |b| self.blocks.get(b.next as usize))
            };
            let lanes = self.tiles.all[tile as usize].first.iter().flat_map(blocks).flat_map(|b| b.lanes(self.shift));
            for lane in lanes {
                if !self.glance.is_noted(key, tile, lane.owner) {
                    return Err(format!("the map does not have {lane:?} in tile {tile}"));
                }
            }
        }
        match (self.glance.occupied(), self.table.len()) {
            (map, table) if map != table => Err(format!("{map} tiles in the map, {table} in the table")),
            _ => Ok(()),
        }
    }

    /// Every lane, in no particular order: for checks.
    pub fn all(&self) -> Vec<Lane> {
        let mut lanes: Vec<Lane> = self.overlong().copied().collect();
        let everywhere = CellRect { x0: i32::MIN, y0: i32::MIN, x1: i32::MAX, y1: i32::MAX };
        for entry in self.table.iter() {
            self.visit_tile(&entry, everywhere, MIXED - 1, &mut |block| lanes.extend(block.lanes(self.shift)));
        }
        lanes
    }
}

/// Where tiles are looked up.
#[derive(Clone, Copy)]
pub(crate) struct Directory<'g> {
    glance: glance::Reader<'g>,
    table: table::Reader<'g>,
}

impl Directory<'_> {
    /// Asks for what a lane that comes into a cell, or leaves it, may look at here.
    #[inline(always)]
    pub fn ask_for(&self, cell: Cell) {
        let key = TileKey::of(cell);
        self.glance.ask_for(key);
        self.table.ask_for(key);
    }
}

/// Asks for a block of these; any number will do.
#[inline(always)]
pub(crate) fn ask_for(blocks: &[Block], number: u32) {
    let line = blocks.as_ptr().wrapping_add(number as usize).cast::<[u32; 16]>();
    prefetch(line);
    prefetch(line.wrapping_add(1));
}

/// As [`ask_for`], by the number of a lane.
#[inline(always)]
pub(crate) fn ask_for_lane(blocks: &[Block], number: u32) {
    ask_for(blocks, number / SLOTS as u32);
}

/// Asks for the mask of a lane's block, all that removing the lane touches.
#[inline(always)]
pub(crate) fn ask_for_mask(blocks: &[Block], number: u32) {
    let line = blocks.as_ptr().wrapping_add((number / SLOTS as u32) as usize).cast::<[u32; 16]>();
    prefetch(line.wrapping_add(1));
}

/// Puts a lane beside the one of a number, if they share a cell and there is room.
#[inline(always)]
pub(crate) fn put_beside(blocks: &mut [Block], lane: &Pressed, neighbour: u32) -> Option<u32> {
    let near = neighbour / SLOTS as u32;
    let block = blocks.get_mut(near as usize).filter(|block| block.cell == lane.cell && block.mask != FULL)?;
    Some(near * SLOTS as u32 + block.put(lane))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::lattice::{Point, Rect};

    fn lane(owner: u32, ax: i32, ay: i32, bx: i32, by: i32) -> Lane {
        Lane { a: Point::new(ax, ay), b: Point::new(bx, by), owner }
    }

    #[test]
    fn lanes_come_back_to_the_quantum_at_odd_and_negative_places() {
        let mut grid = Grid::new(12);
        let lanes = [
            lane(1, -1, -1, 0, 0),
            lane(2, -4_097, 8_191, -4_096, 8_192),
            lane(3, 5, 7, 5, 7),
            lane(4, 12_345_677, -16_777_215, 12_345_001, -16_777_000),
            lane(5, 0, 0, 32_767, -32_767),
            lane(6, 0, 0, 9_000_000, 1),
        ];
        let numbers: Vec<u32> = lanes.iter().map(|lane| grid.insert(lane)).collect();
        let mut all = grid.all();
        all.sort_by_key(|lane| lane.owner);
        assert_eq!(all, lanes);
        numbers.into_iter().for_each(|number| grid.remove(number));
        assert_eq!((grid.len(), grid.tiles(), grid.all().len()), (0, 0, 0));
    }

    #[test]
    fn a_query_of_any_reach_finds_what_brute_force_finds() {
        let mut grid = Grid::new(12);
        let mut lanes = Vec::new();
        let mut seed = 9_u32;
        let mut next = |span: i32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 4) as i32 % span - span / 2
        };
        for owner in 0..3_000 {
            let (x, y) = (next(400_000), next(400_000));
            lanes.push(lane(owner, x, y, x + next(2_000), y + next(2_000)));
            grid.insert(lanes.last().unwrap());
        }
        for reach_u in [0.5, 63.9, 64.0, 64.1, 145.0, 500.0, 40_000.0] {
            let reach = (reach_u * 64.0) as i32;
            for _ in 0..50 {
                let at = Point::new(next(400_000), next(400_000));
                let near = |l: &Lane| crate::geom::segment::point_within(at, l.a, l.b, reach);
                let mut found = Vec::new();
                grid.query(grid.cells_near(Rect { min: at, max: at }, reach), MIXED - 1, |block| {
                    found.extend(block.lanes(grid.shift()).filter(near).map(|l| l.owner));
                });
                found.sort_unstable();
                let brute: Vec<u32> = lanes.iter().filter(|l| near(l)).map(|l| l.owner).collect();
                assert_eq!(found, brute, "reach {reach_u}");
            }
        }
    }

    #[test]
    fn a_wandering_body_leaves_nothing_behind_and_the_table_stays_small() {
        let mut grid = Grid::new(12);
        let mut body = std::collections::VecDeque::new();
        for k in 0..100_000_i32 {
            let x = (k * 640) % 12_000_000 - 6_000_000;
            body.push_back(grid.insert(&lane(1, x, k, x + 640, k + 1)));
            if body.len() > 40 {
                grid.remove(body.pop_front().unwrap());
            }
        }
        assert!(grid.tiles() < 40, "{} tiles", grid.tiles());
        // What it had room for from the start, and a map of tiles from one end of the lattice to the other.
        assert!(grid.bytes() <= Grid::new(12).bytes() + 8 * 2_048 * 16, "{} bytes", grid.bytes());
        body.into_iter().for_each(|number| grid.remove(number));
        assert_eq!(grid.tiles(), 0);
    }
}
