import fc from 'fast-check';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { updateIndex } from './document-rows.js';
import { MODEL_WORDS } from './model-words.js';
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

const text = fc
  .array(fc.constantFrom(...MODEL_WORDS), { maxLength: 4 })
  .map((words) => words.join(' '));
const changes = fc.record(
  {
    title: text.map((title) => title || 'untitled'),
    content: text,
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

function countsOf(data: unknown): ReturnType<typeof countFacets> {
  const facets = data as Record<string, { value: string; count: number }[]>;
  return Object.fromEntries(
    Object.entries(facets).map(([facet, values]) => [
      facet,
      new Map(values.map(({ value, count }) => [value, count])),
    ]),
  );
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
        const counted = await ask(api, query, {}, '/v1/documents/facets');
        expect(countsOf(expectSuccess(counted))).toEqual(countFacets(scan(documents, query)));
      }
    }),
    { numRuns: drillCount({ small: 2, full: 5 }), endOnFailure: true },
  );
});
