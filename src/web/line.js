// The line of one snake on the screen, head first: gathered once a frame into buffers that all snakes share,
// cut into the stretches in sight, and traced as often as it is stroked.

/** Length of the part of a body that runs out, u: a constant and a share of the radius. */
const TAPER_U = 14, TAPER_RADII = 2.5;
export const TAPER_WIDTH_MIN = 0.3;

// The line being drawn, head first: CSS pixels, distance from the head in CSS pixels, and whether the
// trail is broken between a point and the one before it.
let capacity = 1024;
export let px = new Float32Array(capacity), py = new Float32Array(capacity), ps = new Float32Array(capacity);
export let cut = new Uint8Array(capacity);
export let points = 0;
let corners = new Float32Array(capacity);
// Stretches of the line that are in sight, as first and last point.
const RUNS_MAX = 64;
export const runs = new Int32Array(2 * RUNS_MAX);
export let runCount = 0;

function widen() {
  capacity *= 2;
  const grow = (old) => { const wide = new old.constructor(capacity); wide.set(old); return wide; };
  px = grow(px); py = grow(py); ps = grow(ps); cut = grow(cut); corners = grow(corners);
}

function add(x, y, broken) {
  if (points === capacity) widen();
  const i = points++;
  px[i] = x; py[i] = y; cut[i] = broken ? 1 : 0;
  ps[i] = i === 0 ? 0 : ps[i - 1] + Math.hypot(x - px[i - 1], y - py[i - 1]);
}

/** Gathers the line of a pose. Fat bodies need fewer points; which ones stay is tied to their numbers. */
export function gather(snake, pose, camera) {
  const stride = Math.max(1, Math.min(8, Math.floor(pose.radius / 14)));
  const last = Math.ceil(pose.tail);
  points = 0;
  add(camera.screenX(pose.x), camera.screenY(pose.y), false);
  let broken = pose.shield;
  for (let n = pose.end - 1; n >= last; n--) {
    if (n % stride === 0 || n === last || n === pose.end - 1) {
      add(camera.screenX(snake.x(n)), camera.screenY(snake.y(n)), broken);
      broken = pose.shield;
    }
    broken ||= snake.brokenBefore(n);
  }
  addTailTip(snake, pose, camera, last, broken);
}

function addTailTip(snake, pose, camera, last, broken) {
  const part = last - pose.tail;
  if (part <= 0 || last - 1 < snake.oldest) return;
  const x = snake.x(last) + (snake.x(last - 1) - snake.x(last)) * part;
  const y = snake.y(last) + (snake.y(last - 1) - snake.y(last)) * part;
  add(camera.screenX(x), camera.screenY(y), broken);
}

export function inSight(i, margin, camera) {
  return px[i] > -margin && px[i] < camera.width + margin && py[i] > -margin && py[i] < camera.height + margin;
}

/** Cuts the line into stretches in sight, up to the point `last`; each reaches one point out of sight. */
export function findRuns(margin, camera, last) {
  runCount = 0;
  let from = -1;
  for (let i = 0; i <= last; i++) {
    if (from >= 0 && cut[i]) { addRun(from, i - 1); from = -1; }
    const seen = inSight(i, margin, camera);
    if (seen && from < 0) from = i > 0 && !cut[i] ? i - 1 : i;
    if (!seen && from >= 0 && from < i) { addRun(from, i); from = -1; }
  }
  if (from >= 0) addRun(from, last);
}

function addRun(from, to) {
  if (runCount === RUNS_MAX) return;
  runs[2 * runCount] = from; runs[2 * runCount + 1] = to;
  runCount++;
}

export function traceRun(ctx, k) {
  const from = runs[2 * k], to = runs[2 * k + 1];
  ctx.moveTo(px[from], py[from]);
  for (let i = from + 1; i < to; i++) {
    ctx.quadraticCurveTo(px[i], py[i], (px[i] + px[i + 1]) / 2, (py[i] + py[i + 1]) / 2);
  }
  ctx.lineTo(px[to], py[to]);
}

export function traceRuns(ctx) {
  ctx.beginPath();
  for (let k = 0; k < runCount; k++) traceRun(ctx, k);
}

/** The outer side of the tail, from `start` to the tip and back on the other side. */
export function traceTaper(ctx, start, half, grown) {
  ctx.beginPath();
  for (let i = start; i < points; i++) taperPoint(ctx, i, start, half, grown, 1);
  for (let i = points - 1; i >= start; i--) taperPoint(ctx, i, start, half, grown, -1);
  ctx.closePath();
}

function taperPoint(ctx, i, start, half, grown, side) {
  const before = Math.max(i - 1, 0), after = Math.min(i + 1, points - 1);
  const dx = px[after] - px[before], dy = py[after] - py[before];
  const width = taperWidth(i, start, half) + grown, length = Math.hypot(dx, dy) || 1;
  ctx.lineTo(px[i] - (dy / length) * width * side, py[i] + (dx / length) * width * side);
}

function taperWidth(i, start, half) {
  const whole = ps[points - 1] - ps[start];
  const gone = whole > 0 ? (ps[i] - ps[start]) / whole : 1;
  return half * (1 - (1 - TAPER_WIDTH_MIN) * gone * gone);
}

/** First point of the part that runs out: put in at its exact place, or the tail would grow and shrink. */
export function taperStart(radius, zoom) {
  const whole = ps[points - 1];
  const from = whole - Math.min((TAPER_U + TAPER_RADII * radius) * zoom, whole * 0.6);
  let i = points - 1;
  while (i > 0 && ps[i - 1] >= from) i--;
  if (i > 0 && !cut[i] && ps[i] > from) insertBefore(i, (from - ps[i - 1]) / (ps[i] - ps[i - 1]));
  return i;
}

/** Puts a point into the stretch that ends at point `i`. */
function insertBefore(i, part) {
  if (points === capacity) widen();
  for (const line of [px, py, ps, cut]) line.copyWithin(i + 1, i, points);
  points++;
  for (const line of [px, py, ps]) line[i] = line[i - 1] + (line[i + 1] - line[i - 1]) * part;
  cut[i] = 0;
}

/** Cuts the corners of the part that runs out, twice: its sides would show them. */
export function smoothTail(start) {
  for (let round = 0; round < 2; round++) {
    const last = points - 1, stretches = last - start;
    if (stretches < 2 || brokenAfter(start)) return;
    points = start + 2 * stretches;
    while (points > capacity) widen();
    for (const line of [px, py, ps]) cutCorners(line, start, last);
    cut.fill(0, start + 1, points);
  }
}

function brokenAfter(start) {
  for (let i = start + 1; i < points; i++) if (cut[i]) return true;
  return false;
}

/** Every point but the ends becomes two, a quarter of the way to its neighbours. */
function cutCorners(line, start, last) {
  for (let i = start; i <= last; i++) corners[i] = line[i];
  for (let i = start + 1, to = i; i < last; i++) {
    line[to++] = 0.75 * corners[i] + 0.25 * corners[i - 1];
    line[to++] = 0.75 * corners[i] + 0.25 * corners[i + 1];
  }
  line[start + 2 * (last - start) - 1] = corners[last];
}
