import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { KeysApi } from './keys-api.js';

let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const { url } = app.dataSource.options as { url: string };
  replica = await startTestApp({ databaseUrl: url });
});
afterAll(async () => {
  await replica.close();
  await app.close();
});

describe('revoking a key', () => {
  it('revoking a key ends it immediately on every replica: no later request succeeds', async () => {
    const { api } = await app.account();
    const keys = new KeysApi(api);
    for (let round = 0; round < 5; round += 1) {
      const { id, key } = await keys.made();
      expectSuccess(await replica.api(key).listDocuments());
      const underWay = Array.from({ length: 20 }, () => replica.api(key).listDocuments());
      expect(expectSuccess(await keys.revoke(id))).toEqual({ id, deleted: true });
      const after = [app, replica].flatMap((one) =>
        Array.from({ length: 5 }, () => one.api(key).listDocuments()),
      );
      for (const response of await Promise.all(after)) expectFailure(response, 401, 'UNAUTHORIZED');
      await Promise.all(underWay);
      app.clock.advance(60_000);
      replica.clock.advance(60_000);
    }
  });

  it('revoking a key keeps the record, with the time of the first revocation', async () => {
    const { api } = await app.account();
    const keys = new KeysApi(api);
    const { id } = await keys.made();
    const revokedAt = app.clock.now().toISOString();
    await keys.revoke(id);
    app.clock.advance(1000);
    expect(expectSuccess(await keys.revoke(id))).toEqual({ id, deleted: true });
    expect(expectSuccess(await keys.read(id))).toMatchObject({ id, revokedAt });
  });

  it('revoking a key lets a key revoke itself', async () => {
    const account = await app.account();
    const { id, key } = await new KeysApi(account.api).made({ scopes: ['keys:write'] });
    const itself = new KeysApi(app.api(key));
    expectSuccess(await itself.revoke(id));
    expectFailure(await itself.revoke(id), 401, 'UNAUTHORIZED');
  });
});

