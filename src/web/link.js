// The connection: opens, notices when it is dead, and comes back, later each time and never in step with
// the other thousand players whose connection broke in the same second.
import { decode } from './wire.js';

const FIRST_WAIT_MS = 600, WAIT_MAX_MS = 12_000;
/** A server that restarts closes with this code; everybody comes back spread over a window. */
const RESTART_CODE = 1012, RESTART_WINDOW_MS = 4000;
/** Snapshots come many times a second: after this silence the line is dead, ms. */
const SILENCE_MS = 7000;
const CHECK_MS = 1000;
/** What waits unsent beyond this is stale: newer wishes are worth more, bytes. */
const UNSENT_MAX = 2048;
/** The server's goodbye to who has watched for long without playing: it is not worth coming back at once. */
const IDLE_CODE = 1000;
const PROTOCOL_FAULT = 4002;

/** How long to wait before try number `tries` (1, 2, ...), ms; `dice` is in 0..1. */
export function waitBefore(tries, code, dice) {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), WAIT_MAX_MS);
  const window = code === RESTART_CODE ? RESTART_WINDOW_MS : 0;
  return wait * (0.5 + dice * 0.5) + window * dice;
}

export class Link {
  /** `on` has open(), message(decoded), down(waitMs), dismissed(), called as things happen. */
  constructor(url, on) {
    this.url = url; this.on = on;
    this.tries = 0;
    this.stopped = false;
    this.heardAt = 0; this.checkedAt = performance.now();
    setInterval(() => this.listenForSilence(), CHECK_MS);
  }

  connect() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.heardAt = performance.now();
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => { if (socket === this.socket) this.on.open(); };
    socket.onmessage = (event) => { if (socket === this.socket) this.receive(event.data); };
    socket.onclose = (event) => { if (socket === this.socket) this.lost(event.code); };
  }

  receive(bytes) {
    this.heardAt = performance.now();
    let message;
    try {
      message = decode(bytes);
    } catch (error) {
      console.error('the server sent what cannot be read:', error.message);
      this.socket.close(PROTOCOL_FAULT, 'unreadable');
      return;
    }
    this.tries = 0;
    this.on.message(message);
  }

  lost(code) {
    this.socket = undefined;
    if (this.stopped) return;
    if (code === IDLE_CODE) return this.on.dismissed();
    this.tries++;
    const wait = waitBefore(this.tries, code, Math.random());
    this.timer = setTimeout(() => this.connect(), wait);
    this.on.down(wait);
  }

  listenForSilence() {
    const { socket } = this, now = performance.now();
    // A check that comes late was held up with everything else: what the server sent waits to be read.
    if (now - this.checkedAt > 3 * CHECK_MS) this.heardAt = now;
    this.checkedAt = now;
    if (!socket || now - this.heardAt < SILENCE_MS) return;
    // close() on a dead line may take minutes to report: it is given up at once.
    socket.onclose = socket.onmessage = null;
    socket.close();
    this.lost(1006);
  }

  /** False when the message could not be taken. */
  send(bytes) {
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN || socket.bufferedAmount > UNSENT_MAX) return false;
    socket.send(bytes);
    return true;
  }

  /** For good: the server and this page do not speak the same language. */
  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
