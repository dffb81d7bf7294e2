// The scene on a 2D canvas, back to front: floor, obstacles, food, bodies, names, the edge of the arena.
import { drawSnake } from './body.js';
import { Pose, easeTail, poseAt } from './interpolate.js';
import { drawObstacles } from './obstacles.js';
import { coloursOf } from './palette.js';

const TURN = 2 * Math.PI;
const FLOOR = '#0b0e16', TILE_LINE = '#1b2234', TILE_FILL = '#0e1320';
const HEX_SIDE_U = 26;
const FADE_MS = 420;
const EDGE_POINTS = 72;
const FOOD_POP_MS = 260;
const NAME_FONT = '600 13px system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const NAMES_MAX = 60;
/** A frame that takes longer than this, ms, on average over a second or so, turns the extras off. */
const SLOW_FRAME_MS = 24, FAST_FRAME_MS = 17.5;

export class Scene {
  constructor(canvas) {
    this.canvas = canvas;
    this.ctx = canvas.getContext('2d', { alpha: false });
    this.pose = new Pose();
    this.names = Array.from({ length: NAMES_MAX }, () => ({ text: '', x: 0, y: 0 }));
    this.nameCount = 0;
    this.matrix = new DOMMatrix();
    this.pellets = new Map();
    this.look = { seconds: 0, look: 0, own: false, plain: false, calm: false, flash: 0 };
    this.frameMs = 16;
    /** What drawing costs in script, ms, smoothed. */
    this.scriptMs = 0;
    this.plain = false;
    this.pixels = 1;
  }

  /** Fits the canvas to its box; `ratio` is device pixels a CSS pixel. */
  resize(width, height, ratio) {
    this.pixels = Math.min(ratio, 2.5);
    this.canvas.width = Math.round(width * this.pixels);
    this.canvas.height = Math.round(height * this.pixels);
    this.pattern = undefined;
    this.pellets.clear();
  }

  /** Slow machines do without glow and bands; the mean moves slowly so that it does not flip-flop. */
  pace(frameMs) {
    if (frameMs > 200) return;
    this.frameMs += (frameMs - this.frameMs) * 0.02;
    if (this.frameMs > SLOW_FRAME_MS) this.plain = true;
    else if (this.frameMs < FAST_FRAME_MS) this.plain = false;
  }

  /** Draws the mirror's arena at `tick`; `own` is the id of the player's snake, `aim` its wish, radians. */
  draw({ mirror, camera, tick, now, seconds, own, aim, calm }) {
    const { ctx, look } = this;
    ctx.setTransform(this.pixels, 0, 0, this.pixels, 0, 0);
    ctx.lineJoin = ctx.lineCap = 'round';
    look.calm = calm; look.plain = this.plain; look.seconds = now / 1000;
    this.nameCount = 0;
    this.floor(camera);
    drawObstacles(ctx, mirror.obstacles, camera, calm ? 0.5 : 0.5 + 0.5 * Math.sin(now / 420));
    this.food(mirror, camera, now, calm);
    this.fading(mirror, camera, tick, now, seconds);
    let last;
    for (const snake of mirror.snakes.values()) {
      if (snake.id === own) last = snake;
      else this.snake(snake, camera, tick, seconds, undefined);
    }
    if (last) this.snake(last, camera, tick, seconds, aim);
    this.edge(mirror.radius, camera, now, calm);
    this.paintNames();
  }

  floor(camera) {
    const { ctx, matrix } = this;
    if (!this.pattern || Math.abs(Math.log(camera.zoom / this.patternZoom)) > 0.25) this.layTiles(camera.zoom);
    const scale = camera.zoom / this.patternScale;
    matrix.a = matrix.d = scale;
    matrix.e = camera.screenX(0) % (this.tileW * scale);
    matrix.f = camera.screenY(0) % (this.tileH * scale);
    this.pattern.setTransform(matrix);
    ctx.fillStyle = this.pattern;
    ctx.fillRect(0, 0, camera.width, camera.height);
  }

  /** A tile that repeats into a honeycomb, in the pixels of the present zoom. */
  layTiles(zoom) {
    const scale = zoom * this.pixels;
    const side = HEX_SIDE_U * scale;
    const tile = document.createElement('canvas');
    tile.width = Math.max(2, Math.round(side * Math.sqrt(3)));
    tile.height = Math.max(2, Math.round(side * 3));
    paintHexes(tile.getContext('2d'), tile.width, tile.height, Math.max(1, this.pixels));
    this.pattern = this.ctx.createPattern(tile, 'repeat');
    this.patternZoom = zoom; this.patternScale = scale;
    this.tileW = tile.width; this.tileH = tile.height;
  }

  food(mirror, camera, now, calm) {
    const { ctx } = this;
    for (const [id, piece] of mirror.food) {
      const x = camera.screenX(piece.x), y = camera.screenY(piece.y);
      const grown = Math.min(1, (now - piece.since) / FOOD_POP_MS);
      const breath = calm ? 1 : 1 + 0.09 * Math.sin(now / 260 + id);
      const half = (3 + Math.min(piece.size, 12) * 0.7) * 2.6 * camera.zoom * grown * breath;
      if (x < -half || y < -half || x > camera.width + half || y > camera.height + half) continue;
      ctx.drawImage(this.pellet((id * 37) & 0xff), x - half, y - half, 2 * half, 2 * half);
    }
  }

