import { startTestApp, type TestApp } from '../support/app.js';
import type { TestAccount } from '../support/accounts.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { KeysApi } from './keys-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const NEW_KEY = { name: 'Build server', scopes: ['documents:read'] };

/** Keys without their secrets: nobody can use them, and they count. */
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
  it('is at most 1000 in force on Enterprise; a revoked one makes room', async () => {
    const account = await app.account();
    const keys = new KeysApi(account.api);
    await fill(account, 998, 'no');
    const last = await keys.made();

    const refused = await keys.create(NEW_KEY);
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.message).toMatch(/allows 1,000 keys in force.*Revoke one/);
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

  it('does not hold up the rotation of a key that leaked', async () => {
    const account = await app.account();
    const keys = new KeysApi(account.api);
    const leaked = await keys.made();
    await fill(account, 998, 'no');
    expectFailure(await keys.create(NEW_KEY), 403, 'FORBIDDEN');
    expectSuccess(await keys.rotate(leaked.id, { gracePeriodSeconds: 0 }), 201);
  });

  it('is what the plan allows', async () => {
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

  it('leaves out a key that a rotation has replaced, and counts its successor', async () => {
    const account = await app.account({ plan: 'free' });
    const keys = new KeysApi(account.api);
    await fill(account, 7, 'no');
    const old = await keys.made();
    await keys.rotated(old.id, { gracePeriodSeconds: 600 });
    await keys.made();
    expectFailure(await keys.create(NEW_KEY), 403, 'FORBIDDEN');
  });

  it('leaves revoked and expired keys out', async () => {
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
