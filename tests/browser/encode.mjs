// The server's half of the codec, for the fake server and for the mirror's tests: the inverse of decode.
const NOTHING = [];

class Writer {
  constructor() { this.bytes = []; }
  u8(v) { this.bytes.push(v & 255); }
  u16(v) { this.u8(v); this.u8(v >> 8); }
  i24(v) { this.u16(v); this.u8(v >> 16); }
  u32(v) { this.u16(v); this.u16(v >>> 16); }
  var(v) {
    while (v > 127) { this.u8((v % 128) | 128); v = Math.floor(v / 128); }
    this.u8(v);
  }
  zig(v) { this.var(v < 0 ? -2 * v - 1 : 2 * v); }
  str(s) { const utf8 = Buffer.from(s); this.u8(utf8.length); this.bytes.push(...utf8); }
  list(items, write) { this.var(items.length); for (const item of items) write(item); }
  steps(flat) { for (const v of flat) this.zig(v); }
  vars(items = NOTHING) { this.list(items, (v) => this.var(v)); }
}

function writeState(w, s) {
  w.i24(s.x); w.i24(s.y); w.u16(s.heading); w.u16(s.radius); w.u8((s.boost ? 1 : 0) | (s.shield ? 2 : 0));
}

function writeAppear(w, a) {
  w.u32(a.id); w.u8(a.skin); w.str(a.name); writeState(w, a.state);
  w.u32(a.end); w.var(a.total); w.var(a.steps.length / 2 + 1);
  w.i24(a.x); w.i24(a.y); w.steps(a.steps); w.vars(a.breaks);
}

function writeMove(w, m) {
  w.u32(m.id); writeState(w, m.state);
  w.var(m.steps.length / 2); w.steps(m.steps); w.vars(m.breaks); w.var(m.popped);
}

function writeObstacle(w, { shape, min, max, center, radius }) {
  w.u8(shape === 'box' ? 0 : 1);
  for (const v of shape === 'box' ? [...min, ...max] : center) w.i24(v);
  if (shape === 'disc') w.u32(radius);
}

const WRITE = {
  welcome(w, m) {
    w.u8(0x81); w.u8(m.version); w.u8(m.tick_hz); w.u8(m.rules); w.u8(m.ticks_a_snapshot);
    w.u32(m.arena_radius); w.u16(m.spacing); w.u16(m.cruise); w.u16(m.boost);
  },
  spawned(w, m) { w.u8(0x82); w.u32(m.id); },
  refused(w, m) { w.u8(0x83); w.u8(m.reason); w.str(m.text); },
  snapshot(w, m) {
    w.u8(0x84); w.u32(m.tick); w.u16(m.ack); w.u32(m.radius); w.u32(m.focus); w.u32(m.length);
    w.u16(m.half_w); w.u16(m.half_h); w.u8(m.fresh ? 1 : 0);
    w.list(m.gone, (id) => w.u32(id));
    w.list(m.appear, (a) => writeAppear(w, a));
    w.list(m.more, (o) => { w.u32(o.id); w.var(o.steps.length / 2); w.steps(o.steps); w.vars(o.breaks); });
    w.list(m.moves, (o) => writeMove(w, o));
    w.list(m.food_gone, (id) => w.u32(id));
    w.list(m.food_new, (f) => { w.u32(f.id); w.i24(f.x); w.i24(f.y); w.u8(f.size); });
  },
  feed(w, m) { w.u8(0x85); w.list(m.deaths, (d) => { w.u8(d.cause); w.str(d.victim); w.str(d.killer); }); },
  died(w, m) {
    w.u8(0x86); w.u8(m.cause); w.u32(m.killer); w.str(m.killer_name);
    w.u32(m.length); w.u32(m.ticks); w.u16(m.kills); w.u16(m.rank);
  },
  board(w, m) {
    w.u8(0x87); w.u16(m.players); w.u16(m.rank);
    w.list(m.rows, (r) => { w.u8(r.you ? 1 : 0); w.u32(r.length); w.str(r.name); });
  },
  map(w, m) { w.u8(0x88); w.u8(m.side); w.bytes.push(...m.bytes); },
  pong(w, m) { w.u8(0x89); w.u32(m.stamp); w.u32(m.tick); },
  obstacles(w, m) { w.u8(0x8a); w.list(m.obstacles, (o) => writeObstacle(w, o)); },
};

/** A message of the server, in the shape that decode returns. */
export function encode(message) {
  const w = new Writer();
  WRITE[message.kind](w, message);
  return Uint8Array.from(w.bytes);
}