  pellet(skin) {
    const kept = skin & 0xf8;
    let sprite = this.pellets.get(kept);
    if (!sprite) this.pellets.set(kept, (sprite = paintPellet(coloursOf(kept))));
    return sprite;
  }

  snake(snake, camera, tick, seconds, aim) {
    const { pose, look } = this;
    poseAt(snake, tick, pose);
    easeTail(snake, pose, seconds);
    look.own = aim !== undefined;
    look.look = look.own ? aim : (pose.heading / 65536) * TURN;
    look.flash = 0;
    const seen = drawSnake(this.ctx, snake, pose, camera, look);
    if (seen && !look.own) this.noteName(snake, pose, camera);
  }

  fading(mirror, camera, tick, now, seconds) {
    const { ctx, pose, look } = this, list = mirror.fading;
    let kept = 0;
    for (const snake of list) {
      const age = (now - snake.goneAt) / FADE_MS;
      if (age >= 1) continue;
      list[kept++] = snake;
      poseAt(snake, Math.min(tick, snake.newest.tick), pose);
      easeTail(snake, pose, seconds);
      look.own = false; look.look = (pose.heading / 65536) * TURN;
      look.flash = 1 - age;
      ctx.globalAlpha = 1 - age;
      drawSnake(ctx, snake, pose, camera, look);
      ctx.globalAlpha = 1;
    }
    list.length = kept;
  }

  noteName(snake, pose, camera) {
    if (!snake.name || this.nameCount === NAMES_MAX) return;
    const note = this.names[this.nameCount++];
    note.text = snake.name;
    note.x = camera.screenX(pose.x);
    note.y = camera.screenY(pose.y) - pose.radius * camera.zoom - 14;
  }

  paintNames() {
    const { ctx } = this;
    ctx.font = NAME_FONT;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'alphabetic';
    for (let i = 0; i < this.nameCount; i++) {
      const { text, x, y } = this.names[i];
      ctx.fillStyle = 'rgb(5 7 12 / 0.75)';
      ctx.fillText(text, x + 1, y + 1.5);
      ctx.fillStyle = '#dfe7f7';
      ctx.fillText(text, x, y);
    }
  }

  /** The circle. Only the arc in sight is traced: a circle of 40,000 px would be coarse in floats. */
  edge(radius, camera, now, calm) {
    const reach = Math.hypot(camera.halfW, camera.halfH), away = Math.hypot(camera.x, camera.y);
    if (radius <= 0 || away + reach < radius - 30) return;
    const { ctx } = this;
    const middle = Math.atan2(camera.y, camera.x);
    const half = Math.min(Math.PI, (2.2 * reach) / radius);
    this.traceEdge(camera, radius, middle, half, 0);
    this.traceEdge(camera, radius + 4 * reach + away, middle, half, 1);
    ctx.closePath();
    ctx.fillStyle = 'rgb(28 4 12 / 0.82)';
    ctx.fill();
    this.traceEdge(camera, radius, middle, half, 0);
    const pulse = calm ? 0.5 : 0.5 + 0.5 * Math.sin(now / 420);
    for (let width = 42; width > 6; width *= 0.68) this.glowEdge(width * (1 + 0.2 * pulse), 0.075);
    this.glowEdge(3, 1);
  }

  glowEdge(width, alpha) {
    this.ctx.lineWidth = width;
    this.ctx.strokeStyle = `rgb(255 72 96 / ${alpha})`;
    this.ctx.stroke();
  }

  traceEdge(camera, radius, middle, half, back) {
    const { ctx } = this;
    if (!back) ctx.beginPath();
    for (let i = 0; i <= EDGE_POINTS; i++) {
      const part = back ? 1 - i / EDGE_POINTS : i / EDGE_POINTS;
      const angle = middle + (2 * part - 1) * half;
      ctx.lineTo(camera.screenX(radius * Math.cos(angle)), camera.screenY(radius * Math.sin(angle)));
    }
  }
}

function paintHexes(ctx, w, h, line) {
  ctx.fillStyle = FLOOR;
  ctx.fillRect(0, 0, w, h);
  ctx.strokeStyle = TILE_LINE;
  ctx.lineWidth = line;
  for (const [cx, cy] of [[0, 0], [w, 0], [w / 2, h / 2], [0, h], [w, h]]) {
    ctx.beginPath();
    for (let k = 0; k < 6; k++) {
      const angle = ((k + 0.5) / 6) * TURN;
      ctx.lineTo(cx + (Math.cos(angle) * w * 0.94) / Math.sqrt(3), cy + (Math.sin(angle) * h * 0.94) / 3);
    }
    ctx.closePath();
    ctx.fillStyle = TILE_FILL;
    ctx.fill();
    ctx.stroke();
  }
}

function paintPellet(colours) {
  const size = 64, sprite = document.createElement('canvas');
  sprite.width = sprite.height = size;
  const ctx = sprite.getContext('2d'), c = size / 2;
  const light = ctx.createRadialGradient(c, c, 0, c, c, c);
  light.addColorStop(0, '#fff');
  light.addColorStop(0.22, colours.shine);
  light.addColorStop(0.38, colours.body);
  light.addColorStop(0.42, colours.body.replace(')', ' / 0.35)'));
  light.addColorStop(1, colours.body.replace(')', ' / 0)'));
  ctx.fillStyle = light;
  ctx.fillRect(0, 0, size, size);
  return sprite;
}
