import fc from 'fast-check';
import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { insertRows, updateIndex } from './document-rows.js';
import { MODEL_LITERALS, MODEL_WORDS } from './model-words.js';
import {
  ask,
  expectFacets,
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
  await expectFacets(api, asked, matching);
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

const changes = fc.record(
  {
    title: text(4).map((title) => title || 'untitled'),
    content: text(4),
    type: fc.constantFrom('report', 'article'),
    metadata: fc.record({ tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }) }),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('create'), fields: changes, at: fc.nat(9) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('change'), fields: changes, at: fc.nat(99) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('delete'), fields: changes, at: fc.nat(99) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('restore'), fields: changes, at: fc.nat(99) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('remove'), fields: changes, at: fc.nat(99) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const QUERIES: ModelQuery[] = [
  {},
  { type: ['report'] },
  { tag: ['a'] },
  { q: ['alpha'] },
  { q: ['bravo', 'delta'], type: ['document'] },
  { deleted: true },
  { deleted: true, q: ['kilo'] },
  { q: ['cafe'] },
  { q: ['"alpha 東京"'] },
  { q: ['AT&T'] },
  { q: ["don't", '京'] },
  { updatedAfter: '2026-01-01T00:00:00.000Z', tag: ['b'] },
];

async function take(
  api: ApiClient,
  documents: ModelDocument[],
  { do: what, fields, at }: Step,
): Promise<void> {
  app.clock.advance(at % 3 === 0 ? 0 : 1000 * 60 * 50);
  const document = documents[at % Math.max(documents.length, 1)];
  if (what === 'create') {
    documents.push(
      modelOf(expectSuccess(await api.createDocument({ title: 't', ...fields }), 201)),
    );
  } else if (document && what === 'change' && !document.deleted) {
    const changed = modelOf(expectSuccess(await api.patchDocument(document.id, fields)));
    Object.assign(document, changed);
  } else if (document && what === 'delete' && !document.deleted) {
    expectSuccess(await api.deleteDocument(document.id));
    document.deleted = true;
  } else if (document?.deleted && what === 'restore') {
    expectSuccess(await api.restoreDocument(document.id));
    document.deleted = false;
  } else if (document && what === 'remove') {
    expectSuccess(await api.deleteDocument(document.id, { permanent: true }));
    documents.splice(documents.indexOf(document), 1);
  }
}

function modelOf(data: unknown): ModelDocument {
  const { createdBy, ...document } = data as Omit<ModelDocument, 'createdBy'> & {
    createdBy: { id: string };
  };
  return { ...document, createdBy: createdBy.id, deleted: false };
}

it('search, filters and facets between any changes find and count what a full scan in memory does, words once the index has caught up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 50 }), async (steps) => {
      const { api } = await app.account();
      const documents: ModelDocument[] = [];
      for (const [index, one] of steps.entries()) {
        await take(api, documents, one);
        const query = QUERIES[index % QUERIES.length] ?? {};
        if (query.q) await updateIndex(app);
        const response = await ask(api, query, { limit: 100 });
        const found = (expectSuccess(response) as Listed[]).map(({ id }) => id);
        const sort = query.q ? undefined : 'created_at';
        const expected = sorted(scan(documents, query), 'created_at', 'desc');
        expect(sort ? found : [...found].sort()).toEqual(sort ? expected : expected.sort());
        expect(response.body.meta.pagination.total).toBe(expected.length);
        expect(response.body.meta.warnings).toBeUndefined();
        await expectFacets(api, query, scan(documents, query));
      }
    }),
    { numRuns: drillCount({ small: 2, full: 5 }), endOnFailure: true },
  );
});
