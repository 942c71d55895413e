import fc from 'fast-check';
import { PublishingSettlement } from '../../src/features/documents/publishing/publishing-settlement.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import { recordsIn } from '../archive/account-state.js';
import { expectRefused, sealed, type ArchiveRecord } from '../archive/tampering.js';
import { updateIndex } from '../documents/document-rows.js';
import { HOUR_MS, listReleases, putSchedule } from '../releases/releases-api.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { exportedArchive, importedArchive } from '../support/jobs.js';
import { propertyRuns } from '../support/property-runs.js';
import {
  act,
  acted,
  eventsOf,
  newDocument,
  patched,
  publishingAccount,
  putPublishing,
  type PublishedDocument,
} from './publishing-api.js';

const WITH_WORKER = {
  environment: { PROCESS_ROLE: 'all' },
  stopClock: false,
  modules: [BackgroundTasksModule],
};

let here: TestApp;
let there: TestApp;
beforeAll(async () => {
  [here, there] = await Promise.all([startTestApp(WITH_WORKER), startTestApp(WITH_WORKER)]);
});
afterAll(() => Promise.all([here.close(), there.close()]));

/** Lets the worker work until it has looked at all documents of an account, as if its settings had been changed an hour ago. */
async function settled(
  app: TestApp,
  { api, accountId }: Awaited<ReturnType<TestApp['account']>>,
): Promise<void> {
  await app.dataSource.query(
    `UPDATE publishing_settings SET updated_at = updated_at - interval '1 hour' WHERE account_id = $1`,
    [accountId],
  );
  const worker = app.app.get(PublishingSettlement, { strict: false });
  await eventually(
    async () => {
      await worker.runBatch();
      return expectSuccess(await api.send('GET', '/v1/publishing')) as { settled: boolean };
    },
    (settings) => settings.settled,
    10_000,
  );
}

async function imported(api: ApiClient, archive: string): Promise<void> {
  const job = await importedArchive(api, archive);
  expect(job).toMatchObject({ status: 'succeeded', error: null });
}

const publishedVersion = (api: ApiClient, id: string) =>
  api.send('GET', `/v1/documents/${id}?version=published`);

/** Returns what readers get, as the API returns it, without the IDs of people. */
async function liveTexts(api: ApiClient): Promise<string[]> {
  const listed = expectSuccess(
    await api.send('GET', '/v1/documents?perspective=published&order=asc&limit=100'),
  ) as { id: string }[];
  const read = listed.map(async ({ id }) => (await publishedVersion(api, id)).text);
  return (await Promise.all(read)).map(comparable);
}

