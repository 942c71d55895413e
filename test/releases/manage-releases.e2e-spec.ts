import { newCollection, newMember, setAccess } from '../collections/collections-api.js';
import { expectSameRefusal, restrictedFolders } from '../collections/restricted-folder.js';
import {
  acted,
  newDocument,
  patched,
  publishingAccount,
  putPublishing,
  type PublishedDocument,
} from '../publishing/publishing-api.js';
import { newId } from '../../src/platform/basics/identifiers/identifiers.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import {
  actOn,
  createRelease,
  HOUR_MS,
  inHours,
  listReleases,
  liveText,
  newRelease,
  patchRelease,
  previewOf,
  publishing,
  putSchedule,
  readRelease,
  runDue,
  unpublishing,
  type Schedule,
  type ShownRelease,
} from './releases-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [BackgroundTasksModule] });
});
afterAll(() => app.close());

/** Checks that a body is refused, and returns the fields with their issues. */
function problemsIn(response: ApiResponse): string[] {
  expectFailure(response, 400, 'INVALID_REQUEST');
  const { problems } = response.body.error.details as {
    problems: { field: string; issue: string }[];
  };
  return problems.map(({ field, issue }) => `${field} ${issue}`);
}

const expectForbidden = (response: ApiResponse) => {
  expectFailure(response, 403, 'FORBIDDEN');
};

