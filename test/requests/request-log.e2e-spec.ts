import { connect } from 'node:net';
import { Exchanges } from '../../src/platform/http/server/exchanges.js';
import { FakeSessionsModule, signIn } from '../auth/fake-sessions.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import type { ApiClient } from '../support/api-client.js';
import { idsIn, logged, requestIdOf, write } from './request-log.js';
import { encodeId, uuidOf } from '../../src/platform/basics/identifiers/identifiers.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [FakeSessionsModule] });
});
afterAll(() => app.close());

async function userIdOf(person: { send: ApiClient['send'] }): Promise<string> {
  const { user } = expectSuccess(await person.send('GET', '/v1/me')) as { user: { id: string } };
  return user.id;
}

async function listed(api: ApiClient, query: Record<string, string | number> = {}) {
  return api.list('/v1/requests', { limit: 100, ...query });
}

describe('the request log', () => {
  it('the request log contains the request and the response, but no body', async () => {
    const { api, keyId, userId } = await app.account();
    const response = await api.send('POST', '/v1/documents?x=1', {
      body: { title: 'Never kept' },
      headers: { 'user-agent': 'a'.repeat(400) },
    });
    const found = await logged(app, api, response);
    expect(found).toEqual({
      id: requestIdOf(response),
      source: 'api',
      keyId: encodeId('key', keyId),
      userId: encodeId('user', userId),
      method: 'POST',
      route: '/v1/documents',
      path: '/v1/documents?x=1',
      status: 400,
      durationMs: expect.any(Number) as number,
      clientAddress: '127.0.0.1',
      userAgent: 'a'.repeat(300),
      tokenLabel: null,
      error: {
        code: 'INVALID_REQUEST',
        message: expect.stringContaining('x') as string,
        details: expect.objectContaining({ field: 'x' }) as object,
      },
      createdAt: app.clock.now().toISOString(),
    });
    const [row] = await app.dataSource.query<{ text: string }[]>(
      'SELECT request_log::text AS text FROM request_log ORDER BY id DESC LIMIT 1',
    );
    expect(row?.text).not.toContain('Never kept');
  });

  it('the request log names a route by its pattern, as the API document does, and an unknown path as unknown', async () => {
    const { api } = await app.account();
    const id = 'doc_01h455vb4pex5vsknk084sn02q';
    const known = await logged(app, api, await api.readDocument(id));
    expect(known).toMatchObject({
      route: '/v1/documents/{id}',
      path: `/v1/documents/${id}`,
      status: 404,
    });
    const unknown = await logged(app, api, await api.send('GET', '/v1/nothing?q=a%20b'));
    expect(unknown).toMatchObject({ route: 'unknown', path: '/v1/nothing?q=a%20b', status: 404 });
  });

  it('the request log never contains a key, wherever a client puts it', async () => {
    const { api, key } = await app.account();
    for (const path of [
      `/v1/documents?callbackToken=${key}&q=a`,
      `/v1/documents?q=${key}`,
      `/v1/${key}`,
    ]) {
      const { path: kept } = await logged(app, api, await api.send('GET', path));
      expect(kept).toContain('REDACTED');
      expect(kept).not.toContain(key.slice(8));
    }
  });

  it('the request log contains requests refused by a limit, a scope or the size of a page', async () => {
    const { api } = await app.account({ plan: 'free', scopes: ['usage:read'] });
    const forbidden = await api.listDocuments();
    const responses = [forbidden];
    while (responses.at(-1)?.status !== 429) responses.push(await api.send('GET', '/v1/usage'));
    const refused = responses.at(-1);
    app.clock.advance(60_000);
    await eventually(
      async () => {
        await write(app);
        const [row] = await app.dataSource.query<{ n: number }[]>(
          'SELECT count(*)::int AS n FROM request_log WHERE status = 429',
        );
        return row?.n;
      },
      (n) => n === 1,
    );
    // The account's windows are real, and the table shows it too.
    const rows = await app.dataSource.query<{ status: number; code: string }[]>(
      `SELECT status, error ->> 'code' AS code FROM request_log WHERE status IN (403, 429) ORDER BY id`,
    );
    expect(refused?.status).toBe(429);
    expect(rows).toEqual([
      { status: 403, code: 'FORBIDDEN' },
      { status: 429, code: 'RATE_LIMIT_EXCEEDED' },
    ]);
  });

  it('the request log contains no requests without a valid key, and no successful ones of a signed-in person', async () => {
    const account = await app.account();
    const { api } = account;
    await app.api().listDocuments();
    await app.api('ds_live_nonsense').listDocuments();
    await app.api().send('GET', '/health/live');
    const person = await (await signIn(app, account, 'owner')).send('GET', '/v1/documents');
    expectSuccess(person);
    const last = await api.listDocuments();
    await logged(app, api, last);
    const ids = idsIn(await listed(api));
    expect(ids).toContain(requestIdOf(last));
    expect(ids).not.toContain(requestIdOf(person));
    expectFailure(await api.send('GET', `/v1/requests/${requestIdOf(person)}`), 404, 'NOT_FOUND');
    // Of this account only its keys' requests: the two lists of documents before and after, and those of the log.
    const ofKey = await listed(api, { keyId: encodeId('key', account.keyId) });
    expect(idsIn(ofKey)).toEqual(expect.arrayContaining(ids));
  });

  it('the request log contains the failed requests of a signed-in person, by the id that an error shows', async () => {
    const account = await app.account();
    const { api, userId } = account;
    const person = await signIn(app, account, 'owner');
    const failed = await person.send('GET', '/v1/documents?limit=0');
    expectFailure(failed, 400, 'INVALID_REQUEST');
    expect(await logged(app, api, failed)).toMatchObject({
      id: requestIdOf(failed),
      source: 'dashboard',
      keyId: null,
      userId: encodeId('user', userId),
      route: '/v1/documents',
      path: '/v1/documents?limit=0',
      status: 400,
      error: { details: { field: 'limit' } },
    });
    const found = await person.send('GET', `/v1/requests?requestId=${requestIdOf(failed)}`);
    expect(idsIn(found)).toEqual([requestIdOf(failed)]);
    const withKey = await api.readDocument('doc_nothing');
    await logged(app, api, withKey);
    expect(idsIn(await listed(api, { source: 'dashboard' }))).toEqual([requestIdOf(failed)]);
    const ofKeys = idsIn(await listed(api, { source: 'api' }));
    expect(ofKeys).toContain(requestIdOf(withKey));
    expect(ofKeys).not.toContain(requestIdOf(failed));
    expectFailure(await listed(api, { source: 'cli' }), 400, 'INVALID_REQUEST');
  });

  it('the request log shows the addresses of other people only to those who may read the audit log', async () => {
    const account = await app.account();
    const person = await signIn(app, account, 'owner');
    const failed = await person.send('GET', '/v1/documents?limit=0');
    const shown = await logged(app, account.api, failed);
    expect([shown.clientAddress, shown.status]).toEqual(['127.0.0.1', 400]);
    const reader = await signIn(app, await app.account(), 'owner');
    const colleague = { ...account, userId: uuidOf('user', await userIdOf(reader)) };
    const member = await signIn(app, colleague, 'member');
    const path = `/v1/requests/${requestIdOf(failed)}`;
    expect(expectSuccess(await member.send('GET', path))).toMatchObject({
      clientAddress: null,
      userAgent: null,
      error: { code: 'INVALID_REQUEST' },
    });
    const query = '/v1/requests?source=dashboard&address=127.0.0.1';
    expect(idsIn(await person.send('GET', query))).toEqual([requestIdOf(failed)]);
    expect(idsIn(await member.send('GET', query))).toEqual([]);
    const own = await member.send('GET', '/v1/documents?limit=0');
    await logged(app, account.api, own);
    const ownEntry = await member.send('GET', `/v1/requests/${requestIdOf(own)}`);
    expect(expectSuccess(ownEntry)).toMatchObject({ clientAddress: '127.0.0.1' });
  });

  it('the request log does not count requests from the dashboard as usage', async () => {
    const account = await app.account();
    const person = await signIn(app, account, 'owner');
    await logged(app, account.api, await person.send('GET', '/v1/documents?limit=0'));
    const [row] = await app.dataSource.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM usage_minutes WHERE account_id = $1 AND route = 'GET /v1/documents'`,
      [account.accountId],
    );
    expect(row?.n).toBe(0);
  });

  it('the request log contains only requests of the account, even by ID', async () => {
    const [mine, other] = [await app.account(), await app.account()];
    const response = await other.api.listDocuments();
    await logged(app, other.api, response);
    expect(idsIn(await listed(mine.api))).not.toContain(requestIdOf(response));
    const read = await mine.api.send('GET', `/v1/requests/${requestIdOf(response)}`);
    expectFailure(read, 404, 'NOT_FOUND');
    const byId = await listed(mine.api, { requestId: requestIdOf(response) });
    expect(byId.body.meta.pagination.total).toBe(0);
  });

  it('the request log records 499 if the client disconnected before the response', async () => {
    const { api, key } = await app.account();
    const socket = connect(app.port, '127.0.0.1');
    socket.write(
      `POST /v1/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    const { app: service } = app;
    await eventually(() =>
      [...service.get(Exchanges).inFlight()].some(({ request }) => request.principal),
    );
    socket.destroy();
    const list = await eventually(
      async () => {
        await write(app);
        return listed(api, { method: 'post' });
      },
      ({ body }) => body.meta.pagination.total === 1,
    );
    expect(list.body.data[0]).toMatchObject({ status: 499, error: null });
  });
});

