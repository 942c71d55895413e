import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { endOf, exportedArchive, importedArchive, type ShownJob } from '../support/jobs.js';
import { recordsIn } from './account-state.js';
import { sealed } from './tampering.js';

let app: TestApp;
let archive: string;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' }, stopClock: false });
  const { api } = await app.account();
  await api.createDocument({ title: 'One', content: 'a' });
  archive = await exportedArchive(api);
});
afterAll(() => app.close());

async function filesOf(accountId: string): Promise<number> {
  const [row] = await app.dataSource.query<{ n: number }[]>(
    'SELECT count(*)::int AS n FROM stored_files WHERE account_id = $1 AND expires_at > now()',
    [accountId],
  );
  return row?.n ?? 0;
}

/** Yields the same piece repeatedly, as if a client read it from a disk. */
async function* slowly(piece: Buffer, times: number): AsyncGenerator<Buffer> {
  for (let n = 0; n < times; n += 1) {
    yield piece;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('An import', () => {
  it('An import is accepted with a job, even with a compressed body', async () => {
    for (const [encoding, body] of [
      ['gzip', gzipSync(archive)],
      ['br', brotliCompressSync(archive)],
      ['identity', Buffer.from(archive)],
    ] as const) {
      const { api } = await app.account();
      const accepted = await api.importAccount(body, { 'content-encoding': encoding });
      const job = expectSuccess(accepted, 202) as ShownJob;
      expect(accepted.headers).toMatchObject({
        location: `/v1/jobs/${job.id}`,
        'retry-after': '1',
      });
      expect(job).toMatchObject({ kind: 'account.import', result: null, error: null });
      expect(await endOf(api, accepted)).toMatchObject({ status: 'succeeded' });
      expect((await api.listDocuments()).body.data).toMatchObject([{ title: 'One' }]);
    }
  });

  it('An import needs an empty account: no documents, none in the trash, no templates of its own', async () => {
    const { api, accountId } = await app.account();
    const { body } = await api.createDocument({ title: 'There already' });
    const { id } = body.data as { id: string };
    expectFailure(await api.importAccount(archive), 409, 'INVALID_REQUEST');
    await api.deleteDocument(id);
    expectFailure(await api.importAccount(archive), 409, 'INVALID_REQUEST');
    await api.deleteDocument(id, { permanent: true });
    const template = await api.send('POST', '/v1/templates', { body: { name: 'Own' } });
    const refused = await api.importAccount(archive);
    expectFailure(refused, 409, 'INVALID_REQUEST');
    expect(refused.body.error.details).toEqual({ has: 'templates' });
    expect(await filesOf(accountId)).toBe(0);
    await api.send('DELETE', `/v1/templates/${String(template.body.data.id)}`);
    expect(await importedArchive(api, archive)).toMatchObject({ status: 'succeeded' });
  });

  it('An import accepts an archive from a build before documents had external IDs', async () => {
    const records = recordsIn(archive).map((record) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'externalId')),
    );
    const { api } = await app.account();
    const job = await importedArchive(api, sealed(records));
    expect(job).toMatchObject({ status: 'succeeded', error: null });
    expect((await api.listDocuments()).body.data).toMatchObject([
      { title: 'One', externalId: null },
    ]);
  });

  it('An import replaces the starter templates of the account with its own', async () => {
    const { api } = await app.account();
    expect((await api.list('/v1/templates', {})).body.data).toHaveLength(5);
    expect(await importedArchive(api, archive)).toMatchObject({ status: 'succeeded' });
    expect((await api.list('/v1/templates', {})).body.data).toHaveLength(5);
  });

  it('An import detects that the account was filled in the meantime', async () => {
    const { api, accountId } = await app.account();
    const accepted = await app.dataSource.transaction(async (manager) => {
      // Nobody can claim a job meanwhile.
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('jobs.claim', 0))`);
      const response = await api.importAccount(archive);
      await api.createDocument({ title: 'Faster' });
      return response;
    });
    const job = await endOf(api, accepted);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'INVALID_REQUEST' } });
    expect((await api.listDocuments()).body.data).toMatchObject([{ title: 'Faster' }]);
    expect(await filesOf(accountId)).toBe(0);
  });

  it('An import happens once per Idempotency-Key, and refuses another archive with the same key', async () => {
    const { api, accountId } = await app.account();
    const key = { 'idempotency-key': randomUUID() };
    const first = await api.importAccount(archive, key);
    const job = await endOf(api, first);
    expect(job.status).toBe('succeeded');
    const again = await api.importAccount(archive, key);
    expectSuccess(again, 202);
    expect(again.headers).toMatchObject({
      'idempotency-replayed': 'true',
      location: `/v1/jobs/${job.id}`,
    });
    expect(again.body.data).toEqual(first.body.data);
    expectFailure(await api.importAccount(`${archive}x`, key), 422, 'INVALID_REQUEST');
    expect((await api.listJobs()).body.data).toHaveLength(1);
    const [{ n } = { n: 0 }] = await app.dataSource.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM documents WHERE account_id = $1`,
      [accountId],
    );
    expect(n).toBe(1);
  });

  it('An import runs one at a time, whichever request is first', async () => {
    const { api } = await app.account();
    const responses = await app.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('jobs.claim', 0))`);
      return Promise.all(Array.from({ length: 8 }, () => api.importAccount(archive)));
    });
    const accepted = responses.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(1);
    const [first] = accepted;
    for (const response of responses.filter(({ status }) => status !== 202)) {
      expectFailure(response, 409, 'INVALID_REQUEST');
      expect(response.body.error.details.jobId).toBe(first?.body.data.id);
    }
    if (first) expect(await endOf(api, first)).toMatchObject({ status: 'succeeded' });
  });

  it('An import notifies no receiver and emits no event; the audit log says who did it', async () => {
    const { api, user } = await app.account();
    const job = await importedArchive(api, archive);
    expect((await api.listEvents()).body.data).toEqual([]);
    const entries = (await api.list('/v1/audit', {})).body.data as Record<string, any>[];
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      action: 'account.import',
      details: { jobId: job.id, documents: 1, versions: 0, templates: 5 },
    });
    expect(JSON.stringify(entries[0])).toContain(user.id);
  });

  it.each<[string, Record<string, string>, string | Buffer, number, RegExp]>([
    ['JSON', { 'content-type': 'application/json' }, '{}', 415, /application\/x-ndjson/],
    ['no type', { 'content-type': '' }, 'x', 415, /application\/x-ndjson/],
    ['an unknown compression', { 'content-encoding': 'zstd' }, 'x', 415, /gzip or Brotli/],
    ['a wrong compression', { 'content-encoding': 'gzip' }, 'plain', 400, /Content-Encoding/],
    [
      'half a compression',
      { 'content-encoding': 'gzip' },
      gzipSync('{"record": "header",').subarray(0, 20),
      400,
      /Content-Encoding/,
    ],
    ['nothing', {}, '', 400, /empty/],
  ])('refuses %s immediately', async (_, headers, body, status, message) => {
    const { api, accountId } = await app.account();
    const response = await api.importAccount(body, headers);
    expectFailure(response, status, 'INVALID_REQUEST');
    expect(response.body.error.message).toMatch(message);
    expect(await filesOf(accountId)).toBe(0);
    expect((await api.listJobs()).body.data).toEqual([]);
  });

  it.each([
    ['compressed otherwise than it says', { 'content-encoding': 'gzip' }, 400],
    ['of another type', { 'content-type': 'application/json' }, 415],
  ])(
    'An import that is long and %s gets a response while it is still being sent',
    async (_, headers, status) => {
      const { key } = await app.account();
      for (let time = 0; time < 5; time += 1) {
        const response = await fetch(`http://127.0.0.1:${String(app.port)}/v1/account/import`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/x-ndjson',
            ...headers,
          },
          body: slowly(Buffer.alloc(256 * 1024, 'x'), 100),
          duplex: 'half',
        });
        expect(response.status).toBe(status);
      }
    },
  );

  it('An import that breaks off leaves nothing behind', async () => {
    const { accountId, key, api } = await app.account();
    const socket = connect(app.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST /v1/account/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
        'Content-Type: application/x-ndjson\r\nContent-Length: 5000000\r\n\r\n',
    );
    socket.write('x'.repeat(1_000_000));
    for (;;) {
      const rows = await app.dataSource.query<object[]>(
        'SELECT FROM stored_files WHERE account_id = $1',
        [accountId],
      );
      if (rows.length > 0) break;
    }
    socket.destroy();
    while ((await filesOf(accountId)) > 0) await new Promise((resolve) => setImmediate(resolve));
    expect((await api.listJobs()).body.data).toEqual([]);
  });

  it('An import can take longer to arrive than other requests', async () => {
    const { key, api } = await app.account();
    const server = app.app.getHttpServer();
    const connected = once(server, 'connection');
    const socket = connect(app.port, '127.0.0.1');
    const [own] = (await connected) as [object];
    const body = Buffer.from(archive);
    socket.write(
      `POST /v1/account/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n` +
        `Content-Type: application/x-ndjson\r\nContent-Length: ${String(body.length)}\r\n\r\n`,
    );
    socket.write(body.subarray(0, 100));
    while ((await api.listJobs()).status !== 200) continue;
    // Node emits this a minute after the request started.
    server.emit(
      'clientError',
      Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      own,
    );
    socket.write(body.subarray(100));
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 202 /);
    socket.destroy();
  });

  it('An import and an export need all scopes', async () => {
    const { api } = await app.account({
      scopes: ['documents:read', 'documents:write', 'templates:read', 'audit:read'],
    });
    expectFailure(await api.importAccount(archive), 403, 'FORBIDDEN');
    expectFailure(await api.exportAccount(), 403, 'FORBIDDEN');
  });
});
