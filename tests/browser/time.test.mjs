// The time base, the pose between snapshots, and the small rules beside them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Camera } from '../../src/web/camera.js';
import { Pose, TimeBase, easeTail, poseAt, turnBetween } from '../../src/web/interpolate.js';
import { waitBefore } from '../../src/web/link.js';
import { Snake } from '../../src/web/mirror.js';
import { coloursOf } from '../../src/web/palette.js';
import { deathSentence, feedSentence, lived, metres, withoutMirrored } from '../../src/web/text.js';

const TICK = 1000 / 30;

/** Snapshots at 15 Hz with jitter, frames at `hz`; calls back with every drawn tick. */
function run(seconds, hz, jitterMs, frame) {
  const time = new TimeBase();
  time.setRates(30, 2);
  let seed = 3;
  const jitter = () => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32) * jitterMs;
  const arrivals = [];
  for (let tick = 0; tick < seconds * 30; tick += 2) arrivals.push([tick * TICK + jitter(), tick]);
  let next = 0;
  for (let now = 100; now < seconds * 1000; now += 1000 / hz) {
    while (next < arrivals.length && arrivals[next][0] <= now) time.arrive(arrivals[next][1], arrivals[next++][0]);
    frame(time.at(now), now, time);
  }
  return time;
}

for (const hz of [60, 144, 30]) {
  test(`time runs evenly at ${hz} frames a second under jitter`, () => {
    let before = NaN;
    run(20, hz, 30, (tick, now) => {
      const step = (tick - before) * TICK * (hz / 1000);
      if (now > 3000) assert.ok(step > 0.8 && step < 1.2, `a step of ${step} frames at ${now}`);
      before = tick;
    });
  });
}

test('what is drawn lies between two snapshots that are both here', () => {
  let newest = 0, late = 0, frames = 0;
  run(20, 60, 15, (tick, now) => {
    newest = Math.floor((now - 15) / TICK / 2) * 2;
    if (now > 3000) { frames++; if (tick > newest) late++; }
  });
  assert.ok(late / frames < 0.02, `${late} of ${frames}`);
});

test('after minutes in a hidden tab the present is drawn at once', () => {
  const time = run(5, 60, 0, () => {});
  for (let tick = 150; tick <= 6000; tick += 2) time.arrive(tick, tick * TICK);
  const drawn = time.at(6000 * TICK + 5);
  assert.ok(6000 - drawn < 4, `${6000 - drawn} ticks behind`);
});

test('messages that were held back and come in one burst are not replayed', () => {
  const time = run(5, 60, 0, () => {});
  for (let tick = 150; tick <= 6000; tick += 2) time.arrive(tick, 6000 * TICK);
  assert.ok(6000 - time.at(6000 * TICK + 16) < 5);
});

function cornered() {
  const snake = new Snake(1, 0, 'Ana'), state = { heading: 0, radius: 128, boost: false, shield: false };
  snake.put(0, 0, 0, true); snake.put(1, 10, 0, false);
  snake.end = 2;
  snake.record(0, { ...state, x: 12 * 64, y: 0 });
  snake.pushNewer([640, 0], []);
  snake.record(2, { ...state, x: 20 * 64, y: 6 * 64, heading: 16384 });
  return snake;
}

test('a head goes along the path through the samples, not across the corner', () => {
  const snake = cornered(), pose = poseAt(snake, 1, new Pose());
  assert.deepEqual([pose.x, pose.y, pose.end], [19, 0, 2]);
  assert.equal(poseAt(snake, 1.5, pose).end, 3);
  assert.equal(pose.x, 20);
  assert.equal(pose.y, 2.5);
});

