// The wire format, version 2: src/wire/FORMAT.md is the text of record, this is its other half.
// Strict: whatever the page refuses throws a WireError, and nothing is allocated from a count that the
// bytes left could not hold.

export const VERSION = 2;
export const NOBODY = 0xffffffff;
export const QUANTA = 64;

const JOIN = 0x01, INPUT = 0x02, PING = 0x03;
const BOOST = 1, SHIELD = 2, FRESH = 1, YOU = 1;
const NAME_BYTES_MAX = 64, CAUSE_MAX = 6, REASON_MIN = 1, REASON_MAX = 5;
const BOX = 0, DISC = 1, OBSTACLES_MAX = 1024;
const I24_MIN = -0x800000, I24_MAX = 0x7fffff;

// Fewest bytes that an element of a list takes; a larger count than fits is refused before it is read.
const ID_BYTES = 4, APPEAR_BYTES = 30, MORE_BYTES = 6, MOVE_BYTES = 18;
const FOOD_BYTES = 11, STEP_BYTES = 2, BREAK_BYTES = 1, FEED_BYTES = 3, BOARD_BYTES = 6, OBSTACLE_BYTES = 11;

export class WireError extends Error {}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const toUtf8 = new TextEncoder();

class Reader {
  constructor(bytes) {
    this.bytes = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    this.at = 0;
  }

  take(size) {
    const at = this.at;
    if (at + size > this.bytes.length) throw new WireError('the message ends early');
    this.at = at + size;
    return at;
  }

  u8() { return this.bytes[this.take(1)]; }
  u16() { return this.view.getUint16(this.take(2), true); }
  u32() { return this.view.getUint32(this.take(4), true); }

  i24() {
    const at = this.take(3), bytes = this.bytes;
    return ((bytes[at] << 8) | (bytes[at + 1] << 16) | (bytes[at + 2] << 24)) >> 8;
  }

  var() {
    let value = 0, scale = 1;
    for (let i = 0; i < 5; i++, scale *= 128) {
      const byte = this.u8();
      value += (byte & 127) * scale;
      if (byte < 128) return this.checkVar(value, byte, i);
    }
    throw new WireError('a var of more than 5 bytes');
  }

  checkVar(value, last, i) {
    if (last === 0 && i > 0) throw new WireError('a var that is not the shortest');
    if (value > 0xffffffff) throw new WireError('a var of 2^32 or more');
    return value;
  }

