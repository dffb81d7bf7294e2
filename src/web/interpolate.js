// Time: snapshots come 15 or 30 times a second with jitter, the display asks whenever it likes. The arena
// is drawn a little in the past, between two snapshots that are both here.

/** How far behind the newest snapshot others are drawn, in snapshot intervals. */
const BEHIND = 1.2;
/** Beyond this the drawn time jumps instead of hurrying: nobody wants to watch minutes replayed. */
const JUMP_MS = 250;
/** Share of the remaining error that is worked off in a second while hurrying or dawdling. */
const CATCH_UP = 3;
const RATE_MAX = 0.15;
/** An early snapshot shows that the way is short now; a late one may just be jitter. */
const EARLY_SHARE = 0.25, LATE_SHARE = 0.02;
const JITTER_SHARE = 0.05, JITTER_MAX_MS = 120;
/** A head is carried on beyond the newest snapshot by at most this many intervals. */
const AHEAD = 0.6;
/** A path is an arc when it is at most so much longer than its chord, and both headings go along it: a cosine. */
const CHORD_SLACK = 1.05, ALONG_MIN = 0.7;
/** Seconds in which the drawn tail follows two thirds of a jump of the true one. */
const TAIL_EASE_S = 0.12;
/** Places that a shielded snake came through and that are hinted at. */
const GHOST_SAMPLES = 5;

export class TimeBase {
  constructor() {
    this.setRates(30, 2);
  }

  setRates(tickHz, ticksASnapshot) {
    this.tickMs = 1000 / Math.max(1, tickHz);
    this.intervalMs = this.tickMs * Math.max(1, ticksASnapshot);
    this.reset();
  }

  reset() {
    this.offset = NaN; this.jitter = 0;
    this.drawn = NaN; this.drawnAt = 0;
  }

  /** The snapshot of an (unwrapped) tick arrived at `now`, ms. */
  arrive(tick, now) {
    const lead = tick * this.tickMs - now;
    const early = lead - this.offset;
    // A tick early cannot be jitter: it is the rest of a burst that was held back.
    if (!(early > -JUMP_MS && early < this.tickMs)) {
      this.offset = lead;
      return;
    }
    this.jitter += (Math.min(Math.abs(early), JITTER_MAX_MS) - this.jitter) * JITTER_SHARE;
    this.offset += early * (early > 0 ? EARLY_SHARE : LATE_SHARE);
  }

  /** What is to be drawn at `now`: a tick with a fraction. Never runs backwards, but for a jump. */
  at(now) {
    const behind = this.intervalMs * BEHIND + Math.min(this.jitter, this.intervalMs);
    const wanted = now + this.offset - behind;
    const passed = now - this.drawnAt;
    this.drawnAt = now;
    const error = wanted - (this.drawn + passed);
    if (!(Math.abs(error) < JUMP_MS)) this.drawn = wanted;
    else this.drawn += passed * (1 + clamp((error * CATCH_UP) / 1000, -RATE_MAX, RATE_MAX));
    return this.drawn / this.tickMs;
  }
}

export function clamp(value, min, max) {
  return value < min ? min : value > max ? max : value;
}

/** A turn from one heading to another the short way, -32768..32767. */
export function turnBetween(from, to) {
  return ((to - from) << 16) >> 16;
}

/** Where one snake is drawn; one object serves all snakes of all frames. */
export class Pose {
  constructor() {
    this.x = 0; this.y = 0; this.heading = 0; this.radius = 0;
    this.boost = false; this.shield = false;
    /** Samples below `end` lie behind the head; the tail is at sample `tail`, which has a fraction. */
    this.end = 0; this.tail = 0;
  }

  still(past) {
    this.x = past.x; this.y = past.y; this.heading = past.heading; this.radius = past.radius;
    this.boost = past.boost; this.shield = past.shield;
    this.end = past.end; this.tail = past.first;
    return this;
  }
}

/** Sets `pose` to where the snake was at `tick` (with a fraction). */
export function poseAt(snake, tick, pose) {
  let i = 0;
  const last = snake.remembered - 1;
  while (i < last && snake.back(i).tick > tick) i++;
  if (i === 0 && last > 0) i = 1;
  const from = snake.back(i);
  if (i === 0 || tick <= from.tick) return pose.still(from);
  const to = snake.back(i - 1);
  const span = Math.max(1, to.tick - from.tick);
  return between(snake, from, to, Math.min((tick - from.tick) / span, 1 + AHEAD), pose);
}

