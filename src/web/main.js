// The client, wired: messages go into the mirror, frames come out of it.
import { Camera } from './camera.js';
import { Scene } from './draw.js';
import { Hud } from './hud.js';
import { Input } from './input.js';
import { Pose, TimeBase, poseAt } from './interpolate.js';
import { Link } from './link.js';
import { Minimap } from './minimap.js';
import { Mirror } from './mirror.js';
import { Screens } from './screens.js';
import { NOBODY, VERSION, encodeInput, encodeJoin, encodePing } from './wire.js';

const PING_MS = 2000;
const MINIMAP_MS = 100;
/** A frame after a pause longer than this counts as this, s: nothing eases through a hidden minute. */
const FRAME_MAX_S = 0.1;
const REFUSED_VERSION = 1;

const byId = (id) => document.getElementById(id);
const arena = byId('arena');
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const mirror = new Mirror(), time = new TimeBase(), camera = new Camera(), scene = new Scene(arena);
const hud = new Hud(byId('hud')), minimap = new Minimap(byId('minimap'));
const input = new Input(arena, byId('thumb'), byId('boost'));
const screens = new Screens(play);
const focusPose = new Pose();

let me = NOBODY, ownName = '', tickHz = 30;
let deaths = 0, diedBefore = false;
let lastFrame = performance.now(), minimapAt = 0;
const frame = { mirror, camera, tick: 0, now: 0, seconds: 0, own: NOBODY, aim: 0, calm: false };

const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
const link = new Link(url, { open, message, down, dismissed });

function open() {
  mirror.reset();
  time.reset();
  me = NOBODY;
}

const ON = {
  welcome(m) {
    if (m.version !== VERSION) return refuseVersion();
    tickHz = m.tick_hz;
    time.setRates(m.tick_hz, m.ticks_a_snapshot);
    screens.notify('');
    screens.show('menu');
  },
  obstacles(m) { mirror.wall(m.obstacles); },
  spawned(m) {
    me = m.id;
    input.start(mirror.snakes.get(me)?.newest.heading ?? 0);
    screens.show('playing');
  },
  refused(m) {
    if (m.reason === REFUSED_VERSION) return refuseVersion();
    screens.refused(m, diedBefore ? 'dead' : 'menu');
  },
  snapshot(m) {
    const now = performance.now();
    mirror.apply(m, now);
    time.arrive(mirror.tick, now);
    if (me !== NOBODY && mirror.length > 0) hud.showLength(m.length);
  },
  feed(m) { hud.tell(m.deaths, ownName); },
  died(m) {
    me = NOBODY;
    deaths++;
    diedBefore = true;
    input.stop();
    screens.showDeath(m, tickHz);
  },
  board(m) {
    // The server may have tidied the name up.
    const you = m.rows.find((row) => row.you);
    if (you && ownName !== '') ownName = you.name;
    hud.showBoard(m);
  },
  map(m) { minimap.update(m); },
  pong(m) { hud.pong(stamp() - m.stamp); },
};

function message(m) { ON[m.kind](m); }

function refuseVersion() {
  link.stop();
  screens.show('lost');
  screens.notify('This page is older than the server. Reload it to play.');
}

function down(waitMs) {
  input.stop();
  me = NOBODY;
  const seconds = Math.max(1, Math.round(waitMs / 1000));
  const first = screens.phase === 'connecting';
  screens.show('lost');
  screens.notify(`${first ? 'The server cannot be reached' : 'Connection lost'}. Trying again in ${seconds} s.`);
}

/** Sent home after a long rest: any sign of life brings the player back. */
function dismissed() {
  input.stop();
  me = NOBODY;
  screens.show('lost');
  screens.notify('You have been away for a while. Press a key or click to come back.', true);
  const back = () => {
    for (const kind of ['keydown', 'pointerdown']) removeEventListener(kind, back);
    link.connect();
  };
  for (const kind of ['keydown', 'pointerdown']) addEventListener(kind, back);
}

function play(name, skin) {
  ownName = name;
  diedBefore = screens.phase === 'dead';
  if (link.send(encodeJoin(skin, name))) screens.show('joining');
}

const stamp = () => Math.floor(performance.now()) >>> 0;
const sendInput = (seq, heading, boost) => link.send(encodeInput(seq, heading, boost));

function resize() {
  const ratio = devicePixelRatio || 1;
  camera.resize(innerWidth, innerHeight);
  scene.resize(innerWidth, innerHeight, ratio);
  minimap.resize(ratio);
}

function draw(now) {
  requestAnimationFrame(draw);
  const passed = now - lastFrame;
  lastFrame = now;
  if (!mirror.started) return;
  const seconds = Math.min(passed / 1000, FRAME_MAX_S);
  const tick = time.at(now);
  follow(tick, seconds);
  if (me !== NOBODY) steer(now, seconds);
  Object.assign(frame, { tick, now, seconds, own: me, aim: input.aim, calm: calm.matches });
  scene.pace(passed);
  const began = performance.now();
  scene.draw(frame);
  scene.scriptMs += (performance.now() - began - scene.scriptMs) * 0.05;
  hud.frame(now);
  if (now - minimapAt > MINIMAP_MS) drawMinimap(now);
}

/** The camera stays where it is while there is nobody to follow. */
function follow(tick, seconds) {
  const snake = mirror.snakes.get(mirror.focus);
  if (!snake) return;
  poseAt(snake, tick, focusPose);
  camera.follow(snake.id, focusPose.x, focusPose.y, mirror.half_w, mirror.half_h, seconds);
}

function steer(now, seconds) {
  const x = camera.screenX(focusPose.x), y = camera.screenY(focusPose.y);
  input.update(x, y, mirror.snakes.get(me)?.newest.heading ?? focusPose.heading, seconds);
  input.flush(now, time.intervalMs, sendInput);
}

function drawMinimap(now) {
  minimapAt = now;
  minimap.draw({ mirror, camera, me: me !== NOBODY });
}

// For tests and the curious: read only.
Object.defineProperty(window, 'ringsnake', {
  value: Object.freeze({
    get phase() { return screens.phase; },
    get tick() { return mirror.tick; },
    get me() { return me === NOBODY ? null : me; },
    get length() { return mirror.length; },
    get radius() { return mirror.radius; },
    get deaths() { return deaths; },
    get obstacles() { return mirror.obstacles.map((obstacle) => ({ ...obstacle })); },
    get fps() { return hud.fps; },
    get scriptMs() { return scene.scriptMs; },
    get plain() { return scene.plain; },
    get strangers() { return mirror.strangers; },
    get drawnTick() { return time.drawn / time.tickMs; },
    get snakes() {
      return Array.from(mirror.snakes.values(), (s) => ({
        id: s.id, name: s.name, x: s.newest.x, y: s.newest.y, heading: s.newest.heading,
        boost: s.newest.boost, samples: s.end - s.first,
      }));
    },
  }),
});

addEventListener('resize', resize);
addEventListener('beforeunload', () => link.stop());
resize();
screens.show('connecting');
screens.notify('Connecting…', true);
link.connect();
setInterval(() => link.send(encodePing(stamp())), PING_MS);
requestAnimationFrame(draw);
