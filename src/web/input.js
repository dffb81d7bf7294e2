// What the player wants: a heading and whether to boost, from mouse, keyboard, touch.
import { clamp, turnBetween } from './interpolate.js';

const TURN = 2 * Math.PI;
/** Keyboard: how fast the wish turns, and how far it may lead the head, radians. */
const KEY_RATE = 4.2, KEY_LEAD = 1.5;
/** Touch: how far the thumb moves before it steers, and how far its base lets it go, CSS px. */
const THUMB_DEAD = 9, THUMB_REACH = 56;
/** Wishes closer than this are the same, in 1/65536 turn: a tenth of a degree. */
const SAME = 20;

const LEFT = new Set(['ArrowLeft', 'KeyA']);
const RIGHT = new Set(['ArrowRight', 'KeyD']);
const BOOST = new Set(['ArrowUp', 'KeyW', 'Space', 'ShiftLeft', 'ShiftRight']);

export class Input {
  /** `surface` takes the pointers; `thumb` shows the joystick; `boostButton` boosts while pressed. */
  constructor(surface, thumb, boostButton) {
    this.surface = surface; this.thumb = thumb;
    this.keys = new Set();
    this.fingers = new Map();
    this.steering = undefined;
    this.mouseDown = false; this.buttonDown = false;
    this.pointerX = NaN; this.pointerY = NaN;
    /** The wish, radians. */
    this.aim = 0;
    this.enabled = false;
    this.seq = 0;
    this.forget();
    this.listen(boostButton);
  }

  /** The next flush is sent whatever it says: a new snake knows no wish. */
  forget() {
    this.sentHeading = -1; this.sentBoost = false; this.sentAt = -Infinity;
  }

  start(heading) {
    this.enabled = true;
    this.aim = (heading / 65536) * TURN;
    this.forget();
  }

  stop() {
    this.enabled = false;
    this.releaseAll();
  }

  listen(boostButton) {
    const { surface } = this;
    addEventListener('keydown', (event) => this.key(event, true));
    addEventListener('keyup', (event) => this.key(event, false));
    addEventListener('blur', () => this.releaseAll());
    surface.addEventListener('pointerdown', (event) => this.pointerDown(event));
    addEventListener('pointermove', (event) => this.pointerMove(event));
    for (const kind of ['pointerup', 'pointercancel']) addEventListener(kind, (event) => this.pointerUp(event));
    surface.addEventListener('contextmenu', (event) => event.preventDefault());
    const press = (down) => (event) => { this.buttonDown = down; event.preventDefault(); };
    boostButton.addEventListener('pointerdown', press(true));
    for (const kind of ['pointerup', 'pointercancel', 'pointerleave']) boostButton.addEventListener(kind, press(false));
  }

  releaseAll() {
    this.keys.clear(); this.fingers.clear();
    this.steering = undefined;
    this.mouseDown = this.buttonDown = false;
    this.thumb.hidden = true;
  }

  key(event, down) {
    if (!LEFT.has(event.code) && !RIGHT.has(event.code) && !BOOST.has(event.code)) return;
    if (!down) this.keys.delete(event.code);
    if (!this.enabled || event.target instanceof HTMLInputElement) return;
    if (down && !event.ctrlKey && !event.metaKey && !event.altKey) this.keys.add(event.code);
    if (LEFT.has(event.code) || RIGHT.has(event.code)) this.pointerX = NaN;
    event.preventDefault();
  }

  pointerDown(event) {
    if (!this.enabled) return;
    event.preventDefault();
    if (event.pointerType === 'touch') return this.fingerDown(event);
    this.pointerMove(event);
    this.mouseDown = true;
  }

  pointerMove(event) {
    if (event.pointerType === 'touch') return this.fingerMove(event);
    this.pointerX = event.clientX; this.pointerY = event.clientY;
  }

  pointerUp(event) {
    if (event.pointerType !== 'touch') { this.mouseDown = false; return; }
    this.fingers.delete(event.pointerId);
    if (this.steering !== event.pointerId) return;
    this.steering = undefined;
    this.thumb.hidden = true;
  }

  fingerDown(event) {
    this.fingers.set(event.pointerId, { baseX: event.clientX, baseY: event.clientY });
    this.steering ??= event.pointerId;
    this.pointerX = NaN;
    if (this.steering === event.pointerId) this.showThumb(event.clientX, event.clientY, 0, 0);
  }

  fingerMove(event) {
    if (event.pointerId !== this.steering) return;
    const finger = this.fingers.get(event.pointerId);
    let dx = event.clientX - finger.baseX, dy = event.clientY - finger.baseY;
    const far = Math.hypot(dx, dy);
    if (far > THUMB_DEAD) this.aim = Math.atan2(dy, dx);
    if (far > THUMB_REACH) {
      dx *= THUMB_REACH / far; dy *= THUMB_REACH / far;
      finger.baseX = event.clientX - dx; finger.baseY = event.clientY - dy;
    }
    this.showThumb(finger.baseX, finger.baseY, dx, dy);
  }

  showThumb(x, y, dx, dy) {
    this.thumb.hidden = false;
    this.thumb.style.transform = `translate(${x}px, ${y}px)`;
    this.thumb.firstElementChild.style.transform = `translate(${dx}px, ${dy}px)`;
  }

  held(set) {
    for (const code of this.keys) if (set.has(code)) return true;
    return false;
  }

  get boost() {
    return this.mouseDown || this.buttonDown || this.fingers.size > 1 || this.held(BOOST);
  }

  /** Once a frame: turns the wish. `headX`, `headY` is where the head is on the screen, `heading` its heading. */
  update(headX, headY, heading, seconds) {
    if (!this.enabled) return;
    const turn = (this.held(RIGHT) ? 1 : 0) - (this.held(LEFT) ? 1 : 0);
    if (turn !== 0) this.turnByKey(turn, heading, seconds);
    else if (Math.hypot(this.pointerX - headX, this.pointerY - headY) > 4) {
      this.aim = Math.atan2(this.pointerY - headY, this.pointerX - headX);
    }
  }

  turnByKey(turn, heading, seconds) {
    const lead = (turnBetween(heading, quantized(this.aim)) / 65536) * TURN;
    const next = clamp(lead + turn * KEY_RATE * seconds, -KEY_LEAD, KEY_LEAD);
    this.aim = (heading / 65536) * TURN + next;
  }

  /** Hands the wish to `send(seq, heading, boost)` when it changed, at most once in `intervalMs`. */
  flush(now, intervalMs, send) {
    if (!this.enabled || now - this.sentAt < intervalMs) return;
    const heading = quantized(this.aim), boost = this.boost;
    const same = this.sentHeading >= 0 && Math.abs(turnBetween(this.sentHeading, heading)) < SAME;
    if (same && boost === this.sentBoost) return;
    this.seq = (this.seq + 1) & 0xffff;
    if (!send(this.seq, heading, boost)) return;
    this.sentHeading = heading; this.sentBoost = boost; this.sentAt = now;
  }
}

/** Radians as a heading of the wire. */
export function quantized(angle) {
  return Math.round((angle / TURN) * 65536) & 0xffff;
}
