import type { UsageDto } from '../../src/features/usage/dto/usage.dto.js';
import { issueAccessToken } from '../../src/features/auth/tokens/access-token.js';
import { newUuid, uuidOf } from '../../src/platform/basics/identifiers/identifiers.js';
import { KeysApi } from '../keys/keys-api.js';
import type { AccountOptions } from '../support/accounts.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { ageWindows } from './age-windows.js';

let database: TestDatabase;
let replicas: [TestApp, TestApp, TestApp];
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url };
  replicas = [
    await startTestApp(options),
    await startTestApp(options),
    await startTestApp(options),
  ];
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
  await database.drop();
});

/** Creates an account, its keys as an operator without limits would, and a client for a new key. */
async function limitedKey(limits: object, options: AccountOptions = {}) {
  const account = await replicas[0].account(options);
  const keys = new KeysApi(account.api);
  const { id, key } = await keys.made({ scopes: ['*'], limits });
  return { account, keys, id, key, api: replicas[0].api(key) };
}

async function isAdmitted(api: ApiClient): Promise<boolean> {
  const { status } = await api.listDocuments();
  return status === 200;
}

/** Returns how many of `count` requests with each key succeed, which go to all replicas at once. */
async function admittedOf(keys: readonly string[], count: number): Promise<number[]> {
  const responses = await Promise.all(
    keys.flatMap((key) =>
      Array.from({ length: count }, async (_, n) => ({
        key,
        ...(await replicas[(n % 3) as 0 | 1 | 2].api(key).listDocuments()),
      })),
    ),
  );
  return keys.map(
    (one) => responses.filter(({ key, status }) => key === one && status === 200).length,
  );
}

const refusalOf = ({ body }: ApiResponse) =>
  (body as { error: { message: string; details: Record<string, unknown> } }).error;

