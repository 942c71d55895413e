/** A receiver in a separate process. Responds with 204 and records when each document arrived. */
import http from 'node:http';
import { now } from './arrivals.js';

const first = new Map<string, number>();
let count = 0;
let startedAt = 0;
let endedAt = 0;

const server = http.createServer((request, response) => {
  if (request.method === 'GET') {
    report(request.url ?? '', response);
    return;
  }
  const arrivedAt = now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const [, id] = /"document":\{"id":"(\w+)"/.exec(Buffer.concat(chunks).toString()) ?? [];
    if (id !== undefined && !first.has(id)) first.set(id, arrivedAt);
    startedAt ||= arrivedAt;
    endedAt = arrivedAt;
    count += 1;
    response.writeHead(204).end();
  });
});

function report(path: string, response: http.ServerResponse): void {
  if (path === '/arrivals') {
    response.end(JSON.stringify({ count, startedAt, endedAt, first: [...first] }));
  } else if (path === '/count') {
    response.end(JSON.stringify({ count, startedAt, endedAt, first: [] }));
  } else if (path === '/forget') {
    first.clear();
    count = startedAt = endedAt = 0;
    response.end('{}');
  } else {
    response.end('ready');
  }
}

// Longer than a leg, so senders keep their connections.
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
});
