// A small stand-in for `ringsnake serve`: the client's files, and the toy arena behind a WebSocket.
//   node fake.mjs serve --addr 127.0.0.1:8099 [--snakes 24] [--radius 1500] [--giants 0] [--food 160]
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { WebSocketServer } from 'ws';
import { Client, TICK_HZ } from './teller.mjs';
import { Toy } from './toy.mjs';

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const root = new URL('../../src/web/', import.meta.url);

async function page(request, response) {
  const name = request.url === '/' ? 'index.html' : request.url.slice(1).split('?')[0];
  try {
    if (!/^[\w.-]+$/.test(name)) throw new Error('no such page');
    const body = await readFile(new URL(name, root));
    response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', 'content-security-policy': "default-src 'self'" });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}

const { values } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(['addr', 'snakes', 'radius', 'giants', 'food'].map((name) => [name, { type: 'string' }])),
});
const toy = new Toy(Object.fromEntries(['snakes', 'radius', 'giants', 'food'].flatMap((k) => (values[k] ? [[k, Number(values[k])]] : []))));
const server = createServer(page);
const sockets = new WebSocketServer({ server, path: '/ws' });
const clients = new Set();
sockets.on('connection', (socket) => {
  const client = new Client(toy, socket);
  clients.add(client);
  socket.on('close', () => { client.leave(); clients.delete(client); });
});
let due = performance.now();
setInterval(() => {
  for (; performance.now() > due; due += 1000 / TICK_HZ) {
    toy.step();
    const board = toy.longest();
    for (const client of clients) client.tell(board);
  }
}, 5);
const [host, port] = (values.addr ?? '127.0.0.1:8099').split(':');
server.listen(Number(port), host, () => console.log(`ringsnake is listening on http://${host}:${server.address().port}/`));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0));
