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

  /** `x`, `y`: what the camera follows, u; `radius` of the circle, u; `me`: whether it is the player. */
  draw(x, y, radius, halfW, halfH, me) {
    const { ctx, canvas } = this, size = canvas.width, half = size / 2, inner = half - 3;
    ctx.clearRect(0, 0, size, size);
    ctx.beginPath();
    ctx.arc(half, half, inner, 0, TURN);
    ctx.fillStyle = 'rgb(12 15 25 / 0.7)';
    ctx.fill();
    if (radius <= 0) return;
    this.crowd(half, inner);
    const scale = inner / radius;
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
    ctx.save();
    ctx.clip();
    const cell = (2 * inner) / side, dot = Math.max(1, cell * 0.86);
    ctx.fillStyle = 'rgb(190 204 232 / 0.62)';
    for (let i = 0; i < side * side; i++) {
      if ((bits[i >> 3] >> (i & 7)) & 1) {
        ctx.fillRect(half - inner + (i % side) * cell, half - inner + Math.floor(i / side) * cell, dot, dot);
      }
    }
    ctx.restore();
  }
}
