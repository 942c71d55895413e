import { BackgroundTasksModule } from '../../src/worker.module.js';
import { ReleaseExecution } from '../../src/features/releases/release-execution.js';
import { ReleaseRetention } from '../../src/features/releases/release-retention.js';
import { decodeId, encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { newCollection, newMember } from '../collections/collections-api.js';
import {
  act,
  acted,
  eventsOf,
  newDocument,
  patched,
  publishingAccount,
  putPublishing,
  type PublishedDocument,
} from '../publishing/publishing-api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import type { ApiClient } from '../support/api-client.js';
import {
  actOn,
  HOUR_MS,
  inHours,
  liveText,
  newRelease,
  patchRelease,
  previewOf,
  publishing,
  readRelease,
  runDue,
  unpublishing,
  type ShownRelease,
} from './releases-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [BackgroundTasksModule] });
});
afterAll(() => app.close());

/** Moves the time of the service and publishes what is due. */
async function later(hours: number): Promise<void> {
  app.clock.advance(hours * HOUR_MS);
  await runDue(app);
}

type Five = [
  PublishedDocument,
  PublishedDocument,
  PublishedDocument,
  PublishedDocument,
  PublishedDocument,
];

const texts = (api: ApiClient, documents: { id: string }[]) =>
  Promise.all(documents.map((document) => liveText(api, document)));

interface AuditEntry {
  action: string;
  details: object;
}

interface ReleaseEvent {
  type: string;
  data: { release: ShownRelease };
  actor: { keyId: string } | null;
  requestId: string | null;
}

const releaseEvents = async (api: ApiClient) =>
  expectSuccess(
    await api.send('GET', '/v1/events?type=release.published&type=release.failed&order=asc'),
  ) as ReleaseEvent[];

