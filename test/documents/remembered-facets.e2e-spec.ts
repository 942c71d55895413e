import fc from 'fast-check';
import { Config } from '../../src/config/config.js';
import { encodeId, newUuid } from '../../src/identifiers/identifiers.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { insertRows, updateIndex } from './document-rows.js';
import { ask, countFacets, scan, type ModelDocument, type ModelQuery } from './search-model.js';

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

type Counts = Record<string, Map<string, number>>;

async function facets(api: ApiClient, query: ModelQuery): Promise<Counts> {
  const response = await ask(api, query, {}, '/v1/documents/facets');
  const shown = expectSuccess(response) as Record<string, { value: string; count: number }[]>;
  return Object.fromEntries(
    Object.entries(shown).map(([facet, values]) => [
      facet,
      new Map(values.map(({ value, count }) => [value, count])),
    ]),
  );
}

/** Does something while the database cannot count facets. */
async function withoutCounting(work: () => Promise<void>): Promise<void> {
  await app.dataSource.query('ALTER FUNCTION search_facets RENAME TO search_facets_away');
  try {
    await work();
  } finally {
    await app.dataSource.query('ALTER FUNCTION search_facets_away RENAME TO search_facets');
  }
}

/** Does something while another function stands in the place of one of the database. */
async function withFunction(
  signature: string,
  replacement: string,
  work: () => Promise<void>,
): Promise<void> {
  const [{ real }] = await app.dataSource.query(
    'SELECT pg_get_functiondef($1::regprocedure) AS real',
    [signature],
  );
  await app.dataSource.query(replacement);
  try {
    await work();
  } finally {
    await app.dataSource.query(real as string);
  }
}

/** As while other processes put many documents into the index. */
const NO_UPDATE = `CREATE OR REPLACE FUNCTION search_update(account uuid, most integer, patient boolean)
  RETURNS integer LANGUAGE sql AS $$ SELECT -1 FROM pg_sleep(0.2) $$`;
const NOTHING_AFFORDED = `CREATE OR REPLACE FUNCTION search_afford(texts bigint) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE EXCEPTION 'too dear' USING ERRCODE = 'SB002'; END $$`;

