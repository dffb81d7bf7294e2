// A toy arena: snakes that wander, just enough for the client to be looked at without the real server.
// Nothing here is the game's rule book; the engine is.
const Q = 64, TICK_HZ = 30, SPACING = 10 * Q;
const NAMES = ['Ouroboros', 'Mamba', 'noodle', 'Kaa', 'Nagini', '蛇', 'Jörmungandr', 'slinky', 'Boa', 'Ка́а', 'twist', 'Viper', 'zig zag', 'Python3', 'ribbon'];

let seed = 7;
const random = () => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32);
const turnBetween = (from, to) => ((to - from) << 16) >> 16;

export class Toy {
  constructor({ snakes = 24, radius = 1500, giants = 0, food = 160 } = {}) {
    this.radius = radius * Q;
    this.wanted = snakes;
    this.tick = 0;
    this.serial = 0;
    this.snakes = new Map();
    this.food = new Map();
    this.deaths = [];
    for (let i = 0; i < giants; i++) this.unroll(this.spawn(NAMES[i], i * 50, { length: (15_000 + 20_000 * i) * Q, bot: true }));
    for (let i = 0; i < food; i++) this.strew();
    this.refill();
    for (let i = 0; i < 200; i++) this.step();
  }

  place(reach) {
    const angle = random() * 2 * Math.PI, r = Math.sqrt(random()) * reach;
    return [Math.round(r * Math.cos(angle)), Math.round(r * Math.sin(angle))];
  }

  strew() {
    const [x, y] = this.place(this.radius * 0.97), id = ++this.serial;
    this.food.set(id, { id, x, y, size: 1 + Math.floor(random() * 3) });
  }

  refill() {
    while (this.snakes.size < this.wanted) {
      const name = NAMES[this.serial % NAMES.length], skin = Math.floor(random() * 256);
      this.spawn(name, skin, { length: (300 + random() ** 3 * 4000) * Q, bot: true });
    }
  }

  spawn(name, skin, { length = 300 * Q, bot = false } = {}) {
    const [x, y] = this.place(this.radius * 0.75), id = ((++this.serial & 0xfff) << 20) | (this.serial & 0xfffff);
    const heading = Math.floor(random() * 65536);
    const snake = {
      id: id >>> 0, name, skin, bot, x, y, heading, wish: heading, boost: false, length, radius: 0, kills: 0,
      born: this.tick, samples: [{ x, y, broken: true }], end: 0xffffffff - 20, arc: 0,
    };
    this.snakes.set(snake.id, snake);
    return snake;
  }

  /** Lays a giant's body at once, in a spiral around the centre: growing one takes minutes. */
  unroll(snake) {
    const count = Math.min(3000, Math.floor(snake.length / SPACING)), gap = 5 * Math.max(2 * Q, snake.length / 700);
    const samples = [];
    for (let i = 0, angle = 0; i < count; i++) {
      const r = 2 * gap + (gap * angle) / (2 * Math.PI);
      samples.push({ x: Math.round(r * Math.cos(angle)), y: Math.round(r * Math.sin(angle)), broken: i === 0 });
      angle += SPACING / r;
    }
    const newest = samples.at(-1), before = samples.at(-2);
    snake.heading = snake.wish = Math.round((Math.atan2(newest.y - before.y, newest.x - before.x) / Math.PI) * 32768) & 0xffff;
    Object.assign(snake, { samples, x: newest.x, y: newest.y, end: snake.end + count - 1, arc: (count - 1) * SPACING, born: -1000 });
  }

  step() {
    this.tick++;
    this.deaths.length = 0;
    for (const snake of this.snakes.values()) { this.wander(snake); this.move(snake); }
    for (const snake of this.snakes.values()) this.judge(snake);
    for (const { victim } of this.deaths) this.snakes.delete(victim.id);
    this.refill();
  }

  wander(snake) {
    if (!snake.bot) return;
    if (random() < 0.03) snake.wish = (snake.wish + (random() - 0.5) * 26_000) & 0xffff;
    if (random() < 0.02) snake.boost = random() < 0.25;
    const ahead = 60 * Q + snake.radius * 2, angle = (snake.heading / 32768) * Math.PI;
    const away = Math.hypot(snake.x + Math.cos(angle) * ahead * 3, snake.y + Math.sin(angle) * ahead * 3);
    if (away > this.radius - ahead) snake.wish = Math.round((Math.atan2(-snake.y, -snake.x) / Math.PI) * 32768) & 0xffff;
  }

  move(snake) {
    const speed = ((snake.boost ? 215 : 101.25) * Q) / TICK_HZ;
    snake.length += (45 * Q) / TICK_HZ - (snake.boost && snake.length > 200 * Q ? (60 * Q) / TICK_HZ : 0);
    snake.radius = Math.min(80 * Q, Math.max(2 * Q, snake.length / 700));
    const turn = (speed / (22 * Q + 1.4 * snake.radius) / (2 * Math.PI)) * 65536;
    const error = turnBetween(snake.heading, snake.wish);
    snake.heading = (snake.heading + Math.max(-turn, Math.min(turn, error))) & 0xffff;
    const angle = (snake.heading / 32768) * Math.PI;
    snake.x += Math.round(Math.cos(angle) * speed);
    snake.y += Math.round(Math.sin(angle) * speed);
    this.lay(snake);
  }

  lay(snake) {
    const newest = snake.samples.at(-1), step = Math.hypot(snake.x - newest.x, snake.y - newest.y);
    if (step < SPACING) return;
    snake.end++;
    if (this.shielded(snake)) {
      snake.samples = [{ x: snake.x, y: snake.y, broken: true }];
      return;
    }
    snake.samples.push({ x: snake.x, y: snake.y, broken: false });
    snake.arc += step;
    while (snake.samples.length > 1 && snake.arc > snake.length) {
      const [a, b] = snake.samples;
      snake.arc -= Math.hypot(b.x - a.x, b.y - a.y);
      snake.samples.shift();
    }
  }

  shielded(snake) { return this.tick - snake.born < 2 * TICK_HZ; }

  judge(snake) {
    if (Math.hypot(snake.x, snake.y) > this.radius) return this.die(snake, 3, null);
    for (const [id, piece] of this.food) {
      if (Math.hypot(piece.x - snake.x, piece.y - snake.y) > 12 * Q + snake.radius) continue;
      this.food.delete(id);
      snake.length += piece.size * 12 * Q;
      this.strew();
    }
    if (this.shielded(snake)) return;
    for (const other of this.snakes.values()) {
      if (other !== snake && !this.shielded(other) && this.touches(snake, other)) return this.die(snake, 0, other);
    }
  }

  touches(snake, other) {
    const reach = snake.radius + 0.9 * other.radius, near = reach * reach;
    return other.samples.some((s) => (s.x - snake.x) ** 2 + (s.y - snake.y) ** 2 < near);
  }

  die(victim, cause, killer) {
    this.deaths.push({ victim, cause, killer });
    if (!killer) return;
    killer.kills++;
    killer.length += victim.length * 0.4;
  }

  longest() {
    return [...this.snakes.values()].sort((a, b) => b.length - a.length);
  }
}
