import { PublishingSettlement } from '../../src/features/documents/publishing/publishing-settlement.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import { FakeSessionsModule, signIn } from '../auth/fake-sessions.js';
import { makeKey } from '../support/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import {
  acted,
  eventsOf,
  newDocument,
  patched,
  putPublishing,
  type PublishedDocument,
} from './publishing-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [BackgroundTasksModule, FakeSessionsModule] });
});
afterAll(() => app.close());

/** Runs the worker until it has no more to do. */
async function settle(): Promise<void> {
  const task = app.app.get(PublishingSettlement, { strict: false });
  let mayBeMore = true;
  while (mayBeMore) mayBeMore = await task.runBatch();
}

async function settleLater(): Promise<void> {
  await settle();
  app.clock.advance(60_000);
  await settle();
}

describe('turning publishing on and off', () => {
  it.each([
    ['owner', 200],
    ['admin', 200],
    ['member', 403],
    ['viewer', 403],
  ] as const)('by a person with the role %s: %i', async (role, status) => {
    const account = await app.account();
    const person = await signIn(app, account, role);
    const response = await person.send('PUT', '/v1/publishing', { body: { enabled: true } });
    expect(response.status).toBe(status);
    const settings = expectSuccess(await person.send('GET', '/v1/publishing'));
    expect(settings).toMatchObject({ enabled: status === 200 });
  });

  it('needs a key with all scopes', async () => {
    const account = await app.account();
    const { key } = await makeKey(app.dataSource, account, {
      scopes: ['documents:write', 'keys:write'],
    });
    const api = app.api(key);
    const response = await api.send('PUT', '/v1/publishing', { body: { enabled: true } });
    expectFailure(response, 403, 'FORBIDDEN');
    expect(response.body.error.details.requiredScopes).toEqual(['*']);
  });

  it('publishes the current version of published documents, also in the trash, without events, and nothing else', async () => {
    const { api, accountId } = await app.account();
    const documents = await Promise.all(
      ['One', 'Two', 'Three'].map((title) => newDocument(api, { title })),
    );
    const [one, two, draft] = documents as [
      PublishedDocument,
      PublishedDocument,
      PublishedDocument,
    ];
    await patched(api, one, { status: 'published', externalId: 'one' });
    await patched(api, one, { title: 'One, revised' });
    await patched(api, two, { status: 'published' });
    expectSuccess(await api.deleteDocument(two.id));
    expect(await putPublishing(api, { enabled: true })).toMatchObject({ settled: false });
    await settle();
    expect(expectSuccess(await api.send('GET', '/v1/publishing'))).toMatchObject({
      settled: false,
    });
    app.clock.advance(60_000);
    await settle();
    expect(expectSuccess(await api.send('GET', '/v1/publishing'))).toMatchObject({ settled: true });
    expect(expectSuccess(await api.readDocument(one.id))).toMatchObject({
      version: 3,
      published: { version: 3, changed: false },
    });
    expect(expectSuccess(await api.restoreDocument(two.id))).toMatchObject({
      published: { version: 2, changed: false },
    });
    expect(expectSuccess(await api.readDocument(draft.id))).not.toHaveProperty('published');
    expect(await eventsOf(api, one, 'document.published')).toHaveLength(1);
    const stored = await app.dataSource.query(
      'SELECT title, external_id, number, deleted_at FROM publications WHERE account_id = $1 ORDER BY title',
      [accountId],
    );
    expect(stored).toEqual([
      { title: 'One, revised', external_id: 'one', number: 1, deleted_at: null },
      { title: 'Two', external_id: null, number: 1, deleted_at: null },
    ]);
  });

  it('handles more documents than one batch, and removes published versions but no statuses', async () => {
    const { api, accountId } = await app.account();
    const { id } = await newDocument(api, { title: 'First' });
    await patched(api, { id }, { status: 'published' });
    // As many as three batches, created at the same time.
    await app.dataSource.query(
      `INSERT INTO documents (id, account_id, title, type, content, excerpt, status, metadata, ai_settings, word_count,
                              version, created_by, created_at, updated_at)
       SELECT gen_random_uuid(), account_id, title, type, content, excerpt, status, metadata, ai_settings, word_count, version,
              created_by, created_at, updated_at
         FROM documents CROSS JOIN generate_series(1, 450) WHERE account_id = $1`,
      [accountId],
    );
    const count = async () => {
      const [row] = await app.dataSource.query<Record<string, number>[]>(
        `SELECT (SELECT count(*) FROM publications WHERE account_id = $1)::integer AS publications,
                (SELECT count(*) FROM documents WHERE account_id = $1 AND published_version IS NOT NULL)::integer AS pins,
                (SELECT count(*) FROM documents WHERE account_id = $1 AND status = 'published')::integer AS published,
                (SELECT coalesce(sum(count), 0) FROM row_counts WHERE account_id = $1 AND kind = 'publications')::integer AS counted`,
        [accountId],
      );
      return row;
    };
    await putPublishing(api, { enabled: true });
    await settleLater();
    expect(await count()).toEqual({
      publications: 451,
      pins: 451,
      published: 451,
      counted: 451,
    });
    await putPublishing(api, { enabled: false });
    await settleLater();
    expect(await count()).toEqual({ publications: 0, pins: 0, published: 451, counted: 0 });
    await putPublishing(api, { enabled: true });
    await settleLater();
    const [, second] = expectSuccess(
      await api.send('GET', `/v1/documents/${id}/publications?order=asc`),
    ) as any[];
    expect(second).toMatchObject({ number: 2, publishedBy: null, endedAt: null });
  });

  it('a document that is published meanwhile is published once', async () => {
    const { api } = await app.account();
    const draft = await newDocument(api, { title: 'Plan' });
    await putPublishing(api, { enabled: true });
    await acted(api, draft, 'publish');
    await settleLater();
    const publications = expectSuccess(
      await api.send('GET', `/v1/documents/${draft.id}/publications`),
    );
    expect(publications).toHaveLength(1);
  });
});