describe('a new release', () => {
  it('has the time as an instant, and the zone only to show it', async () => {
    const { api } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'One' });
    const body = { items: [publishing(document)], publishAt: '2026-10-25T02:30:00+02:00' };
    const response = await createRelease(api, { ...body, timeZone: 'Europe/Berlin' });
    const release = expectSuccess(response, 201) as ShownRelease;
    expect(response.headers['location']).toBe(`/v1/releases/${release.id}`);
    expect(release).toMatchObject({
      title: 'Campaign',
      status: 'scheduled',
      publishAt: '2026-10-25T00:30:00.000Z',
      timeZone: 'Europe/Berlin',
      hiddenItems: 0,
      version: 1,
      finishedAt: null,
    });
    for (const timeZone of ['Asia/Kathmandu', 'America/Caracas', 'UTC'])
      expect(await newRelease(api, { ...body, timeZone })).toMatchObject({
        publishAt: release.publishAt,
        timeZone,
      });
  });

  it.each([
    [{ title: ' ' }, 'title must not be blank'],
    [{ title: 7 }, 'title must be a string'],
    [{ items: [] }, 'items must not be empty'],
    [{ publishAt: '2026-09-01T09:00:00' }, 'publishAt must be a time with a UTC offset'],
    [{ publishAt: '2026-03-01T12:00:00Z' }, 'publishAt must be in the future'],
    [{ publishAt: '2031-03-01T12:00:01Z' }, 'publishAt must be in the future, and at most 5 years'],
    [{ timeZone: 'Berlin' }, 'timeZone must be the IANA name'],
    [{ timeZone: '+01:00' }, 'timeZone must be the IANA name'],
  ])('is refused for %j: %s', async (body, problem) => {
    const { api } = await publishingAccount(app);
    const items = [publishing(await newDocument(api, { title: 'One' }))];
    const [found] = problemsIn(await createRelease(api, { items, ...body }));
    expect(found).toContain(problem);
  });

  it('is refused for documents that are unknown, repeated, in the trash or of others, and for unknown versions', async () => {
    const [mine, other] = [await publishingAccount(app), await publishingAccount(app)];
    const { api } = mine;
    const one = await newDocument(api, { title: 'One' });
    const gone = await newDocument(api, { title: 'Gone' });
    expectSuccess(await api.deleteDocument(gone.id));
    const theirs = await newDocument(other.api, { title: 'Theirs' });
    const items = [one, theirs, gone, { id: newId('document') }, { id: 'doc_x' }, one];
    const found = problemsIn(
      await createRelease(api, { items: items.map((id) => publishing(id)) }),
    );
    expect(found.map((text) => text.split(' ')[0])).toEqual([
      'items[1].id',
      'items[2].id',
      'items[3].id',
      'items[4].id',
      'items[5].id',
    ]);
    expect(found.at(-1)).toBe('items[5].id repeats items[0]');
    expect(problemsIn(await createRelease(api, { items: [publishing(one, 2)] }))).toEqual([
      'items[0].version must not be greater than the current version, 1',
    ]);
    const wrong = [
      { ...unpublishing(one), version: 1 },
      { ...one, action: 'archive' },
    ];
    for (const item of wrong)
      expect(problemsIn(await createRelease(api, { items: [item] }))).not.toEqual([]);
    const many = Array.from({ length: 101 }, () => publishing(one));
    expect(problemsIn(await createRelease(api, { items: many }))).toEqual([
      'items must have at most 100 items',
    ]);
    expect(await listReleases(api)).toEqual([]);
  });

  it('is refused while publishing is off, and for texts of more than 8 MiB together', async () => {
    const { api } = await app.account();
    const content = 'x'.repeat(1024 ** 2 - 100);
    const documents = await Promise.all(
      Array.from({ length: 9 }, (_, n) =>
        newDocument(api, { title: `Large ${String(n)}`, content }),
      ),
    );
    const items = documents.map((document) => publishing(document));
    expectFailure(await createRelease(api, { items }), 409, 'INVALID_REQUEST');
    await putPublishing(api, { enabled: true });
    expectFailure(await createRelease(api, { items }), 413, 'INVALID_REQUEST');
    // A smaller version counts with its own size.
    const [first] = documents as [PublishedDocument];
    await patched(api, first, { content: 'Small.' });
    const open = await newRelease(api, { items });
    const larger = items.map((item, index) => (index === 0 ? { ...item, version: 1 } : item));
    expectFailure(await createRelease(api, { items: larger }), 413, 'INVALID_REQUEST');
    // An open release has no versions yet, so it can grow.
    await patched(api, first, { content });
    expectFailure(await actOn(api, open, 'publish'), 413, 'INVALID_REQUEST');
    const preview = await previewOf(api, open);
    expect(preview.map(({ document }) => document?.contentTruncated ?? false)).toEqual([
      ...Array.from({ length: 8 }, () => false),
      true,
    ]);
    expect(await liveText(api, first)).toBeUndefined();
  }, 60_000);

  it('is refused if the account has 500 pending ones, also if many are created at once', async () => {
    const { api, accountId } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'One' });
    const items = [publishing(document)];
    const made = await newRelease(api, { items });
    await app.dataSource.query(
      `INSERT INTO releases
       SELECT copy.* FROM releases AS made, generate_series(1, 496) AS n,
              LATERAL jsonb_populate_record(made, jsonb_build_object('id', md5(made.id::text || n))) AS copy
        WHERE made.account_id = $1`,
      [accountId],
    );
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => createRelease(api, { items })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    expectFailure(
      await putSchedule(api, document, { publishAt: inHours(app, 1) }),
      409,
      'INVALID_REQUEST',
    );
    expectSuccess(await actOn(api, made, 'cancel'));
    await newRelease(api, { items });
  });

  it('needs documents:write to change releases, and documents:read to see them', async () => {
    const account = await publishingAccount(app);
    const { api } = account;
    const release = await newRelease(api, {
      items: [publishing(await newDocument(api, { title: 'One' }))],
    });
    const [reader, publicReader] = await Promise.all(
      (['documents:read', 'documents:read_published'] as const).map(async (scope) =>
        app.api((await app.anotherKey(account, { scopes: [scope] })).key),
      ),
    );
    if (!reader || !publicReader) throw new Error('A key is missing.');
    expect(await readRelease(reader, release)).toEqual(release);
    expectForbidden(await actOn(reader, release, 'publish'));
    for (const path of ['', `/${release.id}`, `/${release.id}/documents`])
      expectForbidden(await publicReader.send('GET', `/v1/releases${path}`));
  });
});

