import fc from 'fast-check';
import type { TestAccount } from '../support/accounts.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** What the counters say, and what a scan of the table finds. */
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
  .filter((one) => /\S/.test(one));
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

describe('the counted documents and bytes', () => {
  it('are those of the table after whatever was done to documents, one by one or at once', async () => {
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
      { numRuns: 30 },
    );
  }, 60_000);
});
