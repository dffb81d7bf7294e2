// Walls on the canvas: dark blocks with a lit upper side and a hot rim, since they kill.

const TURN = 2 * Math.PI;
const CORNER_U = 4, GLOW_PX = 26;
const BODY = '#1a2032', FACE = '#252d45', HATCH = 'rgb(255 255 255 / 0.035)', RIM = 'rgb(255 112 96 / 0.95)';
const HATCH_U = 16, BEVEL_U = 7;

/** The outline on the screen, `less` CSS px inside the true one. */
function outline(o, camera, less) {
  const path = new Path2D(), { zoom } = camera;
  if (o.shape === 'disc') {
    path.arc(camera.screenX(o.center[0]), camera.screenY(o.center[1]), Math.max(0, o.radius * zoom - less), 0, TURN);
    return path;
  }
  const x = camera.screenX(o.min[0]) + less, y = camera.screenY(o.min[1]) + less;
  const w = (o.max[0] - o.min[0]) * zoom - 2 * less, h = (o.max[1] - o.min[1]) * zoom - 2 * less;
  if (w > 0 && h > 0) path.roundRect(x, y, w, h, Math.max(0, Math.min(CORNER_U * zoom - less, w / 2, h / 2)));
  return path;
}

function isInSight(o, camera) {
  const disc = o.shape === 'disc', min = disc ? o.center.map((v) => v - o.radius) : o.min;
  const max = disc ? o.center.map((v) => v + o.radius) : o.max;
  const near = GLOW_PX / camera.zoom;
  return Math.abs((min[0] + max[0]) / 2 - camera.x) < (max[0] - min[0]) / 2 + camera.halfW + near
    && Math.abs((min[1] + max[1]) / 2 - camera.y) < (max[1] - min[1]) / 2 + camera.halfH + near;
}

/** Slanted lines over the face, fixed to the floor; only those in sight. */
function hatch(ctx, camera) {
  const left = camera.x - camera.halfW, top = camera.y - camera.halfH, height = 2 * camera.halfH;
  ctx.beginPath();
  for (let u = Math.floor((left + top) / HATCH_U) * HATCH_U; u < left + top + 2 * camera.halfW + height; u += HATCH_U) {
    ctx.moveTo(camera.screenX(u - top), camera.screenY(top));
    ctx.lineTo(camera.screenX(u - top - height), camera.screenY(top + height));
  }
  ctx.lineWidth = 0.4 * HATCH_U * camera.zoom;
  ctx.strokeStyle = HATCH;
  ctx.stroke();
}

function drawObstacle(ctx, o, camera, pulse) {
  const whole = outline(o, camera, 0), face = outline(o, camera, BEVEL_U * camera.zoom);
  for (let width = GLOW_PX; width > 6; width *= 0.62) {
    ctx.lineWidth = width * (1 + 0.15 * pulse);
    ctx.strokeStyle = 'rgb(255 92 84 / 0.07)';
    ctx.stroke(whole);
  }
  ctx.fillStyle = BODY;
  ctx.fill(whole);
  ctx.save();
  ctx.clip(face);
  ctx.fillStyle = FACE;
  ctx.fillRect(0, 0, camera.width, camera.height);
  hatch(ctx, camera);
  ctx.restore();
  ctx.lineWidth = 2.5;
  ctx.strokeStyle = RIM;
  ctx.stroke(whole);
}

/** Draws those in sight; `pulse` 0..1 is the breath of their glow. */
export function drawObstacles(ctx, obstacles, camera, pulse) {
  for (const o of obstacles) if (isInSight(o, camera)) drawObstacle(ctx, o, camera, pulse);
}
