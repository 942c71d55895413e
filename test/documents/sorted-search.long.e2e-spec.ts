import fc from 'fast-check';
import { encodeId, newUuid, uuidOf } from '../../src/identifiers/identifiers.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { insertRows } from './document-rows.js';
import { ask, scan, sorted, type ModelDocument, type ModelQuery } from './search-model.js';
import type { Listed } from './walk.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'api' } });
  // As in an account of a million documents: orders are used wherever there are some, down to few documents.
  await app.dataSource.query(
    `CREATE OR REPLACE FUNCTION search_way(account uuid, sort text, in_trash boolean, matches bigint, wanted bigint)
     RETURNS text LANGUAGE sql STABLE AS $$
       SELECT CASE WHEN EXISTS (SELECT FROM search_orders AS known
                                 WHERE account_id = account AND known.sort = search_way.sort AND is_complete)
                   THEN 'narrowed' ELSE 'walked' END
     $$`,
  );
  await app.dataSource.query(
    `CREATE OR REPLACE FUNCTION search_enough() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 3'`,
  );
});
afterAll(() => app.close());

const SORTS = ['title', 'updated_at', 'word_count'];
/** Few, with what could come between a title and the id behind it. */
const TITLES = ['a', 'a\u0001', 'a\u0001\u0001b', 'a\u0002', 'ab', 'B', 'é', '漢字', '😀'];

const fields = fc.record({
  title: fc.constantFrom(...TITLES),
  type: fc.constantFrom('report', 'article'),
  wordCount: fc.constantFrom(0, 1, 9, 10, 2_000_000_000),
  updatedAt: fc
    .integer({ min: 0, max: 8 })
    .map((day) => `2026-01-0${String(day + 1)}T00:00:00.00${String(day)}Z`),
  deleted: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});
type Fields = typeof fields extends fc.Arbitrary<infer Value> ? Value : never;

/** What happens to an account: documents come, change and go, and the index follows in its own time. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    documents: fc.array(fields, { minLength: 1, maxLength: 12 }),
  }),
  fc.record({ kind: fc.constant('change' as const), nth: fc.nat(), to: fields }),
  fc.record({ kind: fc.constant('remove' as const), nth: fc.nat() }),
  fc.record({ kind: fc.constantFrom('index', 'orders', 'clear', 'split', 'renew') }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const page = fc.record({
  sort: fc.constantFrom(...SORTS),
  order: fc.constantFrom('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 12 }),
  page: fc.integer({ min: 1, max: 5 }),
});
const asked: fc.Arbitrary<ModelQuery> = fc.constantFrom<ModelQuery>(
  { type: 'report' },
  { type: 'article' },
  { deleted: true },
  { updatedAfter: '2026-01-03T00:00:00.000Z' },
  { type: 'report', updatedBefore: '2026-01-05T00:00:00.004Z' },
);

async function perform(
  accountId: string,
  userId: string,
  documents: ModelDocument[],
  one: Step,
): Promise<void> {
  const { dataSource } = app;
  const chosen = 'nth' in one ? documents[one.nth % documents.length] : undefined;
  if (one.kind === 'insert' && 'documents' in one) {
    const fresh = one.documents.map((given) => toDocument(given, userId));
    await insertRows(dataSource, accountId, fresh);
    documents.push(...fresh);
  } else if (one.kind === 'change' && 'to' in one && chosen) {
    Object.assign(chosen, one.to);
    const { title, type, wordCount, updatedAt, deleted, id } = chosen;
    await dataSource.query(
      `UPDATE documents SET title = $2, type = $3, word_count = $4, updated_at = $5::timestamptz,
              deleted_at = CASE WHEN $6 THEN now() END WHERE id = $1`,
      [uuidOf('document', id), title, type, wordCount, updatedAt, deleted],
    );
  } else if (one.kind === 'remove' && chosen) {
    await dataSource.query('DELETE FROM documents WHERE id = $1', [uuidOf('document', chosen.id)]);
    documents.splice(documents.indexOf(chosen), 1);
  } else {
    for (const statement of UPKEEP[one.kind as keyof typeof UPKEEP]) {
      await dataSource.query(statement, [accountId]);
    }
  }
}

const INDEX = 'SELECT search_update($1, 1000, true)';
const ORDERS = 'SELECT search_update_orders($1, 1, 1) FROM generate_series(1, 4)';

/** What the worker does to the index, and what becomes of full blocks, which are as wide as they can be. */
const UPKEEP = {
  index: [INDEX],
  orders: [INDEX, ORDERS],
  clear: [
    INDEX,
    'SELECT search_restrict(id, live | deleted) FROM search_blocks WHERE account_id = $1 AND length(used) > 0',
  ],
  split: [
    `UPDATE search_blocks SET used = search_width(used, 8192), live = search_width(live, 8192),
                              deleted = search_width(deleted, 8192) WHERE account_id = $1 AND length(used) > 0`,
    `SELECT search_split(id) FROM (
       SELECT id FROM search_blocks WHERE account_id = $1 AND bit_count(live | deleted) > 1 ORDER BY id LIMIT 1) AS block`,
  ],
  renew: ['UPDATE search_orders SET most_sliced = 0 WHERE account_id = $1 AND is_complete', ORDERS],
};

function toDocument(given: Fields, userId: string): ModelDocument {
  return {
    ...given,
    id: encodeId('document', newUuid()),
    content: '',
    status: 'draft',
    metadata: {},
    createdBy: userId,
    templateId: null,
    createdAt: given.updatedAt,
  };
}

async function compare(
  api: ApiClient,
  documents: readonly ModelDocument[],
  query: ModelQuery,
  {
    sort,
    order,
    limit,
    page: number,
  }: { sort: string; order: string; limit: number; page: number },
): Promise<void> {
  const expected = sorted(scan(documents, query), sort, order);
  const first = (number - 1) * limit;
  const response = await ask(api, query, { sort, order, limit, page: number });
  expect(idsOf(response)).toEqual(expected.slice(first, first + limit));
  const { total, nextCursor } = response.body.meta.pagination as {
    total: number;
    nextCursor: string | null;
  };
  expect(total).toBe(expected.length);
  if (nextCursor === null) return;
  const next = await ask(api, query, { sort, order, limit, cursor: nextCursor });
  expect(idsOf(next)).toEqual(expected.slice(first + limit, first + 2 * limit));
}

function idsOf(response: Awaited<ReturnType<typeof ask>>): string[] {
  return (expectSuccess(response) as Listed[]).map(({ id }) => id);
}

describe('matches of a large account', () => {
  it('come in the order of a field as in a full scan in memory, however far the index has followed', async () => {
    let used = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fields, { minLength: 20, maxLength: 40 }),
        fc.array(step, { minLength: 5, maxLength: 20 }),
        fc.array(fc.tuple(asked, page), { minLength: 12, maxLength: 12 }),
        async (beginning, steps, queries) => {
          const { api, accountId, user } = await app.account();
          const documents: ModelDocument[] = [];
          const start: Step[] = [{ kind: 'insert', documents: beginning }, { kind: 'index' }];
          const orders: Step[] = Array.from({ length: 3 }, () => ({ kind: 'orders' }));
          for (const one of [...start, ...orders, ...steps])
            await perform(accountId, user.id, documents, one);
          for (const [query, paging] of queries) await compare(api, documents, query, paging);
          const [{ n }] = await app.dataSource.query(
            'SELECT count(*)::int AS n FROM search_orders WHERE account_id = $1 AND is_complete',
            [accountId],
          );
          used += n as number;
        },
      ),
      { numRuns: 25, endOnFailure: true },
    );
    expect(used).toBe(75);
  });
});