describe('changing a release', () => {
  it('schedules it with the versions of that moment, moves it, and opens it again', async () => {
    const { api } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'One', content: '1' });
    const release = await newRelease(api, { items: [publishing(document)] });
    await patched(api, document, { content: '2' });
    const publishAt = inHours(app, 1);
    const scheduled = expectSuccess(await patchRelease(api, release, { publishAt }));
    expect(scheduled).toMatchObject({
      status: 'scheduled',
      publishAt,
      items: [{ version: 2 }],
      version: 2,
    });
    await patched(api, document, { content: '3' });
    const moved = await patchRelease(api, release, { publishAt: inHours(app, 2) });
    expect(expectSuccess(moved)).toMatchObject({ items: [{ version: 2 }], version: 3 });
    const opened = await patchRelease(api, release, { publishAt: null });
    expect(expectSuccess(opened)).toMatchObject({ status: 'open', publishAt: null, version: 4 });
    app.clock.advance(3 * HOUR_MS);
    await runDue(app);
    expect(await liveText(api, document)).toBeUndefined();
    expectSuccess(await actOn(api, release, 'publish'));
    expect(await liveText(api, document)).toBe('2');
  });

  it('replaces its documents, and writes nothing if it is sent back as it was read', async () => {
    const { api } = await publishingAccount(app);
    const one = await newDocument(api, { title: 'One' });
    const two = await newDocument(api, { title: 'Two' });
    const release = await newRelease(api, {
      publishAt: inHours(app, 1),
      timeZone: 'Europe/Berlin',
      items: [publishing(one)],
    });
    await patched(api, one, { title: 'One, revised' });
    expect(expectSuccess(await patchRelease(api, release, release))).toEqual(release);
    const items = [publishing(two), publishing(one)];
    const changed = expectSuccess(
      await patchRelease(api, release, { items, title: 'Both', timeZone: null }),
    ) as ShownRelease;
    expect(changed).toMatchObject({ title: 'Both', timeZone: null, version: 2 });
    expect(changed.items.map(({ id, version }) => [id, version])).toEqual([
      [two.id, 1],
      [one.id, 2],
    ]);
    expect(problemsIn(await patchRelease(api, release, { items: [] }))).toEqual([
      'items must not be empty',
    ]);
    expect(await readRelease(api, release)).toEqual(changed);
  });

  it('checks If-Match, also with the tag of the response', async () => {
    const { api } = await publishingAccount(app);
    const release = await newRelease(api, {
      items: [publishing(await newDocument(api, { title: 'One' }))],
    });
    const { headers } = await api.send('GET', `/v1/releases/${release.id}`);
    const tag = { 'If-Match': String(headers['etag']) };
    expectSuccess(await patchRelease(api, release, { title: 'Two' }, tag));
    expectFailure(
      await patchRelease(api, release, { title: 'Three' }, tag),
      412,
      'INVALID_REQUEST',
    );
    const path = `/v1/releases/${release.id}`;
    expectFailure(await api.send('DELETE', path, { headers: tag }), 412, 'INVALID_REQUEST');
    expect(expectSuccess(await api.send('DELETE', path))).toEqual({
      id: release.id,
      deleted: true,
    });
    expectFailure(await api.send('GET', path), 404, 'NOT_FOUND');
  });

  it('a deleted release is not published any more', async () => {
    const { api } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'One' });
    const release = await newRelease(api, {
      publishAt: inHours(app, 1),
      items: [publishing(document)],
    });
    expectSuccess(await api.send('DELETE', `/v1/releases/${release.id}`));
    app.clock.advance(HOUR_MS);
    await runDue(app);
    expect(await liveText(api, document)).toBeUndefined();
    const stored = await app.dataSource.query(
      'SELECT FROM release_items WHERE release_id NOT IN (SELECT id FROM releases)',
    );
    expect(stored).toEqual([]);
  });
});

