// What the client holds after snapshots: small cases by hand, and a whole toy arena.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mirror } from '../../src/web/mirror.js';
import { decode, NOBODY } from '../../src/web/wire.js';
import { encode } from './encode.mjs';
import { Client } from './teller.mjs';
import { Toy } from './toy.mjs';

const Q = 64;
const state = (x, y) => ({ x, y, heading: 0, radius: 2 * Q, boost: false, shield: false });
const snapshot = (tick, parts) => ({
  kind: 'snapshot', tick, ack: 0, radius: 1000 * Q, focus: NOBODY, length: 0, half_w: 310, half_h: 194, fresh: false,
  gone: [], appear: [], more: [], moves: [], food_gone: [], food_new: [], ...parts,
});

/** Samples 0, 1, 2... stand at x = 10 u times their number. */
function appear(id, end, total, count, breaks = []) {
  const steps = Array.from({ length: count - 1 }, () => [-10 * Q, 0]).flat();
  return { id, skin: 0, name: 'Ana', state: state((end - 1) * 10 * Q, 0), end, total, x: (end - 1) * 10 * Q, y: 0, steps, breaks };
}

function move(id, end, pushed, popped, breaks = []) {
  const steps = Array.from({ length: pushed }, () => [10 * Q, 0]).flat();
  return { id, state: state((end + pushed - 1) * 10 * Q, 0), steps, breaks, popped };
}

const more = (id, count, breaks = []) => ({ id, steps: Array.from({ length: count }, () => [-10 * Q, 0]).flat(), breaks });

function mirrorOf(...snapshots) {
  const mirror = new Mirror();
  for (const s of snapshots) mirror.apply(decode(encode(s)), 0);
  return mirror;
}

const assertPlaced = (snake) => {
  for (let n = Math.max(snake.first, snake.oldest); n < snake.end; n++) assert.equal(snake.x(n), 10 * n, `sample ${n}`);
};

test('a body that comes whole is held whole', () => {
  const snake = mirrorOf(snapshot(1, { appear: [appear(1, 20, 20, 20, [0, 5])] })).snakes.get(1);
  assert.deepEqual([snake.first, snake.oldest, snake.end], [0, 0, 20]);
  assertPlaced(snake);
  const broken = Array.from({ length: 20 }, (_, n) => snake.brokenBefore(n)).flatMap((b, n) => (b ? [n] : []));
  assert.deepEqual(broken, [14, 19]);
});

test('older samples go on below, whatever was pushed and popped meanwhile', () => {
  const mirror = mirrorOf(
    snapshot(1, { appear: [appear(1, 100, 60, 10)] }),
    snapshot(3, { moves: [move(1, 100, 2, 3)] }),
    snapshot(5, { more: [more(1, 40, [0, 39])], moves: [move(1, 102, 1, 0)] }),
  );
  const snake = mirror.snakes.get(1);
  assert.deepEqual([snake.first, snake.oldest, snake.end], [43, 50, 103]);
  assert.ok(snake.brokenBefore(89) && snake.brokenBefore(50) && !snake.brokenBefore(51));
  assertPlaced(snake);
});

test('popped counts from the true tail, first from what is missing', () => {
  const mirror = mirrorOf(snapshot(1, { appear: [appear(1, 30, 20, 10)] }), snapshot(3, { moves: [move(1, 30, 0, 14)] }));
  const snake = mirror.snakes.get(1);
  assert.equal(snake.first, 24);
  assert.ok(snake.oldest <= 24);
});

test('a snake keeps at least one sample', () => {
  const mirror = mirrorOf(snapshot(1, { appear: [appear(1, 5, 5, 5)] }), snapshot(3, { moves: [move(1, 5, 1, 99)] }));
  const snake = mirror.snakes.get(1);
  assert.deepEqual([snake.first, snake.end], [5, 6]);
});

test('sample numbers go through 2^32', () => {
  const end = 0xfffffffe, mirror = mirrorOf(snapshot(1, { appear: [{ ...appear(1, 4, 4, 4), end }] }));
  for (let i = 0; i < 40; i++) mirror.apply(snapshot(3 + i, { moves: [move(1, 4 + i, 1, 1)] }), 0);
  const snake = mirror.snakes.get(1);
  assert.equal(snake.end - snake.first, 4);
  for (let k = 0; k < 4; k++) assert.equal(snake.x(snake.end - 1 - k), 10 * (43 - k));
});

