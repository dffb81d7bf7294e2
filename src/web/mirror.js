// What the server told, and nothing else: snakes with numbered samples, food, the circle.
// Coordinates are kept in u. Sample numbers start at the server's u32 and are never wrapped here.
import { NOBODY, QUANTA } from './wire.js';

/** Snapshots that a snake's past holds: the renderer looks at most a few behind the newest. */
const PAST = 8;
/** Samples kept beyond the true tail, so that the tail can be drawn a little late. */
const TAIL_KEPT = 6;
const FIRST_CAPACITY = 64;
/** The server's own limit is 1,000 m of body in steps of 10 u; a body beyond this is not believed. */
const CAPACITY_MAX = 1 << 20;
const FADING_MAX = 48;

/** A snake as it was at the end of some tick. */
class Past {
  constructor() {
    this.tick = 0; this.x = 0; this.y = 0; this.heading = 0; this.radius = 0;
    this.boost = false; this.shield = false;
    this.first = 0; this.end = 0;
  }
}

export class Snake {
  constructor(id, skin, name) {
    this.id = id; this.skin = skin; this.name = name;
    this.capacity = FIRST_CAPACITY; this.mask = FIRST_CAPACITY - 1;
    this.xs = new Float32Array(FIRST_CAPACITY);
    this.ys = new Float32Array(FIRST_CAPACITY);
    this.broken = new Uint8Array(FIRST_CAPACITY);
    /** Number of the true tail; below `oldest` while older samples are still on their way. */
    this.first = 0;
    /** Samples oldest..end are here. */
    this.oldest = 0;
    this.end = 0;
    this.past = Array.from({ length: PAST }, () => new Past());
    this.pasts = 0;
    /** Where the renderer has drawn the tail: a sample number with a fraction. */
    this.tail = NaN;
    this.goneAt = 0;
  }

  x(n) { return this.xs[n & this.mask]; }
  y(n) { return this.ys[n & this.mask]; }
  brokenBefore(n) { return this.broken[n & this.mask] !== 0; }

  /** The i-th newest of the past, 0 the newest. */
  back(i) { return this.past[(this.pasts - 1 - i) % PAST]; }
  get remembered() { return Math.min(this.pasts, PAST); }
  get newest() { return this.back(0); }

  put(n, x, y, broken) {
    const slot = n & this.mask;
    this.xs[slot] = x; this.ys[slot] = y; this.broken[slot] = broken ? 1 : 0;
  }

  /** Makes room for `more` samples; those of the ring move to their slots under the wider mask. */
  reserve(more) {
    const needed = this.end - this.oldest + more;
    if (needed <= this.capacity) return true;
    if (needed > CAPACITY_MAX) return false;
    const { xs, ys, broken, mask } = this;
    while (this.capacity < needed) this.capacity *= 2;
    this.mask = this.capacity - 1;
    this.xs = new Float32Array(this.capacity);
    this.ys = new Float32Array(this.capacity);
    this.broken = new Uint8Array(this.capacity);
    for (let n = this.oldest; n < this.end; n++) this.put(n, xs[n & mask], ys[n & mask], broken[n & mask]);
    return true;
  }

  pushNewer(steps, breaks) {
    const count = steps.length / 2, from = this.end;
    if (!this.reserve(count)) return;
    let x = this.x(from - 1), y = this.y(from - 1);
    for (let i = 0; i < count; i++) {
      x += steps[2 * i] / QUANTA; y += steps[2 * i + 1] / QUANTA;
      this.put(from + i, x, y, false);
    }
    this.end = from + count;
    for (const k of breaks) this.broken[(from + k) & this.mask] = 1;
  }

  pushOlder(steps, breaks) {
    const count = steps.length / 2, from = this.oldest;
    if (!this.reserve(count)) return;
    let x = this.x(from), y = this.y(from);
    for (let i = 0; i < count; i++) {
      x += steps[2 * i] / QUANTA; y += steps[2 * i + 1] / QUANTA;
      this.put(from - 1 - i, x, y, false);
    }
    this.oldest = from - count;
    for (const k of breaks) this.broken[(from - 1 - k) & this.mask] = 1;
  }

