import { strFromU8, unzipSync } from 'fflate';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { endOf, jobWhen, type ShownJob } from '../support/jobs.js';
import { createTestDatabase } from '../support/postgres.js';
import { move, newCollection, newMember, setAccess, UNKNOWN } from './collections-api.js';

const WITH_WORKER = { environment: { PROCESS_ROLE: 'all' }, stopClock: false };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let app: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp({ ...WITH_WORKER, databaseUrl: database.url });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

async function created(api: ApiClient, body: object): Promise<string> {
  return (expectSuccess(await api.createDocument(body), 201) as { id: string }).id;
}

const order = (api: ApiClient, id: string) => api.send('POST', `/v1/collections/${id}/export`);

/** Returns the texts in the zip of a job by path. */
async function filesOf(api: ApiClient, job: ShownJob): Promise<Record<string, string>> {
  expect(job).toMatchObject({ status: 'succeeded', error: null });
  const { headers, bytes } = await api.readJobResult(job.id, { 'accept-encoding': 'identity' });
  expect(headers['content-type']).toBe('application/zip');
  const files = Object.entries(unzipSync(new Uint8Array(bytes)));
  return Object.fromEntries(files.map(([path, content]) => [path, strFromU8(content)]));
}

describe('The export of a collection', () => {
  it('is a zip of Markdown files in the folders of the collection', async () => {
    const { api } = await app.account();
    const reports = await newCollection(api, 'Reports');
    const july = await newCollection(api, '07/July: <final>', reports.id);
    await created(api, { title: 'At the root' });
    await created(api, { title: 'Plan', content: '# One', collectionId: reports.id });
    await created(api, { title: 'plan', content: 'Two', collectionId: reports.id });
    await created(api, { title: 'Plan (2)', content: 'Three', collectionId: reports.id });
    await created(api, {
      title: 'Über "uns"',
      type: 'report',
      content: 'Vier',
      metadata: { tags: ['a'] },
      collectionId: july.id,
    });
    const deleted = await created(api, { title: 'Deleted', collectionId: reports.id });
    expectSuccess(await api.deleteDocument(deleted));

    const accepted = await order(api, reports.id);
    expect(accepted.status).toBe(202);
    const job = await endOf(api, accepted);
    expect(job).toMatchObject({
      kind: 'collection.export',
      progress: { done: 4, total: 4 },
      result: {
        fileName: 'Reports.zip',
        summary: { documents: 4, collections: [reports.id, july.id] },
      },
    });
    const files = await filesOf(api, job);
    expect(Object.keys(files).sort()).toEqual([
      '07 July final/Über uns.md',
      'Plan (2) (2).md',
      'Plan.md',
      'plan (2).md',
    ]);
    expect(files['Plan.md']).toMatch(/^---\ntitle: "?Plan"?\n.*\n---\n# One$/s);
    expect(files['07 July final/Über uns.md']).toContain('metadata: {"tags":["a"]}');
  });

  it('is empty for an empty collection, and 404 for an unknown one', async () => {
    const { api } = await app.account();
    const { id } = await newCollection(api);
    expect(await filesOf(api, await endOf(api, await order(api, id)))).toEqual({});
    expectFailure(await order(api, UNKNOWN), 404, 'NOT_FOUND');
    expectFailure(await order((await app.account()).api, id), 404, 'NOT_FOUND');
  });

  it('has more documents than one batch, each once', async () => {
    const { api } = await app.account();
    const { id } = await newCollection(api);
    const content = 'long '.repeat(200_000);
    for (let n = 0; n < 6; n += 1) await created(api, { title: 'Long', content, collectionId: id });
    const files = await filesOf(api, await endOf(api, await order(api, id)));
    expect(Object.keys(files)).toHaveLength(6);
    expect(Object.values(files).every((text) => text.endsWith(content))).toBe(true);
  });

  it('has only what the person who ordered it can see', async () => {
    const account = await app.account();
    const { api } = account;
    const member = await newMember(app, account);
    const open = await newCollection(api, 'Open');
    const secret = await newCollection(api, 'Secret', open.id);
    const below = await newCollection(api, 'Below', secret.id);
    for (const [title, collection] of [
      ['In open', open],
      ['In secret', secret],
      ['In below', below],
    ] as const)
      await created(api, { title, collectionId: collection.id });
    await setAccess(api, secret, { everyone: null, people: [] });
    // Visible, but not below a collection that the member sees.
    await setAccess(api, below, { everyone: 'viewer', people: [] });
    expectFailure(await order(member.api, secret.id), 404, 'NOT_FOUND');
    const job = await endOf(member.api, await order(member.api, open.id));
    expect(Object.keys(await filesOf(member.api, job))).toEqual(['In open.md']);
    expect(JSON.stringify(job)).not.toContain(secret.id);
    const own = await endOf(api, await order(api, open.id));
    expect(Object.keys(await filesOf(api, own)).sort()).toEqual([
      'In open.md',
      'Secret/Below/In below.md',
      'Secret/In secret.md',
    ]);
    // Only the members who see all documents read the jobs of others.
    expectFailure(await member.api.readJob(own.id), 404, 'NOT_FOUND');
    expectFailure(await member.api.readJobResult(own.id), 404, 'NOT_FOUND');
  });

  it('is 404 for who ordered it once one of its collections is hidden', async () => {
    const account = await app.account();
    const { api } = account;
    const member = await newMember(app, account);
    const folder = await newCollection(api, 'Folder');
    const inner = await newCollection(api, 'Inner', folder.id);
    await created(api, { title: 'Inside', collectionId: inner.id });
    const job = await endOf(member.api, await order(member.api, folder.id));
    expect(Object.keys(await filesOf(member.api, job))).toEqual(['Inner/Inside.md']);
    await setAccess(api, inner, { everyone: null, people: [] });
    expectFailure(await member.api.readJobResult(job.id), 404, 'NOT_FOUND');
    expectFailure(await member.api.readJob(job.id), 404, 'NOT_FOUND');
    await setAccess(api, inner, null);
    expect(Object.keys(await filesOf(member.api, job))).toEqual(['Inner/Inside.md']);
  });
});

describe('The export of a collection that waits for a worker', () => {
  let idle: TestApp;
  let waiting: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    waiting = await createTestDatabase();
    idle = await startTestApp({ stopClock: false, databaseUrl: waiting.url });
  });
  afterAll(async () => {
    await idle.close();
    await waiting.drop();
  });

  it('fails if its right, membership or key is gone when it runs, and leaves out what has become hidden', async () => {
    const account = await idle.account();
    const { api } = account;
    const [kept, unshared, left, revoked] = [
      await newMember(idle, account),
      await newMember(idle, account),
      await newMember(idle, account),
      await newMember(idle, account),
    ];
    const folder = await newCollection(api, 'Folder');
    const inner = await newCollection(api, 'Inner', folder.id);
    const elsewhere = await newCollection(api, 'Elsewhere');
    await created(api, { title: 'Inside', collectionId: folder.id });
    await created(api, { title: 'Hidden later', collectionId: inner.id });
    const people = [kept, unshared, left, revoked].map(({ userId }) => ({
      userId,
      right: 'viewer' as const,
    }));
    await setAccess(api, folder, { everyone: null, people });
    await setAccess(api, elsewhere, { everyone: null, people: [] });
    const ids: string[] = [];
    for (const { api: client } of [kept, unshared, left, revoked]) {
      const accepted = await order(client, folder.id);
      ids.push((expectSuccess(accepted, 202) as { id: string }).id);
    }
    await setAccess(api, folder, {
      everyone: null,
      people: people.filter(({ userId }) => userId !== unshared.userId),
    });
    expectSuccess(await move(api, inner, elsewhere.id));
    await idle.dataSource.query('DELETE FROM members WHERE user_id = $1', [left.uuid]);
    await idle.dataSource.query('UPDATE api_keys SET revoked_at = now() WHERE user_id = $1', [
      revoked.uuid,
    ]);
    const worker = await startTestApp({ ...WITH_WORKER, databaseUrl: waiting.url });
    try {
      const jobs = await Promise.all(
        ids.map((id) => jobWhen(api, id, ({ finishedAt }) => finishedAt !== null)),
      );
      expect(jobs.map(({ status, error }) => [status, error?.code])).toEqual([
        ['succeeded', undefined],
        ['failed', 'NOT_FOUND'],
        ['failed', 'NOT_FOUND'],
        ['failed', 'NOT_FOUND'],
      ]);
      const [job] = jobs;
      if (!job) throw new Error('There is no job.');
      expect(Object.keys(await filesOf(api, job))).toEqual(['Inside.md']);
    } finally {
      await worker.close();
    }
  });
});
