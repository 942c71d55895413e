import { request as httpRequest } from 'node:http';
import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import type { Role } from '../../src/features/auth/roles.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { Browser } from '../support/browser.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { FROM_EVERYWHERE, join, newBrowser, signUpAs } from './people.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { ...FROM_EVERYWHERE, CORS_ORIGINS: '*' } });
});
afterAll(() => app.close());

/** The lowest role that a route allows. `*` means every member of the account. */
const ROUTES: readonly (readonly [method: string, path: string, least: Role, body?: unknown])[] = [
  ['GET', '', 'viewer'],
  ['PATCH', '', 'owner', { name: 'Renamed' }],
  ['DELETE', '', 'owner', { name: 'wrong' }],
  ['GET', '/first-steps', 'viewer'],
  ['POST', '/first-steps/dismiss', 'member'],
  ['GET', '/members', 'viewer'],
  ['PATCH', '/members/user_01kam3k0v5e0rbk1y2c9q4w7zt', 'admin', { role: 'viewer' }],
  ['DELETE', '/members/user_01kam3k0v5e0rbk1y2c9q4w7zt', 'viewer'],
  ['GET', '/invitations', 'admin'],
  ['POST', '/invitations', 'admin', { email: 'grace@example.com', role: 'viewer' }],
  ['POST', '/invitations/inv_01kam3k0v5e0rbk1y2c9q4w7zt/link', 'admin'],
  ['DELETE', '/invitations/inv_01kam3k0v5e0rbk1y2c9q4w7zt', 'admin'],
  ['GET', '/receivers', 'viewer'],
  ['POST', '/receivers', 'admin'],
  ['GET', '/receivers/rcv_01kam3k0v5e0rbk1y2c9q4w7zt/deliveries', 'viewer'],
  ['GET', '/receivers/rcv_01kam3k0v5e0rbk1y2c9q4w7zt/deliveries/x', 'viewer'],
  ['DELETE', '/receivers/rcv_01kam3k0v5e0rbk1y2c9q4w7zt', 'admin'],
  ['GET', '/v1/documents', 'viewer'],
  ['POST', '/v1/documents', 'member', { title: 'x' }],
  ['DELETE', '/v1/documents/doc_01kam3k0v5e0rbk1y2c9q4w7zt', 'member'],
  ['GET', '/v1/templates', 'viewer'],
  ['GET', '/v1/webhooks', 'viewer'],
  ['POST', '/v1/webhooks', 'admin', { url: 'https://example.com/', events: ['*'] }],
  ['GET', '/v1/events', 'viewer'],
  ['GET', '/v1/keys', 'admin'],
  ['POST', '/v1/keys', 'admin', { name: 'x', scopes: ['documents:read'] }],
  ['GET', '/v1/usage', 'viewer'],
  ['GET', '/v1/audit', 'admin'],
  ['GET', '/v1/jobs', 'viewer'],
];
/** The request is permitted, even if its target is missing, invalid or a duplicate. */
const DONE = new Set([200, 201, 204, 400, 404, 409]);
const ORDER: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];

it('requests that need no account are limited per network, whatever they request', async () => {
  const { browser, accountId } = await signUpAs(app);
  const stranger = newBrowser(app);
  const paths = ['/session', '/nothing', '/accounts/acct_01kam3k0v5e0rbk1y2c9q4w7zt/members'];
  const statuses = new Set<number>();
  for (let round = 0; round < 65; round += 1) {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => stranger.send('GET', paths[index % 3] ?? '')),
    );
    for (const { status } of responses) statuses.add(status);
  }
  expect(statuses).toEqual(new Set([200, 401, 404, 429]));
  const refused = await stranger.send('GET', '/session');
  expectFailure(refused, 429, 'RATE_LIMIT_EXCEEDED');
  expect(refused.headers['retry-after']).toBe('1');
  expectFailure(
    await stranger.request('POST', '/dashboard/receivers/made-up'),
    429,
    'RATE_LIMIT_EXCEEDED',
  );
  // Others are not delayed, and members are not delayed in their accounts.
  expectSuccess(await browser.send('GET', '/session'));
  stranger.cookie = browser.cookie;
  expectSuccess(await stranger.send('GET', `/accounts/${accountId}/members`));
  app.clock.advance(1_000);
  expectSuccess(await stranger.send('GET', '/session'));
});

