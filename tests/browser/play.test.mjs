// A game in a real browser, against the real server (or, without one, the fake).
//   RINGSNAKE_BIN   the binary; by default the release or debug build of this repository
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OUT = here('out/');
const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

let server, browser;

function binary() {
  const built = ['../../target/release/ringsnake', '../../target/debug/ringsnake'].map(here);
  return process.env.RINGSNAKE_BIN ?? built.find(existsSync) ?? here('fake.mjs');
}

function startServer(port = 0, ...more) {
  const bin = binary(), script = bin.endsWith('.mjs');
  const args = ['serve', '--addr', `127.0.0.1:${port}`, ...more];
  const child = spawn(script ? process.execPath : bin, script ? [bin, ...args] : args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (text) => {
      const url = /listening on (http:\/\/\S+)/.exec((said += text))?.[1];
      if (url) resolve({ child, url });
    });
    child.on('exit', (code) => reject(new Error(`${bin} went with ${code} before it listened`)));
  });
}

function stopServer({ child }) {
  return new Promise((resolve) => { child.once('exit', resolve); child.kill('SIGTERM'); });
}

before(async () => {
  mkdirSync(OUT, { recursive: true });
  server = await startServer();
  browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
});

after(async () => {
  await browser?.close();
  if (server) await stopServer(server);
});

/** A page at the menu; `faults` fills with every error that the page or its console reports. */
async function visit(options, url = server.url) {
  const context = await browser.newContext(options), page = await context.newPage(), faults = [];
  page.on('console', (line) => { if (line.type() === 'error') faults.push(line.text()); });
  page.on('pageerror', (error) => faults.push(error.stack));
  await page.goto(url);
  await reach(page, 'menu');
  return { context, page, faults };
}

const reach = (page, phase, timeout = 20_000) => page.waitForFunction((p) => window.ringsnake?.phase === p, phase, { timeout });
const see = (page, name) => page.screenshot({ path: `${OUT}${name}.png` });
const mine = (page) => page.evaluate(() => ringsnake.snakes.find((s) => s.id === ringsnake.me) ?? null);
const turn = (from, to) => ((to - from) << 16) >> 16;

async function join(page, name) {
  await page.fill('#name', name);
  await page.click('#play');
  await reach(page, 'playing');
  await page.waitForFunction(() => ringsnake.snakes.some((s) => s.id === ringsnake.me));
}

/** Waits until the heading of the own snake is near a quarter of the turn. */
async function heads(page, wanted) {
  for (let i = 0; i < 60; i++) {
    const snake = await mine(page);
    if (snake && Math.abs(turn(snake.heading, wanted)) < 3000) return;
    if (!snake) throw new Error('died on the way');
    await page.waitForTimeout(50);
  }
  assert.fail(`heading ${(await mine(page))?.heading} instead of ${wanted}`);
}

/** Goes to where the others are, the middle, until one is seen moving. */
async function meets(page) {
  let before = new Map();
  for (let i = 0; i < 100; i++) {
    const snakes = await page.evaluate(() => ringsnake.snakes.filter((s) => s.id !== ringsnake.me));
    if (snakes.some((s) => before.has(s.id) && Math.hypot(s.x - before.get(s.id).x, s.y - before.get(s.id).y) > 5)) return;
    before = new Map(snakes.map((s) => [s.id, s]));
    const snake = await mine(page);
    if (!snake) throw new Error('died on the way');
    const away = Math.hypot(snake.x, snake.y) || 1;
    await page.mouse.move(640 - (snake.x / away) * 300, 400 - (snake.y / away) * 300);
    await page.waitForTimeout(250);
  }
  assert.fail('nobody was met');
}

/** Steers straight out of the arena, boosting, until the death screen is there. */
async function leaveTheCircle(page) {
  await page.mouse.down();
  for (let i = 0; i < 1500; i++) {
    const snake = await mine(page);
    if (!snake) break;
    const away = Math.hypot(snake.x, snake.y) || 1;
    await page.mouse.move(640 + (snake.x / away) * 300, 400 + (snake.y / away) * 300);
    await page.waitForTimeout(60);
  }
  await page.mouse.up();
  await reach(page, 'dead');
}

/** A newborn may die of a neighbour while it is being steered; then it tries again. */
async function untilItLives(page, what) {
  for (let tries = 1; ; tries++) {
    try {
      return await what();
    } catch (error) {
      if (tries === 6 || (await page.evaluate(() => ringsnake.phase)) !== 'dead') throw error;
      await page.waitForTimeout(600);
      await page.keyboard.press('Enter');
      await reach(page, 'playing');
      await page.waitForFunction(() => ringsnake.snakes.some((s) => s.id === ringsnake.me));
    }
  }
}

