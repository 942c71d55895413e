import { generateApiKey } from '../../src/features/auth/api-keys/api-key.js';
import { expectFailure } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
// Each test gets its own quota of wrong keys.
afterEach(() => {
  app.clock.advance(60_000);
});

describe('authentication with bearer keys', () => {
  it('authentication with bearer keys refuses a missing, malformed, mistyped or unknown key with 401 and says how to authenticate', async () => {
    const { key } = await app.account();
    const last = key.at(-1) === 'A' ? 'B' : 'A';
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      `Basic ${key}`,
      key,
      `Bearer ${key}x`,
      `Bearer ${key.slice(0, -1)}${last}`,
      `Bearer ${generateApiKey()}`,
      'Bearer null',
      `Bearer ${key} ${key}`,
    ]) {
      const response = await app.api().send('GET', '/v1/documents', {
        headers: authorization === undefined ? {} : { authorization },
      });
      expectFailure(response, 401, 'UNAUTHORIZED');
      expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
      expect(response.headers).not.toHaveProperty('x-ratelimit-limit');
    }
  });

  it('authentication with bearer keys accepts the scheme in any case, as RFC 9110 requires', async () => {
    const { key } = await app.account();
    const response = await app
      .api()
      .send('GET', '/v1/documents', { headers: { authorization: `bearer ${key}` } });
    expect(response.status).toBe(200);
  });

  it('authentication with bearer keys checks the key before the body: a wrong key is 401 whatever is sent', async () => {
    const response = await app
      .api(generateApiKey())
      .send('POST', '/v1/documents', { rawBody: '{' });
    expectFailure(response, 401, 'UNAUTHORIZED');
  });

  it('authentication with bearer keys refuses a key from the moment it expires, and from an address that it does not allow', async () => {
    const account = await app.account();
    const { key } = await app.anotherKey(account, {
      expiresAt: new Date(app.clock.now().getTime() + 1000),
    });
    expect((await app.api(key).listDocuments()).status).toBe(200);
    app.clock.advance(1000);
    expectFailure(await app.api(key).listDocuments(), 401, 'UNAUTHORIZED');
    const elsewhere = await app.anotherKey(account, {
      allowedIps: ['192.0.2.0/24', '2001:db8::/32'],
    });
    expectFailure(await app.api(elsewhere.key).listDocuments(), 401, 'UNAUTHORIZED');
    const here = await app.anotherKey(account, { allowedIps: ['192.0.2.1', '127.0.0.0/8'] });
    expect((await app.api(here.key).listDocuments()).status).toBe(200);
  });

  it('authentication with bearer keys says which scope is missing and which the key has, and counts the refused request', async () => {
    const { api } = await app.account({ plan: 'free', scopes: ['documents:read', 'events:read'] });
    expect((await api.listDocuments()).headers['x-ratelimit-remaining']).toBe('9');
    const response = await api.createDocument({ title: 'x' });
    expectFailure(response, 403, 'FORBIDDEN');
    expect(response.body.error.details).toEqual({
      requiredScopes: ['documents:write'],
      grantedScopes: ['documents:read', 'events:read'],
    });
    expect(response.headers['x-ratelimit-remaining']).toBe('8');
  });

  it('authentication with bearer keys limits wrong keys by address, and still accepts a valid key from there', async () => {
    const { key } = await app.account();
    const responses = await Promise.all(
      Array.from({ length: 300 }, () => app.api(generateApiKey()).listDocuments()),
    );
    const refused = responses.filter(({ status }) => status === 429);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(100);
    expect(refused).toHaveLength(200);
    for (const reply of refused) expectFailure(reply, 429, 'RATE_LIMIT_EXCEEDED');
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect((await app.api(key).listDocuments()).status).toBe(200);
    app.clock.advance(1000);
    expect((await app.api(generateApiKey()).listDocuments()).status).toBe(401);
  });

  it('authentication with bearer keys counts requests to unknown routes, with wrong methods and with unreadable bodies too', async () => {
    const { api } = await app.account({ plan: 'free' });
    const responses = [
      await api.send('GET', '/v1/nope'),
      await api.send('DELETE', '/v1/documents'),
      await api.send('POST', '/v1/documents', { rawBody: '{' }),
      await api.send('POST', '/v1/documents', {
        rawBody: 'x',
        headers: { 'content-type': 'text/plain' },
      }),
      await api.readDocument('doc_nonsense'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 405, 400, 415, 404]);
    expect(responses.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual([
      '9',
      '8',
      '7',
      '6',
      '5',
    ]);
  });

  it('authentication with bearer keys records when a key was last used, at most once a minute', async () => {
    const account = await app.account();
    const lastUse = async (): Promise<Date | null> => {
      const [row] = await app.dataSource.query<{ last_used_at: Date | null }[]>(
        'SELECT last_used_at FROM api_keys WHERE id = $1',
        [account.keyId],
      );
      return row?.last_used_at ?? null;
    };
    const becomes = (expected: Date) =>
      eventually(lastUse, (used) => used?.getTime() === expected.getTime());
    const first = app.clock.now();
    await account.api.listDocuments();
    await becomes(first);
    app.clock.advance(59_000);
    await account.api.listDocuments();
    await becomes(first);
    app.clock.advance(2_000);
    await account.api.listDocuments();
    await becomes(app.clock.now());
  });
});
