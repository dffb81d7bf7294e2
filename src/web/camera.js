// Where the player looks from. Nothing that the server has not told about may come into the picture.

const ZOOM_EASE_S = 0.35;
const GLIDE_EASE_S = 0.18;

export class Camera {
  constructor() {
    this.x = 0; this.y = 0;
    /** CSS pixels a u. */
    this.zoom = 1;
    this.width = 1; this.height = 1;
    this.focus = undefined;
    this.glideX = 0; this.glideY = 0;
    this.settled = false;
  }

  resize(width, height) {
    this.width = Math.max(1, width); this.height = Math.max(1, height);
    this.settled = false;
  }

  /** Follows a focus at x, y; half_w and half_h are what is known around it, u. */
  follow(id, x, y, halfW, halfH, seconds) {
    if (id !== this.focus) this.changeFocus(id, x, y, halfW);
    const fade = Math.exp(-seconds / GLIDE_EASE_S);
    this.glideX *= fade; this.glideY *= fade;
    this.x = x + this.glideX; this.y = y + this.glideY;
    this.zoomTo(halfW, halfH, seconds);
  }

  // To a focus nearby the camera glides; to one elsewhere it cuts, since what lies between is unknown.
  changeFocus(id, x, y, halfW) {
    const near = this.focus !== undefined && Math.hypot(this.x - x, this.y - y) < halfW;
    this.glideX = near ? this.x - x : 0;
    this.glideY = near ? this.y - y : 0;
    this.focus = id;
    this.settled &&= near;
  }

  zoomTo(halfW, halfH, seconds) {
    if (!halfW || !halfH) return;
    const zoom = Math.max(this.width / (2 * halfW), this.height / (2 * halfH));
    const share = this.settled ? 1 - Math.exp(-seconds / ZOOM_EASE_S) : 1;
    this.zoom += (zoom - this.zoom) * share;
    this.settled = true;
  }

  /** Half of what is seen, u. */
  get halfW() { return this.width / 2 / this.zoom; }
  get halfH() { return this.height / 2 / this.zoom; }

  screenX(x) { return (x - this.x) * this.zoom + this.width / 2; }
  screenY(y) { return (y - this.y) * this.zoom + this.height / 2; }
}
