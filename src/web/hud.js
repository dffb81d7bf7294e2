// What is read while playing: own length and rank, the leaderboard, who killed whom, ping and frames.
import { feedSentence, metres, say, withoutMirrored } from './text.js';

const FEED_MAX = 5;
/** As long as the animation that lets a line fade, ms. */
const FEED_MS = 6000;
const BOARD_LINES = 11;

export class Hud {
  constructor(root) {
    this.length = root.querySelector('#length').firstChild;
    this.rank = root.querySelector('#rank');
    this.feed = root.querySelector('#feed');
    this.vitals = root.querySelector('#vitals');
    this.rows = Array.from({ length: BOARD_LINES }, () => makeRow(root.querySelector('#board ol')));
    this.ping = NaN;
    this.frames = 0; this.framesSince = 0; this.fps = 0;
  }

  /** Length of the own snake, quanta. */
  showLength(quanta) {
    setText(this.length, metres(quanta));
  }

  showBoard({ players, rank, rows }) {
    setText(this.rank, rank > 0 ? `#${rank} of ${players}` : '');
    this.rows.forEach((row, i) => showRow(row, rows[i], i, rank));
  }

  tell(all, own) {
    const deaths = withoutMirrored(all);
    const mine = deaths.filter(({ victim, killer }) => own !== '' && (victim === own || killer === own));
    const others = deaths.filter((line) => !mine.includes(line)).slice(-FEED_MAX);
    for (const line of [...others, ...mine]) this.tellOne(feedSentence(line, own));
    while (this.feed.childElementCount > FEED_MAX) this.feed.firstElementChild.remove();
  }

  tellOne(sentence) {
    const item = document.createElement('li');
    say(item, sentence);
    if (item.querySelector('.me')) item.className = 'mine';
    this.feed.append(item);
    setTimeout(() => item.remove(), FEED_MS);
  }

  pong(roundTripMs) {
    this.ping = Number.isNaN(this.ping) ? roundTripMs : this.ping + (roundTripMs - this.ping) * 0.3;
  }

  frame(now) {
    this.frames++;
    if (now - this.framesSince < 1000) return;
    this.fps = Math.round((this.frames * 1000) / (now - this.framesSince));
    this.frames = 0; this.framesSince = now;
    const ping = Number.isNaN(this.ping) ? '-' : Math.round(this.ping);
    this.vitals.textContent = `${ping} ms\n${this.fps} fps`;
  }
}

function makeRow(list) {
  const item = document.createElement('li');
  const [place, name, length] = ['span', 'bdi', 'span'].map((tag) => item.appendChild(document.createElement(tag)));
  item.hidden = true;
  list.append(item);
  return { item, place, name, length };
}

function showRow(row, line, i, rank) {
  row.item.hidden = !line;
  if (!line) return;
  row.item.className = line.you ? 'you' : '';
  setText(row.place, String(line.you && rank > 0 ? rank : i + 1));
  setText(row.name, line.name || 'nameless');
  setText(row.length, metres(line.length));
}

/** Touches the page only when something changed. */
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
