import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import {
  newCollection,
  newMember,
  pathOf,
  setAccess,
  UNKNOWN,
  type Collection,
  type NewMember,
} from './collections-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const UNKNOWN_DOCUMENT = 'doc_01h455vb4pex5vsknk084sn02q';

interface Shown {
  id: string;
  version: number;
  collectionId: string | null;
}

/** An account with a member who views one collection, edits another, and does not see a third. */
async function shared() {
  const owner = await app.account();
  const member = await newMember(app, owner);
  const { userId } = member;
  const collection = async (right: 'viewer' | 'editor' | null, parentId?: string) => {
    const made = await newCollection(owner.api, right ?? 'Hidden', parentId);
    const people = right === null ? [] : [{ userId, right }];
    await setAccess(owner.api, made, { everyone: null, people });
    return made;
  };
  const hidden = await collection(null);
  return {
    owner,
    member,
    viewed: await collection('viewer'),
    edited: await collection('editor'),
    hidden,
    /** Below the hidden one, but with its own access. */
    below: await collection('viewer', hidden.id),
  };
}

const created = async (api: ApiClient, body: object = {}) =>
  expectSuccess(
    await api.createDocument({ title: 'Plan', content: 'One two.', ...body }),
    201,
  ) as Shown;

/** Limits a new key of the owner to collections. */
async function limitedKey(
  owner: Parameters<TestApp['anotherKey']>[0],
  collections: readonly string[],
): Promise<ApiClient> {
  const { key, keyId } = await app.anotherKey(owner);
  await app.dataSource.query(
    `UPDATE api_keys SET collections = ARRAY(SELECT id FROM collections WHERE account_id = $2 AND name = ANY ($3)) WHERE id = $1`,
    [keyId, owner.accountId, collections],
  );
  return app.api(key);
}

/** What a client can tell two responses apart by. */
const traitsOf = ({ status, body, headers }: ApiResponse) => ({
  status,
  error: body?.error as unknown,
  headers: Object.keys(headers).sort(),
});

interface Ids {
  id: string;
  enhancement: string;
}

/** Creates a document with a proposal. */
async function proposed(api: ApiClient, collectionId: string): Promise<Ids> {
  const { id } = await created(api, { collectionId, externalId: `of ${collectionId}` });
  const edits = [{ start: 0, end: 3, replacement: 'Three' }];
  const response = await api.send('POST', `/v1/documents/${id}/proposals`, { body: { edits } });
  return { id, enhancement: (expectSuccess(response, 201) as { id: string }).id };
}

/** Method, path below the document, and body. Each has an outdated `If-Match`, which must not reveal a hidden document. */
type Call = readonly [method: string, path: (ids: Ids) => string, body?: object];
const READS: readonly Call[] = [
  ['GET', ({ id }) => `/${id}`],
  ['GET', ({ id }) => `/${id}/export?format=md`],
  ['GET', ({ id }) => `/${id}/versions`],
  ['GET', ({ id }) => `/${id}/versions/1`],
  ['GET', ({ id }) => `/${id}/versions/1/diff`],
  ['GET', ({ id }) => `/${id}/analyses`],
  ['GET', ({ id }) => `/${id}/quality`],
  ['GET', ({ id }) => `/${id}/dismissals`],
  ['GET', ({ id }) => `/${id}/enhancements`],
  ['GET', ({ id, enhancement }) => `/${id}/enhancements/${enhancement}`],
  ['POST', ({ id }) => `/${id}/proposals`, { edits: [{ start: 4, end: 7, replacement: '2' }] }],
];
const WRITES: readonly Call[] = [
  ['PATCH', ({ id }) => `/${id}`, { title: 'Changed' }],
  ['PUT', ({ id }) => `/${id}`, { title: 'Changed' }],
  ['POST', ({ id }) => `/${id}/edits`, { edits: [{ op: 'append', text: '!' }] }],
  ['POST', ({ id }) => `/${id}/versions/1/restore`],
  ['POST', ({ id }) => `/${id}/restore`],
  ['POST', ({ id }) => `/${id}/restore`, { collectionId: null }],
  ['POST', ({ id }) => `/${id}/analyze`, {}],
  ['POST', ({ id }) => `/${id}/enhance`, {}],
  ['POST', ({ id }) => `/${id}/dismissals`, { issueIds: ['iss_x'] }],
  ['POST', ({ id }) => `/${id}/dismissals`, { issueIds: ['iss_x'], content: 'Text' }],
  ['DELETE', ({ id }) => `/${id}/dismissals/iss_x`],
  [
    'POST',
    ({ id, enhancement }) => `/${id}/enhancements/${enhancement}/apply`,
    { suggestionIds: 'all' },
  ],
  [
    'POST',
    ({ id, enhancement }) => `/${id}/enhancements/${enhancement}/reject`,
    { suggestionIds: 'all' },
  ],
  [
    'POST',
    ({ id, enhancement }) => `/${id}/enhancements/${enhancement}/accept`,
    { suggestionIds: ['iss_x'] },
  ],
  ['DELETE', ({ id }) => `/${id}`],
  ['DELETE', ({ id }) => `/${id}?permanent=true`],
];