describe('a scheduled release', () => {
  it('publishes the versions that were current when it was scheduled, all at its time and not before', async () => {
    const { api } = await publishingAccount(app);
    const one = await newDocument(api, { title: 'One', content: 'One.' });
    const two = await newDocument(api, { title: 'Two', content: 'Two.' });
    const live = await newDocument(api, { title: 'Live', content: 'Live.' });
    await acted(api, live, 'publish');
    const release = await newRelease(api, {
      publishAt: inHours(app, 2),
      items: [publishing(two), publishing(one), unpublishing(live)],
    });
    expect(release).toMatchObject({
      status: 'scheduled',
      items: [
        { id: two.id, action: 'publish', version: 1, outcome: null, problems: [] },
        { id: one.id, version: 1 },
        { id: live.id, action: 'unpublish', version: null },
      ],
    });
    await patched(api, one, { content: 'Secret.' });
    await later(1.99);
    expect(await texts(api, [one, two, live])).toEqual([undefined, undefined, 'Live.']);
    await later(0.01);
    expect(await texts(api, [one, two, live])).toEqual(['One.', 'Two.', undefined]);
    const done = await readRelease(api, release);
    expect(done).toMatchObject({ status: 'published', version: 2 });
    expect(done.items.map(({ outcome, version }) => [outcome, version])).toEqual([
      ['published', 1],
      ['published', 1],
      ['unpublished', null],
    ]);
    expect(done.finishedAt).toBe(release.publishAt);
    expect(expectSuccess(await api.readDocument(one.id))).toMatchObject({
      content: 'Secret.',
      status: 'published',
      published: { version: 1, changed: true },
    });
  });

  it('has the release in the events of its documents, and an event of its own after them', async () => {
    const { api, accountId } = await publishingAccount(app);
    const one = await newDocument(api, { title: 'One', content: 'One.' });
    const live = await newDocument(api, { title: 'Live' });
    await acted(api, live, 'publish');
    const { id } = await newRelease(api, {
      publishAt: inHours(app, 1),
      items: [publishing(one), unpublishing(live)],
    });
    await later(1);
    const [published] = await eventsOf(api, one, 'document.published');
    expect(published).toMatchObject({
      actor: null,
      requestId: null,
      data: {
        document: { content: 'One.' },
        published: { version: 2, number: 1, releaseId: id },
      },
    });
    const [unpublished] = await eventsOf(api, live, 'document.unpublished');
    expect(unpublished?.data.published).toMatchObject({ releaseId: id });
    const [event, ...others] = await releaseEvents(api);
    expect(others).toEqual([]);
    expect(event?.data.release).toEqual(await readRelease(api, { id }));
    const order = await app.dataSource.query<{ type: string }[]>(
      'SELECT type FROM events WHERE account_id = $1 ORDER BY position DESC LIMIT 1',
      [accountId],
    );
    expect(order).toEqual([{ type: 'release.published' }]);
    const entries = expectSuccess(
      await api.send('GET', '/v1/audit?order=asc&limit=100'),
    ) as AuditEntry[];
    expect(
      entries.filter(({ action }) => /release|publish/.test(action)).map(({ action }) => action),
    ).toEqual([
      'document.publish',
      'release.create',
      'document.unpublish',
      'document.publish',
      'release.publish',
    ]);
    expect(entries.at(-1)).toMatchObject({ details: { by: 'service' }, actor: null });
    const publications = entries.filter(({ action }) => action === 'document.publish');
    expect(publications[1]?.details).toMatchObject({ releaseId: id });
  });

  it.each([
    ['in the trash', 'document'],
    ['permanently deleted', 'document'],
    ['archived', 'status'],
  ])('fails with the reason if a document is %s, and publishes nothing', async (what, check) => {
    const { api } = await publishingAccount(app);
    const good = await newDocument(api, { title: 'Good', content: 'Good.' });
    const bad = await newDocument(api, { title: 'Bad' });
    const live = await newDocument(api, { title: 'Live', content: 'Live.' });
    await acted(api, live, 'publish');
    const release = await newRelease(api, {
      publishAt: inHours(app, 1),
      items: [publishing(good), unpublishing(live), publishing(bad)],
    });
    if (what === 'archived') await patched(api, bad, { status: 'archived' });
    else expectSuccess(await api.deleteDocument(bad.id));
    if (what === 'permanently deleted')
      expectSuccess(await api.send('DELETE', `/v1/documents/${bad.id}?permanent=true`));
    await later(1);
    const failed = await readRelease(api, release);
    expect(failed).toMatchObject({ status: 'failed', version: 2 });
    expect(failed.items.map(({ outcome, problems }) => [outcome, problems.length])).toEqual([
      [null, 0],
      [null, 0],
      [null, 1],
    ]);
    expect(failed.items[2]?.problems[0]).toEqual({ check, issue: expect.any(String) });
    expect(await texts(api, [good, live])).toEqual([undefined, 'Live.']);
    expect(expectSuccess(await api.readDocument(good.id))).toMatchObject({ version: 1 });
    const [event] = await releaseEvents(api);
    expect(event).toMatchObject({ type: 'release.failed', data: { release: { id: release.id } } });
    expect(await eventsOf(api, good, 'document.published')).toEqual([]);
    await later(1);
    expect(await releaseEvents(api)).toHaveLength(1);
  });

  it('fails if publishing was turned off, and waits while the account is suspended', async () => {
    const { api, accountId } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'One' });
    const items = [publishing(document)];
    const first = await newRelease(api, { publishAt: inHours(app, 1), items });
    const second = await newRelease(api, { publishAt: inHours(app, 3), items });
    await putPublishing(api, { enabled: false });
    await later(1);
    expect(await readRelease(api, first)).toMatchObject({
      status: 'failed',
      items: [{ problems: [{ check: 'publishing' }] }],
    });
    await putPublishing(api, { enabled: true });
    const suspend = (at: Date | null) =>
      app.dataSource.query('UPDATE accounts SET suspended_at = $2 WHERE id = $1', [accountId, at]);
    await suspend(app.clock.now());
    await later(3);
    await suspend(null);
    expect(await readRelease(api, second)).toMatchObject({ status: 'scheduled' });
    await later(0);
    expect(await readRelease(api, second)).toMatchObject({ status: 'published' });
  });

  it('fails if it is more than 24 hours late', async () => {
    const { api } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'One' });
    const items = [publishing(document)];
    const late = await newRelease(api, { publishAt: inHours(app, 1), items });
    const justInTime = await newRelease(api, { publishAt: inHours(app, 1.02), items });
    await later(25.01);
    expect(await readRelease(api, late)).toMatchObject({
      status: 'failed',
      items: [{ problems: [{ check: 'late' }] }],
    });
    expect(await readRelease(api, justInTime)).toMatchObject({ status: 'published' });
  });

  it('skips documents of which this or a newer version was published since, but not those that were rolled back', async () => {
    const { api } = await publishingAccount(app);
    const titles = ['Same', 'Newer', 'Older', 'Unpublished', 'Untouched'];
    const documents = await Promise.all(
      titles.map((title) => newDocument(api, { title, content: '1' })),
    );
    const [same, newer, older, unpublished, untouched] = documents as Five;
    await acted(api, older, 'publish');
    for (const document of documents) await patched(api, document, { content: '2' });
    await acted(api, unpublished, 'publish');
    const release = await newRelease(api, {
      publishAt: inHours(app, 1),
      items: [
        publishing(same),
        publishing(newer),
        publishing(older),
        unpublishing(unpublished),
        publishing(untouched, 1),
      ],
    });
    await acted(api, same, 'publish');
    await patched(api, newer, { content: '3' });
    await acted(api, newer, 'publish');
    await acted(api, older, 'publish', { version: 1 });
    await acted(api, unpublished, 'unpublish');
    await later(1);
    const { status, items } = await readRelease(api, release);
    expect([status, items.map(({ outcome }) => outcome)]).toEqual([
      'published',
      ['superseded', 'superseded', 'published', 'superseded', 'published'],
    ]);
    expect(await texts(api, documents)).toEqual(['2', '3', '2', undefined, '1']);
    expect(await eventsOf(api, same, 'document.published')).toHaveLength(1);
  });

  it('still skips documents of which a newer version was published, after others were added', async () => {
    const { api } = await publishingAccount(app);
    const first = await newDocument(api, { title: 'First', content: '1' });
    const second = await newDocument(api, { title: 'Second', content: '1' });
    const third = await newDocument(api, { title: 'Third', content: '1' });
    const release = await newRelease(api, {
      publishAt: inHours(app, 1),
      items: [publishing(first), publishing(third)],
    });
    for (const document of [first, third]) {
      await patched(api, document, { content: '2' });
      await acted(api, document, 'publish');
    }
    // The first is sent back as it was read, and the third is scheduled anew.
    const without = [publishing(first, 1), publishing(second)];
    for (const items of [without, [...without, publishing(third, 1)]])
      expectSuccess(await patchRelease(api, release, { items }));
    const previews = await previewOf(api, release);
    expect(previews.map(({ superseded }) => superseded)).toEqual([true, false, false]);
    await later(1);
    expect(await texts(api, [first, second, third])).toEqual(['2', '1', '1']);
  });

  it('still runs if who scheduled it has left, and if a document was moved', async () => {
    const account = await publishingAccount(app);
    const { api, uuid } = await newMember(app, account);
    const document = await newDocument(api, { title: 'One', content: 'One.' });
    const release = await newRelease(api, {
      publishAt: inHours(app, 1),
      items: [publishing(document)],
    });
    const { id: collectionId } = await newCollection(account.api, 'Other');
    await patched(account.api, document, { collectionId });
    await app.dataSource.query('DELETE FROM members WHERE user_id = $1', [uuid]);
    expectFailure(await api.send('GET', `/v1/releases/${release.id}`), 401, 'UNAUTHORIZED');
    await later(1);
    expect(await readRelease(account.api, release)).toMatchObject({ status: 'published' });
    expect(await liveText(account.api, document)).toBe('One.');
  });

  it('publishes in an account whose plan limits documents, by hand and at its time', async () => {
    const { api } = await app.account({ plan: 'free' });
    await putPublishing(api, { enabled: true });
    const documents = await Promise.all(
      ['One', 'Two'].map((title) => newDocument(api, { title, content: title })),
    );
    const items = documents.map((document) => publishing(document));
    expectSuccess(await actOn(api, await newRelease(api, { items }), 'publish'));
    const ending = documents.map((document) => unpublishing(document));
    await newRelease(api, { publishAt: inHours(app, 1), items: ending });
    expect(await texts(api, documents)).toEqual(['One', 'Two']);
    await later(1);
    expect(await texts(api, documents)).toEqual([undefined, undefined]);
  });

  it('publishes more documents than one statement does, with older versions among them', async () => {
    const { api } = await publishingAccount(app);
    const documents = [];
    for (let n = 0; n < 45; n += 1)
      documents.push(await newDocument(api, { title: `Text ${String(n)}`, content: String(n) }));
    const [first] = documents as Five;
    await acted(api, first, 'publish');
    await newRelease(api, {
      publishAt: inHours(app, 1),
      items: documents.map((document) => publishing(document)),
    });
    for (const document of documents.slice(0, 30))
      await patched(api, document, { content: 'Later.' });
    await later(1);
    expect(await texts(api, documents)).toEqual(documents.map(({ content }) => content));
    const changed = expectSuccess(
      await api.send('GET', '/v1/documents?unpublishedChanges=true&limit=100'),
    ) as object[];
    expect(changed).toHaveLength(30);
  });

  it('waits and tries again if the database fails, while releases of other accounts are published', async () => {
    const [broken, fine] = [await publishingAccount(app), await publishingAccount(app)];
    const schedule = async (api: ApiClient) => {
      const document = await newDocument(api, { title: 'One' });
      return newRelease(api, { publishAt: inHours(app, 1), items: [publishing(document)] });
    };
    const [stuck, other] = [await schedule(broken.api), await schedule(fine.api)];
    await app.dataSource.query(
      `ALTER TABLE publication_history ADD CONSTRAINT broken CHECK (account_id <> '${broken.accountId}') NOT VALID`,
    );
    const task = app.app.get(ReleaseExecution, { strict: false });
    app.clock.advance(HOUR_MS);
    const failures: unknown[] = [];
    for (let run = 0; run < 3; run += 1)
      await task.runBatch().catch((error: unknown) => failures.push(error));
    expect(failures).toHaveLength(1);
    expect(await readRelease(fine.api, other)).toMatchObject({ status: 'published' });
    expect(await readRelease(broken.api, stuck)).toMatchObject({ status: 'scheduled', version: 1 });
    await app.dataSource.query('ALTER TABLE publication_history DROP CONSTRAINT broken');
    await app.dataSource.query('UPDATE releases SET due_at = publish_at WHERE due_at IS NOT NULL');
    await runDue(app);
    expect(await readRelease(broken.api, stuck)).toMatchObject({ status: 'published' });
  });

  it('is removed 90 days after it was published', async () => {
    const { api } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'One' });
    const done = await newRelease(api, { items: [publishing(document)] });
    const open = await newRelease(api, { items: [publishing(document)] });
    expectSuccess(await actOn(api, done, 'publish'));
    const retention = app.app.get(ReleaseRetention, { strict: false });
    app.clock.advance(24 * 89 * HOUR_MS);
    await retention.runBatch();
    expect(await readRelease(api, done)).toMatchObject({ status: 'published' });
    app.clock.advance(24 * HOUR_MS);
    await retention.runBatch();
    expectFailure(await api.send('GET', `/v1/releases/${done.id}`), 404, 'NOT_FOUND');
    expect(await readRelease(api, open)).toMatchObject({ status: 'open' });
    expect(await liveText(api, document)).toBe('');
  });
});

