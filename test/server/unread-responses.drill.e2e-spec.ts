import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { UnreadLimits } from '../../src/platform/http/server/unread-responses.js';
import type { TestAccount } from '../support/accounts.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { RawConnection } from '../support/raw-http.js';

const MIB = 1024 ** 2;

let app: TestApp;
const open: RawConnection[] = [];
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(() => {
  limit(new UnreadLimits());
});
afterEach(() => {
  for (const connection of open.splice(0)) connection.close();
});
afterAll(() => app.close());

function limit(limits: Partial<UnreadLimits>): void {
  Object.assign(app.app.get(UnreadLimits, { strict: false }), limits);
}

/** The client's end of a connection, and whether the service has ended it. A client that reads nothing does not notice. */
async function connected(): Promise<RawConnection & { ended: () => boolean }> {
  const server: Server = app.app.getHttpServer();
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const connection = await RawConnection.open(app.port);
  open.push(connection);
  const [socket] = await accepted;
  return Object.assign(connection, { ended: () => socket.destroyed });
}

function get(path: string, key?: string): string {
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  return `GET ${path} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`;
}

/** Creates an account whose list with contents is a response of about 6 MiB, far more than the kernel's buffers hold. */
async function withLargeList(): Promise<TestAccount & { api: ApiClient }> {
  const account = await app.account();
  for (let n = 0; n < 6; n += 1) {
    await account.api.createDocument({ title: 'Large', content: 'x'.repeat(MIB - 1_000) });
  }
  return account;
}

const LARGE_LIST = '/v1/documents?include=content';

describe('a response that its client does not read', () => {
  it('a response that its client does not read is ended after some time, with its connection', async () => {
    limit({ graceMs: 1_000, bytesPerSecond: 100 * MIB });
    const { key, api } = await withLargeList();
    const connection = await connected();
    connection.send(get(LARGE_LIST, key));
    await eventually(connection.ended);
    expect((await api.listDocuments()).status).toBe(200);
  });

  it('a response that its client does not read is ended after some time on public routes too, however many were requested', async () => {
    limit({ graceMs: 1_000, bytesPerSecond: 100 * MIB });
    const connection = await connected();
    connection.send(get('/v1/openapi.json').repeat(32));
    await eventually(connection.ended);
  });

  it('a response that its client does not read stays open as long as the client reads, however slowly', async () => {
    limit({ graceMs: 500, bytesPerSecond: MIB });
    const connection = await connected();
    // Each response is small compared to what is sent, so its reader makes progress.
    connection.send(get('/v1/openapi.json').repeat(12)).listen();
    const { socket } = connection;
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), 5);
    });
    await eventually(
      () => connection.statuses.length,
      (responses) => responses === 12,
      25_000,
    );
    expect(connection.ended()).toBe(false);
  }, 30_000);

  it('a response that its client does not read of the client with the most unread bytes is ended first when the total is too large', async () => {
    const [greedy, modest] = [await withLargeList(), await withLargeList()];
    limit({ bytes: 15 * MIB, graceMs: 60_000 });
    const kept = (await connected()).send(get(LARGE_LIST, modest.key));
    const many = [await connected(), await connected(), await connected()];
    for (const connection of many) connection.send(get(LARGE_LIST, greedy.key));
    await eventually(() => many.some(({ ended }) => ended()));
    kept.listen();
    await eventually(() => kept.text.endsWith('}}'));
    expect(kept.statuses).toEqual([200]);
  }, 30_000);
});

describe('pipelined requests', () => {
  it('pipelined requests are handled one after another, in order', async () => {
    const { key } = await app.account();
    const create = (title: string) => {
      const body = JSON.stringify({ title });
      return (
        `POST /v1/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`
      );
    };
    const list = get('/v1/documents?sort=created_at&order=asc', key);
    const connection = (await connected()).listen();
    connection.send(create('One') + list + create('Two') + create('Three') + list);
    await eventually(
      () => connection.statuses.length,
      (responses) => responses === 5,
    );
    expect(connection.statuses).toEqual([201, 200, 201, 201, 200]);
    const totals = [...connection.text.matchAll(/"total":(\d+)/g)].map(([, total]) => total);
    expect(totals).toEqual(['1', '3']);
  });

  it('pipelined requests close the connection when there are hundreds', async () => {
    const { key } = await app.account();
    const connection = await connected();
    connection.send(get('/v1/documents', key).repeat(300));
    await eventually(connection.ended);
  });
});