describe('the list of releases', () => {
  it('can be filtered by status, document and time, and sorted by the time', async () => {
    const { api } = await publishingAccount(app);
    const one = await newDocument(api, { title: 'One' });
    const two = await newDocument(api, { title: 'Two' });
    const release = (title: string, hours: number | undefined, document: { id: string }) =>
      newRelease(api, {
        title,
        items: [publishing(document)],
        ...(hours !== undefined && { publishAt: inHours(app, hours) }),
      });
    const late = await release('Late', 48, one);
    await release('Soon', 24, two);
    const open = await release('Open', undefined, two);
    const titles = async (query: string) =>
      (await listReleases(api, query)).map(({ title }) => title);
    expect(await titles('')).toEqual(['Open', 'Soon', 'Late']);
    expect(await titles('?sort=publishAt')).toEqual(['Late', 'Soon', 'Open']);
    expect(await titles('?status=scheduled&sort=publish_at&order=asc')).toEqual(['Soon', 'Late']);
    expect(await titles(`?documentId=${one.id}`)).toEqual(['Late']);
    expect(await titles(`?documentId=${newId('document')}`)).toEqual([]);
    const noon = encodeURIComponent(inHours(app, 36));
    expect(await titles(`?publishAfter=${noon}`)).toEqual(['Late']);
    expect(await titles(`?publishBefore=${noon}`)).toEqual(['Soon']);
    expectSuccess(await actOn(api, open, 'cancel'));
    expect(await titles('?status=canceled&status=open')).toEqual(['Open']);
    const first = await api.send('GET', '/v1/releases?limit=2&sort=publish_at');
    const { nextCursor, total } = first.body.meta.pagination;
    expect(total).toBe(3);
    expect(await titles(`?limit=2&sort=publish_at&cursor=${String(nextCursor)}`)).toEqual(['Open']);
    expect((await listReleases(api, '?limit=1&sort=publish_at'))[0]).toEqual(late);
  });
});

describe('the rights in releases', () => {
  it('who sees none of the documents sees no release, and who sees some sees only these and cannot change it', async () => {
    const { owner, member, shared, secret, grant } = await restrictedFolders(app);
    await putPublishing(owner, { enabled: true });
    const seen = await newDocument(owner, { title: 'Seen', collectionId: shared.id });
    const hidden = await newDocument(owner, { title: 'Hidden', collectionId: secret.id });
    const publishAt = inHours(app, 1);
    const all = await newRelease(owner, { items: [publishing(hidden)], publishAt });
    const mixed = await newRelease(owner, {
      items: [publishing(hidden), publishing(seen)],
      publishAt,
    });
    const own = await newRelease(member.api, { items: [publishing(seen)], publishAt });
    expect((await listReleases(member.api, '?order=asc')).map(({ id }) => id)).toEqual([
      mixed.id,
      own.id,
    ]);
    expect(await listReleases(member.api, `?documentId=${hidden.id}`)).toEqual([]);
    expect(await listReleases(owner, `?documentId=${hidden.id}`)).toHaveLength(2);
    const partly = await readRelease(member.api, mixed);
    expect(partly).toMatchObject({ items: [{ id: seen.id }], hiddenItems: 1 });
    expect(JSON.stringify(partly)).not.toContain(hidden.id);
    const preview = await previewOf(member.api, mixed);
    expect(preview.map(({ id }) => id)).toEqual([seen.id]);
    const unknown = { id: newId('release') };
    const attempts = (api: ApiClient, release: { id: string }) =>
      Promise.all([
        patchRelease(api, release, { title: 'Mine' }),
        actOn(api, release, 'publish'),
        actOn(api, release, 'cancel'),
        api.send('DELETE', `/v1/releases/${release.id}`),
      ]);
    const [refusals, unknowns] = [
      await attempts(member.api, all),
      await attempts(member.api, unknown),
    ];
    for (const [index, refusal] of refusals.entries()) {
      expectFailure(refusal, 404, 'NOT_FOUND');
      expectSameRefusal(refusal, unknowns[index] as ApiResponse);
    }
    for (const refusal of await attempts(member.api, mixed)) expectForbidden(refusal);
    const named = [hidden, { id: newId('document') }].map((document) =>
      createRelease(member.api, { items: [publishing(document)] }),
    );
    const [one, other] = await Promise.all(named);
    problemsIn(one as ApiResponse);
    expectSameRefusal(one as ApiResponse, other as ApiResponse);
    await grant('viewer');
    for (const refusal of await attempts(member.api, own)) {
      expectForbidden(refusal);
      expect(refusal.body.error.details).toMatchObject({ requiredRight: 'editor' });
    }
    expectForbidden(await createRelease(member.api, { items: [publishing(seen)] }));
    expectForbidden(await putSchedule(member.api, seen, { publishAt }));
    await grant(null);
    expectFailure(await member.api.send('GET', `/v1/releases/${own.id}`), 404, 'NOT_FOUND');
    expect(await listReleases(member.api)).toEqual([]);
    const events = await member.api.send('GET', '/v1/events?type=release.published');
    expect(expectSuccess(events)).toEqual([]);
    // It was checked when it was scheduled.
    app.clock.advance(HOUR_MS);
    await runDue(app);
    expect(await readRelease(owner, own)).toMatchObject({ status: 'published' });
    expect(
      expectSuccess(await owner.send('GET', '/v1/events?type=release.published')),
    ).toHaveLength(3);
    expect(expectSuccess(await member.api.send('GET', '/v1/events?type=release.*'))).toEqual([]);
  });

  it('the releases of permanently deleted documents are only for those who see everything', async () => {
    const account = await publishingAccount(app);
    const member = await newMember(app, account);
    const document = await newDocument(account.api, { title: 'Gone' });
    const release = await newRelease(account.api, { items: [publishing(document)] });
    expect(await readRelease(member.api, release)).toEqual(release);
    expectSuccess(await account.api.send('DELETE', `/v1/documents/${document.id}?permanent=true`));
    expect(await readRelease(account.api, release)).toEqual(release);
    expect(await previewOf(account.api, release)).toEqual([
      expect.objectContaining({
        document: null,
        problems: [expect.objectContaining({ check: 'document' })],
      }),
    ]);
    const secret = await newCollection(account.api, 'Secret');
    await setAccess(account.api, secret, { everyone: null, people: [] });
    expectFailure(await member.api.send('GET', `/v1/releases/${release.id}`), 404, 'NOT_FOUND');
    expectSuccess(await account.api.send('DELETE', `/v1/releases/${release.id}`));
  });
});

