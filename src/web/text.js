// What is told in words. A sentence is a list of strings and of names, which are { name, me }.
import { QUANTA } from './wire.js';

const QUANTA_A_METRE = 100 * QUANTA;

export const BODY = 0, LIVE = 1, HEAD = 2, EDGE = 3, OBSTACLE = 4, OWN = 5, LEFT = 6;

export const metres = (quanta) => (quanta / QUANTA_A_METRE).toFixed(1);

export function lived(ticks, tickHz) {
  const seconds = Math.floor(ticks / Math.max(1, tickHz));
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes}:${String(seconds % 60).padStart(2, '0')}` : `${seconds} s`;
}

const who = (name, me) => ({ name: name || 'a nameless snake', me });

/** A line of the feed; `own` is the player's name. */
export function feedSentence({ cause, victim, killer }, own) {
  const v = who(victim, own !== '' && victim === own), k = who(killer, own !== '' && killer === own);
  switch (cause) {
    case BODY: return [v, ' ran into ', k];
    case LIVE: return [k, ' cut off ', v];
    case HEAD: return [v, ' met ', k, ' head-on'];
    case EDGE: return [v, ' left the circle'];
    case OBSTACLE: return [v, ' hit a wall'];
    case OWN: return [v, ' bit itself'];
    case LEFT: return [v, ' went home'];
    default: return [v, ' is no more'];
  }
}

/** Two heads that killed each other are two deaths and one line. */
export function withoutMirrored(deaths) {
  const mirrored = (a, b) => a.cause === HEAD && b.cause === HEAD && a.victim === b.killer && a.killer === b.victim;
  return deaths.filter((death, i) => !deaths.slice(0, i).some((before) => mirrored(before, death)));
}

/** The headline of the death screen. */
export function deathSentence({ cause, killer_name }) {
  const k = who(killer_name, false);
  switch (cause) {
    case BODY: return ['You ran into ', k, '.'];
    case LIVE: return [k, ' cut you off.'];
    case HEAD: return ['You and ', k, ' met head-on.'];
    case EDGE: return ['You left the circle.'];
    case OBSTACLE: return ['You hit a wall.'];
    case OWN: return ['You bit yourself.'];
    case LEFT: return ['You left the game.'];
    default: return ['Your snake is no more.'];
  }
}

const REFUSALS = [
  'The server would not let you in.',
  'This page is older than the server. Reload it.',
  'The arena is full. Try again in a moment.',
  'There is no free place right now. Try again.',
  'The server does not take this name.',
  'The server is about to restart. Try again shortly.',
];

export function refusalSentence({ reason, text }) {
  return text || REFUSALS[reason] || REFUSALS[0];
}

/** Fills an element with a sentence; names stand in isolation, whatever script they are in. */
export function say(element, sentence) {
  element.replaceChildren(...sentence.map((part) => {
    if (typeof part === 'string') return part;
    const name = document.createElement('bdi');
    name.textContent = part.name;
    if (part.me) name.className = 'me';
    return name;
  }));
}
