// One snake on the canvas: a line stroked a few times, a tail that runs out softly, a head with eyes.
import { clamp } from './interpolate.js';
import {
  TAPER_WIDTH_MIN, cut, findRuns, gather, inSight, points, ps, px, py, runCount, runs, smoothTail, taperStart,
  traceRun, traceRuns, traceTaper,
} from './line.js';
import { coloursOf } from './palette.js';

const TURN = 2 * Math.PI;
const OWN_RIM = '#f4f8ff';
const BAND_U = 14, BAND_RADII = 1.6;
/** The head of a thin snake is drawn wider than its body, so that one sees which end is which. */
const HEAD_GROWN_PX = 2.6, EYE_PX_MIN = 2.1;

const NO_DASH = [];
const dash = [0, 0];

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

function layer(ctx, colour, half, grown, start, tapered) {
  traceRuns(ctx);
  ctx.strokeStyle = ctx.fillStyle = colour;
  ctx.lineWidth = 2 * (half + grown);
  ctx.stroke();
  if (!tapered || cut[start] || start === points - 1) return;
  traceTaper(ctx, start, half, grown);
  ctx.fill();
  disc(ctx, colour, points - 1, half * TAPER_WIDTH_MIN + grown);
}

/** Broken stretches are no danger; they are hinted at so that a shielded snake reads as one body. */
function strokeGaps(ctx, colour, half) {
  ctx.beginPath();
  for (let i = 1; i < points; i++) {
    if (!cut[i]) continue;
    if (i === 1 || !cut[i - 1]) ctx.moveTo(px[i - 1], py[i - 1]);
    if (i + 1 < points && cut[i + 1]) ctx.quadraticCurveTo(px[i], py[i], (px[i] + px[i + 1]) / 2, (py[i] + py[i + 1]) / 2);
    else ctx.lineTo(px[i], py[i]);
  }
  ctx.save();
  ctx.globalAlpha *= 0.25;
  ctx.strokeStyle = colour;
  ctx.lineWidth = half;
  ctx.stroke();
  ctx.restore();
}

/** Light around the body, `reach` CSS px beyond its sides. */
function glow(ctx, colour, half, reach, strength) {
  ctx.save();
  ctx.globalCompositeOperation = 'lighter';
  ctx.globalAlpha *= strength;
  traceRuns(ctx);
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2 * (half + reach);
  ctx.stroke();
  ctx.restore();
}

function boostGlow(ctx, colours, half, seconds, calm) {
  const reach = clamp(half * 0.8, 5, 16), beat = calm ? 0 : Math.sin(seconds * 14);
  glow(ctx, colours.shine, half, reach, 0.2 + 0.05 * beat);
  glow(ctx, colours.shine, half, reach * 0.5, 0.25);
}

/** A lighter line along the back makes a flat stroke look round. */
function shine(ctx, colours, half) {
  const alpha = ctx.globalAlpha;
  ctx.globalAlpha = alpha * clamp(1.05 - half / 60, 0.4, 0.9);
  traceRuns(ctx);
  ctx.strokeStyle = colours.shine;
  ctx.lineWidth = Math.max(1, half * 0.5);
  ctx.stroke();
  ctx.globalAlpha = alpha;
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

const headWidth = (half) => half * 1.1 + clamp(HEAD_GROWN_PX - half * 0.15, 0, HEAD_GROWN_PX);

function disc(ctx, colour, i, radius) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.arc(px[i], py[i], radius, 0, TURN);
  ctx.fill();
}

function drawHead(ctx, pose, half, look, colours, rimColour, rim) {
  const angle = (pose.heading / 65536) * TURN;
  const wide = headWidth(half), size = Math.max(EYE_PX_MIN, wide * 0.38), c = Math.cos(angle), s = Math.sin(angle);
  disc(ctx, rimColour, 0, wide + rim);
  disc(ctx, colours.body, 0, wide);
  const ahead = wide * 0.34, aside = wide * 0.54;
  drawEye(ctx, px[0] + c * ahead - s * aside, py[0] + s * ahead + c * aside, size, look);
  drawEye(ctx, px[0] + c * ahead + s * aside, py[0] + s * ahead - c * aside, size, look);
}

/** Where the player wants to go, at once, while the answer of the server is still on its way. */
function drawAim(ctx, half, look, colour) {
  const c = Math.cos(look), s = Math.sin(look), away = headWidth(half) + 13, size = 5;
  const x = px[0] + c * away, y = py[0] + s * away;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2.5;
  ctx.beginPath();
  ctx.moveTo(x - (c + s) * size, y - (s - c) * size);
  ctx.lineTo(x, y);
  ctx.lineTo(x - (c - s) * size, y - (s + c) * size);
  ctx.stroke();
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
  if (inSight(points - 1, half * 3, camera)) smoothTail(start);
  findRuns(half * 3 + 12, camera, pose.shield ? 0 : start);
  if (runCount === 0 && !inSight(points - 1, half * 3, camera)) return false;
  const rim = own ? clamp(half * 0.22, 1.5, 5) : clamp(half * 0.18, 1, 5);
  if (pose.boost && !plain) boostGlow(ctx, colours, half, seconds, calm);
  strokeGaps(ctx, colours.body, half);
  const rimColour = own ? OWN_RIM : colours.outline;
  layer(ctx, rimColour, half, rim, start, !pose.shield);
  layer(ctx, colours.body, half, 0, start, !pose.shield);
  if (!plain) {
    ctx.strokeStyle = colours.band;
    strokeBands(ctx, half, pose.radius, zoom);
  }
  shine(ctx, colours, half);
  if (flash > 0) glow(ctx, '#ffffff', half, (1 - flash) * 6, flash * flash);
  drawHead(ctx, pose, half, look, colours, rimColour, rim);
  if (own) drawAim(ctx, half, look, colours.shine);
  if (pose.shield) drawShield(ctx, half, seconds, calm);
  return true;
}