describe('facets that were counted', () => {
  it('are not counted again by a process until a document of the account changes', async () => {
    const { api, accountId, key } = await app.account();
    const other = await app.account();
    const elsewhere = replica.api(key);
    const created = await api.createDocument({ title: 'first', type: 'report' });
    const { id } = expectSuccess(created, 201) as { id: string };
    // An account of which nothing was indexed yet has no state to go by.
    await updateIndex(app.dataSource, accountId);
    for (const [n, query] of [{}, { type: 'report' }, { q: ['first'] }].entries()) {
      if (n > 0) await api.createDocument({ title: 'first', type: 'report' });
      const counted = await facets(api, query);
      expect(counted['type']).toEqual(new Map([['report', n + 1]]));
      await other.api.createDocument({ title: 'of somebody else' });
      // The index follows the documents: that changes none of them.
      await updateIndex(app.dataSource, accountId);
      await withoutCounting(async () => {
        expect(await facets(api, query)).toEqual(counted);
        expectFailure(
          await ask(elsewhere, query, {}, '/v1/documents/facets'),
          500,
          'INTERNAL_ERROR',
        );
      });
      expect(await facets(elsewhere, query)).toEqual(counted);
    }
    for (const change of [
      () => api.patchDocument(id, { type: 'article' }),
      () => api.deleteDocument(id),
      () => api.restoreDocument(id),
      () => elsewhere.patchDocument(id, { type: 'report' }),
    ]) {
      expect((await change()).status).toBeLessThan(300);
      await withoutCounting(async () => {
        expect((await ask(api, {}, {}, '/v1/documents/facets')).status).toBe(500);
      });
      const listed = (await api.listDocuments()).body.data as ModelDocument[];
      expect((await facets(api, {}))['type']).toEqual(countFacets(listed)['type']);
    }
  });

  it('are those of all that is committed, in whichever order transactions end', async () => {
    const { api, accountId } = await app.account();
    const { id } = expectSuccess(await api.createDocument({ title: 'one' }), 201) as { id: string };
    await updateIndex(app.dataSource, accountId);
    const types = async () => Object.fromEntries((await facets(api, {}))['type'] ?? []);
    for (const [end, expected] of [
      ['ROLLBACK', { document: 2 }],
      ['COMMIT', { document: 2, report: 1 }],
    ] as const) {
      const late = app.dataSource.createQueryRunner();
      try {
        // Noted before the others, and committed after them.
        await late.query('BEGIN');
        await late.query(
          `UPDATE documents SET type = 'report' WHERE account_id = $1 AND title = 'one'`,
          [accountId],
        );
        await api.createDocument({ title: 'another' });
        expect((await types())['report']).toBeUndefined();
        await late.query(end);
        expect(await types()).toEqual(expected);
      } finally {
        await late.release();
      }
    }
    // A document that waits already changes again.
    for (const type of ['article', 'technical', 'article']) {
      await api.patchDocument(id, { type });
      expect(await types()).toEqual({ document: 2, [type]: 1 });
    }
    await updateIndex(app.dataSource, accountId);
    expect(await types()).toEqual({ document: 2, article: 1 });
  });

  it('are refused, not given from memory, while the index is too far behind or a search is too dear', async () => {
    const { api, accountId, user } = await app.account();
    await api.createDocument({ title: 'alpha bravo' });
    await updateIndex(app.dataSource, accountId);
    const query = { q: ['alpha'] };
    expect((await facets(api, query))['type']).toEqual(new Map([['document', 1]]));
    const model = new Model(accountId, user.id);
    const fields = { type: 'report', content: 'alpha', metadata: {} };
    await withFunction('search_update(uuid, integer, boolean)', NO_UPDATE, async () => {
      await model.load(120, () => fields);
      const refused = await ask(api, query, {}, '/v1/documents/facets');
      expectFailure(refused, 503, 'INTERNAL_ERROR');
      expect(refused.headers['retry-after']).toBe('5');
    });
    const counted = new Map([
      ['report', 120],
      ['document', 1],
    ]);
    for (let n = 0; n < 2; n += 1) expect((await facets(api, query))['type']).toEqual(counted);

    const phrase = '/v1/documents/facets?q=%22alpha+bravo%22';
    await withFunction('search_afford(bigint)', NOTHING_AFFORDED, async () => {
      for (let n = 0; n < 2; n += 1) {
        const refused = await api.send('GET', phrase);
        expectFailure(refused, 400, 'INVALID_REQUEST');
        expect(refused.body.error.message).toMatch(/^q: has a phrase/);
      }
    });
    expectSuccess(await api.send('GET', phrase));
  }, 30_000);

  it('are never older than the documents of the moment of a request, with writers, workers and two processes at it', async () => {
    const { api, accountId, key } = await app.account();
    const clients = [api, replica.api(key)];
    const creates = { begun: 0, done: 0 };
    const deletes = { begun: 0, done: 0 };
    let isWriting = true;
    const write = async (client: ApiClient) => {
      for (let n = 0; n < 60; n += 1) {
        creates.begun += 1;
        const created = await client.createDocument({ title: 'one', type: 'report' });
        const { id } = expectSuccess(created, 201) as { id: string };
        creates.done += 1;
        if (n % 3 > 0) continue;
        deletes.begun += 1;
        expectSuccess(await client.deleteDocument(id));
        deletes.done += 1;
      }
    };
    const work = async () => {
      while (isWriting) {
        await updateIndex(app.dataSource, accountId, 1 + (creates.done % 9));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    let reads = 0;
    const read = async (client: ApiClient, query: ModelQuery) => {
      while (isWriting) {
        const least = creates.done - deletes.begun;
        const counted = (await facets(client, query))['type']?.get('report') ?? 0;
        expect(counted).toBeGreaterThanOrEqual(least);
        expect(counted).toBeLessThanOrEqual(creates.begun - deletes.done);
        reads += 1;
      }
    };
    const readers = clients.flatMap((client) => [
      read(client, {}),
      read(client, { type: 'report' }),
      read(client, { q: ['one'] }),
    ]);
    const worker = work();
    try {
      await Promise.all([...clients, ...clients].map(write));
    } finally {
      isWriting = false;
      await Promise.all([worker, ...readers]);
    }
    expect(reads).toBeGreaterThan(50);
    for (const client of clients) {
      expect((await facets(client, {}))['type']).toEqual(
        new Map([['report', creates.done - deletes.done]]),
      );
    }
  });
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

type Fields = Pick<ModelDocument, 'type' | 'content' | 'metadata'>;

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

type Step =
  | { op: 'ask'; query: number; second: number }
  | { op: 'create'; fields: Fields }
  | { op: 'change'; pick: number; fields: Fields }
  | { op: 'delete' | 'restore' | 'remove' | 'archive'; pick: number }
  | { op: 'load'; fields: Fields }
  | { op: 'index'; most: number };

const pick = fc.nat(10_000);
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

/** Documents of an account in memory, which change as those in the service do. */
class Model {
  readonly documents: ModelDocument[] = [];
  private loaded = 0;

  constructor(
    private readonly accountId: string,
    private readonly createdBy: string,
  ) {}

  /** So many documents in one statement: from 500 on they are in the index at once. */
  async load(number: number, fieldsOf: (n: number) => Fields): Promise<void> {
    const rows = Array.from({ length: number }, (_, n) => {
      const moment = new Date(Date.UTC(2026, 0, 1) + (this.loaded + n) * 60_000).toISOString();
      return {
        ...fieldsOf(n),
        id: encodeId('document', newUuid()),
        title: 'loaded',
        status: n % 9 === 0 ? 'archived' : 'draft',
        createdBy: this.createdBy,
        templateId: null,
        wordCount: 1,
        createdAt: moment,
        updatedAt: moment,
        deleted: false,
      };
    });
    this.loaded += number;
    await insertRows(app.dataSource, this.accountId, rows);
    this.documents.push(...rows);
  }

  async do(taken: Exclude<Step, { op: 'ask' | 'index' }>, api: ApiClient): Promise<void> {
    if (taken.op === 'load') {
      await this.load(600, (n) => (n % 2 === 0 ? taken.fields : { ...taken.fields, metadata: {} }));
    } else if (taken.op === 'create') {
      const created = await api.createDocument({ title: 'created', ...taken.fields });
      this.documents.push(this.known(created, taken.fields));
    } else {
      const wanted = this.documents.filter(
        ({ deleted }) => deleted === (taken.op === 'restore' || taken.op === 'remove'),
      );
      const found = wanted[taken.pick % Math.max(1, wanted.length)];
      if (found) await this.change(found, taken, api);
    }
  }

  private async change(
    found: ModelDocument,
    taken: Exclude<Step, { op: 'ask' | 'index' | 'load' | 'create' }>,
    api: ApiClient,
  ): Promise<void> {
    const { id } = found;
    if (taken.op === 'change') {
      const { type, content, metadata } = taken.fields;
      const replaced = await api.replaceDocument(id, { title: 'changed', type, content, metadata });
      Object.assign(found, this.known(replaced, taken.fields));
    } else if (taken.op === 'archive') {
      // Not every status may become another one.
      const patched = await api.patchDocument(id, { status: 'archived' });
      if (patched.status === 200) found.status = 'archived';
    } else if (taken.op === 'remove') {
      expectSuccess(await api.deleteDocument(id, { permanent: true }));
      this.documents.splice(this.documents.indexOf(found), 1);
    } else {
      const answer = taken.op === 'delete' ? api.deleteDocument(id) : api.restoreDocument(id);
      expectSuccess(await answer);
      found.deleted = taken.op === 'delete';
    }
  }

  private known({ body, status }: ApiResponse, { content, metadata, type }: Fields): ModelDocument {
    expect(status).toBeLessThan(300);
    const data = body.data as ModelDocument;
    return { ...data, content, metadata, type, deleted: false };
  }
}

describe('facets between any changes', () => {
  it('are what a count in memory says, the first time and the second, whoever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 60 }), async (steps) => {
        const { api, accountId, user, key } = await app.account();
        const clients = [api, replica.api(key)];
        const model = new Model(accountId, user.id);
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
            expect(await facets(client, query)).toEqual(expected);
            expect(await facets(clients[taken.second] ?? api, query)).toEqual(expected);
          }
        }
        for (const query of QUERIES) {
          const expected = countFacets(scan(model.documents, query));
          for (const client of clients) expect(await facets(client, query)).toEqual(expected);
        }
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });
});