describe('the list of requests', () => {
  it('the list of requests can be paged by number and by cursor, newest first, each one once', async () => {
    const { api } = await app.account();
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      ids.unshift(requestIdOf(await api.listDocuments()));
      app.clock.advance(index % 2);
    }
    const until = app.clock.now().toISOString();
    app.clock.advance(1);
    await logged(app, api, await api.listDocuments());
    const query = { route: '/v1/documents', until, limit: 2 };
    const pages = [1, 2, 3, 4].map((page) => listed(api, { ...query, page }));
    expect((await Promise.all(pages)).flatMap(idsIn).slice(0, 6)).toHaveLength(6);
    const walked: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await listed(api, cursor === null ? query : { ...query, cursor });
      walked.push(...idsIn(page));
      cursor = (page.body.meta.pagination as { nextCursor: string | null }).nextCursor;
    } while (cursor !== null);
    expect(walked).toEqual(ids.slice(1));
    const ascending = await listed(api, { route: '/v1/documents', order: 'asc' });
    expect(idsIn(ascending).slice(0, 7)).toEqual(ids.toReversed());
  });

  it('the list of requests is filtered by status, method, route, key, address, time and ID, which all must match', async () => {
    const account = await app.account();
    const { api } = account;
    const second = await app.anotherKey(account);
    const start = app.clock.now();
    const created = await api.createDocument({ title: 'One' });
    app.clock.advance(1_000);
    const refused = await api.createDocument({});
    const read = await app.api(second.key).readDocument('doc_x');
    for (const response of [created, refused, read]) await logged(app, api, response);
    const [c, f, r] = [created, refused, read].map(requestIdOf);
    const later = new Date(start.getTime() + 1_000).toISOString();
    const cases: [Record<string, string>, (string | undefined)[]][] = [
      [{ status: '2xx', method: 'POST' }, [c]],
      [{ status: '201' }, [c]],
      [{ status: '4xx', route: '/v1/documents' }, [f]],
      [{ status: '400,404', until: later }, []],
      [{ status: '2XX, 400', route: '/v1/documents' }, [f, c]],
      [{ status: '5xx' }, []],
      [{ status: '429' }, []],
      [{ route: '/v1/documents/:id' }, [r]],
      [{ route: '/v1/documents/{id}' }, [r]],
      [{ keyId: encodeId('key', second.keyId) }, [r]],
      [{ keyId: 'key_01h455vb4pex5vsknk084sn02q' }, []],
      [{ address: '127.0.0.1', method: 'post' }, [f, c]],
      [{ address: '::1' }, []],
      [{ requestId: c ?? '' }, [c]],
      [{ requestId: c ?? '', status: '4xx' }, []],
      [{ since: later, method: 'POST' }, [f]],
      [{ until: later }, [c]],
    ];
    for (const [query, expected] of cases) {
      const list = await listed(api, query);
      expectSuccess(list);
      expect({ query, ids: idsIn(list) }).toEqual({ query, ids: expected });
      expect(list.body.meta.pagination.total).toBe(expected.length);
    }
    const repeated = await api.send('GET', '/v1/requests?status=201&status=400&method=POST');
    expect(idsIn(repeated)).toEqual([f, c]);
  });

  it.each([
    'status=6xx',
    'status=',
    'status=abc',
    'method=FETCH',
    'route=documents',
    'keyId=x',
    'address=localhost',
    'requestId=doc_01h455vb4pex5vsknk084sn02q',
    'since=yesterday',
    'until=2026-13-01',
    'since=2026-01-01&since=2026-01-02',
    'cursor=x',
    'stauts=200',
  ])('the list of requests refuses ?%s with a problem for that parameter', async (query) => {
    const { api } = await app.account();
    const response = await api.send('GET', `/v1/requests?${query}`);
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details.field).toBe(query.split('=')[0]);
  });

  it('the list of requests says how long requests are stored', async () => {
    const { api } = await app.account();
    expect((await listed(api)).body.meta.requestLog).toEqual({
      days: 7,
      notKept: { busy: 0, outage: 0, full: 0 },
    });
  });
});

