import fc from 'fast-check';
import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { insertRows, updateIndex } from './document-rows.js';
import { MODEL_LITERALS, MODEL_WORDS } from './model-words.js';
import {
  ask,
  countFacets,
  scan,
  sorted,
  type ModelDocument,
  type ModelQuery,
} from './search-model.js';
import type { Listed } from './walk.js';
import { drillCount } from '../support/drills.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const TYPES = ['document', 'report', 'article', 'research', 'technical'];
const STATUSES = ['draft', 'in_review', 'published', 'archived'];
const TAGS = ['a', 'b', 'c', 'a=b', ' ', '', 'Ä', '/', "o'clock"];
const DEPARTMENTS = ['Sales', 'sales', 'R&D', ''];
const TEMPLATES = [newUuid(), newUuid()].map((uuid) => encodeId('template', uuid));

const text = (most: number) =>
  fc.array(fc.constantFrom(...MODEL_WORDS), { maxLength: most }).map((words) => words.join(' '));
const moment = fc
  .integer({ min: 0, max: 40 })
  .map((step) =>
    new Date(Date.UTC(2026, 0, 1) + step * 7 * 60 * 60 * 1000 + (step % 3)).toISOString(),
  );

const metadata = fc.record(
  {
    tags: fc.array(fc.constantFrom(...TAGS), { maxLength: 3 }),
    department: fc.constantFrom(...DEPARTMENTS),
    project: fc.constantFrom('x', 'y'),
    region: fc.oneof(fc.constantFrom('eu', 'us', '5', 'true'), fc.constantFrom(5, true, null)),
    nested: fc.record({ list: fc.array(fc.constantFrom('p', 'q', 7), { maxLength: 2 }) }),
    'nested.list': fc.constantFrom('p', 'z'),
  },
  { requiredKeys: [] },
);

/** Few different times and titles, so there are ties. */
function document(users: readonly string[]): fc.Arbitrary<Omit<ModelDocument, 'id'>> {
  return fc
    .record({
      title: text(2).map((title) => title || 'untitled'),
      content: text(12),
      type: fc.constantFrom(...TYPES),
      status: fc.constantFrom(...STATUSES),
      metadata,
      createdBy: fc.constantFrom(...users),
      templateId: fc.option(fc.constantFrom(...TEMPLATES)),
      createdAt: moment,
      updatedAt: moment,
      deleted: fc.boolean(),
    })
    .map((fields) => ({
      ...fields,
      wordCount: fields.content === '' ? 0 : fields.content.split(' ').length,
    }));
}

const some = (...values: string[]) =>
  fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });

function query(users: readonly string[]): fc.Arbitrary<ModelQuery> {
  return fc.record(
    {
      type: some(...TYPES),
      status: some(...STATUSES),
      tag: fc.array(fc.constantFrom(...TAGS), { minLength: 1, maxLength: 2 }),
      department: some(...DEPARTMENTS),
      project: some('x', 'y', 'none'),
      metadata: fc.dictionary(
        fc.constantFrom('region', 'nested.list', 'tags', 'nothing'),
        some('eu', '5', 'true', 'p', 'z', 'a', 'null'),
        { maxKeys: 2 },
      ),
      createdBy: some(...users),
      templateId: some(...TEMPLATES),
      createdAfter: moment,
      createdBefore: moment,
      updatedAfter: moment,
      updatedBefore: moment,
      deleted: fc.boolean(),
      q: fc.array(fc.constantFrom(...MODEL_LITERALS), { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
}

const page = fc.record({
  sort: fc.constantFrom('created_at', 'updated_at', 'title', 'word_count'),
  order: fc.constantFrom('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 30 }),
  page: fc.integer({ min: 1, max: 5 }),
});

/** Most queries have one or two conditions, so they find something. */
function fewConditions(asked: ModelQuery, keep: number): ModelQuery {
  const names = Object.keys(asked) as (keyof ModelQuery)[];
  const kept = names.filter((_, index) => (index * 7 + keep) % names.length < 2);
  return Object.fromEntries(kept.map((name) => [name, asked[name]]));
}

async function compare(
  api: ApiClient,
  documents: readonly ModelDocument[],
  asked: ModelQuery,
  paging: { sort: string; order: string; limit: number; page: number },
): Promise<void> {
  const matching = scan(documents, asked);
  const expected = sorted(matching, paging.sort, paging.order);
  const response = await ask(api, asked, paging);
  const ids = (expectSuccess(response) as Listed[]).map(({ id }) => id);
  const first = (paging.page - 1) * paging.limit;
  expect(ids).toEqual(expected.slice(first, first + paging.limit));
  const { total, nextCursor } = response.body.meta.pagination as {
    total: number;
    nextCursor: string | null;
  };
  expect(total).toBe(expected.length);
  expect(nextCursor === null).toBe(first + paging.limit >= expected.length);
  if (nextCursor !== null) {
    const { sort, order, limit } = paging;
    const next = await ask(api, asked, { sort, order, limit, cursor: nextCursor });
    const nextIds = (expectSuccess(next) as Listed[]).map(({ id }) => id);
    expect(nextIds).toEqual(expected.slice(first + limit, first + 2 * limit));
    expect(next.body.meta.pagination.total).toBe(expected.length);
  }
  await compareFacets(api, matching, asked);
}

async function compareFacets(
  api: ApiClient,
  matching: readonly ModelDocument[],
  asked: ModelQuery,
): Promise<void> {
  const response = await ask(api, asked, {}, '/v1/documents/facets');
  const facets = expectSuccess(response) as Record<string, { value: string; count: number }[]>;
  const counted = Object.fromEntries(
    Object.entries(facets).map(([facet, values]) => [
      facet,
      new Map(values.map(({ value, count }) => [value, count])),
    ]),
  );
  expect(counted).toEqual(countFacets(matching));
  for (const values of Object.values(facets)) {
    const counts = values.map(({ count }) => count);
    expect(counts).toEqual([...counts].sort((one, other) => other - one));
  }
}

it('filters, sorts and pages find what a full scan in memory finds', async () => {
  const account = await app.account();
  const [mine, stranger] = [account.user.id, (await app.account()).user.id];
  const users = [mine, stranger];
  await fc.assert(
    fc.asyncProperty(
      fc.array(document(users), { minLength: 30, maxLength: 80 }),
      fc.array(fc.tuple(query(users), page, fc.nat(20)), { minLength: 25, maxLength: 25 }),
      async (generated, queries) => {
        const documents = generated.map((fields) => ({
          ...fields,
          id: encodeId('document', newUuid()),
        }));
        const { api, accountId } = await app.account();
        await insertRows(app.dataSource, accountId, documents);
        await updateIndex(app);
        for (const [asked, paging, keep] of queries) {
          const ids = documents.slice(keep, keep + 12).map(({ id }) => id);
          const named = keep % 3 === 0 && ids.length > 0 ? { ids: ids.reverse() } : {};
          await compare(api, documents, { ...fewConditions(asked, keep), ...named }, paging);
        }
      },
    ),
    { numRuns: drillCount({ small: 2, full: 6 }), endOnFailure: true },
  );
});