describe('a published document', () => {
  it('in the trash has no publication for readers; a purge and the removal of the account leave nothing', async () => {
    const { api, accountId } = await app.account();
    await putPublishing(api, { enabled: true });
    const draft = await newDocument(api, { title: 'Plan', metadata: { tags: ['a'] } });
    await acted(api, draft, 'publish');
    expectSuccess(await api.deleteDocument(draft.id));
    const rows = async (sql: string) => app.dataSource.query<object[]>(sql, [accountId]);
    expect(
      await rows('SELECT deleted_at IS NULL AS shown FROM publications WHERE account_id = $1'),
    ).toEqual([{ shown: false }]);
    expectSuccess(await api.deleteDocument(draft.id, { permanent: true }));
    expect(
      await rows(`SELECT 'publication' FROM publications WHERE account_id = $1
        UNION ALL SELECT 'history' FROM publication_history WHERE account_id = $1
        UNION ALL SELECT label FROM document_labels WHERE account_id = $1`),
    ).toEqual([]);
    const other = await newDocument(api, { title: 'Plan', metadata: { tags: ['a'] } });
    await acted(api, other, 'publish');
    for (let removed = 1; removed > 0;) {
      const [row] = await app.dataSource.query(
        'SELECT remove_account_rows($1, 1000)::integer AS removed',
        [accountId],
      );
      removed = row.removed;
    }
    expect(
      await rows(`SELECT 'publication' FROM publications WHERE account_id = $1
        UNION ALL SELECT 'settings' FROM publishing_settings WHERE account_id = $1
        UNION ALL SELECT 'words' FROM publication_texts WHERE account_id = $1
        UNION ALL SELECT kind FROM row_counts WHERE account_id = $1`),
    ).toEqual([]);
  });
});