describe('the preview of a release', () => {
  it('shows each document as readers would get it, its problems, and what is live', async () => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Draft', content: 'Draft.' });
    const live = await newDocument(api, { title: 'Live', content: '1' });
    await acted(api, live, 'publish');
    await patched(api, live, { content: '3' });
    const ended = await newDocument(api, { title: 'Ended' });
    const archived = await newDocument(api, { title: 'Archived' });
    const release = await newRelease(api, {
      publishAt: inHours(app, 1),
      items: [publishing(draft), publishing(live), unpublishing(ended), publishing(archived)],
    });
    await patched(api, draft, { content: 'Secret.' });
    await patched(api, archived, { status: 'archived' });
    const preview = await previewOf(api, release);
    expect(preview).toEqual([
      {
        id: draft.id,
        action: 'publish',
        version: 1,
        superseded: false,
        problems: [],
        live: null,
        document: expect.objectContaining({ content: 'Draft.', status: 'published', version: 1 }),
      },
      expect.objectContaining({
        version: 3,
        live: { version: 2, number: 1, publishedAt: expect.any(String) },
        document: expect.objectContaining({ content: '3', status: 'published' }),
      }),
      expect.objectContaining({ action: 'unpublish', version: null, document: null, problems: [] }),
      expect.objectContaining({
        document: null,
        problems: [{ check: 'status', issue: expect.any(String) }],
      }),
    ]);
    expect(preview[0]?.document).not.toHaveProperty('published');
    await acted(api, live, 'publish');
    const [, superseded] = await previewOf(api, release);
    expect(superseded).toMatchObject({ superseded: true, live: { version: 3 } });
    app.clock.advance(HOUR_MS);
    await runDue(app);
    const [, , , refused] = await previewOf(api, release);
    expect(refused).toMatchObject({ problems: [{ check: 'status' }] });
    await patched(api, archived, { status: 'draft' });
    const [, , , still] = await previewOf(api, release);
    expect(still).toMatchObject({
      problems: [{ check: 'status' }],
      document: { title: 'Archived' },
    });
  });
});