  record(tick, state) {
    const past = this.past[this.pasts++ % PAST];
    past.tick = tick;
    past.x = state.x / QUANTA; past.y = state.y / QUANTA;
    past.heading = state.heading; past.radius = state.radius / QUANTA;
    past.boost = state.boost; past.shield = state.shield;
    past.first = this.first; past.end = this.end;
  }

  /** Forgets samples that neither the body nor anything still to be drawn needs. */
  trim() {
    const keep = this.back(this.remembered - 1).first - TAIL_KEPT;
    if (this.oldest < keep) this.oldest = Math.min(keep, this.end - 1);
  }
}

function born(appear, tick) {
  const snake = new Snake(appear.id, appear.skin, appear.name);
  snake.end = appear.end;
  snake.oldest = appear.end - 1;
  snake.first = appear.end - appear.total;
  snake.put(snake.oldest, appear.x / QUANTA, appear.y / QUANTA, appear.breaks[0] === 0);
  // Distances of an APPEAR count from the newest; pushOlder starts one behind it.
  const older = [];
  for (const distance of appear.breaks) if (distance > 0) older.push(distance - 1);
  snake.pushOlder(appear.steps, older);
  snake.record(tick, appear.state);
  return snake;
}

export class Mirror {
  constructor() {
    this.snakes = new Map();
    this.food = new Map();
    /** What stands in the arena, u. */
    this.obstacles = [];
    /** Snakes that went, shown for a moment while they fade. */
    this.fading = [];
    this.reset();
  }

  reset() {
    this.snakes.clear(); this.food.clear(); this.fading.length = 0;
    this.obstacles = [];
    this.tick = 0; this.ack = 0; this.radius = 0; this.length = 0;
    this.focus = NOBODY; this.half_w = 0; this.half_h = 0;
    /** Ids in a MOVE or MORE that nobody had introduced: 0 with a server that keeps the format. */
    this.strangers = 0;
    this.started = false;
  }

  /** Takes decoded OBSTACLES. */
  wall(obstacles) {
    const units = (place) => place.map((v) => v / QUANTA);
    this.obstacles = obstacles.map((o) => (o.shape === 'box'
      ? { shape: 'box', min: units(o.min), max: units(o.max) }
      : { shape: 'disc', center: units(o.center), radius: o.radius / QUANTA }));
  }

  /** Applies a decoded SNAPSHOT that arrived at `now`, ms. */
  apply(snapshot, now) {
    if (snapshot.fresh) { this.snakes.clear(); this.food.clear(); }
    this.tick = this.started ? this.tick + ((snapshot.tick - this.tick) | 0) : snapshot.tick;
    this.started = true;
    this.ack = snapshot.ack;
    this.radius = snapshot.radius / QUANTA;
    this.length = snapshot.length / QUANTA;
    this.focus = snapshot.focus;
    this.half_w = snapshot.half_w;
    this.half_h = snapshot.half_h;
    for (const id of snapshot.gone) this.forget(id, now, snapshot.appear.some((appear) => appear.id === id));
    for (const appear of snapshot.appear) this.snakes.set(appear.id, born(appear, this.tick));
    for (const more of snapshot.more) this.extend(more);
    for (const move of snapshot.moves) this.advance(move);
    for (const id of snapshot.food_gone) this.food.delete(id);
    for (const food of snapshot.food_new) this.strew(food, now);
  }

  /** Who goes only to appear anew has not left, and leaves no shade behind. */
  forget(id, now, comesBack) {
    const snake = this.snakes.get(id);
    if (!snake) return;
    this.snakes.delete(id);
    if (comesBack) return;
    snake.goneAt = now;
    this.fading.push(snake);
    if (this.fading.length > FADING_MAX) this.fading.shift();
  }

  extend(more) {
    const snake = this.snakes.get(more.id);
    if (snake) snake.pushOlder(more.steps, more.breaks);
    else this.strangers++;
  }

  advance(move) {
    const snake = this.snakes.get(move.id);
    if (!snake) { this.strangers++; return; }
    snake.pushNewer(move.steps, move.breaks);
    snake.first = Math.min(snake.first + move.popped, snake.end - 1);
    snake.record(this.tick, move.state);
    snake.trim();
  }

  strew(food, now) {
    this.food.set(food.id, { x: food.x / QUANTA, y: food.y / QUANTA, size: food.size, since: now });
  }
}
