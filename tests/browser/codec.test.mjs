// The client's codec against the vectors that every codec of the format is tested with.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { WireError, decode, encodeInput, encodeJoin, encodePing } from '../../src/web/wire.js';
import { encode } from './encode.mjs';

const vectors = JSON.parse(readFileSync(new URL('../../src/wire/vectors.json', import.meta.url)));
const bytesOf = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hexOf = (bytes) => Buffer.from(bytes).toString('hex');

const CLIENT = {
  join: ({ skin, name }) => encodeJoin(skin, name),
  input: ({ seq, heading, boost }) => encodeInput(seq, heading, boost),
  ping: ({ stamp }) => encodePing(stamp),
};

const pairs = (flat) => Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);

/** The shape of the vectors: points as pairs, bodies as places instead of steps. */
function vectorState({ x, y, ...rest }) {
  return { head: [x, y], ...rest };
}

function vectorAppear({ x, y, steps, state, ...rest }) {
  const body = [[x, y]];
  for (const [dx, dy] of pairs(steps)) body.push([(x += dx), (y += dy)]);
  return { ...rest, state: vectorState(state), body };
}

function vectorValue({ kind, ...value }) {
  if (kind === 'map') value.bytes = [...value.bytes];
  if (kind !== 'snapshot') return value;
  value.appear = value.appear.map(vectorAppear);
  value.more = value.more.map(({ steps, ...more }) => ({ ...more, steps: pairs(steps) }));
  value.moves = value.moves.map(({ steps, state, ...move }) => ({ ...move, pushed: pairs(steps), state: vectorState(state) }));
  value.food_new = value.food_new.map(({ x, y, ...food }) => ({ ...food, at: [x, y] }));
  return value;
}

for (const { name, kind, hex, value, error } of vectors) {
  if (error) {
    test(`refused: ${name}`, () => assert.throws(() => decode(bytesOf(hex)), WireError));
  } else if (CLIENT[kind]) {
    // The version is not the caller's to choose: a vector of another one has its byte put in.
    test(`written: ${name}`, () => {
      const bytes = CLIENT[kind](value);
      if (kind === 'join') bytes[1] = value.version;
      assert.equal(hexOf(bytes), hex);
    });
  } else {
    test(`read: ${name}`, () => assert.deepEqual(vectorValue(decode(bytesOf(hex))), value));
    test(`the fake server writes as the real one: ${name}`, () => {
      assert.equal(hexOf(encode(decode(bytesOf(hex)))), hex);
    });
  }
}

test('a message cut anywhere is refused, and so is one with a byte more', () => {
  for (const { kind, hex, error } of vectors) {
    if (error || CLIENT[kind]) continue;
    const whole = bytesOf(hex);
    for (let size = 0; size < whole.length; size++) {
      assert.throws(() => decode(whole.subarray(0, size)), WireError, `${kind}: ${size} of ${whole.length}`);
    }
    assert.throws(() => decode(Uint8Array.of(...whole, 0)), WireError);
  }
});

test('bytes at random throw a WireError or are read, and nothing else', () => {
  let seed = 1;
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 24;
  for (let round = 0; round < 20_000; round++) {
    const bytes = Uint8Array.from({ length: random() % 80 }, random);
    bytes[0] = 0x81 + (round % 10);
    try {
      decode(bytes);
    } catch (error) {
      assert.ok(error instanceof WireError, error.stack);
    }
  }
});

test('a name too long for the wire is cut between characters', () => {
  const bytes = encodeJoin(0, '🐍'.repeat(30));
  assert.equal(bytes.length, 4 + 64);
  const odd = encodeJoin(0, `a${'🐍'.repeat(30)}`);
  assert.equal(odd[3], 61);
});