const call = (api: ApiClient, [method, path, body]: Call, ids: Ids) =>
  api.send(method, `/v1/documents${path(ids)}`, {
    ...(body && { body }),
    headers: { 'if-match': '"7"' },
  });

function expectRight(response: ApiResponse): void {
  expectFailure(response, 403, 'FORBIDDEN');
  expect(response.body.error.details).toEqual({ requiredRight: 'editor', right: 'viewer' });
}

function expectIssue(response: ApiResponse, issue: RegExp): void {
  expectFailure(response, 400, 'INVALID_REQUEST');
  expect(response.body.error.details).toMatchObject({
    field: 'collectionId',
    issue: expect.stringMatching(issue) as string,
  });
}

const NO_COLLECTION = /^is not a collection of this account$/;
const NEEDED = /^is required, because this API key is limited to some collections/;

describe('a document in a collection', () => {
  it('without a right, every operation answers as for an unknown document, also with an outdated ETag', async () => {
    const { owner, member, hidden } = await shared();
    const ids = await proposed(owner.api, hidden.id);
    const unknown = { ...ids, id: UNKNOWN_DOCUMENT };
    for (const one of [...READS, ...WRITES]) {
      const [foreign, missing] = [
        await call(member.api, one, ids),
        await call(member.api, one, unknown),
      ];
      expect([one[0], one[1](ids), foreign.status]).toEqual([one[0], one[1](ids), 404]);
      expect(traitsOf(foreign)).toEqual(traitsOf(missing));
    }
  });

  it('a viewer reads and proposes; every change is refused with both rights, before preconditions', async () => {
    const { owner, member, viewed } = await shared();
    const ids = await proposed(owner.api, viewed.id);
    for (const one of READS) {
      const { status } = await call(member.api, one, ids);
      expect([one[1](ids), status < 300]).toEqual([one[1](ids), true]);
    }
    for (const one of WRITES) {
      const refused = await call(member.api, one, ids);
      expect([one[1](ids), refused.status]).toEqual([one[1](ids), 403]);
      expectRight(refused);
    }
    const after = expectSuccess(await owner.api.readDocument(ids.id)) as Shown;
    expect(after.version).toBe(1);
  });

  it('an editor changes, deletes and restores it, and withdrawing the right ends that', async () => {
    const { owner, member, edited } = await shared();
    const { id } = await created(owner.api, { collectionId: edited.id });
    expectSuccess(await member.api.patchDocument(id, { title: 'Changed' }));
    expectSuccess(await member.api.deleteDocument(id));
    expectSuccess(await member.api.restoreDocument(id));
    expectSuccess(await member.api.deleteDocument(id));
    await setAccess(owner.api, edited, { everyone: 'viewer', people: [] });
    expectRight(await member.api.restoreDocument(id));
    expectRight(await member.api.deleteDocument(id, { permanent: true }));
    await setAccess(owner.api, edited, { everyone: null, people: [] });
    expectFailure(await member.api.restoreDocument(id), 404, 'NOT_FOUND');
    const trash = await member.api.listDocuments({ deleted: true });
    expect(trash.body.meta.pagination.total).toBe(0);
  });
});