describe('access through the dashboard', () => {
  it('access through the dashboard allows each role what it may do, and nobody else anything', async () => {
    const people = new Map<Role, Browser>();
    const owner = await signUpAs(app);
    people.set('owner', owner.browser);
    for (const role of ['admin', 'member', 'viewer'] as const)
      people.set(role, (await join(app, owner.accountId, role)).browser);
    await app.dataSource.query(`UPDATE accounts SET plan = 'pro'`);
    const stranger = await signUpAs(app);
    const nobody = new Browser(app.origin);
    const at = (account: string, path: string) => `/accounts/${account}${path}`;
    for (const [method, path, least, body] of ROUTES) {
      const route = `${method} ${path}`;
      const out = await nobody.send(method, at(owner.accountId, path), body);
      expect([route, 'nobody', out.status]).toEqual([route, 'nobody', 401]);
      const foreign = await stranger.browser.send(method, at(owner.accountId, path), body);
      expect([route, 'stranger', foreign.status]).toEqual([route, 'stranger', 404]);
      const unknown = encodeId('account', newUuid());
      for (const id of [unknown, 'acct_1', owner.accountId.toUpperCase(), '%2e%2e']) {
        const { status } = await owner.browser.send(method, at(id, path), body);
        expect([route, id, status]).toEqual([route, id, 404]);
      }
      for (const role of ORDER) {
        const { status } =
          (await people.get(role)?.send(method, at(owner.accountId, path), body)) ?? {};
        const allowed = ORDER.indexOf(role) <= ORDER.indexOf(least);
        if (allowed) expect([route, role, DONE.has(status ?? 0)]).toEqual([route, role, true]);
        else expect([route, role, status]).toEqual([route, role, 403]);
      }
    }
  });

  it('access through the dashboard uses the same API with the same responses, IDs and errors; the caller is recorded without a key', async () => {
    const { browser, accountId, user } = await signUpAs(app);
    const v1 = `/accounts/${accountId}/v1`;
    const made = await browser.send('POST', `${v1}/documents`, { title: 'Plan', content: 'x' });
    const document = expectSuccess(made, 201) as { id: string };
    expect(made.headers['location']).toBe(`/v1/documents/${document.id}`);
    expect(document).toMatchObject({ createdBy: { id: user.id } });
    const found = await browser.send('GET', `${v1}/documents?sort=title&limit=5`);
    expect(found.body.data).toMatchObject([{ id: document.id }]);
    const wrong = await browser.send('POST', `${v1}/documents`, { titel: 'x' });
    expectFailure(wrong, 400, 'INVALID_REQUEST');
    const { body } = await browser.send('GET', `${v1}/audit`);
    expect(body.data[0].actor).toEqual({ userId: user.id, userName: user.name, keyId: null });
    expectFailure(await browser.send('GET', `${v1}/nothing`), 404, 'NOT_FOUND');
    expect((await browser.send('GET', `${v1}/documents`)).headers['cache-control']).toBe(
      'no-store',
    );
  });

  it('access through the dashboard refuses requests from a page whose user is no longer the one signed in', async () => {
    const { browser, accountId, user } = await signUpAs(app);
    const colleague = await join(app, accountId, 'member');
    const path = `/dashboard/api/accounts/${accountId}/v1/documents`;
    const send = (userId: string) =>
      browser.request('POST', path, {
        headers: { 'X-Dashboard-User': userId },
        body: { title: 'x' },
      });
    expectSuccess(await send(user.id), 201);
    for (const other of [colleague.user.id, 'user_1', ''])
      expectFailure(await send(other), 401, 'UNAUTHORIZED');
  });

  it('access through the dashboard requires only a session: keys have no effect here, and the cookie has none at /v1', async () => {
    const account = await app.account();
    const key = { authorization: `Bearer ${account.key}` };
    const path = `/dashboard/api/accounts/${encodeId('account', account.accountId)}/v1/documents`;
    expectFailure(await app.api(account.key).send('GET', path), 401, 'UNAUTHORIZED');
    expectFailure(
      await app.api(account.key).send('GET', path.replace('/v1/documents', '/members')),
      401,
      'UNAUTHORIZED',
    );
    const { browser, accountId } = await signUpAs(app);
    const own = `/dashboard/api/accounts/${accountId}/v1/documents`;
    expectSuccess(await browser.request('GET', own, { headers: key }));
    expectFailure(await browser.request('GET', '/v1/documents'), 401, 'UNAUTHORIZED');
    const both = await browser.request('GET', '/v1/audit', { headers: key });
    expect(both.body.data).toEqual([]);
    expect(both.headers['x-ratelimit-limit']).toBe('2147483647');
  });

  it('access through the dashboard accepts changes only from its own pages', async () => {
    const { browser, accountId } = await signUpAs(app);
    const documents = `/dashboard/api/accounts/${accountId}/v1/documents`;
    const post = (headers: Record<string, string>, path = documents, method = 'POST') =>
      app.api().send(method, path, {
        rawBody: '{"title":"x"}',
        headers: { cookie: browser.cookie ?? '', 'content-type': 'application/json', ...headers },
      });
    const own = { origin: app.origin, 'x-dashboard-request': '1' };
    const port = String(app.port);
    const wrong: Record<string, string>[] = [
      {},
      { origin: app.origin },
      { 'x-dashboard-request': '1' },
      { ...own, 'x-dashboard-request': '0' },
      { ...own, origin: 'null' },
      { ...own, origin: '' },
      { ...own, origin: 'https://elsewhere.example' },
      { ...own, origin: `https://127.0.0.1:${port}` },
      { ...own, origin: 'http://127.0.0.1' },
      { ...own, origin: `http://127.0.0.1:${port}.elsewhere.example` },
      { ...own, origin: `${app.origin}/` },
      { origin: app.origin, 'content-type': 'text/plain' },
      { origin: app.origin, 'content-type': 'application/x-www-form-urlencoded' },
      { origin: app.origin, 'content-type': 'multipart/form-data; boundary=x' },
    ];
    for (const headers of wrong) expectFailure(await post(headers), 403, 'FORBIDDEN');
    for (const path of [
      '/dashboard/api/session',
      '/DASHBOARD/API/session',
      '/dashboard/api/user/password',
      `/dashboard/api/accounts/${accountId}`,
    ])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expectFailure(
          await post({ origin: 'https://elsewhere.example' }, path, method),
          403,
          'FORBIDDEN',
        );
    expectFailure(await post({ 'x-http-method-override': 'GET' }), 403, 'FORBIDDEN');
    expectSuccess(await post(own), 201);
    const { body } = await browser.request('GET', documents);
    expect(body.data).toHaveLength(1);
  });

  it('access through the dashboard is not reachable through other spellings of its path', async () => {
    const { browser, accountId } = await signUpAs(app);
    const status = (target: string, method = 'POST') =>
      new Promise<number>((resolve, reject) => {
        const headers = { cookie: browser.cookie ?? '', 'content-type': 'application/json' };
        const sent = httpRequest({
          host: '127.0.0.1',
          port: app.port,
          method,
          path: target,
          headers,
        });
        sent.on('response', (response) => {
          resolve(response.statusCode ?? 0);
          response.resume();
        });
        sent.on('error', reject).end('{"title":"x"}');
      });
    const v1 = `/dashboard/api/accounts/${accountId}/v1/documents`;
    expect(await status(`http://127.0.0.1:${String(app.port)}${v1}`)).toBe(403);
    expect(await status(v1.replace('/api/', '/API/').replace('/v1/', '/V1/'))).toBe(403);
    for (const path of [
      `/${v1}`,
      v1.replace('/dashboard/', '/%64ashboard/'),
      v1.replace('/api/', '/%61pi/'),
      v1.replace('/dashboard/', '/dashboard/x/../'),
      v1.replace('/dashboard/', '/Dashboard/'),
      v1.replace('/api/', '/API/'),
      v1.replace('/v1/', '/V1/'),
      `${v1}/`,
    ])
      expect(await status(path, 'GET')).not.toBe(200);
  });

  it('access through the dashboard responds to no other origin and no preflight, even if /v1 is open to all', async () => {
    const { browser, accountId } = await signUpAs(app);
    const headers = {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-dashboard-request',
    };
    for (const path of [
      '/session',
      `/accounts/${accountId}/v1/documents`,
      `/accounts/${accountId}`,
    ]) {
      for (const method of ['OPTIONS', 'GET']) {
        const reply = await browser.request(method, `/dashboard/api${path}`, { headers });
        expect(
          Object.keys(reply.headers).filter((name) => name.startsWith('access-control')),
        ).toEqual([]);
        expect(reply.headers['cross-origin-resource-policy']).toBe('same-origin');
      }
    }
  });

  it("access through the dashboard uses none of the plan's windows, and shows them as keys left them", async () => {
    const { browser, accountId } = await signUpAs(app);
    const usage = () => browser.send('GET', `/accounts/${accountId}/v1/usage`);
    for (let times = 0; times < 15; times += 1) expect((await usage()).status).toBe(200);
    const { body, headers } = await usage();
    expect(body.data.rateLimits.minute).toMatchObject({ limit: 10, used: 0, remaining: 10 });
    expect(headers['x-ratelimit-limit']).toBe('600');
  });

  it('access through the dashboard ends on sign-out, role change or removal, including event streams', async () => {
    const owner = await signUpAs(app);
    const watch = async (browser: Browser) => {
      const response = await fetch(
        `${app.origin}/dashboard/api/accounts/${owner.accountId}/v1/events/stream`,
        { headers: { cookie: browser.cookie ?? '' } },
      );
      expect(response.status).toBe(200);
      return () => response.text();
    };
    const [leaving, removed] = [
      await join(app, owner.accountId, 'viewer'),
      await join(app, owner.accountId, 'admin'),
    ];
    const first = await watch(leaving.browser);
    const second = await watch(removed.browser);
    await leaving.browser.send('DELETE', '/session');
    const gone = await owner.browser.send(
      'DELETE',
      `/accounts/${owner.accountId}/members/${removed.user.id}`,
    );
    expect(gone.status).toBe(204);
    await Promise.all([first(), second()]);
    const { status } = await removed.browser.send(
      'GET',
      `/accounts/${owner.accountId}/v1/documents`,
    );
    expect([401, 404]).toContain(status);
  });
});
