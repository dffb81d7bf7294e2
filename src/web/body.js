// One snake on the canvas: a stroked line through its samples, a tail that runs out softly, a head.
// A line is gathered once a frame into buffers that all snakes share, then stroked a few times.
import { clamp } from './interpolate.js';
import { coloursOf } from './palette.js';

const TURN = 2 * Math.PI;
/** Length of the part of a body that runs out, u: a constant and a share of the radius. */
const TAPER_U = 14, TAPER_RADII = 2.5, TAPER_WIDTH_MIN = 0.3;
const BAND_U = 14, BAND_RADII = 1.6;
const EYE_PX_MIN = 1.5;

// The line being drawn, head first: CSS pixels, distance from the head in CSS pixels, and whether the
// trail is broken between a point and the one before it.
let capacity = 1024;
let px = new Float32Array(capacity), py = new Float32Array(capacity), ps = new Float32Array(capacity);
let cut = new Uint8Array(capacity);
let points = 0;
// Stretches of the line that are in sight, as first and last point.
const RUNS_MAX = 64;
const runs = new Int32Array(2 * RUNS_MAX);
let runCount = 0;
const NO_DASH = [];
const dash = [0, 0];

function widen() {
  capacity *= 2;
  const grow = (old) => { const wide = new old.constructor(capacity); wide.set(old); return wide; };
  px = grow(px); py = grow(py); ps = grow(ps); cut = grow(cut);
}

function add(x, y, broken) {
  if (points === capacity) widen();
  const i = points++;
  px[i] = x; py[i] = y; cut[i] = broken ? 1 : 0;
  ps[i] = i === 0 ? 0 : ps[i - 1] + Math.hypot(x - px[i - 1], y - py[i - 1]);
}