describe('changing a key', () => {
  const later = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000);

  it('changing a key applies from the next request on every replica: fewer scopes, an expiry, other addresses', async () => {
    const { api } = await app.account();
    const keys = new KeysApi(api);
    const { id, key } = await keys.made({ scopes: ['documents:read', 'events:read'] });
    expectSuccess(await replica.api(key).listEvents());
    const changed = await keys.patch(id, { name: 'Reader', scopes: ['documents:read'] });
    expect(expectSuccess(changed)).toMatchObject({
      id,
      name: 'Reader',
      scopes: ['documents:read'],
    });
    expect(changed.text).not.toContain(key);
    expectFailure(await replica.api(key).listEvents(), 403, 'FORBIDDEN');
    expectSuccess(await replica.api(key).listDocuments());
    expectSuccess(await keys.patch(id, { allowedIps: ['192.0.2.0/24'] }));
    expectFailure(await replica.api(key).listDocuments(), 401, 'UNAUTHORIZED');
    expectSuccess(await keys.patch(id, { allowedIps: null, expiresAt: later(1).toISOString() }));
    expectSuccess(await replica.api(key).listDocuments());
    // The replica's clock started at a different time.
    replica.clock.advance(600_000);
    expectFailure(await replica.api(key).listDocuments(), 401, 'UNAUTHORIZED');
  });

  it('changing a key writes an audit entry with the changes, and none if nothing changes', async () => {
    const { api } = await app.account();
    const keys = new KeysApi(api);
    const { key, ...made } = await keys.made({ scopes: ['documents:read', 'events:read'] });
    expect(expectSuccess(await keys.patch(made.id, made))).toEqual(made);
    expect(expectSuccess(await keys.patch(made.id, {}))).toEqual(made);
    expectSuccess(await keys.patch(made.id, { scopes: ['events:read'], name: 'Listener' }));
    const response = await api.send('GET', '/v1/audit?action=key.update');
    expect(response.text).not.toContain(key);
    expect(response.body.data).toMatchObject([
      {
        resource: { type: 'key', id: made.id },
        details: { changes: ['name', 'scopes'], name: 'Listener', scopes: ['events:read'] },
      },
    ]);
  });

  it('changing a key never adds scopes, whoever asks', async () => {
    const keys = new KeysApi((await app.account()).api);
    const made = await keys.made({ scopes: ['documents:read', 'events:read'] });
    for (const scopes of [['*'], ['documents:read', 'documents:write']]) {
      const refused = await keys.patch(made.id, { scopes });
      expectFailure(refused, 403, 'FORBIDDEN');
      expect(refused.body.error.details).toMatchObject({
        field: 'scopes',
        requiredScopes: scopes,
        grantedScopes: ['documents:read', 'events:read'],
      });
    }
    expectSuccess(await keys.patch(made.id, { scopes: ['documents:read'] }));
    expectFailure(await keys.patch(made.id, { scopes: made.scopes }), 403, 'FORBIDDEN');
    const all = await keys.made({ scopes: ['*'] });
    expectSuccess(await keys.patch(all.id, { scopes: ['keys:read', 'documents:read'] }));
  });

  it('changing a key lets a key narrow itself, and not widen itself again', async () => {
    const account = await app.account();
    const scopes = ['keys:write', 'documents:read', 'documents:write'];
    const { id, key } = await new KeysApi(account.api).made({ scopes });
    const itself = new KeysApi(app.api(key));
    const end = later(60).toISOString();
    const narrow = {
      scopes: ['keys:write', 'documents:read'],
      expiresAt: end,
      allowedIps: ['127.0.0.1'],
    };
    expect(expectSuccess(await itself.patch(id, narrow))).toMatchObject(narrow);
    for (const wider of [
      { scopes },
      { expiresAt: null },
      { expiresAt: later(61).toISOString() },
      { allowedIps: [] },
      { allowedIps: ['127.0.0.0/8'] },
    ]) {
      expectFailure(await itself.patch(id, wider), 403, 'FORBIDDEN');
    }
    expectSuccess(await itself.patch(id, { expiresAt: later(59).toISOString() }));
    expectFailure(await itself.patch(id, { expiresAt: end }), 403, 'FORBIDDEN');
  });

  it('changing a key is refused for a key with more permissions than the calling key, even its name', async () => {
    const account = await app.account();
    const target = await new KeysApi(account.api).made({ scopes: ['documents:write'] });
    for (const restriction of [
      { scopes: ['keys:write' as const] },
      { scopes: ['*' as const], expiresAt: later(60) },
      { scopes: ['*' as const], allowedIps: ['127.0.0.1'] },
    ]) {
      const { key } = await app.anotherKey(account, restriction);
      const refused = await new KeysApi(app.api(key)).patch(target.id, { name: 'Mine' });
      expectFailure(refused, 403, 'FORBIDDEN');
      expect(refused.body.error.message).toContain('a key with more permissions');
    }
    const other = new KeysApi((await app.account()).api);
    expectFailure(await other.patch(target.id, { name: 'Mine' }), 404, 'NOT_FOUND');
  });

  it('changing a key postpones its expiry at most to that of the calling key', async () => {
    const account = await app.account();
    const keys = new KeysApi(account.api);
    const { id } = await keys.made({ expiresAt: later(60).toISOString() });
    const { key } = await app.anotherKey(account, { scopes: ['*'], expiresAt: later(120) });
    const ending = new KeysApi(app.api(key));
    expectSuccess(await ending.patch(id, { expiresAt: later(120).toISOString() }));
    expectFailure(
      await ending.patch(id, { expiresAt: later(121).toISOString() }),
      403,
      'FORBIDDEN',
    );
    expect(expectSuccess(await keys.patch(id, { expiresAt: null }))).toMatchObject({
      expiresAt: null,
    });
  });

  it('changing a key does not restore one that was revoked, has expired or was rotated', async () => {
    const keys = new KeysApi((await app.account()).api);
    const [revoked, expired, rotated] = [
      await keys.made(),
      await keys.made({ expiresAt: later(1).toISOString() }),
      await keys.made(),
    ];
    await keys.revoke(revoked.id);
    await keys.rotated(rotated.id, { gracePeriodSeconds: 60 });
    app.clock.advance(1000);
    for (const { id } of [revoked, expired, rotated]) {
      expectFailure(await keys.patch(id, { expiresAt: null }), 409, 'INVALID_REQUEST');
    }
  });

  it('changing a key reports what is wrong with a change, and changes nothing', async () => {
    const keys = new KeysApi((await app.account()).api);
    const { key, ...made } = await keys.made();
    expect(key).toBeDefined();
    for (const [body, field] of [
      [{ name: ' ' }, 'name'],
      [{ name: null }, 'name'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: null }, 'scopes'],
      [{ scopes: ['document:read'] }, 'scopes[0]'],
      [{ expiresAt: 'soon' }, 'expiresAt'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
      [{ allowedIps: ['home'] }, 'allowedIps[0]'],
      [{ scope: ['*'] }, 'scope'],
    ] as const) {
      const refused = await keys.patch(made.id, body);
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details.field).toBe(field);
    }
    const past = await keys.patch(made.id, { expiresAt: '2020-01-01T00:00:00Z' });
    expect(past.body.error.message).toMatch(/send null for a key that never expires/);
    expect(expectSuccess(await keys.read(made.id))).toEqual(made);
  });
});
