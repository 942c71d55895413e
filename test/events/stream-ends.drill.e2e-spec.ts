import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { UnreadLimits } from '../../src/platform/http/server/unread-responses.js';
import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { StreamClient, type Block } from './stream-client.js';

describe('a stream ends', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it('a stream ends within seconds when its key is revoked, while those of other keys continue', async () => {
    const account = await app.account();
    const other = await app.anotherKey(account);
    const ending = (await StreamClient.open(app.origin, account.key)).listen();
    const going = (await StreamClient.open(app.origin, other.key)).listen();
    const revoked = encodeId('key', account.keyId);
    expect((await app.api(other.key).send('DELETE', `/v1/keys/${revoked}`)).status).toBe(200);
    const before = performance.now();
    expect(await ending.end()).toEqual([]);
    expect(performance.now() - before).toBeLessThan(3_000);
    await app.api(other.key).createDocument({ title: 'Still' });
    expect((await going.next()).event).toBe('document.created');
    going.leave();
    expectFailure(await account.api.send('GET', '/v1/events/stream'), 401, 'UNAUTHORIZED');
  });

  it('a stream ends within seconds when its key loses the scope', async () => {
    const account = await app.account();
    const { key, keyId } = await app.anotherKey(account, {
      scopes: ['events:read', 'documents:read'],
    });
    const stream = (await StreamClient.open(app.origin, key)).listen();
    const body = { scopes: ['documents:read'] };
    const path = `/v1/keys/${encodeId('key', keyId)}`;
    expect((await account.api.send('PATCH', path, { body })).status).toBe(200);
    expect(await stream.end()).toEqual([]);
  });

  it('a stream ends when its key expires', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 60_000);
    const { key } = await app.account({ expiresAt });
    const stream = (await StreamClient.open(app.origin, key)).listen();
    app.clock.advance(60_000);
    expect(await stream.end()).toEqual([]);
  });

  it('a stream ends when the client reads nothing, and it can resume where it stopped reading', async () => {
    Object.assign(app.app.get(UnreadLimits, { strict: false }), {
      graceMs: 300,
      bytesPerSecond: 1024 ** 2,
    });
    const { api, key } = await app.account();
    const server: Server = app.app.getHttpServer();
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const stream = await StreamClient.open(app.origin, key);
    const [connection] = await connected;
    const cut = once(connection, 'close');
    const created: string[] = [];
    // More than the kernel's buffers can hold.
    for (let index = 0; index < 64; index += 1) {
      const response = await api.createDocument({ title: 'L', content: 'x'.repeat(250_000) });
      created.push((response.body.data as { id: string }).id);
      expect(connection.writableLength).toBeLessThan(1024 ** 2);
    }
    await cut;
    const documentOf = ({ data }: Block) =>
      (JSON.parse(data) as { data: { document: { id: string } } }).data.document.id;
    const shown = (await stream.listen().end()).map(documentOf);
    expect(shown.length).toBeLessThan(created.length);
    const { lastEventId } = stream;
    const client = (await StreamClient.open(app.origin, key, { lastEventId })).listen();
    const rest = await client.nextOnes(created.length - shown.length);
    expect([...shown, ...rest.map(documentOf)]).toEqual(created);
    client.leave();
  });
});

describe('a stream', () => {
  it('a stream survives a lost database and misses nothing', async () => {
    const database = await openTestDatabase();
    const { hostname, port } = new URL(database.url);
    const proxy = await TcpProxy.start(Number(port), hostname);
    const url = new URL(database.url);
    [url.hostname, url.port] = ['127.0.0.1', String(proxy.port)];
    const app = await startTestApp({ databaseUrl: url.href });
    const direct = await startTestApp({ databaseUrl: database.url });
    const { key } = await makeAccount(database.dataSource);
    const stream = (await StreamClient.open(app.origin, key)).listen();
    await proxy.cut();
    await direct.api(key).createDocument({ title: 'Unseen' });
    expect((await app.api(key).listEvents()).status).toBe(503);
    await proxy.restore();
    expect((await stream.next()).event).toBe('document.created');
    stream.leave();
    await direct.close();
    await app.close();
    await proxy.close();
    await database.drop();
  });

  it('a stream does not delay the shutdown of the service', async () => {
    const database = await openTestDatabase();
    const { key } = await makeAccount(database.dataSource);
    const service = await startService({
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
    });
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => StreamClient.open(service.origin, key)),
    );
    await new ApiClient(service.origin, key).createDocument({ title: 'Last' });
    for (const stream of streams) {
      expect((await stream.listen().next()).event).toBe('document.created');
    }
    const before = performance.now();
    const exit = service.end('SIGTERM');
    for (const stream of streams) expect(await stream.end()).toEqual([]);
    expect(await exit).toBe(0);
    expect(performance.now() - before).toBeLessThan(6_000);
    await database.drop();
  });
});
