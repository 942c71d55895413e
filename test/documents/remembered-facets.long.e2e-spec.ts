import { Config } from '../../src/config/config.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { askFacets } from './asked-facets.js';
import { ChangingDocuments } from './changing-documents.js';
import { updateIndex } from './document-rows.js';
import { ask, countFacets, type ModelDocument, type ModelQuery } from './search-model.js';

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
      const counted = await askFacets(api, query);
      expect(counted['type']).toEqual(new Map([['report', n + 1]]));
      await other.api.createDocument({ title: 'of somebody else' });
      // The index follows the documents: that changes none of them.
      await updateIndex(app.dataSource, accountId);
      await withoutCounting(async () => {
        expect(await askFacets(api, query)).toEqual(counted);
        expectFailure(
          await ask(elsewhere, query, {}, '/v1/documents/facets'),
          500,
          'INTERNAL_ERROR',
        );
      });
      expect(await askFacets(elsewhere, query)).toEqual(counted);
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
      expect((await askFacets(api, {}))['type']).toEqual(countFacets(listed)['type']);
    }
  });

  it('are those of all that is committed, in whichever order transactions end', async () => {
    const { api, accountId } = await app.account();
    const { id } = expectSuccess(await api.createDocument({ title: 'one' }), 201) as { id: string };
    await updateIndex(app.dataSource, accountId);
    const types = async () => Object.fromEntries((await askFacets(api, {}))['type'] ?? []);
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
    expect((await askFacets(api, query))['type']).toEqual(new Map([['document', 1]]));
    const model = new ChangingDocuments(app.dataSource, accountId, user.id);
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
    for (let n = 0; n < 2; n += 1) expect((await askFacets(api, query))['type']).toEqual(counted);

    const phrase = '/v1/documents/facets?q=-%22alpha+bravo%22';
    await withFunction('search_afford(bigint)', NOTHING_AFFORDED, async () => {
      for (let n = 0; n < 2; n += 1) {
        const refused = await api.send('GET', phrase);
        expectFailure(refused, 400, 'INVALID_REQUEST');
        expect(refused.body.error.message).toMatch(/^q: excludes a phrase/);
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
        const counted = (await askFacets(client, query))['type']?.get('report') ?? 0;
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
      expect((await askFacets(client, {}))['type']).toEqual(
        new Map([['report', creates.done - deletes.done]]),
      );
    }
  });
});
