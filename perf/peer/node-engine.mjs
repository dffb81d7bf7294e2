// The peer: the rules as the game that this project follows was published, on Node.js.
//
// A Map of arrays is the grid. A point is an object that knows the next older point of its snake (`next`) and the array
// it stands in (`bucket`). It is found there by indexOf and taken out by splice. A head asks the cells within its
// radius + 65 u of where it is now, and measures its way of the tick against each point's segment to the next one.
// That range is too short for giants, so some hits are missed, and cell 0 is twice as wide as others, because keys are
// truncated: both belong to the rules and are kept.
//
// It runs the canonical workload (src/workload.rs) with the options of `ringsnake sim` and prints one JSON line:
//   node node-engine.mjs --workload s1|s2|s3 [--snakes N] [--arena R] [--giants G] [--ticks N] [--warmup N]
import { parseArgs } from 'node:util';

const CELL = 64;
const EXTRA_RANGE = 65;
const Q = 64;
const FIRST_TICK = 32768;
const SPACING2 = 640 * 640;
const WORKLOADS = { s1: [1000, 20000, 0], s2: [1000, 2000, 0], s3: [1000, 20000, 50] };

// ---- the workload: integers only ----

const mul = Math.imul;

function mix(h) {
  h = mul(h ^ (h >>> 16), 0x85ebca6b);
  h = mul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const draw = (id, k, salt) =>
  mix((mul(id, 0x9e3779b1) + mul(k, 0x85ebca77) + mul(salt, 0xc2b2ae3d) + 0x27d4eb2f) | 0);

const COS = new Int32Array(1024).map((_, k) => Math.round(16384 * Math.cos((2 * Math.PI * k) / 1024)));
const SIN = new Int32Array(1024).map((_, k) => Math.round(16384 * Math.sin((2 * Math.PI * k) / 1024)));

class Snake {
  constructor(id, scenario) {
    this.id = id;
    this.samples = id < scenario.giants ? 2000 : 16 + (draw(id, 0, 7) % 49);
    const radius = Math.min(5120, Math.max(128, Math.trunc((this.samples * 64) / 7)));
    this.radius = radius / Q;
    this.kill = Math.trunc((9 * radius) / 10) / Q;
    this.inner = (scenario.arena - 256) * Q;
    this.place();
    this.angle = draw(id, 0, 4) & 65535;
    this.newestX = this.qx;
    this.newestY = this.qy;
    this.x = this.fromX = this.qx / Q;
    this.y = this.fromY = this.qy / Q;
    this.turn = 0;
    this.speed = 0;
    this.points = [];
  }

  place() {
    const side = 2 * this.inner + 1;
    let attempt = 0;
    do {
      this.qx = (draw(this.id, attempt, 2) % side) - this.inner;
      this.qy = (draw(this.id, attempt, 3) % side) - this.inner;
      attempt++;
    } while (this.qx * this.qx + this.qy * this.qy > this.inner * this.inner);
  }

  decide(tick) {
    this.turn = (draw(this.id, (tick + this.id) >>> 5, 1) % 1025) - 512;
    this.speed = draw(this.id, (tick + this.id) >>> 6, 5) % 3 === 0 ? 459 : 216;
  }

  /** Moves by one tick; whether a new sample is due. */
  move(tick) {
    if (((tick + this.id) & 31) === 0) this.decide(tick);
    this.angle = (this.angle + this.turnNow()) & 65535;
    const k = this.angle >> 6;
    this.fromX = this.x;
    this.fromY = this.y;
    this.qx += (this.speed * COS[k]) >> 14;
    this.qy += (this.speed * SIN[k]) >> 14;
    this.x = this.qx / Q;
    this.y = this.qy / Q;
    const dx = this.qx - this.newestX;
    const dy = this.qy - this.newestY;
    if (dx * dx + dy * dy < SPACING2) return false;
    this.newestX = this.qx;
    this.newestY = this.qy;
    return true;
  }

  turnNow() {
    const { qx, qy, inner } = this;
    if (qx * qx + qy * qy <= inner * inner) return this.turn;
    const k = this.angle >> 6;
    if (qx * COS[k] + qy * SIN[k] <= 0) return this.turn;
    return qx * SIN[k] - qy * COS[k] > 0 ? 1024 : -1024;
  }
}

// ---- the grid ----

const cells = new Map();

function enter(point) {
  const key = ((point.x / CELL) | 0) * 100000 + ((point.y / CELL) | 0);
  let bucket = cells.get(key);
  if (bucket === undefined) cells.set(key, (bucket = []));
  bucket.push(point);
  point.bucket = bucket;
}

function leave(point) {
  point.bucket.splice(point.bucket.indexOf(point), 1);
  point.bucket = null;
}

function lay(snake) {
  const { points } = snake;
  const next = points.length > 0 ? points[points.length - 1] : null;
  const point = { x: snake.x, y: snake.y, snake, next, bucket: null };
  points.push(point);
  enter(point);
}

function trim(snake) {
  const { points } = snake;
  while (points.length > snake.samples) {
    leave(points.shift());
    points[0].next = null;
  }
}

// ---- the narrowphase ----

const part = (v) => (v < 0 ? 0 : v > 1 ? 1 : v);

/** Square of the distance between the ways p0-p1 and a-b: closest points by clamping, one parameter after the other. */
function distance2(p0x, p0y, p1x, p1y, ax, ay, bx, by) {
  const px = p1x - p0x, py = p1y - p0y;
  const ex = bx - ax, ey = by - ay;
  const wx = p0x - ax, wy = p0y - ay;
  const pp = px * px + py * py, ee = ex * ex + ey * ey;
  const pw = px * wx + py * wy, ew = ex * wx + ey * wy;
  let s = 0, t = 0;
  if (pp === 0) {
    if (ee !== 0) t = part(ew / ee);
  } else if (ee === 0) {
    s = part(-pw / pp);
  } else {
    const pe = px * ex + py * ey;
    const det = pp * ee - pe * pe;
    if (det > 1e-9) s = part((pe * ew - pw * ee) / det);
    t = (pe * s + ew) / ee;
    if (t < 0 || t > 1) {
      t = part(t);
      s = part((pe * t - pw) / pp);
    }
  }
  const dx = wx + px * s - ex * t, dy = wy + py * s - ey * t;
  return dx * dx + dy * dy;
}

function hitsInBucket(snake, bucket) {
  const { x, y, fromX, fromY, radius } = snake;
  let hits = 0;
  for (let i = 0; i < bucket.length; i++) {
    const point = bucket[i];
    const { next } = point;
    if (next === null || point.snake === snake) continue;
    const reach = radius + point.snake.kill;
    if (distance2(fromX, fromY, x, y, point.x, point.y, next.x, next.y) < reach * reach) hits++;
  }
  return hits;
}

function hitsOf(snake) {
  const range = snake.radius + EXTRA_RANGE;
  const firstX = ((snake.x - range) / CELL) | 0, lastX = ((snake.x + range) / CELL) | 0;
  const firstY = ((snake.y - range) / CELL) | 0, lastY = ((snake.y + range) / CELL) | 0;
  let hits = 0;
  for (let cx = firstX; cx <= lastX; cx++) {
    for (let cy = firstY; cy <= lastY; cy++) {
      const bucket = cells.get(cx * 100000 + cy);
      if (bucket !== undefined) hits += hitsInBucket(snake, bucket);
    }
  }
  return hits;
}

// ---- the run ----

function born(id, scenario) {
  const snake = new Snake(id, scenario);
  const first = FIRST_TICK - 8 * snake.samples;
  snake.decide(first);
  const trail = [[snake.x, snake.y]];
  for (let tick = first; tick < FIRST_TICK; tick++) if (snake.move(tick)) trail.push([snake.x, snake.y]);
  const { x, y } = snake;
  for (const [px, py] of trail.slice(-snake.samples)) {
    snake.x = px;
    snake.y = py;
    lay(snake);
  }
  snake.x = x;
  snake.y = y;
  return snake;
}

function step(snakes, tick) {
  for (const snake of snakes) {
    if (snake.move(tick)) {
      lay(snake);
      trim(snake);
    }
  }
  let hits = 0;
  for (const snake of snakes) hits += hitsOf(snake);
  return hits;
}

function options() {
  const number = { type: 'string' };
  const { values } = parseArgs({
    options: { workload: { type: 'string', default: 's1' }, snakes: number, arena: number, giants: number, ticks: number, warmup: number },
  });
  const [snakes, arena, giants] = WORKLOADS[values.workload];
  const scenario = { snakes: +(values.snakes ?? snakes), arena: +(values.arena ?? arena), giants: +(values.giants ?? giants) };
  const [warmup, ticks] = scenario.snakes >= 100000 ? [40, 120] : scenario.snakes >= 10000 ? [100, 300] : [300, 1000];
  return { workload: values.workload, scenario, warmup: +(values.warmup ?? warmup), ticks: +(values.ticks ?? ticks) };
}

function quantiles(times) {
  const us = times.sort((a, b) => a - b);
  const at = (share) => +us[Math.floor((us.length - 1) * share)].toFixed(2);
  const mean = us.reduce((sum, time) => sum + time, 0) / us.length;
  return { min: at(0), mean: +mean.toFixed(2), p50: at(0.5), p99: at(0.99), max: at(1) };
}

const { workload, scenario, warmup, ticks } = options();
const snakes = Array.from({ length: scenario.snakes }, (_, id) => born(id, scenario));
const times = [];
let hits = 0;
for (let k = 0; k < warmup + ticks; k++) {
  const start = process.hrtime.bigint();
  const found = step(snakes, FIRST_TICK + k);
  if (k < warmup) continue;
  times.push(Number(process.hrtime.bigint() - start) / 1e3);
  hits += found;
}
const points = snakes.reduce((sum, snake) => sum + snake.points.length, 0);
console.log(JSON.stringify({ engine: `node ${process.version}`, workload, snakes: scenario.snakes, points, ticks, tick_us: quantiles(times), hits }));