test('a head in its tightest turn is drawn on the circle, at an even pace', () => {
  const snake = new Snake(1, 0, ''), radius = 22, rate = 6.75 / radius;
  snake.put(0, 0, 0, true);
  snake.end = 1;
  for (let k = 0; k < 8; k++) {
    const turned = k * rate, heading = Math.round(((turned + Math.PI / 2) / (2 * Math.PI)) * 65536) & 0xffff;
    const state = { x: radius * Math.cos(turned) * 64, y: radius * Math.sin(turned) * 64, heading, radius: 128 };
    snake.record(2 * k, { ...state, boost: false, shield: false });
  }
  const pose = new Pose();
  let before;
  for (let tick = 2; tick <= 14; tick += 0.25) {
    poseAt(snake, tick, pose);
    assert.ok(Math.abs(Math.hypot(pose.x, pose.y) - radius) < 0.02, `${Math.hypot(pose.x, pose.y)} at ${tick}`);
    const step = before && Math.hypot(pose.x - before[0], pose.y - before[1]);
    if (before) assert.ok(Math.abs(step - 6.75 / 8) < 0.02, `a step of ${step} at ${tick}`);
    before = [pose.x, pose.y];
  }
});

test('beyond the newest snapshot a head is carried on a little and then waits', () => {
  const snake = cornered(), pose = new Pose();
  const ahead = poseAt(snake, 2.5, pose).y;
  assert.ok(ahead > 6 && ahead < 11);
  assert.equal(poseAt(snake, 60, pose).y, poseAt(snake, 90, pose).y);
});

test('a heading turns the short way', () => {
  assert.equal(turnBetween(65_000, 500), 1036);
  assert.equal(turnBetween(500, 65_000), -1036);
});

test('a tail that loses a sample is drawn without a jump', () => {
  const snake = new Snake(1, 0, ''), pose = new Pose();
  for (let n = 0; n < 30; n++) snake.put(n, n * 10, 0, false);
  snake.end = 30;
  let before = 0;
  for (let i = 0; i < 120; i++) {
    pose.end = 30; pose.tail = Math.floor(i / 8);
    easeTail(snake, pose, 1 / 60);
    assert.ok(pose.tail - before >= 0 && pose.tail - before < 0.3, `${pose.tail - before} samples in a frame`);
    before = pose.tail;
  }
});

test('nothing outside the known view is shown, on any screen', () => {
  for (const [w, h] of [[1280, 800], [390, 844], [844, 390], [3440, 1440], [300, 300]]) {
    const camera = new Camera();
    camera.resize(w, h);
    camera.follow(1, 0, 0, 310, 194, 0.016);
    assert.ok(camera.halfW <= 310 + 1e-9 && camera.halfH <= 194 + 1e-9, `${w} x ${h}`);
  }
});

test('reconnects come later each time, spread, and never at once', () => {
  for (let tries = 1; tries < 30; tries++) {
    assert.ok(waitBefore(tries, 1006, 0) >= 300);
    assert.ok(waitBefore(tries, 1006, 1) <= 12_000);
  }
  assert.ok(waitBefore(1, 1012, 1) - waitBefore(1, 1012, 0) > 4000);
});

test('a skin has its colours, and neighbours in the menu differ', () => {
  const bodies = new Set(Array.from({ length: 256 }, (_, skin) => coloursOf(skin).body));
  assert.ok(bodies.size > 200);
  assert.match(coloursOf(17).body, /^rgb\(\d+ \d+ \d+\)$/);
});

test('two heads that killed each other are told once', () => {
  const death = (victim, killer, cause = 2) => ({ cause, victim, killer });
  const all = [death('Ana', 'Bob'), death('Eve', 'Ana', 0), death('Bob', 'Ana'), death('Kaa', '', 3)];
  assert.deepEqual(withoutMirrored(all).map(({ victim }) => victim), ['Ana', 'Eve', 'Kaa']);
});

test('deaths and feed lines are whole sentences', () => {
  const flat = (sentence) => sentence.map((part) => part.name ?? part).join('');
  assert.equal(flat(deathSentence({ cause: 1, killer_name: 'Kaa' })), 'Kaa cut you off.');
  assert.equal(flat(deathSentence({ cause: 0, killer_name: '' })), 'You ran into a nameless snake.');
  assert.equal(flat(feedSentence({ cause: 3, victim: 'Kaa', killer: '' }, 'Kaa')), 'Kaa left the circle');
  for (let cause = 0; cause <= 6; cause++) assert.ok(flat(deathSentence({ cause, killer_name: 'x' })).endsWith('.'));
  assert.equal(metres(19_200), '3.0');
  assert.equal(lived(30 * 125, 30), '2:05');
});
