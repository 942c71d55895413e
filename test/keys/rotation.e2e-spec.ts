import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { KeysApi } from './keys-api.js';

const DAY = 86_400_000;

let app: TestApp;
let keys: KeysApi;
beforeAll(async () => {
  app = await startTestApp();
  keys = new KeysApi((await app.account()).api);
});
afterAll(() => app.close());

const later = (milliseconds: number) =>
  new Date(app.clock.now().getTime() + milliseconds).toISOString();

describe('rotating a key', () => {
  it('rotating a key creates a new key with the same name, scopes and addresses', async () => {
    const old = await keys.made({
      scopes: ['documents:read', 'events:read'],
      allowedIps: ['127.0.0.1'],
    });
    const response = await keys.rotate(old.id, { gracePeriodSeconds: 3600 });
    const rotated = expectSuccess(response, 201) as typeof old;
    const { name, scopes, allowedIps } = old;
    expect(rotated).toMatchObject({
      name,
      scopes,
      allowedIps,
      expiresAt: null,
      replaces: { id: old.id, expiresAt: later(3_600_000), revokedAt: null },
    });
    expect(rotated.id).not.toBe(old.id);
    expect(response.headers['location']).toBe(`/v1/keys/${rotated.id}`);
    expect(response.headers['cache-control']).toBe('no-store');
    expectSuccess(await app.api(rotated.key).listDocuments());
  });

  it('rotating a key keeps the old key valid through the grace period and not a moment longer', async () => {
    const old = await keys.made();
    const { key } = await keys.rotated(old.id, { gracePeriodSeconds: 60 });
    app.clock.advance(59_999);
    expectSuccess(await app.api(old.key).listDocuments());
    app.clock.advance(1);
    expectFailure(await app.api(old.key).listDocuments(), 401, 'UNAUTHORIZED');
    expectSuccess(await app.api(key).listDocuments());
  });

  it('rotating a key has a grace period of one day by default', async () => {
    const old = await keys.made();
    expect((await keys.rotated(old.id)).replaces.expiresAt).toBe(later(DAY));
  });

  it('rotating a key revokes the old key immediately with a grace period of 0', async () => {
    const old = await keys.made();
    const { replaces, key } = await keys.rotated(old.id, { gracePeriodSeconds: 0 });
    expect(replaces).toEqual({
      id: old.id,
      expiresAt: null,
      revokedAt: app.clock.now().toISOString(),
    });
    expectFailure(await app.api(old.key).listDocuments(), 401, 'UNAUTHORIZED');
    expectSuccess(await app.api(key).listDocuments());
  });

  it('rotating a key never extends the old key’s life, and gives the new key the same lifetime', async () => {
    const old = await keys.made({ expiresAt: later(30 * DAY) });
    app.clock.advance(29.5 * DAY);
    const { replaces, expiresAt } = await keys.rotated(old.id);
    expect(replaces.expiresAt).toBe(old.expiresAt);
    expect(expiresAt).toBe(later(30 * DAY));
  });

  it('rotating a key limits a very long life to the year 9999, the last that responses can write', async () => {
    const old = await keys.made({ expiresAt: '9999-12-30T00:00:00Z' });
    app.clock.advance(3 * DAY);
    expect((await keys.rotated(old.id)).expiresAt).toBe('9999-12-31T23:59:59.999Z');
  });

  it('rotating a key refuses a key that was revoked or has expired', async () => {
    const revoked = await keys.made();
    await keys.revoke(revoked.id);
    const expired = await keys.made({ expiresAt: later(1000) });
    app.clock.advance(1000);
    for (const { id } of [revoked, expired]) {
      const response = await keys.rotate(id);
      expectFailure(response, 409, 'INVALID_REQUEST');
      expect(response.body.error.message).toMatch(/create a new key/);
    }
  });

  it('rotating a key rotates a key once; a second time within the grace period is refused, so that no successor inherits the grace', async () => {
    const { id } = await keys.made();
    await keys.rotated(id);
    const again = await keys.rotate(id);
    expectFailure(again, 409, 'INVALID_REQUEST');
    expect(again.body.error.message).toMatch(/already rotated/);
  });

  it('rotating a key creates one new key when several requests rotate at once without grace', async () => {
    const { id } = await keys.made();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => keys.rotate(id, { gracePeriodSeconds: 0 })),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  it.each([-1, 604_801, 1.5, '60', null])(
    'rotating a key refuses a grace period of %j',
    async (wrong) => {
      const { id } = await keys.made();
      const response = await keys.rotate(id, { gracePeriodSeconds: wrong });
      expectFailure(response, 400, 'INVALID_REQUEST');
      expect(response.body.error.details.field).toBe('gracePeriodSeconds');
    },
  );

  it('rotating a key lets a key rotate itself', async () => {
    const old = await keys.made({ scopes: ['keys:write'] });
    const { scopes } = await new KeysApi(app.api(old.key)).rotated(old.id);
    expect(scopes).toEqual(['keys:write']);
  });
});
