// The menu, the death screen, notices; and what is remembered from one visit to the next.
import { SKINS, coloursOf } from './palette.js';
import { deathSentence, lived, metres, refusalSentence, say } from './text.js';

const STORE = 'ringsnake';
/** A press within this time of dying was meant for the living snake, ms. */
const TOO_SOON_MS = 450;

/** Storage may be forbidden: then nothing is remembered, and nothing breaks. */
function recall() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

function remember(memory) {
  try {
    localStorage.setItem(STORE, JSON.stringify(memory));
  } catch { /* a private window */ }
}

export class Screens {
  /** `play(name, skin)` is called when the player wants to enter. */
  constructor(play) {
    this.play = play;
    this.memory = recall();
    this.phase = 'connecting';
    this.shownAt = 0;
    for (const id of ['menu', 'death', 'notice', 'join', 'name', 'skins', 'again', 'trouble', 'best', 'cause']) {
      this[id] = document.getElementById(id);
    }
    this.playButton = document.getElementById('play');
    this.againTrouble = document.getElementById('again-trouble');
    this.offerSkins();
    this.listen();
  }

  offerSkins() {
    const chosen = SKINS.includes(this.memory.skin) ? this.memory.skin : SKINS[Math.floor(Math.random() * SKINS.length)];
    SKINS.forEach((skin, i) => this.skins.append(swatch(skin, i, skin === chosen)));
    this.name.value = typeof this.memory.name === 'string' ? this.memory.name : '';
  }

  listen() {
    this.join.addEventListener('submit', (event) => { event.preventDefault(); this.enter(); });
    this.again.addEventListener('click', () => this.enter());
    document.getElementById('to-menu').addEventListener('click', () => this.show('menu'));
    addEventListener('keydown', (event) => this.key(event));
    document.getElementById('arena').addEventListener('pointerdown', () => { if (this.phase === 'dead') this.enter(); });
  }

  // A key held down since before the death repeats: only a new press counts.
  key(event) {
    if (this.phase !== 'dead' || event.repeat || event.target.id === 'to-menu') return;
    if (event.code !== 'Space' && event.code !== 'Enter' && event.code !== 'NumpadEnter') return;
    event.preventDefault();
    this.enter();
  }

  enter() {
    if (this.phase === 'dead' && performance.now() - this.shownAt < TOO_SOON_MS) return;
    const name = this.name.value.trim(), skin = Number(new FormData(this.join).get('skin'));
    Object.assign(this.memory, { name, skin });
    remember(this.memory);
    this.complain('');
    this.play(name, skin);
  }

  /** Phases: connecting, menu, joining, playing, dead, lost. */
  show(phase) {
    this.phase = phase;
    this.shownAt = performance.now();
    document.body.dataset.phase = phase;
    if (phase !== 'joining') {
      this.menu.hidden = phase !== 'menu';
      this.death.hidden = phase !== 'dead';
    }
    this.playButton.disabled = this.again.disabled = phase === 'joining';
    if (phase === 'menu') this.focusMenu();
    if (phase === 'dead') this.again.focus({ preventScroll: true });
    if (phase === 'playing') document.activeElement?.blur();
  }

  // On a phone a focused field opens the keyboard over the menu.
  focusMenu() {
    if (matchMedia('(pointer: fine)').matches) this.name.focus();
  }

  showDeath(died, tickHz) {
    const best = Math.max(0, Number(this.memory.best) || 0);
    say(this.cause, deathSentence(died));
    setText('died-length', `${metres(died.length)} m`);
    setText('died-rank', died.rank > 0 ? `#${died.rank}` : '–');
    setText('died-kills', String(died.kills));
    setText('died-lived', lived(died.ticks, tickHz));
    const record = died.length > best;
    this.best.className = record ? 'record' : '';
    this.best.textContent = record ? 'Your best so far!' : `Your best so far: ${metres(best)} m`;
    if (record) { this.memory.best = died.length; remember(this.memory); }
    this.show('dead');
  }

  refused(refusal, back) {
    this.show(back);
    this.complain(refusalSentence(refusal));
  }

  complain(text) {
    this.trouble.textContent = this.againTrouble.textContent = text;
  }

  notify(text, calm) {
    this.notice.hidden = !text;
    this.notice.classList.toggle('calm', calm === true);
    if (this.notice.textContent !== text) this.notice.textContent = text;
  }
}

function setText(id, text) {
  document.getElementById(id).textContent = text;
}

function swatch(skin, i, chosen) {
  const label = document.createElement('label'), radio = document.createElement('input');
  Object.assign(radio, { type: 'radio', name: 'skin', value: String(skin), checked: chosen });
  radio.setAttribute('aria-label', `Colour ${i + 1} of ${SKINS.length}`);
  const dot = document.createElement('i');
  dot.style.background = coloursOf(skin).body;
  label.append(radio, dot);
  return label;
}
