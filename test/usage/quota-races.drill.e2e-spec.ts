import { Config } from '../../src/platform/config/config.js';
import type { Plan } from '../../src/features/auth/plan.js';
import { PLAN_QUOTAS, type Quota } from '../../src/features/usage/quotas/plan-quotas.js';
import type { TestAccount } from '../support/accounts.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { fillDocuments, fillStorage } from '../support/fill.js';

let replicas: [TestApp, TestApp];
beforeAll(async () => {
  const first = await startTestApp();
  const databaseUrl = first.app.get(Config).databaseUrl;
  replicas = [first, await startTestApp({ databaseUrl })];
});
afterAll(async () => {
  for (const replica of [...replicas].reverse()) await replica.close();
});

const PLAN: Plan = 'plus';
const limitOf = (quota: Quota) => PLAN_QUOTAS[PLAN][quota] ?? 0;

/** One client on each of two replicas, used alternately. */
function clients({ key }: TestAccount): (n: number) => ApiClient {
  const apis = replicas.map((replica) => replica.api(key));
  return (n) => apis[n % 2] as ApiClient;
}

/** Sends all requests concurrently. Checks that this many succeed and the others exceed the quota. */
async function race(
  count: number,
  room: number,
  quota: Quota,
  send: (n: number) => Promise<ApiResponse>,
): Promise<void> {
  const responses = await Promise.all(Array.from({ length: count }, (_, n) => send(n)));
  const [made, refused] = [true, false].map((ok) =>
    responses.filter(({ status }) => (status === 201) === ok),
  ) as [ApiResponse[], ApiResponse[]];
  for (const response of refused) {
    expectFailure(response, 403, 'FORBIDDEN');
    expect(response.body.error.details).toMatchObject({ quota, limit: limitOf(quota), plan: PLAN });
  }
  expect(made).toHaveLength(room);
}

async function usedBy(account: TestAccount, quota: Quota): Promise<number> {
  const usage = await replicas[0].api(account.key).send('GET', '/v1/usage');
  const data = expectSuccess(usage) as { quotas: Record<Quota, { used: number }> };
  return data.quotas[quota].used;
}

async function accountWith(documents: number): Promise<TestAccount> {
  const account = await replicas[0].account({ plan: PLAN });
  await fillDocuments(replicas[0].dataSource, account, documents);
  return account;
}

describe('at a quota, of requests that arrive together at two replicas', () => {
  it('at a quota, of requests that arrive together at two replicas exactly 5 of 50 creates succeed if there is space for 5', async () => {
    const account = await accountWith(limitOf('documents') - 5);
    const api = clients(account);
    await race(50, 5, 'documents', (n) => api(n).createDocument({ title: `Number ${String(n)}` }));
    expect(await usedBy(account, 'documents')).toBe(limitOf('documents'));
  });

  it('at a quota, of requests that arrive together at two replicas exactly as many succeed with an Idempotency-Key each', async () => {
    const account = await accountWith(limitOf('documents') - 5);
    const api = clients(account);
    await race(30, 5, 'documents', (n) =>
      api(n).createDocument({ title: 'x' }, { 'Idempotency-Key': String(n) }),
    );
    expect(await usedBy(account, 'documents')).toBe(limitOf('documents'));
  });

  it('at a quota, of requests that arrive together at two replicas exactly as many documents are created by single creates and by batches', async () => {
    const account = await accountWith(limitOf('documents') - 100);
    const api = clients(account);
    const operations = Array.from({ length: 10 }, () => ({
      op: 'create',
      document: { title: 'x' },
    }));
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => {
        if (n % 2 === 0) return api(n / 2).createDocument({ title: 'x' });
        const headers: Record<string, string> = n % 3 === 0 ? { 'Idempotency-Key': String(n) } : {};
        return api(n).batchDocuments({ operations, atomic: n % 4 === 1 }, headers);
      }),
    );
    expect(await usedBy(account, 'documents')).toBe(limitOf('documents'));
  });

  it('at a quota, of requests that arrive together at two replicas exactly 3 of 30 documents of one size are stored if there is space for 3', async () => {
    const size = 10_000;
    const account = await accountWith(0);
    await fillStorage(replicas[0].dataSource, account, limitOf('storageBytes') - 3 * size - 17);
    const api = clients(account);
    const content = 'y'.repeat(size - 'x{}{}'.length);
    await race(30, 3, 'storageBytes', (n) => api(n).createDocument({ title: 'x', content }));
    expect(await usedBy(account, 'storageBytes')).toBe(limitOf('storageBytes') - 17);
  });

  it('at a quota, of requests that arrive together at two replicas exactly as many webhooks are registered as the plan allows', async () => {
    const api = clients(await replicas[0].account({ plan: PLAN }));
    const receiver = { url: 'https://example.com/webhooks', events: ['*'] };
    await race(40, limitOf('webhooks'), 'webhooks', (n) => api(n).registerWebhook(receiver));
  });

  it('at a quota, of requests that arrive together at two replicas exactly as many keys are created as the plan allows, with and without Idempotency-Key', async () => {
    const account = await replicas[0].account({ plan: PLAN });
    const api = clients(account);
    await race(58, limitOf('keys') - 1, 'keys', (n) =>
      api(n).send('POST', '/v1/keys', {
        body: { name: 'k', scopes: ['*'] },
        headers: n % 3 === 0 ? { 'Idempotency-Key': String(n) } : {},
      }),
    );
    expect(await usedBy(account, 'keys')).toBe(limitOf('keys'));
  });

  it('an account that waits for its turn delays no other, and neither does a full one', async () => {
    const [busy, full] = [await accountWith(1), await accountWith(limitOf('documents'))];
    const holder = replicas[0].dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT pg_advisory_xact_lock(quota_lock($1))', [busy.accountId]);
    const create = (account: TestAccount) => (n: number) =>
      clients(account)(n).createDocument({ title: 'x' });
    const waiting = Promise.all(Array.from({ length: 20 }, (_, n) => create(busy)(n)));
    await race(20, 0, 'documents', create(full));
    await holder.commitTransaction();
    await holder.release();
    const statuses = (await waiting).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 201));
  });
});