/** Gathers the line of a pose. Fat bodies need fewer points; which ones stay is tied to their numbers. */
function gather(snake, pose, camera) {
  const stride = Math.max(1, Math.min(8, Math.floor(pose.radius / 14)));
  const last = Math.ceil(pose.tail);
  points = 0;
  add(camera.screenX(pose.x), camera.screenY(pose.y), false);
  let broken = false;
  for (let n = pose.end - 1; n >= last; n--) {
    if (n % stride === 0 || n === last || n === pose.end - 1) {
      add(camera.screenX(snake.x(n)), camera.screenY(snake.y(n)), broken);
      broken = false;
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

function inSight(i, margin, camera) {
  return px[i] > -margin && px[i] < camera.width + margin && py[i] > -margin && py[i] < camera.height + margin;
}

/** Cuts the line into stretches in sight, up to the point `last`; each reaches one point out of sight. */
function findRuns(margin, camera, last) {
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

function traceRun(ctx, k) {
  const from = runs[2 * k], to = runs[2 * k + 1];
  ctx.moveTo(px[from], py[from]);
  for (let i = from + 1; i < to; i++) {
    ctx.quadraticCurveTo(px[i], py[i], (px[i] + px[i + 1]) / 2, (py[i] + py[i + 1]) / 2);
  }
  ctx.lineTo(px[to], py[to]);
}

function traceRuns(ctx) {
  ctx.beginPath();
  for (let k = 0; k < runCount; k++) traceRun(ctx, k);
}

/** The outer side of the tail, from `start` to the tip and back on the other side. */
function traceTaper(ctx, start, half, grown) {
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

function tip(ctx, half, grown) {
  const i = points - 1;
  ctx.moveTo(px[i], py[i]);
  ctx.arc(px[i], py[i], half * TAPER_WIDTH_MIN + grown, 0, TURN);
}

/** First point of the part that runs out. */
function taperStart(radius, zoom) {
  const whole = ps[points - 1];
  const from = whole - Math.min((TAPER_U + TAPER_RADII * radius) * zoom, whole * 0.6);
  let i = points - 1;
  while (i > 0 && ps[i - 1] >= from) i--;
  return i;
}

function strokeBands(ctx, half, radius, zoom) {
  dash[0] = dash[1] = (BAND_U + BAND_RADII * radius) * zoom;
  ctx.setLineDash(dash);
  ctx.lineCap = 'butt';
  ctx.lineWidth = half * 2;
  for (let k = 0; k < runCount; k++) {
    ctx.beginPath();
    traceRun(ctx, k);
    ctx.lineDashOffset = ps[runs[2 * k]];
    ctx.stroke();
  }
  ctx.setLineDash(NO_DASH);
  ctx.lineCap = 'round';
}

function layer(ctx, colour, half, grown, start) {
  traceRuns(ctx);
  ctx.strokeStyle = ctx.fillStyle = colour;
  ctx.lineWidth = 2 * (half + grown);
  ctx.stroke();
  if (cut[start] || start === points - 1) return;
  traceTaper(ctx, start, half, grown);
  tip(ctx, half, grown);
  ctx.fill();
}

/** Broken stretches are no danger; they are hinted at so that a shielded snake reads as one body. */
function strokeGaps(ctx, colour, half) {
  ctx.beginPath();
  for (let i = 1; i < points; i++) {
    if (cut[i]) { ctx.moveTo(px[i - 1], py[i - 1]); ctx.lineTo(px[i], py[i]); }
  }
  ctx.save();
  ctx.globalAlpha *= 0.25;
  ctx.strokeStyle = colour;
  ctx.lineWidth = half;
  ctx.stroke();
  ctx.restore();
}

function glow(ctx, colour, half, strength) {
  ctx.save();
  ctx.globalCompositeOperation = 'lighter';
  ctx.globalAlpha *= strength;
  traceRuns(ctx);
  ctx.strokeStyle = colour;
  ctx.lineWidth = half * 4.4 + 4;
  ctx.stroke();
  ctx.restore();
}

function drawEye(ctx, x, y, size, look) {
  ctx.fillStyle = '#fff';
  ctx.beginPath();
  ctx.arc(x, y, size, 0, TURN);
  ctx.fill();
  ctx.fillStyle = '#10131c';
  ctx.beginPath();
  ctx.arc(x + Math.cos(look) * size * 0.42, y + Math.sin(look) * size * 0.42, size * 0.58, 0, TURN);
  ctx.fill();
}

function drawHead(ctx, pose, half, look, colours) {
  const angle = (pose.heading / 65536) * TURN;
  ctx.fillStyle = colours.body;
  ctx.beginPath();
  ctx.arc(px[0], py[0], half * 1.1, 0, TURN);
  ctx.fill();
  const size = Math.max(EYE_PX_MIN, half * 0.4), c = Math.cos(angle), s = Math.sin(angle);
  const ahead = half * 0.38, aside = half * 0.56;
  drawEye(ctx, px[0] + c * ahead - s * aside, py[0] + s * ahead + c * aside, size, look);
  drawEye(ctx, px[0] + c * ahead + s * aside, py[0] + s * ahead - c * aside, size, look);
}

function drawShield(ctx, half, seconds, calm) {
  const breath = calm ? 0.5 : 0.5 + 0.5 * Math.sin(seconds * 9);
  ctx.strokeStyle = '#9fe8ff';
  ctx.fillStyle = '#7fdcff';
  ctx.beginPath();
  ctx.arc(px[0], py[0], half + 9 + breath * 2, 0, TURN);
  const alpha = ctx.globalAlpha;
  ctx.globalAlpha = alpha * (0.08 + 0.1 * breath);
  ctx.fill();
  ctx.globalAlpha = alpha * (0.45 + 0.5 * breath);
  ctx.lineWidth = 1.75;
  ctx.stroke();
  ctx.globalAlpha = alpha;
}

/**
 * Draws a snake. `look` is where its eyes turn, radians; `own` lifts it out of the crowd; `plain` leaves out
 * what a slow machine can do without; `flash` 0..1 lets the dead light up.
 */
export function drawSnake(ctx, snake, pose, camera, { seconds, look, own, plain, calm, flash }) {
  const { zoom } = camera, half = Math.max(1.25, pose.radius * zoom), colours = coloursOf(snake.skin);
  gather(snake, pose, camera);
  const start = taperStart(pose.radius, zoom);
  findRuns(half * 3 + 12, camera, start);
  if (runCount === 0 && !inSight(points - 1, half * 3, camera)) return false;
  const rim = own ? clamp(half * 0.22, 1.5, 5) : clamp(half * 0.18, 1, 5);
  if (pose.boost && !plain) glow(ctx, colours.shine, half, calm ? 0.22 : 0.22 + 0.06 * Math.sin(seconds * 14));
  strokeGaps(ctx, colours.body, half);
  layer(ctx, own ? '#f4f8ff' : colours.outline, half, rim, start);
  layer(ctx, colours.body, half, 0, start);
  if (!plain) {
    ctx.strokeStyle = colours.band;
    strokeBands(ctx, half, pose.radius, zoom);
  }
  traceRuns(ctx);
  ctx.strokeStyle = colours.shine;
  ctx.lineWidth = Math.max(1, half * 0.5);
  ctx.stroke();
  if (flash > 0) glow(ctx, '#ffffff', half * (1 + (1 - flash)), flash * 0.6);
  drawHead(ctx, pose, half, look, colours);
  if (pose.shield) drawShield(ctx, half, seconds, calm);
  return true;
}