  zig() {
    const value = this.var();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  count(bytesEach) {
    const count = this.var();
    this.holds(count, bytesEach);
    return count;
  }

  holds(count, bytesEach) {
    if (count * bytesEach > this.bytes.length - this.at) throw new WireError('a count beyond the message');
  }

  str() {
    const size = this.u8(), at = this.take(size);
    try {
      return utf8.decode(this.bytes.subarray(at, at + size));
    } catch {
      throw new WireError('bad UTF-8');
    }
  }

  list(bytesEach, read) {
    const items = new Array(this.count(bytesEach));
    for (let i = 0; i < items.length; i++) items[i] = read(this);
    return items;
  }

  // Flat: dx, dy, dx, dy... No step is wider than the lattice.
  steps(count) {
    this.holds(count, STEP_BYTES);
    const steps = new Int32Array(2 * count);
    for (let i = 0; i < steps.length; i++) {
      const step = this.zig();
      if (Math.abs(step) > I24_MAX - I24_MIN) throw new WireError('a step off the lattice');
      steps[i] = step;
    }
    return steps;
  }

  breaks(samples) {
    const breaks = new Array(this.count(BREAK_BYTES));
    for (let i = 0, before = -1; i < breaks.length; i++) {
      const at = this.var();
      if (at <= before || at >= samples) throw new WireError('breaks out of order, or beyond the samples');
      breaks[i] = before = at;
    }
    return breaks;
  }

  /** A byte of which only the bits of `known` may be set. */
  flags(known) {
    const flags = this.u8();
    if (flags & ~known) throw new WireError('an unknown flag');
    return flags;
  }

  oneOf(min, max) {
    const value = this.u8();
    if (value < min || value > max) throw new WireError('an unknown cause or reason');
    return value;
  }

  end() {
    if (this.at !== this.bytes.length) throw new WireError('bytes are left over');
  }
}

const readId = (r) => r.u32();
const readCause = (r) => r.oneOf(0, CAUSE_MAX);

function readState(r) {
  const x = r.i24(), y = r.i24(), heading = r.u16(), radius = r.u16(), flags = r.flags(BOOST | SHIELD);
  return { x, y, heading, radius, boost: (flags & BOOST) !== 0, shield: (flags & SHIELD) !== 0 };
}

function readAppear(r) {
  const id = r.u32(), skin = r.u8(), name = r.str(), state = readState(r);
  const end = r.u32(), total = r.var(), count = r.var();
  if (count < 1 || count > total) throw new WireError('an APPEAR of no samples, or more than all');
  const x = r.i24(), y = r.i24(), steps = r.steps(count - 1);
  checkOnLattice(x, y, steps);
  return { id, skin, name, state, end, total, x, y, steps, breaks: r.breaks(count) };
}

function checkOnLattice(x, y, steps) {
  for (let i = 0; i < steps.length; i += 2) {
    x += steps[i]; y += steps[i + 1];
    if (Math.min(x, y) < I24_MIN || Math.max(x, y) > I24_MAX) throw new WireError('a step off the lattice');
  }
}

function readMore(r) {
  const id = r.u32(), count = r.var();
  if (count < 1) throw new WireError('a MORE of no samples');
  return { id, steps: r.steps(count), breaks: r.breaks(count) };
}

function readMove(r) {
  const id = r.u32(), state = readState(r), pushed = r.var();
  return { id, state, steps: r.steps(pushed), breaks: r.breaks(pushed), popped: r.var() };
}

function readFood(r) {
  return { id: r.u32(), x: r.i24(), y: r.i24(), size: r.u8() };
}

function readSnapshot(r) {
  return {
    kind: 'snapshot', tick: r.u32(), ack: r.u16(), radius: r.u32(), focus: r.u32(), length: r.u32(),
    half_w: r.u16(), half_h: r.u16(), fresh: r.flags(FRESH) !== 0,
    gone: r.list(ID_BYTES, readId),
    appear: r.list(APPEAR_BYTES, readAppear),
    more: r.list(MORE_BYTES, readMore),
    moves: r.list(MOVE_BYTES, readMove),
    food_gone: r.list(ID_BYTES, readId),
    food_new: r.list(FOOD_BYTES, readFood),
  };
}

function readWelcome(r) {
  return {
    kind: 'welcome', version: r.u8(), tick_hz: r.u8(), rules: r.u8(), ticks_a_snapshot: r.u8(),
    arena_radius: r.u32(), spacing: r.u16(), cruise: r.u16(), boost: r.u16(),
  };
}

function readDied(r) {
  return {
    kind: 'died', cause: readCause(r), killer: r.u32(), killer_name: r.str(), length: r.u32(), ticks: r.u32(),
    kills: r.u16(), rank: r.u16(),
  };
}

const readFeedLine = (r) => ({ cause: readCause(r), victim: r.str(), killer: r.str() });
const readBoardLine = (r) => ({ you: r.flags(YOU) !== 0, length: r.u32(), name: r.str() });

function readBoard(r) {
  return { kind: 'board', players: r.u16(), rank: r.u16(), rows: r.list(BOARD_BYTES, readBoardLine) };
}

function readMap(r) {
  const side = r.u8(), fields = side * side, size = Math.ceil(fields / 8), at = r.take(size);
  if (fields % 8 > 0 && r.bytes[at + size - 1] >> (fields % 8)) throw new WireError('bits after the last field');
  return { kind: 'map', side, bytes: r.bytes.slice(at, at + size) };
}

const readPlace = (r) => [r.i24(), r.i24()];

function readBox(r) {
  const min = readPlace(r), max = readPlace(r);
  if (max[0] < min[0] || max[1] < min[1]) throw new WireError('a box without an inside');
  return { shape: 'box', min, max };
}

function readDisc(r) {
  const center = readPlace(r), radius = r.u32();
  if (radius > I24_MAX) throw new WireError('a disc wider than the lattice');
  return { shape: 'disc', center, radius };
}

function readObstacle(r) {
  const shape = r.u8();
  if (shape !== BOX && shape !== DISC) throw new WireError('an unknown shape');
  return shape === BOX ? readBox(r) : readDisc(r);
}

function readObstacles(r) {
  const obstacles = r.list(OBSTACLE_BYTES, readObstacle);
  if (obstacles.length > OBSTACLES_MAX) throw new WireError('too many obstacles');
  return { kind: 'obstacles', obstacles };
}

const READERS = new Map([
  [0x81, readWelcome],
  [0x82, (r) => ({ kind: 'spawned', id: r.u32() })],
  [0x83, (r) => ({ kind: 'refused', reason: r.oneOf(REASON_MIN, REASON_MAX), text: r.str() })],
  [0x84, readSnapshot],
  [0x85, (r) => ({ kind: 'feed', deaths: r.list(FEED_BYTES, readFeedLine) })],
  [0x86, readDied],
  [0x87, readBoard],
  [0x88, readMap],
  [0x89, (r) => ({ kind: 'pong', stamp: r.u32(), tick: r.u32() })],
  [0x8a, readObstacles],
]);

/** One message of the server, as a plain object; throws a WireError. Coordinates and lengths are quanta. */
export function decode(bytes) {
  const r = new Reader(bytes);
  const read = READERS.get(r.u8());
  if (!read) throw new WireError('an unknown kind');
  const message = read(r);
  r.end();
  return message;
}

/** At most 64 bytes of UTF-8 are sent, never a character cut in half. */
export function encodeJoin(skin, name) {
  const text = new Uint8Array(NAME_BYTES_MAX);
  const { written } = toUtf8.encodeInto(name, text);
  const bytes = new Uint8Array(4 + written);
  bytes.set([JOIN, VERSION, skin, written]);
  bytes.set(text.subarray(0, written), 4);
  return bytes;
}

export function encodeInput(seq, heading, boost) {
  const view = new DataView(new ArrayBuffer(6));
  view.setUint8(0, INPUT);
  view.setUint16(1, seq, true);
  view.setUint16(3, heading, true);
  view.setUint8(5, boost ? BOOST : 0);
  return new Uint8Array(view.buffer);
}

export function encodePing(stamp) {
  const view = new DataView(new ArrayBuffer(5));
  view.setUint8(0, PING);
  view.setUint32(1, stamp, true);
  return new Uint8Array(view.buffer);
}
