/**
 * The baseline for the service: the same operations with `node:http` and `pg`, prepared statements, and a key look-up on
 * each request. Nothing else: no limits, events or logs.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import pg from 'pg';
import {
  changeDocument,
  createDocument,
  findCaller,
  listDocuments,
  NOT_FOUND,
  readDocument,
  UNAUTHORIZED,
  type Result,
} from './handlers.js';

const COLLECTION = '/v1/documents';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

async function readJson(request: http.IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(request, 'end');
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
}

async function handle(request: http.IncomingMessage): Promise<Result> {
  const url = new URL(request.url ?? '/', 'http://baseline');
  if (url.pathname === '/health/ready') {
    await pool.query('SELECT 1');
    return { status: 200, data: { status: 'ready' } };
  }
  const caller = await findCaller(pool, request.headers.authorization ?? '');
  if (caller === undefined) return UNAUTHORIZED;
  if (url.pathname === COLLECTION) {
    return request.method === 'POST'
      ? createDocument(pool, caller, await readJson(request))
      : listDocuments(pool, caller, url.searchParams);
  }
  if (url.pathname.startsWith(`${COLLECTION}/`)) {
    const id = url.pathname.slice(COLLECTION.length + 1);
    return request.method === 'PATCH'
      ? changeDocument(pool, caller, id, await readJson(request))
      : readDocument(pool, caller, id);
  }
  return NOT_FOUND;
}

function send(response: http.ServerResponse, { status, data, pagination, error }: Result): void {
  const meta = {
    requestId: `req_${randomUUID()}`,
    timestamp: new Date().toISOString(),
    ...(pagination && { pagination }),
  };
  const body = JSON.stringify(
    error === undefined ? { success: true, data, meta } : { success: false, error, meta },
  );
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': meta.requestId,
  });
  response.end(body);
}

const server = http.createServer((request, response) => {
  handle(request).then(
    (result) => {
      send(response, result);
    },
    (reason: unknown) => {
      console.error(reason);
      const error = { code: 'INTERNAL_ERROR', message: 'The baseline failed.' };
      send(response, { status: 500, error });
    },
  );
});

process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => void pool.end());
});

server.listen(Number(process.env.PORT), '127.0.0.1');
