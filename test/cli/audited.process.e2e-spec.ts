import { PLAN_QUOTAS } from '../../src/features/usage/quotas/plan-quotas.js';
import { entriesOf } from '../audit/audit-api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { printed, runCli } from './run-cli.js';

let app: TestApp;
let environment: { DATABASE_URL: string };
beforeAll(async () => {
  app = await startTestApp({ stopClock: false });
  environment = { DATABASE_URL: (app.dataSource.options as { url: string }).url };
});
afterAll(() => app.close());

const keys = async (...args: string[]) =>
  printed(await runCli(environment, 'keys', ...args, '--json')) as {
    key: string;
    keyId: string;
    accountId: string;
  };

describe("the operator's changes of plans", () => {
  it("The operator's changes are in the audit log of the account, once for each change", async () => {
    const { key, accountId } = await keys('create', '--email', 'mary@example.com');
    const plan = (...args: string[]) => runCli(environment, 'accounts', 'plan', accountId, ...args);
    await plan('free');
    await plan('pro');
    await plan('pro');
    await plan('enterprise', '--minute', '700');
    await plan('enterprise', '--minute', '0');
    const entries = await entriesOf(app.api(key), { order: 'asc', action: 'account.update' });
    expect(entries.map(({ details }) => details)).toEqual([
      { plan: 'pro', by: 'operator' },
      { plan: 'enterprise', minute: 700, by: 'operator' },
    ]);
    expect(entries[0]).toMatchObject({
      resource: { type: 'account', id: accountId },
      actor: null,
      requestId: null,
    });
  });
});

describe("the operator's changes of keys", () => {
  it("The operator's changes are in the audit log of the account, attributed only to the operator", async () => {
    const first = await keys('create', '--email', 'ada@example.com', '--plan', 'free');
    const second = await keys('rotate', first.keyId, '--grace', '24h');
    await runCli(environment, 'keys', 'revoke', first.keyId);
    const entries = await entriesOf(app.api(second.key), { order: 'asc' });
    const by = { by: 'operator' };
    expect(entries).toMatchObject([
      { action: 'key.create', resource: { id: first.keyId }, details: by },
      { action: 'key.rotate', resource: { id: first.keyId }, details: by },
      { action: 'key.revoke', resource: { id: first.keyId }, details: by },
    ]);
    for (const entry of entries) {
      const nobody = { actor: null, requestId: null, clientAddress: null, userAgent: null };
      expect(entry).toMatchObject(nobody);
    }
  });

  it("The operator's changes are not limited by the plan of the account, whose user may have lost every key", async () => {
    const email = ['--email', 'eve@example.com', '--plan', 'free'];
    const { key } = await keys('create', ...email);
    await app.dataSource.query(
      `INSERT INTO api_keys (id, account_id, user_id, name, key_hash, last_four, scopes, created_at)
       SELECT gen_random_uuid(), account_id, user_id, 'filler', uuid_send(gen_random_uuid()), 'xxxx', '{*}', now()
         FROM api_keys JOIN users ON users.id = user_id, generate_series(2, $1::int) WHERE email = 'eve@example.com'`,
      [PLAN_QUOTAS.free.keys],
    );
    const body = { name: 'k', scopes: ['*'] };
    expect((await app.api(key).send('POST', '/v1/keys', { body })).status).toBe(403);
    expect((await keys('create', ...email)).key).toMatch(/^ds_live_/);
  });
});