describe('a place for a document', () => {
  /** Each puts a document into a collection. */
  const ways = async ({ owner, member, edited }: Awaited<ReturnType<typeof shared>>) => {
    const { api } = member;
    const one = await created(owner.api, { collectionId: edited.id });
    const trashed = await created(owner.api, { collectionId: edited.id });
    await owner.api.deleteDocument(trashed.id);
    const batch = async (operation: object, atomic: boolean) => {
      const response = await api.batchDocuments({ operations: [operation], atomic });
      const [{ status, error }] = (
        response.body.data as { results: [{ status: number; error: object }] }
      ).results;
      return {
        ...response,
        status,
        body: { ...response.body, success: false, error, data: undefined },
      };
    };
    return new Map<string, (collectionId: string | null) => Promise<ApiResponse>>([
      ['create', (collectionId) => api.createDocument({ title: 'A', collectionId })],
      [
        'create with an external ID',
        (collectionId) =>
          api.createDocument({ title: 'A', collectionId, externalId: `x ${String(collectionId)}` }),
      ],
      [
        'import',
        (collectionId) =>
          api.importDocument(
            { name: 'a.md', content: 'A' },
            collectionId === null ? {} : { collectionId },
          ),
      ],
      [
        'copy',
        (collectionId) =>
          api.send('POST', `/v1/documents/${one.id}/copy`, { body: { collectionId } }),
      ],
      [
        'upsert',
        (collectionId) =>
          api.send('PUT', '/v1/documents/by-external-id/new', {
            body: { title: 'A', collectionId },
          }),
      ],
      ['patch', (collectionId) => api.patchDocument(one.id, { collectionId })],
      ['put', (collectionId) => api.replaceDocument(one.id, { title: 'A', collectionId })],
      [
        'restore',
        (collectionId) =>
          api.send('POST', `/v1/documents/${trashed.id}/restore`, { body: { collectionId } }),
      ],
      [
        'batch',
        (collectionId) => batch({ op: 'update', id: one.id, patch: { collectionId } }, false),
      ],
      [
        'atomic batch',
        (collectionId) => batch({ op: 'create', document: { title: 'A', collectionId } }, true),
      ],
    ]);
  };

  it('a hidden collection is refused as an unknown one, and one that the caller views with both rights', async () => {
    const given = await shared();
    for (const [name, put] of await ways(given)) {
      const foreign = await put(given.hidden.id);
      expect([name, foreign.status]).toEqual([name, 400]);
      expect(foreign.body.error).toEqual((await put(UNKNOWN)).body.error);
      expect(foreign.body.error.details).toMatchObject({ field: 'collectionId' });
      expect(foreign.body.error.details.issue).toMatch(NO_COLLECTION);
      const viewer = await put(given.viewed.id);
      expect([name, viewer.status]).toEqual([name, 403]);
      expect(viewer.body.error.details).toEqual({ requiredRight: 'editor', right: 'viewer' });
    }
    for (const { id } of [given.hidden, given.viewed]) {
      const { total } = (await given.owner.api.listDocuments({ collection: id })).body.meta
        .pagination;
      expect(total).toBe(0);
    }
    for (const [name, put] of await ways(given))
      expect([name, (await put(null)).status < 300]).toEqual([name, true]);
  });

  it('a move needs the right to edit at both ends', async () => {
    const { owner, member, viewed, edited } = await shared();
    const { id } = await created(owner.api, { collectionId: viewed.id });
    expectRight(await member.api.patchDocument(id, { collectionId: edited.id }));
    expectRight(await member.api.send('POST', `/v1/documents/${id}/copy`, { body: {} }));
    const body = { collectionId: edited.id };
    const copy = await member.api.send('POST', `/v1/documents/${id}/copy`, { body });
    expect(expectSuccess(copy, 201)).toMatchObject(body);
  });

  it('a key with collections needs the ID of one of them, and cannot use the root', async () => {
    const { owner, edited } = await shared();
    const api = await limitedKey(owner, ['editor']);
    const id = (await created(api, { collectionId: edited.id })).id;
    expectIssue(await api.createDocument({ title: 'A' }), NEEDED);
    expectIssue(await api.createDocument({ title: 'A', collectionId: null }), NEEDED);
    expectIssue(await api.importDocument({ name: 'a.md', content: 'A' }), NEEDED);
    expectIssue(await api.patchDocument(id, { collectionId: null }), NEEDED);
    const put = await api.send('PUT', '/v1/documents/by-external-id/a', { body: { title: 'A' } });
    expectIssue(put, NEEDED);
    const dry = await api.importDocument({ name: 'a.md', content: 'A' }, {}, {}, '?dryRun=true');
    expectSuccess(dry);
    const copy = await api.send('POST', `/v1/documents/${id}/copy`, { body: {} });
    expect(expectSuccess(copy, 201)).toMatchObject({ collectionId: edited.id });
    const none = await limitedKey(owner, []);
    expect((await none.listDocuments()).body.meta.pagination.total).toBe(0);
    expectFailure(await none.readDocument(id), 404, 'NOT_FOUND');
  });
});