describe('publishing a release by hand', () => {
  it('publishes the current versions of an open release for its caller', async () => {
    const { api, keyId } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'One', content: '1' });
    const release = await newRelease(api, { items: [publishing(document)] });
    expect(release).toMatchObject({ status: 'open', items: [{ version: null }] });
    await patched(api, document, { content: '2' });
    expect(expectSuccess(await actOn(api, release, 'publish'))).toMatchObject({
      status: 'published',
      items: [{ version: 2, outcome: 'published' }],
    });
    expect(await liveText(api, document)).toBe('2');
    const [event] = await releaseEvents(api);
    expect(event?.actor?.keyId).toBe(encodeId('key', keyId));
    expect(event?.requestId).not.toBeNull();
  });

  it('changes nothing if a document is refused, and lists the problems', async () => {
    const { api } = await publishingAccount(app);
    const good = await newDocument(api, { title: 'Good' });
    const bad = await newDocument(api, { title: 'Bad' });
    const release = await newRelease(api, { items: [publishing(good), publishing(bad)] });
    await patched(api, bad, { status: 'archived' });
    const refused = await actOn(api, release, 'publish');
    expectFailure(refused, 409, 'INVALID_REQUEST');
    expect(refused.body.error.details).toEqual({
      reason: 'items',
      items: [{ id: bad.id, problems: [{ check: 'status', issue: expect.any(String) }] }],
    });
    expect(await readRelease(api, release)).toEqual(release);
    expect(await liveText(api, good)).toBeUndefined();
    await patched(api, bad, { status: 'draft' });
    expectSuccess(await actOn(api, release, 'publish'));
    expect(await texts(api, [good, bad])).toEqual(['', '']);
  });

  it('and by the worker at the same time happens once', async () => {
    const { api } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'One' });
    const items = [publishing(document)];
    const releases = await Promise.all(
      [1, 2, 3].map((version) =>
        newRelease(api, { title: `Release ${String(version)}`, publishAt: inHours(app, 1), items }),
      ),
    );
    app.clock.advance(HOUR_MS);
    const responses = await Promise.all([
      ...releases.map((release) => actOn(api, release, 'publish')),
      ...releases.map((release) => actOn(api, release, 'cancel')),
      runDue(app),
      act(api, document, 'publish'),
    ]);
    for (const [index, release] of releases.entries()) {
      const { status, version } = await readRelease(api, release);
      const canceled = responses[index + 3]?.status === 200;
      expect([status, version]).toEqual([canceled ? 'canceled' : 'published', 2]);
    }
    expect(await eventsOf(api, document, 'document.published')).toHaveLength(1);
    const numbers = await app.dataSource.query<{ n: string }[]>(
      'SELECT count(*) AS n FROM publication_history WHERE document_id = $1',
      [decodeId('document', document.id)],
    );
    expect(numbers).toEqual([{ n: '1' }]);
  });

  it('is refused once the release has ended', async () => {
    const { api } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'One' });
    const release = await newRelease(api, { items: [publishing(document)] });
    expect(expectSuccess(await actOn(api, release, 'cancel'))).toMatchObject({
      status: 'canceled',
      version: 2,
    });
    for (const action of ['publish', 'cancel'] as const)
      expectFailure(await actOn(api, release, action), 409, 'INVALID_REQUEST');
    expectFailure(await patchRelease(api, release, { title: 'Other' }), 409, 'INVALID_REQUEST');
  });
});