it('what a request changed is found by its ID in the audit log, the events and the deliveries', async () => {
  const [{ api }, other] = [await app.account(), await app.account()];
  for (const client of [api, other.api]) {
    await client.registerWebhook({ url: 'https://example.com/hook', events: ['*'] });
  }
  const created = await api.createDocument({ title: 'One' });
  await api.createDocument({ title: 'Two' });
  const batch = await api.batchDocuments({
    operations: [1, 2, 3].map(() => ({ op: 'create', document: { title: 'Many' } })),
  });
  for (const [response, count] of [
    [created, 1],
    [batch, 3],
  ] as const) {
    const requestId = requestIdOf(response);
    for (const path of ['/v1/audit', '/v1/events', '/v1/deliveries']) {
      const list = await api.list(path, { requestId, limit: 2 });
      expectSuccess(list);
      expect({ path, total: list.body.meta.pagination.total as number }).toEqual({
        path,
        total: count,
      });
      expect(idsIn(await other.api.list(path, { requestId }))).toEqual([]);
      expectFailure(await api.list(path, { requestId: 'x' }), 400, 'INVALID_REQUEST');
    }
    const events = (await api.listEvents({ requestId })).body.data as { requestId: string }[];
    expect(events.every((event) => event.requestId === requestId)).toBe(true);
  }
});