describe('the limits of a key', () => {
  it('admit exactly 7 of 40 parallel requests over three replicas', async () => {
    const { key } = await limitedKey({ minute: 7 });
    expect(await admittedOf([key], 40)).toEqual([7]);
  });

  it('and those of its account hold together: keys of 37 a minute and 45 a day in an account of 100', async () => {
    const { account, keys, key } = await limitedKey({ minute: 37 });
    const daily = await keys.made({ limits: { day: 45 } });
    await replicas[0].dataSource.query('UPDATE accounts SET minute_limit = 100 WHERE id = $1', [
      account.accountId,
    ]);
    const admitted = await admittedOf([key, daily.key, account.key], 120);
    expect(admitted.reduce((sum, count) => sum + count, 0)).toBe(100);
    expect(admitted[0]).toBeLessThanOrEqual(37);
    expect(admitted[1]).toBeLessThanOrEqual(45);
  });

  it('refuse with 429, name the key, and admit the request after Retry-After', async () => {
    const { api } = await limitedKey({ minute: 2 }, { plan: 'pro' });
    await api.listDocuments();
    await api.listDocuments();
    const refused = await api.listDocuments();
    expectFailure(refused, 429, 'RATE_LIMIT_EXCEEDED');
    const { message, details } = refusalOf(refused);
    expect(message).toMatch(/^This API key's 2 requests per minute are used up\. Try again in \d+/);
    expect(details).toMatchObject({ of: 'key', window: 'minute', limit: 2 });
    const retryAfter = Number(refused.headers['retry-after']);
    expect(details['retryAfter']).toBe(retryAfter);
    await ageWindows(replicas[0].dataSource, retryAfter * 1000);
    expect(await isAdmitted(api)).toBe(true);
  });

  it('refuse without counting for the account, whose own 429 names the account', async () => {
    const { account, api } = await limitedKey({ day: 3 }, { plan: 'free' });
    // The account has used one request for the key. Of ten, six are left for others.
    for (let n = 0; n < 6; n += 1) await api.listDocuments();
    for (let n = 0; n < 6; n += 1) expect(await isAdmitted(account.api)).toBe(true);
    const refused = await account.api.listDocuments();
    expect(refusalOf(refused).details).toMatchObject({
      of: 'account',
      window: 'minute',
      limit: 10,
    });
  });

  it('are in the headers, which show the window with the fewest requests left', async () => {
    const { api } = await limitedKey({ minute: 60, day: 5 }, { plan: 'free' });
    const { headers } = await api.listDocuments();
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '4',
      'ratelimit-policy':
        '"minute";q=10;w=60, "hour";q=100;w=3600, "day";q=1000;w=86400, "key-minute";q=60;w=60, "key-day";q=5;w=86400',
    });
    const other = await limitedKey({ minute: 60 }, { plan: 'free' });
    expect((await other.api.listDocuments()).headers).toMatchObject({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '8',
    });
  });

  it('apply in an account without limits, and end together with them', async () => {
    const { keys, id, api } = await limitedKey({ hour: 1 });
    expect((await api.listDocuments()).headers['ratelimit-policy']).toBe('"key-hour";q=1;w=3600');
    expect(await isAdmitted(api)).toBe(false);
    expectSuccess(await keys.patch(id, { limits: null }));
    const { headers } = await api.listDocuments();
    expect(headers['x-ratelimit-limit']).toBe('2147483647');
  });

  it('apply on every replica from the request after the PATCH, with the running counts', async () => {
    const { keys, id, key } = await limitedKey({ minute: 20 });
    expect(await admittedOf([key], 4)).toEqual([4]);
    expectSuccess(await keys.patch(id, { limits: { minute: 5 } }));
    expect(await admittedOf([key], 9)).toEqual([1]);
    expectSuccess(await keys.patch(id, { limits: { minute: 8 } }));
    expect(await admittedOf([key], 9)).toEqual([3]);
  });

  it('are not part of GET /v1/usage, which shows the windows of the account', async () => {
    const { api } = await limitedKey({ minute: 5 }, { plan: 'free' });
    const { rateLimits } = expectSuccess(await api.send('GET', '/v1/usage')) as UsageDto;
    expect(rateLimits.minute).toMatchObject({ limit: 10, used: 2, remaining: 8 });
  });

  it('count a tool call at /mcp and the request that it sends as one', async () => {
    const { api } = await limitedKey({ minute: 5 });
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_documents', arguments: {} },
    };
    const headers = { Accept: 'application/json, text/event-stream' };
    expect((await api.send('POST', '/mcp', { body: call, headers })).status).toBe(200);
    expect((await api.listDocuments()).headers['x-ratelimit-remaining']).toBe('3');
  });
});

describe('the limit of a browser token', () => {
  it('holds together with those of its key and account, and its 429 names the token', async () => {
    const { id, key } = await limitedKey({ minute: 3 }, { plan: 'pro' });
    const tokens = [await browserToken(id, 2), await browserToken(id, 5)] as const;
    const first = replicas[0].api(tokens[0]);
    const { headers } = await first.listDocuments();
    expect(headers['ratelimit-policy']).toMatch(/"key-minute";q=3;w=60, "token-minute";q=2;w=60$/);
    expect(await isAdmitted(first)).toBe(true);
    const refused = await first.listDocuments();
    expect(refusalOf(refused)).toMatchObject({
      message: expect.stringMatching(/^This token's 2 requests per minute/) as string,
      details: { of: 'token', limit: 2 },
    });
    expect(await admittedOf([tokens[1]], 6)).toEqual([1]);
    expect(refusalOf(await replicas[1].api(key).listDocuments()).details).toMatchObject({
      of: 'key',
      limit: 3,
    });
  });

  /** Stores a token by SQL. */
  async function browserToken(keyId: string, minuteLimit: number): Promise<string> {
    const { token, hash } = issueAccessToken('browser');
    await replicas[0].dataSource.query(
      `INSERT INTO access_tokens (hash, id, key_id, kind, scopes, minute_limit, created_at, expires_at)
       VALUES ($1, $2, $3, 'browser', '{documents:read}', $4, now(), now() + interval '1 hour')`,
      [hash, newUuid(), uuidOf('key', keyId), minuteLimit],
    );
    return token;
  }
});
