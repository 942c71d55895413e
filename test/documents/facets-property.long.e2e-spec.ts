import fc from 'fast-check';
import { Config } from '../../src/config/config.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { askFacets } from './asked-facets.js';
import { ChangingDocuments, type Change, type Fields } from './changing-documents.js';
import { updateIndex } from './document-rows.js';
import { countFacets, scan, type ModelQuery } from './search-model.js';

/** Two processes of the API, each with a memory of its own. */
let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  replica = await startTestApp({ databaseUrl: app.app.get(Config).databaseUrl });
});
afterAll(async () => {
  await replica.close();
  await app.close();
});

const TYPES = ['report', 'article', 'document'];
const TAGS = ['a', 'b', 'c'];

/** Some find more than 1,000 documents, whose facets are counted another way than those of fewer. */
const QUERIES: ModelQuery[] = [
  {},
  { type: 'report' },
  { type: 'article' },
  { status: 'draft' },
  { status: 'archived' },
  { type: 'report', status: 'draft' },
  { tag: ['a'] },
  { tag: ['a'], type: 'report', q: ['alpha'] },
  { q: ['alpha'] },
  { q: ['bravo'] },
  { deleted: true },
  { createdBefore: '2026-01-01T12:00:00.000Z' },
];

const fields: fc.Arbitrary<Fields> = fc.record({
  type: fc.constantFrom(...TYPES),
  content: fc.constantFrom('alpha', 'bravo', 'alpha bravo'),
  metadata: fc.record(
    {
      tags: fc.subarray(TAGS),
      department: fc.constantFrom('sales', 'legal'),
      project: fc.constantFrom('x', 'y'),
    },
    { requiredKeys: [] },
  ),
});

const pick = fc.nat(10_000);
type Step = Change | { op: 'ask'; query: number; second: number } | { op: 'index'; most: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('ask'),
      query: fc.nat(QUERIES.length - 1),
      second: fc.nat(1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('create'), fields }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('change'), pick, fields }) },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constantFrom('delete', 'restore', 'remove', 'archive'), pick }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('load'), fields }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('index'), most: fc.constantFrom(1, 3, 1_000) }),
  },
);

describe('facets between any changes', () => {
  it('are what a count in memory says, the first time and the second, whoever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 60 }), async (steps) => {
        const { api, accountId, user, key } = await app.account();
        const clients = [api, replica.api(key)];
        const model = new ChangingDocuments(app.dataSource, accountId, user.id);
        await model.load(1_400, (n) => ({
          type: n % 6 === 0 ? 'article' : 'report',
          content: n % 7 === 0 ? 'bravo' : 'alpha',
          metadata: { tags: n % 5 === 0 ? ['b'] : ['a', 'c'], project: n % 2 === 0 ? 'x' : 'y' },
        }));
        for (const [n, taken] of steps.entries()) {
          const client = clients[n % 2] ?? api;
          if (taken.op === 'index') {
            await updateIndex(app.dataSource, accountId, taken.most);
          } else if (taken.op !== 'ask') {
            await model.do(taken, client);
          } else {
            const query = QUERIES[taken.query] ?? {};
            const expected = countFacets(scan(model.documents, query));
            expect(await askFacets(client, query)).toEqual(expected);
            expect(await askFacets(clients[taken.second] ?? api, query)).toEqual(expected);
          }
        }
        for (const query of QUERIES) {
          const expected = countFacets(scan(model.documents, query));
          for (const client of clients) expect(await askFacets(client, query)).toEqual(expected);
        }
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });
});
