// The whole circle in a corner: where somebody is, and where you are.

const TURN = 2 * Math.PI;

export class Minimap {
  constructor(canvas) {
    this.canvas = canvas;
    this.ctx = canvas.getContext('2d');
    this.side = 0;
    this.bits = new Uint8Array(0);
  }

  update({ side, bytes }) {
    this.side = side; this.bits = bytes;
  }

  resize(ratio) {
    this.canvas.width = this.canvas.height = Math.round(this.canvas.clientWidth * ratio);
  }

  /** `me`: whether what the camera follows is the player. */
  draw({ mirror, camera, me }) {
    const { x, y, halfW, halfH } = camera, { radius } = mirror;
    const { ctx, canvas } = this, size = canvas.width, half = size / 2, inner = half - 3;
    ctx.clearRect(0, 0, size, size);
    ctx.beginPath();
    ctx.arc(half, half, inner, 0, TURN);
    ctx.fillStyle = 'rgb(12 15 25 / 0.7)';
    ctx.fill();
    if (radius <= 0) return;
    const scale = inner / radius;
    ctx.save();
    ctx.clip();
    this.walls(mirror.obstacles, half, scale);
    this.crowd(half, inner);
    ctx.restore();
    ctx.lineWidth = Math.max(1, size / 110);
    ctx.strokeStyle = 'rgb(255 84 112 / 0.75)';
    ctx.stroke();
    ctx.strokeStyle = 'rgb(255 255 255 / 0.35)';
    ctx.strokeRect(half + (x - halfW) * scale, half + (y - halfH) * scale, 2 * halfW * scale, 2 * halfH * scale);
    ctx.beginPath();
    ctx.arc(half + x * scale, half + y * scale, size / 36, 0, TURN);
    ctx.fillStyle = me ? '#3ee6b4' : '#ffffff';
    ctx.fill();
  }

  crowd(half, inner) {
    const { ctx, side, bits } = this;
    if (side === 0) return;
    const cell = (2 * inner) / side, dot = Math.max(1, cell * 0.86);
    ctx.fillStyle = 'rgb(190 204 232 / 0.62)';
    for (let i = 0; i < side * side; i++) {
      if ((bits[i >> 3] >> (i & 7)) & 1) {
        ctx.fillRect(half - inner + (i % side) * cell, half - inner + Math.floor(i / side) * cell, dot, dot);
      }
    }
  }

  /** Obstacles to scale, and never smaller than can be seen. Leaves the current path as it is. */
  walls(obstacles, half, scale) {
    const { ctx } = this, least = Math.max(2, half / 40);
    ctx.fillStyle = 'rgb(255 112 96 / 0.6)';
    for (const o of obstacles) {
      const disc = o.shape === 'disc', min = disc ? o.center.map((v) => v - o.radius) : o.min;
      const w = Math.max(least, (disc ? 2 * o.radius : o.max[0] - min[0]) * scale);
      const h = Math.max(least, (disc ? 2 * o.radius : o.max[1] - min[1]) * scale);
      const shape = new Path2D();
      shape.roundRect(half + min[0] * scale, half + min[1] * scale, w, h, disc ? w / 2 : Math.min(w, h) / 5);
      ctx.fill(shape);
    }
  }
}
