import { isWellFormedApiKey } from '../../src/features/auth/api-keys/api-key.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { KeysApi } from './keys-api.js';
import type { Scope } from '../../src/features/auth/scopes.js';
import type { TestAccount } from '../support/accounts.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const KEY_ID = /^key_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const UNKNOWN = 'key_01h455vb4pex5vsknk084sn02q';

async function account(options?: Parameters<TestApp['account']>[0]) {
  const made = await app.account(options);
  return { ...made, keys: new KeysApi(made.api) };
}

describe('creating a key', () => {
  it('creating a key returns 201 with its location, its record and, only this once, the key itself', async () => {
    const { keys, user } = await account();
    const response = await keys.create({
      name: 'Build server',
      scopes: ['documents:read', 'documents:write', 'documents:read'],
      expiresAt: '2026-12-31T00:00:00+01:00',
      allowedIps: ['192.0.2.77/24', '2001:DB8::1'],
    });
    const made = expectSuccess(response, 201) as { id: string; key: string };
    expect(made).toEqual({
      id: expect.stringMatching(KEY_ID) as string,
      name: 'Build server',
      lastFour: made.key.slice(-4),
      scopes: ['documents:read', 'documents:write'],
      allowedIps: ['192.0.2.0/24', '2001:db8::1'],
      limits: { minute: null, hour: null, day: null },
      collections: null,
      expiresAt: '2026-12-30T23:00:00.000Z',
      revokedAt: null,
      lastUsedAt: null,
      createdAt: app.clock.now().toISOString(),
      client: null,
      createdBy: user,
      owner: { id: user.id, name: user.name, kind: 'person' },
      key: made.key,
    });
    expect(isWellFormedApiKey(made.key)).toBe(true);
    expect(response.headers['location']).toBe(`/v1/keys/${made.id}`);
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('creating a key never shows the key again and stores only its hash', async () => {
    const { keys } = await account();
    const { id, key } = await keys.made();
    for (const response of [await keys.read(id), await keys.list()]) {
      expect(response.status).toBe(200);
      expect(response.text).not.toContain(key);
      expect(response.text).not.toMatch(/"key"|hash/i);
    }
    const [{ row }] = await app.dataSource.query<[{ row: string }]>(
      'SELECT api_keys::text AS row FROM api_keys WHERE id = $1',
      [decodeId('key', id)],
    );
    expect(row).not.toContain(key);
  });

  it('creating a key creates a key that works, in the name of the user who created it', async () => {
    const { keys, user } = await account();
    const { key } = await keys.made({ scopes: ['documents:write'] });
    const created = await app.api(key).createDocument({ title: 'By the new key' });
    expect(expectSuccess(created, 201)).toMatchObject({ createdBy: user });
  });

  it('creating a key reports every problem of a body at once', async () => {
    const { keys } = await account();
    const response = await keys.create({
      scopes: ['documents:read', 'document:write', 7],
      expiresAt: '2026-02-30T00:00:00Z',
      allowedIps: ['10.0.0.0/33'],
      scope: ['*'],
    });
    expectFailure(response, 400, 'INVALID_REQUEST');
    const { problems } = response.body.error.details as { problems: { field: string }[] };
    expect(problems).toEqual(
      expect.arrayContaining([
        { field: 'name', issue: 'required field missing' },
        { field: 'scopes[1]', issue: "is not a scope; did you mean 'documents:write'?" },
        { field: 'scopes[2]', issue: 'must be a string' },
        { field: 'allowedIps[0]', issue: expect.stringContaining('CIDR') as string },
        { field: 'expiresAt', issue: expect.stringContaining('2027-01-31T00:00:00Z') as string },
        { field: 'scope', issue: "is not a known field; did you mean 'scopes'?" },
      ]),
    );
    expect(problems).toHaveLength(6);
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: ' \n' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: null }],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: '*' }],
    ['scopes', { scopes: undefined }],
    ['scopes', { scopes: Array.from({ length: 51 }, () => '*') }],
    ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['expiresAt', { expiresAt: 1_798_675_200 }],
    ['expiresAt', { expiresAt: '' }],
    ['allowedIps', { allowedIps: '10.0.0.0/8' }],
    ['allowedIps', { allowedIps: Array.from({ length: 101 }, () => '10.0.0.1') }],
  ])('creating a key refuses a wrong %s: %j', async (field, wrong) => {
    const { keys } = await account();
    const response = await keys.create({ name: 'Build server', scopes: ['events:read'], ...wrong });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details).toMatchObject({ field });
  });

  it('creating a key accepts null for no expiry and no allow-list, as its own responses write them', async () => {
    const { keys } = await account();
    expect(await keys.made({ expiresAt: null, allowedIps: null })).toMatchObject({
      expiresAt: null,
      allowedIps: [],
    });
  });
});

