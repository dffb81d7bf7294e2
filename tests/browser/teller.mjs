// What a server tells one player of the toy arena: the format's deltas, in the plainest way.
import { VERSION } from '../../src/web/wire.js';
import { encode } from './encode.mjs';

const Q = 64;
export const TICK_HZ = 30;
const TICKS_A_SNAPSHOT = 2, NOBODY = 0xffffffff;
/** Samples that an APPEAR holds; the rest follows in MOREs, as many a snapshot. */
const SAMPLES_AT_ONCE = 40;

function stepsFrom(from, samples) {
  const steps = [];
  for (const s of samples) { steps.push(s.x - from.x, s.y - from.y); from = s; }
  return steps;
}

const breaksOf = (samples) => samples.flatMap((s, i) => (s.broken ? [i] : []));
const stateOf = (toy, s) => ({
  x: s.x, y: s.y, heading: Math.round(s.heading) & 0xffff, radius: Math.round(s.radius), boost: s.boost, shield: toy.shielded(s),
});

/** One player: what it holds, and what it is told. */
export class Client {
  constructor(toy, socket) {
    this.toy = toy; this.socket = socket;
    this.held = new Map();
    this.food = new Set();
    this.ack = 0;
    this.send({ kind: 'welcome', version: VERSION, tick_hz: TICK_HZ, rules: 1, ticks_a_snapshot: TICKS_A_SNAPSHOT, arena_radius: toy.radius, spacing: 640, cruise: 216, boost: 459 });
    socket.on('message', (bytes) => this.receive(bytes));
  }

  send(message) { this.socket.send(encode(message)); }

  receive(bytes) {
    if (bytes[0] === 1) this.join(bytes);
    if (bytes[0] === 2 && this.snake) {
      this.ack = bytes.readUInt16LE(1);
      this.snake.wish = bytes.readUInt16LE(3);
      this.snake.boost = bytes[5] === 1;
    }
    if (bytes[0] === 3) this.send({ kind: 'pong', stamp: bytes.readUInt32LE(1), tick: this.toy.tick });
  }

  join(bytes) {
    const name = bytes.subarray(4).toString();
    if (name === 'refuse me') return this.send({ kind: 'refused', reason: 4, text: '' });
    this.snake = this.toy.spawn(name, bytes[2]);
    this.send({ kind: 'spawned', id: this.snake.id });
  }

  leave() { if (this.snake) this.toy.snakes.delete(this.snake.id); }

  tell(board) {
    const { toy } = this;
    const deaths = toy.deaths.map(({ cause, victim, killer }) => ({ cause, victim: victim.name, killer: killer?.name ?? '' }));
    if (deaths.length) this.send({ kind: 'feed', deaths });
    const death = toy.deaths.find(({ victim }) => victim === this.snake);
    if (death) this.bury(death);
    if (toy.tick % TICKS_A_SNAPSHOT === 0) this.send(this.snapshot(board));
    if (toy.tick % TICK_HZ === 0) { this.send(this.board(board)); this.send(mapOf(toy)); }
  }

  bury({ cause, killer, victim }) {
    const rank = this.toy.longest().filter((s) => s.length > victim.length).length + 1;
    this.send({ kind: 'died', cause, killer: killer?.id ?? NOBODY, killer_name: killer?.name ?? '', length: Math.round(victim.length), ticks: this.toy.tick - victim.born, kills: victim.kills, rank });
    this.snake = undefined;
  }

  snapshot(board) {
    const { toy, snake } = this, focus = snake ?? board[0];
    const half_w = 300 + Math.round((5 * (focus?.radius ?? 0)) / Q);
    const message = {
      kind: 'snapshot', tick: toy.tick, ack: this.ack, radius: Math.round(toy.radius), focus: focus?.id ?? NOBODY,
      length: Math.round(snake?.length ?? 0), half_w, half_h: Math.round(half_w * 0.625), fresh: false,
      gone: [], appear: [], more: [], moves: [], food_gone: [], food_new: [],
    };
    for (const id of this.held.keys()) if (!toy.snakes.has(id)) { message.gone.push(id); this.held.delete(id); }
    for (const s of toy.snakes.values()) this.show(s, message);
    this.showFood(message);
    return message;
  }

  show(s, message) {
    const held = this.held.get(s.id), state = stateOf(this.toy, s), first = s.end - s.samples.length;
    if (!held) return this.introduce(s, state, message);
    if (held.oldest > first) this.extend(s, held, message);
    const pushed = s.samples.slice(s.samples.length - (s.end - held.end));
    const before = s.samples[s.samples.length - pushed.length - 1] ?? held.newest;
    message.moves.push({ id: s.id, state, steps: stepsFrom(before, pushed), breaks: breaksOf(pushed), popped: first - held.first });
    Object.assign(held, { end: s.end, first, newest: s.samples.at(-1), oldest: Math.max(held.oldest, first) });
  }

  introduce(s, state, message) {
    const body = s.samples.slice(-SAMPLES_AT_ONCE).reverse(), first = s.end - s.samples.length;
    message.appear.push({
      id: s.id, skin: s.skin, name: s.name, state, end: s.end >>> 0, total: s.samples.length, x: body[0].x, y: body[0].y,
      steps: stepsFrom(body[0], body.slice(1)), breaks: breaksOf(body),
    });
    this.held.set(s.id, { end: s.end, first, newest: body[0], oldest: s.end - body.length });
  }

  // Sent before the MOVE, so what the client holds of the tail is still that of the last snapshot.
  extend(s, held, message) {
    const first = s.end - s.samples.length, count = Math.min(SAMPLES_AT_ONCE, held.oldest - first);
    const at = held.oldest - first;
    const older = s.samples.slice(at - count, at).reverse();
    message.more.push({ id: s.id, steps: stepsFrom(s.samples[at], older), breaks: breaksOf(older) });
    held.oldest -= count;
  }

  showFood(message) {
    for (const id of this.food) if (!this.toy.food.has(id)) { message.food_gone.push(id); this.food.delete(id); }
    for (const [id, piece] of this.toy.food) if (!this.food.has(id)) { message.food_new.push(piece); this.food.add(id); }
  }

  board(board) {
    const rank = board.indexOf(this.snake) + 1;
    const rows = board.slice(0, 10).map((s) => ({ you: s === this.snake, length: Math.round(s.length), name: s.name }));
    if (rank > 10) rows.push({ you: true, length: Math.round(this.snake.length), name: this.snake.name });
    return { kind: 'board', players: board.length, rank, rows };
  }
}

function mapOf(toy) {
  const side = 64, bytes = new Uint8Array((side * side) / 8);
  const cell = (v) => Math.min(side - 1, Math.max(0, Math.floor(((v / toy.radius + 1) / 2) * side)));
  for (const { samples } of toy.snakes.values()) {
    for (let i = 0; i < samples.length; i += 4) {
      const at = cell(samples[i].y) * side + cell(samples[i].x);
      bytes[at >> 3] |= 1 << (at & 7);
    }
  }
  return { kind: 'map', side, bytes };
}
