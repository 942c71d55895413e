import type { AccountOptions } from '../support/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { KeysApi } from './keys-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const later = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000);
const LOCAL = ['127.0.0.1'];

/** Creates an account and a client for its keys that uses one of them. */
async function restricted(options: AccountOptions) {
  const account = await app.account();
  const { key } = await app.anotherKey(account, { scopes: ['*'], ...options });
  return { account, all: new KeysApi(account.api), own: new KeysApi(app.api(key)) };
}

describe('a key with an expiry', () => {
  it('a key with an expiry cannot create a key that outlives it, and says until when one may live', async () => {
    const expiresAt = later(3);
    const { own } = await restricted({ expiresAt });
    const body = { name: 'Longer', scopes: ['*'] };
    for (const end of [undefined, null, later(3.001).toISOString(), '9999-12-31T23:59:59Z']) {
      const response = await own.create({ ...body, expiresAt: end });
      expectFailure(response, 403, 'FORBIDDEN');
      expect(response.body.error.message).toContain(
        'Send this time or an earlier one as expiresAt',
      );
      expect(response.body.error.details).toEqual({
        field: 'expiresAt',
        issue: `must be ${expiresAt.toISOString()} or earlier, when the calling key expires`,
      });
    }
    const same = await own.made({ scopes: ['*'], expiresAt: expiresAt.toISOString() });
    expect(same.expiresAt).toBe(expiresAt.toISOString());
  });

  it.each([undefined, 0, 1, 604_800])(
    'a key with an expiry rotates itself with a grace of %s into a key that expires with it, with a warning',
    async (gracePeriodSeconds) => {
      const { all, own } = await restricted({});
      const end = later(60).toISOString();
      const old = await own.made({ scopes: ['keys:write'], expiresAt: end });
      app.clock.advance(1000);
      const itself = new KeysApi(app.api(old.key));
      const response = await itself.rotate(old.id, { gracePeriodSeconds });
      expect(expectSuccess(response, 201)).toMatchObject({ expiresAt: end });
      expect(response.body.meta.warnings).toMatchObject([{ field: 'expiresAt' }]);
      expect((await all.rotated((await all.made()).id)).expiresAt).toBeNull();
    },
  );

  it('a key with an expiry rotates another key that expires before it into one that expires with it at the latest', async () => {
    const { all, own } = await restricted({ expiresAt: later(90) });
    const old = await all.made({ expiresAt: later(60).toISOString() });
    app.clock.advance(40_000);
    const response = await own.rotate(old.id);
    expect(expectSuccess(response, 201)).toMatchObject({ expiresAt: later(50).toISOString() });
    const whole = await all.rotate((await all.made({ expiresAt: later(60).toISOString() })).id);
    expect(whole.body.meta.warnings).toBeUndefined();
  });

  it('a key with an expiry in its grace period cannot create a key that outlives the grace, or change its successor', async () => {
    const { all } = await restricted({});
    const old = await all.made({ scopes: ['*'] });
    const successor = await all.rotated(old.id, { gracePeriodSeconds: 60 });
    const inGrace = new KeysApi(app.api(old.key));
    expectFailure(await inGrace.create({ name: 'K', scopes: ['*'] }), 403, 'FORBIDDEN');
    expectFailure(await inGrace.revoke(successor.id), 403, 'FORBIDDEN');
    expectFailure(await inGrace.rotate(successor.id), 403, 'FORBIDDEN');
    expect(expectSuccess(await all.read(successor.id))).toMatchObject({ revokedAt: null });
  });
});

describe('a key with an allow-list', () => {
  it('a key with an allow-list cannot create a key for other addresses, and says which it can allow', async () => {
    const { own } = await restricted({ allowedIps: ['127.0.0.0/8', '2001:db8::/32'] });
    const body = { name: 'Elsewhere', scopes: ['*'] };
    const wider = [undefined, null, [], ['0.0.0.0/0'], ['127.0.0.1', '192.0.2.7'], ['::/0']];
    for (const allowedIps of wider) {
      const response = await own.create({ ...body, allowedIps });
      expectFailure(response, 403, 'FORBIDDEN');
      expect(response.body.error.details).toEqual({
        field: 'allowedIps',
        issue: 'must be within 127.0.0.0/8, 2001:db8::/32, the addresses of the calling key',
      });
    }
    for (const allowedIps of [['127.0.0.1'], ['::ffff:127.0.0.0/120', '2001:db8:1::/48']]) {
      await own.made({ scopes: ['*'], allowedIps });
    }
  });

  it('a key with an allow-list rotates itself into one for the same addresses', async () => {
    const { own } = await restricted({ allowedIps: LOCAL });
    const old = await own.made({ scopes: ['keys:write'], allowedIps: LOCAL });
    const rotated = await new KeysApi(app.api(old.key)).rotated(old.id, { gracePeriodSeconds: 0 });
    expect(rotated.allowedIps).toEqual(LOCAL);
  });
});

describe('a key with more permissions', () => {
  it.each<[string, () => AccountOptions]>([
    ['scopes', () => ({ scopes: ['keys:write', 'documents:read'] })],
    ['expiry', () => ({ expiresAt: later(60) })],
    ['addresses', () => ({ allowedIps: LOCAL })],
  ])('by its %s is neither rotated nor revoked by one with fewer', async (_, restriction) => {
    const { all, own } = await restricted(restriction());
    const target = await all.made({ scopes: ['*'] });
    for (const response of [
      await own.revoke(target.id),
      await own.rotate(target.id, { gracePeriodSeconds: 0 }),
      await own.rotate(target.id),
    ]) {
      expectFailure(response, 403, 'FORBIDDEN');
      expect(response.body.error.message).toMatch(
        /cannot change, rotate or revoke a key with more permissions/,
      );
    }
    expect(expectSuccess(await all.read(target.id))).toMatchObject({
      revokedAt: null,
      expiresAt: null,
    });
  });

  it('a key with more permissions than no other can revoke an equal one, and always itself', async () => {
    const restriction = {
      scopes: ['keys:write'],
      expiresAt: later(60),
      allowedIps: LOCAL,
    } as const;
    const { all, own } = await restricted({});
    const body = { ...restriction, expiresAt: restriction.expiresAt.toISOString() };
    const [one, two] = [await own.made(body), await own.made(body)];
    const first = new KeysApi(app.api(one.key));
    expectSuccess(await first.revoke(two.id));
    expectSuccess(await first.revoke(one.id));
    expectFailure(await first.revoke(one.id), 401, 'UNAUTHORIZED');
    expectSuccess(await all.revoke(one.id));
  });

  it('a key with more permissions of another account stays unknown to a key with fewer', async () => {
    const { own } = await restricted({ scopes: ['keys:write'] });
    const other = await new KeysApi((await app.account()).api).made();
    expectFailure(await own.revoke(other.id), 404, 'NOT_FOUND');
    expectFailure(await own.rotate(other.id), 404, 'NOT_FOUND');
  });
});
