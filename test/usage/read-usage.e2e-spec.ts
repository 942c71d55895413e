import fc from 'fast-check';
import type { UsageDto } from '../../src/features/usage/dto/usage.dto.js';
import { PLAN_LIMITS } from '../../src/features/rate-limit/plan-limits.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import type { TestAccount } from '../support/accounts.js';
import { isBlank } from '../../src/platform/basics/text.js';

const RECEIVER = { url: 'https://example.com/webhooks', events: ['document.created'] };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function usageOf(api: ApiClient): Promise<UsageDto> {
  return expectSuccess(await api.send('GET', '/v1/usage')) as UsageDto;
}

describe('GET /v1/usage', () => {
  it("GET /v1/usage shows each quota of the plan with the account's usage, and nothing of other accounts", async () => {
    const [mine, other] = [await app.account({ plan: 'plus' }), await app.account()];
    await mine.api.createDocument({ title: 'Mine' });
    await mine.api.registerWebhook(RECEIVER);
    await other.api.createDocument({ title: 'Theirs' });
    const { plan, quotas } = await usageOf(mine.api);
    expect(plan).toBe('plus');
    const bytes = Buffer.byteLength('Mine') + '{}{}'.length;
    expect(quotas).toEqual({
      documents: { limit: 10_000, used: 1, remaining: 9_999, inTrash: 0 },
      storageBytes: { limit: 2 ** 31, used: bytes, remaining: 2 ** 31 - bytes, inTrash: 0 },
      webhooks: { limit: 20, used: 1, remaining: 19 },
      keys: { limit: 50, used: 1, remaining: 49 },
      members: { limit: 10, used: 1, remaining: 9 },
      analysesPerDay: { limit: 2_000, used: 0, remaining: 2_000 },
      modelTokensPerDay: { limit: 1_000_000, used: 0, remaining: 1_000_000 },
      checkCharactersPerDay: { limit: 1_000_000, used: 0, remaining: 1_000_000 },
    });
  });

  it('GET /v1/usage counts the trash, and says how much that is', async () => {
    const { api } = await app.account({ plan: 'plus' });
    const made = await api.createDocument({ title: 'ä', content: '字', metadata: { a: 1.0 } });
    const { id } = made.body.data as { id: string };
    const bytes = 2 + 3 + '{"a":1}'.length + '{}'.length;
    expect((await usageOf(api)).quotas.storageBytes).toMatchObject({ used: bytes, inTrash: 0 });
    await api.deleteDocument(id);
    const trashed = await usageOf(api);
    expect(trashed.quotas.documents).toMatchObject({ used: 1, inTrash: 1 });
    expect(trashed.quotas.storageBytes).toMatchObject({ used: bytes, inTrash: bytes });
    await api.deleteDocument(id, { permanent: true });
    const gone = await usageOf(api);
    expect(gone.quotas.documents).toMatchObject({ used: 0, inTrash: 0 });
    expect(gone.quotas.storageBytes).toMatchObject({ used: 0, inTrash: 0 });
  });

  it('GET /v1/usage counts active keys, but not revoked, expired or rotated ones', async () => {
    const account = await app.account({ plan: 'plus' });
    const expiresAt = new Date(app.clock.now().getTime() + 1000);
    await app.anotherKey(account, { expiresAt });
    const make = async () => {
      const body = { name: 'k', scopes: ['*'] };
      return expectSuccess(await account.api.send('POST', '/v1/keys', { body }), 201) as {
        id: string;
      };
    };
    const [revoked, rotated] = [await make(), await make()];
    expect((await usageOf(account.api)).quotas.keys.used).toBe(4);
    await account.api.send('DELETE', `/v1/keys/${revoked.id}`);
    await account.api.send('POST', `/v1/keys/${rotated.id}/rotate`, { body: {} });
    app.clock.advance(1000);
    expect((await usageOf(account.api)).quotas.keys.used).toBe(2);
  });

  it('GET /v1/usage shows the request windows after this request, which counts once', async () => {
    const { api } = await app.account({ plan: 'free' });
    await api.listDocuments();
    const response = await api.send('GET', '/v1/usage');
    const { rateLimits } = expectSuccess(response) as UsageDto;
    for (const window of ['minute', 'hour', 'day'] as const) {
      const limit = PLAN_LIMITS.free[window] ?? 0;
      expect(rateLimits[window]).toMatchObject({ limit, used: 2, remaining: limit - 2 });
    }
    const minuteEnds = Date.parse(String(rateLimits.minute.resetAt));
    expect(Math.ceil(minuteEnds / 1000)).toBe(Number(response.headers['x-ratelimit-reset']));
    expect(String(response.headers['x-ratelimit-remaining'])).toBe('8');
    expect((await usageOf(api)).rateLimits.minute.used).toBe(3);
  });

  it('GET /v1/usage has no limit and no request count if nothing is limited', async () => {
    const { api } = await app.account();
    const { plan, quotas, rateLimits } = await usageOf(api);
    expect(plan).toBe('enterprise');
    expect(quotas.documents).toEqual({ limit: null, used: 0, remaining: null, inTrash: 0 });
    const none = { limit: null, used: null, remaining: null, resetAt: null };
    expect(rateLimits).toEqual({ minute: none, hour: none, day: none });
  });

  it("GET /v1/usage shows an Enterprise account's own limits, and counts in its other windows too", async () => {
    const { api, accountId } = await app.account();
    await app.dataSource.query('UPDATE accounts SET hour_limit = 7 WHERE id = $1', [accountId]);
    const { rateLimits } = await usageOf(api);
    expect(rateLimits.hour).toMatchObject({ limit: 7, used: 1, remaining: 6 });
    expect(rateLimits.day).toMatchObject({ limit: null, used: 1, remaining: null });
  });
});