describe('reading keys', () => {
  it('reading keys lists all keys of the account, newest first, in pages', async () => {
    const { keys } = await account();
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      app.clock.advance(1000);
      made.unshift((await keys.made()).id);
    }
    const idsOf = (response: { body: { data: { id: string }[] } }) =>
      response.body.data.map(({ id }) => id);
    // By the database's clock, the oldest key is the account's first one.
    const all = await keys.list({ order: 'desc' });
    expect(idsOf(all).filter((id) => made.includes(id))).toEqual(made);
    expect(all.body.meta.pagination).toMatchObject({ page: 1, limit: 20, total: 4, pages: 1 });
    const first = await keys.list({ limit: 2, order: 'asc' });
    expect(first.body.meta.pagination).toMatchObject({ total: 4, pages: 2, hasMore: true });
    const cursor = first.body.meta.pagination.nextCursor as string;
    const second = await keys.list({ limit: 2, order: 'asc', cursor });
    expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(4);
  });

  it('reading keys lists the keys that work, or those that were revoked or have expired, in pages', async () => {
    const { keys } = await account();
    const [works, revoked, expired] = [await keys.made(), await keys.made(), await keys.made()];
    await keys.revoke(revoked.id);
    await app.dataSource.query(
      `UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [decodeId('key', expired.id)],
    );
    const idsOf = (response: { body: { data: { id: string }[] } }) =>
      response.body.data.map(({ id }) => id);
    const active = await keys.list({ status: 'active' });
    // The other one is the account's first key.
    expect(active.body.meta.pagination).toMatchObject({ total: 2, pages: 1 });
    expect(idsOf(active)).toContain(works.id);
    const first = await keys.list({ status: 'inactive', limit: 1 });
    expect(first.body.meta.pagination).toMatchObject({ total: 2, pages: 2, hasMore: true });
    const cursor = first.body.meta.pagination.nextCursor as string;
    const second = await keys.list({ status: 'inactive', limit: 1, cursor });
    expect(new Set([...idsOf(first), ...idsOf(second)])).toEqual(new Set([revoked.id, expired.id]));
    expectFailure(await keys.list({ status: 'active', cursor }), 400, 'INVALID_REQUEST');
    expectFailure(await keys.list({ status: 'revoked' }), 400, 'INVALID_REQUEST');
  });

  it('reading keys lists only those of connected apps, or only the others', async () => {
    const { keys } = await account();
    const [ofApp, other] = [await keys.made(), await keys.made()];
    await app.dataSource.query(`UPDATE api_keys SET client = $2 WHERE id = $1`, [
      decodeId('key', ofApp.id),
      { id: 'dyn.a', name: 'Editor', host: null },
    ]);
    const idsOf = (response: { body: { data: { id: string }[] } }) =>
      response.body.data.map(({ id }) => id);
    const apps = await keys.list({ kind: 'app', status: 'active' });
    expect(idsOf(apps)).toEqual([ofApp.id]);
    expect(apps.body.meta.pagination.total).toBe(1);
    const others = await keys.list({ kind: 'key', limit: 1 });
    // The other one is the account's first key.
    expect(others.body.meta.pagination).toMatchObject({ total: 2, hasMore: true });
    const cursor = others.body.meta.pagination.nextCursor as string;
    const second = await keys.list({ kind: 'key', limit: 1, cursor });
    const listed = [...idsOf(others), ...idsOf(second)];
    expect(listed).toContain(other.id);
    expect(listed).not.toContain(ofApp.id);
    expectFailure(await keys.list({ kind: 'app', cursor }), 400, 'INVALID_REQUEST');
    expect((await keys.list({ kind: 'app', status: 'inactive' })).body.data).toEqual([]);
  });

  it('reading keys refuses a sort or parameter that the list does not know', async () => {
    const { keys } = await account();
    expectFailure(await keys.list({ sort: 'name' }), 400, 'INVALID_REQUEST');
    expectFailure(await keys.list({ state: 'revoked' }), 400, 'INVALID_REQUEST');
  });

  it('reading keys returns the same for a malformed ID, an unknown one and another account’s key', async () => {
    const { keys } = await account();
    const other = await account();
    const { id } = await other.keys.made();
    for (const foreign of ['nonsense', UNKNOWN, id]) {
      const responses = [
        await keys.read(foreign),
        await keys.revoke(foreign),
        await keys.rotate(foreign),
      ];
      for (const reply of responses) {
        expectFailure(reply, 404, 'NOT_FOUND');
        expect(reply.body.error.message).toMatch(/^No such key\./);
      }
    }
    expect((await other.keys.read(id)).body.data.revokedAt).toBeNull();
    expect((await keys.list()).body.data).toHaveLength(1);
  });

  it('reading keys needs keys:read to read and keys:write to change', async () => {
    const reader = await account({ scopes: ['keys:read'] });
    expectSuccess(await reader.keys.list());
    expectFailure(await reader.keys.read(UNKNOWN), 404, 'NOT_FOUND');
    for (const refused of [
      await reader.keys.create({ name: 'x', scopes: ['keys:read'] }),
      await reader.keys.revoke(UNKNOWN),
      await reader.keys.rotate(UNKNOWN),
    ]) {
      expectFailure(refused, 403, 'FORBIDDEN');
      expect(refused.body.error.details.requiredScopes).toEqual(['keys:write']);
    }
    const writer = await account({ scopes: ['keys:write'] });
    for (const refused of [await writer.keys.list(), await writer.keys.read(UNKNOWN)]) {
      expectFailure(refused, 403, 'FORBIDDEN');
      expect(refused.body.error.details.requiredScopes).toEqual(['keys:read']);
    }
  });
});

const OWN: Scope[] = ['keys:write', 'documents:read'];

describe('a key cannot grant what it does not have', () => {
  it('a key cannot grant what it does not have when it creates a key', async () => {
    const { api } = await app.account({ scopes: OWN });
    const keys = new KeysApi(api);
    for (const scopes of [['documents:read', 'documents:write'], ['keys:read'], ['*']]) {
      const response = await keys.create({ name: 'More', scopes });
      expectFailure(response, 403, 'FORBIDDEN');
      expect(response.body.error.details).toEqual({ requiredScopes: scopes, grantedScopes: OWN });
    }
  });

  it('a key cannot grant what it does not have when it rotates a key that has more, which stays unchanged', async () => {
    const account = await app.account();
    const strong = await new KeysApi(account.api).made({ scopes: ['*'] });
    const weak = await app.anotherKey(account, { scopes: OWN });
    const response = await new KeysApi(app.api(weak.key)).rotate(strong.id, {
      gracePeriodSeconds: 0,
    });
    expectFailure(response, 403, 'FORBIDDEN');
    expect(response.body.error.details).toEqual({ requiredScopes: ['*'], grantedScopes: OWN });
    expectSuccess(await app.api(strong.key).listDocuments());
  });

  it('a key cannot grant what it does not have but can grant what it has, and an all-scopes key can grant everything', async () => {
    const { api } = await app.account({ scopes: OWN });
    expect(await new KeysApi(api).made({ scopes: OWN })).toMatchObject({ scopes: OWN });
    const everything = await app.account({ scopes: ['*'] });
    expect(await new KeysApi(everything.api).made({ scopes: ['*'] })).toMatchObject({
      scopes: ['*'],
    });
  });
});

const NEW_KEY = { name: 'Build server', scopes: ['documents:read'] };

/** Creates keys without secrets. Nobody can use them, but they count. */
async function fill({ accountId, userId }: TestAccount, count: number, ended: 'no' | 'revoked') {
  await app.dataSource.query(
    `INSERT INTO api_keys (id, account_id, user_id, name, key_hash, last_four, scopes, revoked_at, created_at)
     SELECT gen_random_uuid(), $1, $2, 'filler', uuid_send(gen_random_uuid()), 'xxxx', '{*}',
            CASE WHEN $4 THEN now() END, now()
       FROM generate_series(1, $3::int)`,
    [accountId, userId, count, ended === 'revoked'],
  );
}

describe('the number of keys', () => {
  it('the number of keys is at most 1,000 active ones on Enterprise, and revoking one allows another', async () => {
    const account = await app.account();
    const keys = new KeysApi(account.api);
    await fill(account, 998, 'no');
    const last = await keys.made();

    const refused = await keys.create(NEW_KEY);
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.message).toMatch(/allows 1,000 active keys.*Revoke one/);
    expect(refused.body.error.details).toEqual({
      quota: 'keys',
      limit: 1000,
      used: 1000,
      plan: 'enterprise',
      requested: 1,
    });

    await keys.revoke(last.id);
    expectSuccess(await keys.create(NEW_KEY), 201);
  });

  it('the number of keys does not prevent the rotation of a leaked key', async () => {
    const account = await app.account();
    const keys = new KeysApi(account.api);
    const leaked = await keys.made();
    await fill(account, 998, 'no');
    expectFailure(await keys.create(NEW_KEY), 403, 'FORBIDDEN');
    expectSuccess(await keys.rotate(leaked.id, { gracePeriodSeconds: 0 }), 201);
  });

  it('the number of keys is what the plan allows', async () => {
    const account = await app.account({ plan: 'free' });
    const keys = new KeysApi(account.api);
    await fill(account, 8, 'no');
    await keys.made();
    const refused = await keys.create(NEW_KEY);
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.details).toEqual({
      quota: 'keys',
      limit: 10,
      used: 10,
      plan: 'free',
      requested: 1,
    });
  });

  it('the number of keys excludes a key that a rotation has replaced, and includes its successor', async () => {
    const account = await app.account({ plan: 'free' });
    const keys = new KeysApi(account.api);
    await fill(account, 7, 'no');
    const old = await keys.made();
    await keys.rotated(old.id, { gracePeriodSeconds: 600 });
    await keys.made();
    expectFailure(await keys.create(NEW_KEY), 403, 'FORBIDDEN');
  });

  it('the number of keys excludes revoked and expired keys', async () => {
    const account = await app.account();
    const keys = new KeysApi(account.api);
    await fill(account, 1000, 'revoked');
    const expiresAt = new Date(app.clock.now().getTime() + 1000).toISOString();
    await fill(account, 998, 'no');
    await keys.made({ expiresAt });
    app.clock.advance(1000);
    expectSuccess(await keys.create(NEW_KEY), 201);
  });
});