test('ticks go through 2^32', () => {
  const mirror = mirrorOf(snapshot(0xfffffffe, {}), snapshot(0, {}), snapshot(2, {}));
  assert.equal(mirror.tick, 2 ** 32 + 2);
});

test('an hour of moves leaves no more samples than the body has, and a few', () => {
  const mirror = mirrorOf(snapshot(1, { appear: [appear(1, 30, 30, 30)] }));
  for (let i = 0; i < 5000; i++) mirror.apply(snapshot(3 + 2 * i, { moves: [{ ...move(1, 0, 1, 1), state: state(0, 0) }] }), 0);
  const snake = mirror.snakes.get(1);
  assert.equal(snake.end - snake.first, 30);
  assert.ok(snake.end - snake.oldest < 60 && snake.capacity <= 64, `${snake.end - snake.oldest}, ${snake.capacity}`);
});

test('an id that goes and appears in one snapshot is shown anew, without a shade of the old', () => {
  const mirror = mirrorOf(
    snapshot(1, { appear: [appear(1, 30, 30, 30)] }),
    snapshot(3, { gone: [1], appear: [{ ...appear(1, 2, 2, 2), name: 'Bob' }] }),
  );
  assert.equal(mirror.snakes.get(1).name, 'Bob');
  assert.equal(mirror.snakes.get(1).end, 2);
  assert.equal(mirror.fading.length, 0);
});

test('fresh forgets what was held before', () => {
  const food = { id: 9, x: 0, y: 0, size: 1 };
  const mirror = mirrorOf(
    snapshot(1, { appear: [appear(1, 3, 3, 3)], food_new: [food] }),
    snapshot(3, { fresh: true, appear: [appear(2, 3, 3, 3)] }),
  );
  assert.deepEqual([...mirror.snakes.keys()], [2]);
  assert.equal(mirror.food.size, 0);
});

test('food comes and goes', () => {
  const piece = (id) => ({ id, x: id * Q, y: -Q, size: 2 });
  const mirror = mirrorOf(snapshot(1, { food_new: [piece(1), piece(2)] }), snapshot(3, { food_gone: [1] }));
  assert.deepEqual([...mirror.food.keys()], [2]);
  assert.equal(mirror.food.get(2).x, 2);
});

test('moves of strangers are counted and change nothing', () => {
  const mirror = mirrorOf(snapshot(1, { moves: [move(7, 5, 1, 1)], more: [more(8, 2)] }));
  assert.equal(mirror.strangers, 2);
  assert.equal(mirror.snakes.size, 0);
});

test('ten seconds of an arena: every body is held as it is, sample by sample', () => {
  const toy = new Toy({ snakes: 16, radius: 700, giants: 1 }), mirror = new Mirror();
  const take = (bytes) => {
    const message = decode(bytes);
    if (message.kind === 'snapshot') mirror.apply(message, 0);
  };
  const client = new Client(toy, { on() {}, send: take });
  let compared = 0;
  for (let i = 0; i < 300; i++) {
    toy.step();
    client.tell(toy.longest());
    if (toy.tick % 2 === 0) compared += compare(toy, mirror);
  }
  assert.equal(mirror.strangers, 0);
  assert.ok(compared > 10_000, `${compared} samples compared`);
});

function compare(toy, mirror) {
  assert.equal(mirror.snakes.size, toy.snakes.size);
  assert.deepEqual([...mirror.food.keys()].sort(), [...toy.food.keys()].sort());
  let compared = 0;
  for (const real of toy.snakes.values()) {
    const held = mirror.snakes.get(real.id);
    assert.equal(held.end - held.first, real.samples.length);
    for (let n = Math.max(held.first, held.oldest); n < held.end; n++, compared++) {
      const { x, y, broken } = real.samples[n - held.first];
      assert.deepEqual([held.x(n), held.y(n), held.brokenBefore(n)], [x / Q, y / Q, broken]);
    }
  }
  return compared;
}