/** Returns the values of the counters and of a scan of the table. */
async function counted({ accountId }: TestAccount): Promise<{ counters: object; table: object }> {
  const [row] = await app.dataSource.query<{ counters: object; table: object }[]>(
    `SELECT (SELECT json_build_object('live', coalesce(sum(count) FILTER (WHERE kind = 'documents'), 0),
                      'bytes', coalesce(sum(bytes) FILTER (WHERE kind = 'documents'), 0),
                      'trash', coalesce(sum(count) FILTER (WHERE kind = 'documents.deleted'), 0),
                      'trashBytes', coalesce(sum(bytes) FILTER (WHERE kind = 'documents.deleted'), 0))
               FROM row_counts WHERE account_id = $1) AS counters,
            (SELECT json_build_object('live', count(*) FILTER (WHERE deleted_at IS NULL),
                      'bytes', coalesce(sum(size) FILTER (WHERE deleted_at IS NULL), 0),
                      'trash', count(*) FILTER (WHERE deleted_at IS NOT NULL),
                      'trashBytes', coalesce(sum(size) FILTER (WHERE deleted_at IS NOT NULL), 0))
               FROM (SELECT deleted_at, octet_length(convert_to(title || content || metadata || ai_settings, 'UTF8')) AS size
                       FROM documents WHERE account_id = $1) AS sizes) AS "table"`,
    [accountId],
  );
  return row as { counters: object; table: object };
}

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((one) => !isBlank(one));
const fields = fc.record(
  {
    title: text,
    content: fc.oneof(text, fc.constant('长文 '.repeat(3_000))),
    metadata: fc.dictionary(text, text, { maxKeys: 3 }),
    aiSettings: fc.dictionary(text, text, { maxKeys: 2 }),
  },
  { requiredKeys: ['title'] },
);
const step = fc.oneof(
  fc.record({ do: fc.constant('create' as const), fields }),
  fc.record({ do: fc.constant('change' as const), fields, which: fc.nat() }),
  fc.record({ do: fc.constantFrom('delete', 'purge', 'restore'), which: fc.nat() }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function take(api: ApiClient, ids: string[], one: Step): Promise<void> {
  if (one.do === 'create' && 'fields' in one) {
    const made = await api.createDocument(one.fields);
    if (made.status === 201) ids.push((made.body.data as { id: string }).id);
    return;
  }
  const id = 'which' in one ? ids[one.which % Math.max(1, ids.length)] : undefined;
  if (id === undefined) return;
  if (one.do === 'change' && 'fields' in one) await api.patchDocument(id, one.fields);
  else if (one.do === 'delete') await api.deleteDocument(id);
  else if (one.do === 'purge') await api.deleteDocument(id, { permanent: true });
  else await api.restoreDocument(id);
}

it('the counted documents and bytes match the table after any operations on documents, sequential or concurrent', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.boolean(),
      async (steps, atOnce) => {
        const account = await app.account();
        const ids: string[] = [];
        if (atOnce) await Promise.all(steps.map((one) => take(account.api, ids, one)));
        else for (const one of steps) await take(account.api, ids, one);
        const { counters, table } = await counted(account);
        expect(counters).toEqual(table);
      },
    ),
    { numRuns: 10 },
  );
}, 60_000);