test('a player joins, steers, sees others, dies, reads why, and plays again', { timeout: 240_000 }, async () => {
  const { context, page, faults } = await visit(DESK);
  await page.waitForFunction(() => ringsnake.tick > 0);
  await page.waitForTimeout(800);
  await see(page, 'menu');
  await join(page, 'Ana');
  await see(page, 'newborn');

  await untilItLives(page, async () => {
    for (const [x, y, heading] of [[1000, 400, 0], [640, 700, 16384], [300, 400, 32768], [640, 100, 49152]]) {
      await page.mouse.move(x, y);
      await heads(page, heading);
    }
  });
  await see(page, 'play');

  await untilItLives(page, async () => {
    const before = (await mine(page)).heading;
    await page.keyboard.down('ArrowRight');
    await page.waitForTimeout(350);
    await page.keyboard.up('ArrowRight');
    const snake = await mine(page);
    assert.ok(snake && turn(before, snake.heading) > 2000, 'the right arrow turns right');
  });

  await untilItLives(page, () => meets(page));
  await see(page, 'others');

  await leaveTheCircle(page);
  await page.waitForTimeout(500);
  await see(page, 'death');
  const cause = await page.textContent('#cause');
  assert.match(cause, /left the circle|ran into|cut you off|head-on/);
  assert.match(await page.textContent('#died-length'), /^\d+\.\d m$/);
  const deaths = await page.evaluate(() => ringsnake.deaths);
  assert.ok(deaths >= 1);

  await page.keyboard.press('Space');
  await reach(page, 'playing');
  assert.equal(await page.evaluate(() => ringsnake.deaths), deaths);
  assert.ok(await page.evaluate(() => JSON.parse(localStorage.ringsnake).best > 0), 'the best is kept');
  assert.equal(await page.evaluate(() => ringsnake.strangers), 0, 'nobody moves who was not introduced');
  assert.deepEqual(faults, []);
  await context.close();
});

test('what is drawn keeps up with what arrives, also after the tab was hidden', { timeout: 60_000 }, async () => {
  const { context, page, faults } = await visit(DESK);
  await page.waitForTimeout(2500);
  // Asked for a while: on a busy machine a single frame may come late.
  const keepsUp = (timeout) => page.waitForFunction(() => ringsnake.tick - ringsnake.drawnTick < 6, null, { timeout });
  await keepsUp(2000);
  const session = await context.newCDPSession(page);
  await session.send('Page.setWebLifecycleState', { state: 'frozen' });
  await new Promise((resolve) => setTimeout(resolve, 4000));
  await session.send('Page.setWebLifecycleState', { state: 'active' });
  await keepsUp(1000);
  assert.deepEqual(faults, []);
  await context.close();
});

test('a phone upright and lying down: a thumb steers, a button boosts', { timeout: 60_000 }, async () => {
  const { context, page, faults } = await visit(PHONE);
  await see(page, 'phone-menu');
  await join(page, 'Бо');
  await untilItLives(page, async () => {
    const session = await context.newCDPSession(page);
    const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await touch('touchCancel').catch(() => {});
    await touch('touchStart', { x: 120, y: 600, id: 1 });
    await touch('touchMove', { x: 120, y: 650, id: 1 });
    await heads(page, 16384);
    await see(page, 'phone-play');
    await touch('touchMove', { x: 180, y: 600, id: 1 });
    await heads(page, 0);
    await touch('touchEnd');
  });
  assert.ok(await page.isVisible('#boost'));
  await page.setViewportSize({ width: 844, height: 390 });
  await page.waitForTimeout(400);
  await see(page, 'phone-landscape');
  assert.deepEqual(faults, []);
  await context.close();
});

const WALLS = `
[world.arena]
radius_min = 600.0
obstacles = [
    { circle = { center = [0.0, 0.0], radius = 60.0 } },
    { box = { min = [-300.0, -160.0], max = [-180.0, -110.0] } },
]
`;

/** The colour in the middle of the small map, which is that of the arena. */
const midmap = (page) => page.evaluate(() => {
  const map = document.getElementById('minimap'), half = Math.round(map.width / 2);
  return [...map.getContext('2d').getImageData(half, half, 1, 1).data];
});

test('obstacles are shown, on the small map too, and kill', { timeout: 120_000 }, async (t) => {
  if (binary().endsWith('.mjs')) return t.skip('the fake has none');
  writeFileSync(`${OUT}walls.toml`, WALLS);
  const walled = await startServer(0, '--bots', '0', '--config', `${OUT}walls.toml`);
  const { context, page, faults } = await visit(DESK, walled.url);
  assert.deepEqual(await page.evaluate(() => ringsnake.obstacles), [
    { shape: 'disc', center: [0, 0], radius: 60 },
    { shape: 'box', min: [-300, -160], max: [-180, -110] },
  ]);
  await join(page, 'Ana');
  await page.waitForTimeout(400);
  const [red, green] = await midmap(page);
  assert.ok(red > 100 && red > green + 40, `red ${red}, green ${green}`);
  for (let i = 0; i < 400; i++) {
    const snake = await mine(page);
    if (!snake) break;
    const away = Math.hypot(snake.x, snake.y) || 1;
    if (away < 150 && i % 4 === 0) await see(page, 'walls');
    await page.mouse.move(640 - (snake.x / away) * 300, 400 - (snake.y / away) * 300);
    await page.waitForTimeout(60);
  }
  await reach(page, 'dead');
  assert.equal(await page.textContent('#cause'), 'You hit a wall.');
  assert.deepEqual(faults, []);
  await context.close();
  await stopServer(walled);
});

test('a lost connection is said, and comes back by itself', { timeout: 60_000 }, async () => {
  const { context, page } = await visit(DESK);
  await stopServer(server);
  await reach(page, 'lost');
  assert.match(await page.textContent('#notice'), /Trying again/);
  await see(page, 'lost');
  server = await startServer(new URL(server.url).port);
  await reach(page, 'menu');
  assert.ok(await page.isHidden('#notice'));
  await context.close();
});