describe('the external ID of a hidden document', () => {
  const path = '/v1/documents/by-external-id/crm%2F1';

  async function taken() {
    const given = await shared();
    const { id } = await created(given.owner.api, {
      collectionId: given.hidden.id,
      externalId: 'crm/1',
    });
    return { ...given, id };
  }

  it('it is absent for reads and deletions', async () => {
    const { member } = await taken();
    for (const method of ['GET', 'DELETE'])
      expectFailure(await member.api.send(method, path), 404, 'NOT_FOUND');
    const found = await member.api.listDocuments({ externalId: 'crm/1' });
    expect(found.body.meta.pagination.total).toBe(0);
  });

  it('it is taken: 409 at once, without the ID of the document', async () => {
    const { member, owner, edited, id } = await taken();
    const mine = await created(member.api, { collectionId: edited.id });
    const upsert = { op: 'upsert', externalId: 'crm/1', document: { title: 'A' } };
    const refusals = [
      await member.api.send('PUT', path, { body: { title: 'A' } }),
      await member.api.createDocument({ title: 'A', externalId: 'crm/1' }),
      await member.api.patchDocument(mine.id, { externalId: 'crm/1' }),
    ];
    for (const refused of refusals) {
      expectFailure(refused, 409, 'INVALID_REQUEST');
      expect(refused.body.error.details).toEqual({
        field: 'externalId',
        issue: 'belongs to another document',
      });
    }
    const batch = await member.api.batchDocuments({ operations: [upsert] });
    expect(batch.text).not.toContain(id);
    expect((batch.body.data as { results: object[] }).results).toMatchObject([{ status: 409 }]);
    const named = await owner.api.createDocument({ title: 'A', externalId: 'crm/1' });
    expect(named.body.error.details.documentId).toBe(id);
    expectSuccess(await owner.api.send('PUT', path, { body: { title: 'B' } }));
  });

  it('it can be used again by who sees the document, while others see it, too', async () => {
    const { member, owner, hidden } = await taken();
    await setAccess(owner.api, hidden, { everyone: 'editor', people: [] });
    expectSuccess(await member.api.send('PUT', path, { body: { title: 'B' } }));
  });
});