const comparable = (text: string) =>
  text
    .replace(/"id":"(user|col)_[^"]*"/g, '"id":"$1"')
    .replace(/"collectionId":"[^"]*"/g, '"collectionId":"col"')
    .replace(/"name":"[^"]*"/g, '"name":""')
    .replace(/,"meta":\{"requestId".*$/s, '');

async function historyOf(api: ApiClient, id: string): Promise<object[]> {
  const listed = await api.send('GET', `/v1/documents/${id}/publications?order=asc&limit=100`);
  return (expectSuccess(listed) as { publishedBy: object | null }[]).map((publication) => ({
    ...publication,
    publishedBy: publication.publishedBy !== null,
  }));
}

describe('an archive of an account that publishes', () => {
  it('restores what readers get, the drafts beside it and all publications, and nothing else goes live', async () => {
    const rules = [{ types: ['report'], checks: { errors: 0 }, override: 'admin' }];
    const settings = { cacheSeconds: 60, sharedCache: true, rules };
    const { api } = await publishingAccount(here, settings);
    const edited = await newDocument(api, { title: 'Edited', content: 'One.' });
    await acted(api, edited, 'publish');
    await patched(api, edited, { content: 'Secret three.', metadata: { tags: ['secret'] } });
    await patched(api, edited, { title: 'Secret four' });
    const back = await newDocument(api, { title: 'Rolled back', content: 'Alpha.' });
    await patched(api, back, { content: 'Beta.', metadata: { tags: ['a'], n: 1 } });
    await acted(api, back, 'publish');
    await acted(api, back, 'publish', { version: 1 });
    const current = await newDocument(api, { title: 'Current', externalId: 'crm/1' });
    await acted(api, current, 'publish');
    await patched(api, current, { content: 'Twice.' });
    await acted(api, current, 'publish');
    const ended = await newDocument(api, { title: 'Unpublished' });
    await acted(api, ended, 'publish');
    await acted(api, ended, 'unpublish');
    const trashed = await newDocument(api, { title: 'Trashed', content: 'Shown again.' });
    await acted(api, trashed, 'publish');
    await patched(api, trashed, { content: 'Secret.' });
    expectSuccess(await api.deleteDocument(trashed.id));
    await newDocument(api, { title: 'Secret draft' });
    const publishAt = new Date(Date.now() + HOUR_MS).toISOString();
    expectSuccess(await putSchedule(api, edited, { publishAt }));
    const documents = [edited, back, current, ended];
    const live = await liveTexts(api);
    expect(live).toHaveLength(3);

    const archive = await exportedArchive(api);
    const records = recordsIn(archive);
    expect(records[0]).toMatchObject({ version: 3, counts: { publishing: 1, publication: 7 } });
    expect(records.find(({ record }) => record === 'publishing')).toMatchObject({
      enabled: true,
      ...settings,
    });

    const target = await there.account();
    const { api: other, accountId } = target;
    await imported(other, archive);
    await settled(there, target);
    expect(await liveTexts(other)).toEqual(live);
    expect(expectSuccess(await other.send('GET', '/v1/publishing'))).toMatchObject({
      enabled: true,
      ...settings,
    });
    for (const { id } of documents) {
      const states = [await api.readDocument(id), await other.readDocument(id)];
      const [before, after] = states.map(
        (response) => expectSuccess(response) as PublishedDocument,
      );
      expect(after?.published).toEqual(before?.published);
      expect(after?.content).toBe(before?.content);
      expect(await historyOf(other, id)).toEqual(await historyOf(api, id));
      const tags = [await publishedVersion(api, id), await publishedVersion(other, id)];
      expect(tags[1]?.headers['etag']).toBe(tags[0]?.headers['etag']);
    }
    expect(expectSuccess(await other.readDocument(edited.id))).toMatchObject({
      version: 4,
      title: 'Secret four',
      published: { version: 2, changed: true },
    });
    expect((await publishedVersion(other, trashed.id)).status).toBe(404);
    expectSuccess(await other.restoreDocument(trashed.id));
    expect((await publishedVersion(other, trashed.id)).body.data).toMatchObject({
      content: 'Shown again.',
    });
    expect(await eventsOf(other, edited, 'document.published')).toEqual([]);
    const [counted] = await there.dataSource.query(
      `SELECT (SELECT sum(count)::integer FROM row_counts WHERE account_id = $1 AND kind = 'publications') AS shown,
              (SELECT count(*)::integer FROM document_labels WHERE account_id = $1 AND label LIKE 'p%') AS labels`,
      [accountId],
    );
    expect(counted).toEqual({ shown: 4, labels: 0 });
    // Otherwise, both services would publish it.
    expect([await listReleases(api), await listReleases(other)]).toMatchObject([[{}], []]);
    // The next publication continues the numbers.
    await acted(other, back, 'publish');
    expect(await historyOf(other, back.id)).toMatchObject([
      { number: 1 },
      { number: 2 },
      { number: 3, version: 3, endedAt: null },
    ]);
  });

  it('finds published words after the import, and no words of drafts', async () => {
    const { api } = await publishingAccount(here);
    const document = await newDocument(api, { title: 'Plan', content: 'oranges' });
    await patched(api, document, { metadata: { tags: ['shown'] } });
    await acted(api, document, 'publish');
    await patched(api, document, { content: 'lemons', metadata: { tags: ['hidden'] } });
    const { api: other } = await there.account();
    await imported(other, await exportedArchive(api));
    const found = async (query: string) => {
      const path = `/v1/documents?perspective=published&${query}`;
      return (expectSuccess(await other.send('GET', path)) as object[]).length;
    };
    expect([await found('q=lemons'), await found('tag=hidden')]).toEqual([0, 0]);
    expect(await found('tag=shown')).toBe(1);
    await updateIndex(there);
    expect([await found('q=oranges'), await found('q=lemons')]).toEqual([1, 0]);
  });

  it('gives documents whose ID is taken a new one, with their publications', async () => {
    const { api } = await publishingAccount(here);
    const document = await newDocument(api, { title: 'Plan', content: 'One.' });
    await acted(api, document, 'publish');
    await patched(api, document, { content: 'Two.' });
    const { api: other } = await here.account();
    const job = await importedArchive(other, await exportedArchive(api));
    expect(job.result?.summary.newIds.document).toBe(1);
    const [listed] = expectSuccess(
      await other.send('GET', '/v1/documents?perspective=published'),
    ) as [{ id: string }];
    expect(listed.id).not.toBe(document.id);
    expect((await publishedVersion(other, listed.id)).body.data).toMatchObject({ content: 'One.' });
    expect(await historyOf(other, listed.id)).toEqual(await historyOf(api, document.id));
  });

  it('restores more publications than one batch', async () => {
    const { api, accountId } = await publishingAccount(here);
    const document = await newDocument(api, { title: 'Plan' });
    await acted(api, document, 'publish');
    await here.dataSource.query(
      `WITH moved AS (
         UPDATE publication_history SET number = 2101 WHERE document_id IN (SELECT id FROM documents WHERE account_id = $1)
         RETURNING document_id, account_id, published_at
       ), shown AS (UPDATE publications SET number = 2101 WHERE account_id = $1)
       INSERT INTO publication_history (document_id, number, account_id, version, published_at, ended_at)
       SELECT document_id, number, account_id, 1, published_at - interval '1 day', published_at FROM moved, generate_series(1, 2100) AS number`,
      [accountId],
    );
    const second = await newDocument(api, { title: 'Second' });
    await acted(api, second, 'publish');
    const live = await liveTexts(api);
    const { api: other } = await there.account();
    await imported(other, await exportedArchive(api));
    expect(await historyOf(other, document.id)).toEqual(await historyOf(api, document.id));
    const shown = await liveTexts(other);
    // The rows above say that readers got the document a day earlier.
    expect(shown[1]).toBe(live[1]);
    expect(JSON.parse(`${shown[0] ?? ''}}`).data.content).toBe('');
  });

  it('restores what readers get after any history of edits, publications, rollbacks and moves to the trash', async () => {
    const action = fc.constantFrom('edit', 'publish', 'rollback', 'unpublish', 'discard', 'status');
    const history = fc.array(action, { minLength: 1, maxLength: 10 });
    const documents = fc.array(fc.record({ history, isInTrash: fc.boolean() }), {
      minLength: 3,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(documents, async (plans) => {
        const { api } = await publishingAccount(here);
        const made = await Promise.all(plans.map((plan, place) => written(api, plan, place)));
        const live = await liveTexts(api);
        const { api: other } = await there.account();
        await imported(other, await exportedArchive(api));
        expect(await liveTexts(other)).toEqual(live);
        for (const { id } of made.filter((_, place) => plans[place]?.isInTrash)) {
          for (const client of [api, other]) expectSuccess(await client.restoreDocument(id));
        }
        expect(await liveTexts(other)).toEqual(await liveTexts(api));
        for (const { id } of made)
          expect(await historyOf(other, id)).toEqual(await historyOf(api, id));
      }),
      { numRuns: propertyRuns(20) },
    );
  });

  it('of an account that turned publishing off has its settings and publications, but nothing is live', async () => {
    const account = await publishingAccount(here);
    const { api } = account;
    const document = await newDocument(api, { title: 'Plan' });
    await acted(api, document, 'publish');
    await putPublishing(api, { enabled: false, cacheSeconds: 5 });
    const target = await there.account();
    const { api: other } = target;
    // Readers get nothing any more, even if the worker has not removed the published version yet.
    await imported(other, await exportedArchive(api));
    await settled(there, target);
    expect(expectSuccess(await other.send('GET', '/v1/publishing'))).toMatchObject({
      enabled: false,
      cacheSeconds: 5,
    });
    const read = expectSuccess(await other.readDocument(document.id));
    expect(read).toMatchObject({ status: 'published' });
    expect(read).not.toHaveProperty('published');
    expect(await historyOf(other, document.id)).toMatchObject([{ endedAt: expect.any(String) }]);
  });

  it.each<[string, string, (line: ArchiveRecord) => void, RegExp]>([
    [
      'a pin without settings',
      'publishing',
      (line) => (line['record'] = 'webhook'),
      /published needs/,
    ],
    [
      'a pin of a later version',
      'document',
      (line) => (line['published'].version = 9),
      /a version of the document/,
    ],
    ['a pin of a draft', 'document', (line) => (line['status'] = 'draft'), /must be missing/],
    [
      'another pin than publication',
      'publication',
      (line) => (line['version'] = 1),
      /version must be 2/,
    ],
    [
      'a gap between publications',
      'publication',
      (line) => (line['number'] = 4),
      /number must be 3/,
    ],
    [
      'a publication that ended',
      'publication',
      (line) => void (line['endedAt'] = line['publishedAt'] as string),
      /endedAt must be null/,
    ],
    [
      'a publication of another document',
      'publication',
      (line) => (line['documentId'] = 'doc_01m8btz0pje5jrjf3cb2rgn6j5'),
      /documentId/,
    ],
    ['too long a cache', 'publishing', (line) => (line['cacheSeconds'] = 86_401), /cacheSeconds/],
    ['a rule without checks', 'publishing', (line) => (line['rules'] = [{}]), /rules/],
    [
      'a future publication',
      'publication',
      (line) => (line['publishedAt'] = '2999-01-01T00:00:00.000Z'),
      /future/,
    ],
  ])('is refused as a whole with %s', async (_, record, change, message) => {
    const records = recordsIn(await archiveOfOne());
    change(records.find((line) => line['record'] === record) ?? {});
    await expectRefused(there, sealed(records), undefined, message);
  });

  it('is refused as a whole if a publication is missing or repeated', async () => {
    const records = recordsIn(await archiveOfOne());
    const first = records.findIndex(({ record }) => record === 'publication');
    const missing = records.toSpliced(first + 1, 1);
    await expectRefused(there, sealed(missing), first + 2, /number must be 2/);
    const cut = records.toSpliced(first + 2, 1);
    await expectRefused(there, sealed(cut), first + 3, /must be a publication/);
    const none = records.toSpliced(first, 3);
    await expectRefused(there, sealed(none), first + 1, /must be a publication/);
    const repeated = records.toSpliced(first + 2, 0, records[first + 2] ?? {});
    await expectRefused(there, sealed(repeated), first + 4, /no more publications/);
    const settings = records.findIndex(({ record }) => record === 'publishing');
    const twice = records.toSpliced(settings, 0, records[settings] ?? {});
    await expectRefused(there, sealed(twice), settings + 2, /an archive has once/);
  });
});

interface Plan {
  history: string[];
  isInTrash: boolean;
}

/** Creates a document with this history. Actions that its status does not allow are refused. */
async function written(
  api: ApiClient,
  { history, isInTrash }: Plan,
  place: number,
): Promise<PublishedDocument> {
  const document = await newDocument(api, {
    title: `Document ${String(place)}`,
    content: 'First.',
  });
  const actions: Record<string, (step: number) => Promise<unknown>> = {
    edit: (step) =>
      api.patchDocument(document.id, {
        content: `Edit ${String(step)}.`,
        metadata: { tags: [`t${String(step)}`] },
      }),
    publish: () => act(api, document, 'publish'),
    rollback: (step) => act(api, document, 'publish', { version: 1 + Math.floor(step / 2) }),
    unpublish: () => act(api, document, 'unpublish'),
    discard: () => act(api, document, 'discard'),
    status: () => api.patchDocument(document.id, { status: 'published' }),
  };
  for (const [step, action] of history.entries()) await actions[action]?.(step);
  if (isInTrash) expectSuccess(await api.deleteDocument(document.id));
  return document;
}

/** Returns the archive of a document with three publications. The current one has version 2 of 4. */
async function archiveOfOne(): Promise<string> {
  const { api } = await publishingAccount(here);
  const document = await newDocument(api, { title: 'Plan' });
  await acted(api, document, 'publish');
  await patched(api, document, { content: 'Longer.' });
  await acted(api, document, 'publish');
  await acted(api, document, 'publish', { version: 2 });
  await patched(api, document, { content: 'Draft.' });
  return exportedArchive(api);
}

describe('an archive of an account that has never changed its publishing settings', () => {
  it('has the same records as before, and no trace of publishing', async () => {
    const { api } = await here.account();
    const document = await newDocument(api, { title: 'Plan' });
    await patched(api, document, { status: 'published' });
    const archive = await exportedArchive(api);
    const [header, ...records] = recordsIn(archive);
    expect(header).toMatchObject({ version: 1 });
    expect(Object.keys(header?.['counts'] as object)).toEqual([
      'member',
      'key',
      'webhook',
      'template',
      'templateVersion',
      'document',
      'version',
      'auditEntry',
    ]);
    const line = records.find(({ record }) => record === 'document');
    expect(Object.keys(line ?? {})).toEqual([
      'record',
      'id',
      'templateId',
      'version',
      'createdAt',
      'updatedAt',
      'createdBy',
      'deletedAt',
      'title',
      'type',
      'content',
      'status',
      'metadata',
      'aiSettings',
      'externalId',
      'wordCount',
      'changes',
      'author',
    ]);
    const { api: other } = await there.account();
    await imported(other, archive);
    expect(expectSuccess(await other.send('GET', '/v1/publishing'))).toMatchObject({
      enabled: false,
      updatedAt: null,
    });
  });

  it('imported into an account that publishes: documents with the status published are published like those of a switch', async () => {
    const { api } = await here.account();
    const document = await newDocument(api, { title: 'Live', content: 'Shown.' });
    await patched(api, document, { status: 'published' });
    const draft = await newDocument(api, { title: 'Draft' });
    const archive = await exportedArchive(api);
    const target = await publishingAccount(there);
    const { api: other } = target;
    await settled(there, target);
    await imported(other, archive);
    await settled(there, target);
    expect((await publishedVersion(other, document.id)).body.data).toMatchObject({
      content: 'Shown.',
      version: 2,
    });
    expect((await publishedVersion(other, draft.id)).status).toBe(404);
  });
});