describe('the schedule of a document', () => {
  it('publishes and unpublishes it, each by a release of its own', async () => {
    const { api } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'One', content: '1' });
    const times = { publishAt: inHours(app, 1), unpublishAt: inHours(app, 2) };
    const body = { ...times, timeZone: 'Asia/Tokyo' };
    const schedule = expectSuccess(await putSchedule(api, document, body)) as Schedule;
    expect(schedule).toMatchObject({
      publish: {
        title: null,
        status: 'scheduled',
        publishAt: times.publishAt,
        timeZone: 'Asia/Tokyo',
        items: [{ id: document.id, action: 'publish', version: 1 }],
      },
      unpublish: { publishAt: times.unpublishAt, items: [{ action: 'unpublish', version: null }] },
    });
    await patched(api, document, { content: '2' });
    app.clock.advance(HOUR_MS);
    await runDue(app);
    expect(await liveText(api, document)).toBe('1');
    app.clock.advance(HOUR_MS);
    await runDue(app);
    expect(await liveText(api, document)).toBeUndefined();
    expect(await readRelease(api, schedule.unpublish)).toMatchObject({
      items: [{ outcome: 'unpublished' }],
    });
  });

  it('is replaced: what stays the same is not written, and what does not apply any more is canceled', async () => {
    const { api } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'One' });
    const [first, second, third] = [1, 2, 3].map((hours) => inHours(app, hours));
    const put = async (body: object) =>
      expectSuccess(await putSchedule(api, document, body)) as Schedule;
    const before = await put({ publishAt: first, unpublishAt: third });
    expect(await put({ publishAt: first, unpublishAt: third, version: 1 })).toEqual(before);
    const moved = await put({ publishAt: second, unpublishAt: third });
    expect(moved.unpublish).toEqual(before.unpublish);
    expect(moved.publish.id).not.toBe(before.publish.id);
    expect(await readRelease(api, before.publish)).toMatchObject({ status: 'canceled' });
    await patched(api, document, { title: 'Two' });
    const fixed = await put({ publishAt: second });
    expect(fixed).toMatchObject({ publish: { items: [{ version: 2 }] }, unpublish: null });
    const query = `?documentId=${document.id}&status=scheduled`;
    expect(await listReleases(api, query)).toEqual([fixed.publish]);
    const other = await newRelease(api, { items: [publishing(document)], publishAt: third });
    const path = `/v1/documents/${document.id}/schedule`;
    expect(expectSuccess(await api.send('DELETE', path))).toEqual({
      id: document.id,
      deleted: true,
    });
    expect(await listReleases(api, query)).toEqual([other]);
    expectFailure(await api.send('DELETE', path), 404, 'NOT_FOUND');
  });

  it('refuses times in the wrong order, no time, and unknown versions and documents; its releases have no patch', async () => {
    const { api } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'One' });
    const [first, second] = [inHours(app, 1), inHours(app, 2)];
    const refused = async (body: object) =>
      problemsIn(await putSchedule(api, document, body))[0]?.split(' ')[0];
    expect(await refused({ publishAt: second, unpublishAt: first })).toBe('unpublishAt');
    expect(await refused({ publishAt: first, unpublishAt: first })).toBe('unpublishAt');
    expect(await refused({ timeZone: 'UTC' })).toBe('publishAt');
    expect(await refused({ unpublishAt: inHours(app, -1) })).toBe('unpublishAt');
    expect(await refused({ publishAt: first, version: 2 })).toBe('version');
    const unknown = { id: newId('document') };
    expectFailure(await putSchedule(api, unknown, { publishAt: first }), 404, 'NOT_FOUND');
    const { publish } = expectSuccess(
      await putSchedule(api, document, { publishAt: first }),
    ) as Schedule;
    expectFailure(await patchRelease(api, publish, { title: 'Named' }), 409, 'INVALID_REQUEST');
    expectSuccess(await actOn(api, publish, 'publish'));
    expect(await liveText(api, document)).toBe('');
  });
});