describe('a list', () => {
  const titlesOf = async (api: NewMember['api'], query: Record<string, string>) => {
    const response = await api.listDocuments({ sort: 'title', order: 'asc', ...query });
    const rows = expectSuccess(response) as { title: string }[];
    expect(response.body.meta.pagination.total).toBe(rows.length);
    return rows.map(({ title }) => title);
  };

  it('the filter collection takes at most 20 values, root included', async () => {
    const { api } = await app.account();
    const ids = Array.from({ length: 20 }, () => encodeId('collection', newUuid()));
    const filtered = (values: string[]) =>
      api.send('GET', `/v1/documents?${values.map((id) => `collection=${id}`).join('&')}`);
    expectSuccess(await filtered(ids));
    for (const more of ['root', UNKNOWN]) {
      const refused = await filtered([...ids, more]);
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.message).toBe('collection: must not be given more than 20 times');
    }
  });

  it('the filter collection ignores a hidden collection with all below it, as an unknown one', async () => {
    const { owner, member, viewed, hidden, below } = await shared();
    const inEach = async (places: Record<string, Collection>) => {
      for (const [title, { id }] of Object.entries(places))
        await created(owner.api, { title, collectionId: id });
    };
    await inEach({ viewed, hidden, below });
    expect(await titlesOf(member.api, {})).toEqual(['below', 'viewed']);
    expect(await titlesOf(member.api, { collection: hidden.id })).toEqual([]);
    expect(await titlesOf(member.api, { collection: UNKNOWN })).toEqual([]);
    expect(await titlesOf(member.api, { collection: below.id })).toEqual(['below']);
    expect(await titlesOf(owner.api, { collection: hidden.id })).toEqual(['below', 'hidden']);
    // A visible collection is not the way to what is below a hidden one.
    const top = await newCollection(owner.api, 'Top');
    expectSuccess(await owner.api.send('PATCH', pathOf(hidden), { body: { parentId: top.id } }));
    expect(await titlesOf(member.api, { collection: top.id })).toEqual([]);
    expect(await titlesOf(owner.api, { collection: top.id })).toEqual(['below', 'hidden']);
  });

  it('a cursor continues after the rights of the caller have changed', async () => {
    const { owner, member, viewed, hidden } = await shared();
    for (const title of ['a', 'b', 'c']) {
      await created(owner.api, { title, collectionId: viewed.id });
      app.clock.advance(1000);
    }
    await created(owner.api, { title: 'd', collectionId: hidden.id });
    // Who sees everything reads the first two with other statements.
    for (const query of [
      { sort: 'title', order: 'asc' },
      { sort: 'created_at', order: 'asc', type: 'document' },
      { sort: 'title', order: 'asc', type: 'document' },
    ]) {
      const page = { ...query, limit: 2 };
      await setAccess(owner.api, hidden, { everyone: null, people: [] });
      const first = await member.api.listDocuments(page);
      const { nextCursor, total } = first.body.meta.pagination as {
        nextCursor: string;
        total: number;
      };
      expect(total).toBe(3);
      await setAccess(owner.api, hidden, { everyone: 'viewer', people: [] });
      const second = await member.api.listDocuments({ ...page, cursor: nextCursor });
      const rows = expectSuccess(second) as { title: string }[];
      expect(rows.map(({ title }) => title)).toEqual(['c', 'd']);
      const ofOwner = await owner.api.listDocuments({ ...page, cursor: nextCursor });
      expect(expectSuccess(ofOwner)).toEqual(rows);
    }
  });

  it('a search warns of changes that are not indexed yet without their number', async () => {
    const { owner, member, hidden } = await shared();
    await created(owner.api, { collectionId: hidden.id });
    const warningsOf = async (api: ApiClient) => {
      const { body } = await api.listDocuments({ q: 'plan' });
      return (body.meta.warnings as { issue: string }[]).map(({ issue }) => issue);
    };
    expect(await warningsOf(owner.api)).toEqual([expect.stringMatching(/the last 1 change yet/)]);
    expect(await warningsOf(member.api)).toEqual([
      'does not include all changes yet; the search index is catching up',
    ]);
  });
});