function between(snake, from, to, part, pose) {
  const within = Math.min(part, 1);
  pose.still(part < 0.5 ? from : to);
  pose.heading = (from.heading + turnBetween(from.heading, to.heading) * within) & 0xffff;
  pose.radius = from.radius + (to.radius - from.radius) * within;
  pose.tail = from.first + (to.first - from.first) * within;
  walk(snake, from, to, part, pose);
  return pose;
}

/** Moves the head along the path that it really took: from head to head through the samples between. */
function walk(snake, from, to, part, pose) {
  const length = pathLength(snake, from, to);
  follow(snake, from, to, length * part, pose);
  if (part <= 1) bend(from, to, length, part, pose);
}

function follow(snake, from, to, left, pose) {
  let x = from.x, y = from.y;
  for (let n = from.end; n <= to.end; n++) {
    const head = n === to.end;
    const nx = head ? to.x : snake.x(n), ny = head ? to.y : snake.y(n);
    const step = Math.hypot(nx - x, ny - y);
    if (left <= step || head) return arrive(pose, n, x, y, nx, ny, step, left);
    left -= step; x = nx; y = ny;
  }
}

function arrive(pose, end, x, y, nx, ny, step, left) {
  const part = step > 0 ? Math.min(left / step, 1) : 1;
  const beyond = Math.max(0, left - step);
  const angle = (pose.heading / 65536) * 2 * Math.PI;
  pose.end = end;
  pose.x = x + (nx - x) * part + Math.cos(angle) * beyond;
  pose.y = y + (ny - y) * part + Math.sin(angle) * beyond;
}

/**
 * A head that only turned a little went along an arc and not along its chord: without this the view would
 * change its direction by jerks, at every snapshot. Cubic Hermite, tangents by the headings.
 */
function bend(from, to, length, part, pose) {
  const dx = to.x - from.x, dy = to.y - from.y, chord = Math.hypot(dx, dy);
  if (!(chord > 0) || length > chord * CHORD_SLACK) return;
  const a = (from.heading / 65536) * 2 * Math.PI, b = (to.heading / 65536) * 2 * Math.PI;
  const ax = Math.cos(a), ay = Math.sin(a), bx = Math.cos(b), by = Math.sin(b);
  if (Math.min(ax * dx + ay * dy, bx * dx + by * dy) < chord * ALONG_MIN) return;
  const rest = 1 - part, out = part * rest * rest * length, into = part * part * rest * length;
  const done = part * part * (3 - 2 * part);
  pose.x = from.x + dx * done + ax * out - bx * into;
  pose.y = from.y + dy * done + ay * out - by * into;
}

function pathLength(snake, from, to) {
  let length = 0, x = from.x, y = from.y;
  for (let n = from.end; n < to.end; n++) {
    length += Math.hypot(snake.x(n) - x, snake.y(n) - y);
    x = snake.x(n); y = snake.y(n);
  }
  return length + Math.hypot(to.x - x, to.y - y);
}

/**
 * Lets the drawn tail follow the true one softly: samples go one by one, the tail must not jump. A shielded
 * snake has no trail, only one sample that it drags along: the last few show where it came from.
 */
export function easeTail(snake, pose, seconds) {
  const far = !(Math.abs(snake.tail - pose.tail) < 8);
  snake.tail = far ? pose.tail : snake.tail + (pose.tail - snake.tail) * (1 - Math.exp(-seconds / TAIL_EASE_S));
  const tail = pose.shield ? pose.end - GHOST_SAMPLES : afterBreak(snake, snake.tail, pose.tail);
  pose.tail = clamp(tail, snake.oldest, pose.end - 1);
}

/** The tail does not linger across a broken trail: what lies beyond belongs to nobody. */
function afterBreak(snake, tail, first) {
  for (let n = Math.ceil(first); n > tail; n--) if (n >= snake.oldest && snake.brokenBefore(n)) return n;
  return tail;
}
