import { whileBusy, type ApiClient, type ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { formWith } from '../support/form.js';
import {
  move,
  newChain,
  newCollection,
  pathOf,
  UNKNOWN,
  type Collection,
} from './collections-api.js';

interface Shown {
  id: string;
  title: string;
  version: number;
  collectionId: string | null;
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const shown = (response: ApiResponse, status = 200) => expectSuccess(response, status) as Shown;

const created = async (api: ApiClient, body: object = {}) =>
  shown(await whileBusy(() => api.createDocument({ title: 'A', ...body })), 201);

/** Returns the titles of a list of documents, in order. */
async function titles(api: ApiClient, query: string): Promise<string[]> {
  const rows = expectSuccess(await api.send('GET', `/v1/documents?${query}`)) as Shown[];
  return rows.map(({ title }) => title);
}

function expectNoCollection(response: ApiResponse): void {
  expectFailure(response, 400, 'INVALID_REQUEST');
  expect(response.body.error.details).toMatchObject({
    field: 'collectionId',
    issue: 'is not a collection of this account',
  });
}

describe('a new document', () => {
  it('a new document is at the root, or in the collection that it names', async () => {
    const { api } = await app.account();
    const { id: collectionId } = await newCollection(api);
    expect((await created(api)).collectionId).toBeNull();
    expect((await created(api, { collectionId: null })).collectionId).toBeNull();
    const inside = await created(api, { collectionId, externalId: 'crm/1' });
    expect(inside.collectionId).toBe(collectionId);
    expect(shown(await api.readDocument(inside.id)).collectionId).toBe(collectionId);
    const [row] = expectSuccess(await api.send('GET', '/v1/documents?externalId=crm/1')) as Shown[];
    expect(row?.collectionId).toBe(collectionId);
  });

  it('a new document in an unknown, foreign or deleted collection is refused, and nothing is stored', async () => {
    const { api } = await app.account();
    const { api: stranger } = await app.account();
    const deleted = await newCollection(api);
    await api.send('DELETE', pathOf(deleted));
    const foreign = await newCollection(stranger);
    for (const collectionId of [UNKNOWN, 'root', 'x', deleted.id, foreign.id]) {
      expectNoCollection(await api.createDocument({ title: 'A', collectionId }));
      expectNoCollection(await api.createDocument({ title: 'A', collectionId, externalId: 'x' }));
    }
    expect(await titles(api, '')).toEqual([]);
  });

  it('a copy is in the collection of its source, unless it names another', async () => {
    const { api } = await app.account();
    const { id: collectionId } = await newCollection(api);
    const { id } = await created(api, { collectionId });
    const copy = async (body: object) => api.send('POST', `/v1/documents/${id}/copy`, { body });
    expect(shown(await copy({}), 201).collectionId).toBe(collectionId);
    expect(shown(await copy({ collectionId: null }), 201).collectionId).toBeNull();
    expectNoCollection(await copy({ collectionId: UNKNOWN }));
  });

  it('an imported file is in the collection of the form', async () => {
    const { api } = await app.account();
    const { id: collectionId } = await newCollection(api);
    const imported = async (fields: Record<string, string>) => {
      const { body, contentType } = formWith({ name: 'a.md', content: 'Text' }, fields);
      const headers = { 'content-type': contentType };
      return api.send('POST', '/v1/documents/import', { rawBody: body, headers });
    };
    expect(shown(await imported({ collectionId }), 201).collectionId).toBe(collectionId);
    expectNoCollection(await imported({ collectionId: UNKNOWN }));
  });

  it('an upsert by external ID creates the document in its collection, and later keeps or changes it', async () => {
    const { api } = await app.account();
    const { id: collectionId } = await newCollection(api);
    const put = (body: object) =>
      api.send('PUT', '/v1/documents/by-external-id/a', { body: { title: 'A', ...body } });
    expect(shown(await put({ collectionId }), 201).collectionId).toBe(collectionId);
    expect(shown(await put({ title: 'B' })).collectionId).toBe(collectionId);
    expect(shown(await put({ collectionId: null })).collectionId).toBeNull();
    expectNoCollection(await put({ collectionId: UNKNOWN }));
  });
});

describe('a move', () => {
  it('a move by PATCH makes a version, emits document.updated and leaves an audit entry', async () => {
    const { api } = await app.account();
    const { id: collectionId } = await newCollection(api);
    const { id } = await created(api);
    const moved = shown(await api.patchDocument(id, { collectionId }));
    expect(moved).toMatchObject({ collectionId, version: 2 });
    const same = shown(await api.patchDocument(id, { collectionId }));
    expect(same.version).toBe(2);
    const events = expectSuccess(await api.send('GET', `/v1/events?documentId=${id}`)) as {
      id: string;
      type: string;
    }[];
    expect(events.map(({ type }) => type)).toEqual(['document.updated', 'document.created']);
    const event = expectSuccess(await api.send('GET', `/v1/events/${events[0]?.id ?? ''}`)) as {
      data: object;
    };
    expect(event.data).toMatchObject({
      document: { id, collectionId, version: 2 },
      changes: ['collectionId'],
    });
    const [entry] = expectSuccess(await api.send('GET', `/v1/audit?resourceId=${id}`)) as object[];
    expect(entry).toMatchObject({
      action: 'document.update',
      details: { changes: ['collectionId'], version: 2 },
    });
    expect(shown(await api.patchDocument(id, { collectionId: null })).collectionId).toBeNull();
  });

  it('a move to an unknown collection is refused, also with an external ID or in a PUT, and changes nothing', async () => {
    const { api } = await app.account();
    const { id, version } = await created(api);
    for (const collectionId of [UNKNOWN, 'root']) {
      expectNoCollection(await api.patchDocument(id, { collectionId, title: 'B' }));
      expectNoCollection(await api.patchDocument(id, { collectionId, externalId: 'b' }));
      expectNoCollection(await api.replaceDocument(id, { title: 'B', collectionId }));
    }
    expect(shown(await api.readDocument(id))).toMatchObject({ title: 'A', version });
  });

  it('PUT keeps the collection unless it names one, and null is the root', async () => {
    const { api } = await app.account();
    const { id: collectionId } = await newCollection(api);
    const { id } = await created(api, { collectionId });
    expect(shown(await api.replaceDocument(id, { title: 'B' })).collectionId).toBe(collectionId);
    const body = { title: 'C', collectionId: null };
    expect(shown(await api.replaceDocument(id, body)).collectionId).toBeNull();
  });

  it('versions say that a document was moved, but not where it was, and restoring one does not move it', async () => {
    const { api } = await app.account();
    const [first, second] = [await newCollection(api, 'First'), await newCollection(api, 'Second')];
    const { id } = await created(api, { collectionId: first.id });
    await api.patchDocument(id, { title: 'B' });
    await api.patchDocument(id, { collectionId: second.id });
    const path = `/v1/documents/${id}/versions`;
    const list = await api.send('GET', path);
    expect(expectSuccess(list)).toMatchObject([
      { number: 3, changes: ['collectionId'] },
      { number: 2, changes: ['title'] },
      { number: 1, changes: [] },
    ]);
    const one = await api.send('GET', `${path}/1`);
    const diff = await api.send('GET', `${path}/3/diff`);
    for (const { text } of [list, one, diff]) expect(text).not.toContain(first.id);
    const restored = shown(await api.send('POST', `${path}/1/restore`));
    expect(restored).toMatchObject({ title: 'A', version: 4, collectionId: second.id });
  });

  it('a change of the version before a move still merges', async () => {
    const { api } = await app.account();
    const { id: collectionId } = await newCollection(api);
    const { id } = await created(api, { content: 'One.\n\nTwo.\n' });
    await api.patchDocument(id, { collectionId });
    const merged = await api.patchDocument(id, { content: 'One.\n\nThree.\n', baseVersion: 1 });
    expect(shown(merged)).toMatchObject({ content: 'One.\n\nThree.\n', collectionId });
    const body = { title: 'B', content: 'One.\n\nTwo.\n', baseVersion: 1 };
    const replaced = await api.replaceDocument(id, body);
    expect(shown(replaced)).toMatchObject({
      title: 'B',
      content: 'One.\n\nThree.\n',
      collectionId,
    });
  });

  it('a batch creates, moves and restores documents, and reports an unknown collection for its operation', async () => {
    const { api } = await app.account();
    const { id: collectionId } = await newCollection(api);
    const [moved, trashed] = [await created(api), await created(api)];
    await api.deleteDocument(trashed.id);
    const batch = async (operations: object[], atomic = false) =>
      expectSuccess(
        await api.send('POST', '/v1/documents/batch', { body: { operations, atomic } }),
      );
    const { results } = (await batch([
      { op: 'create', document: { title: 'New', collectionId } },
      { op: 'update', id: moved.id, patch: { collectionId } },
      { op: 'upsert', externalId: 'x', document: { title: 'X', collectionId } },
      { op: 'restore', id: trashed.id, collectionId },
      { op: 'create', document: { title: 'New', collectionId: UNKNOWN } },
    ])) as { results: { status: number; data?: Shown }[] };
    expect(results.map(({ status, data }) => [status, data?.collectionId])).toEqual([
      [201, collectionId],
      [200, collectionId],
      [201, collectionId],
      [200, collectionId],
      [400, undefined],
    ]);
    const atomic = (await batch(
      [
        { op: 'update', id: moved.id, patch: { collectionId: null } },
        { op: 'update', id: trashed.id, patch: { collectionId: UNKNOWN } },
      ],
      true,
    )) as { results: { status: number }[] };
    expect(atomic.results.map(({ status }) => status)).toEqual([424, 400]);
    expect(shown(await api.readDocument(moved.id)).collectionId).toBe(collectionId);
  });
});

describe('the trash', () => {
  it('a restored document is where it was, or in the collection that the request names', async () => {
    const { api } = await app.account();
    const [first, second] = [await newCollection(api, 'First'), await newCollection(api, 'Second')];
    const { id } = await created(api, { collectionId: first.id, externalId: 'a' });
    const restore = async (body?: object) => {
      await api.deleteDocument(id);
      return shown(await api.send('POST', `/v1/documents/${id}/restore`, body && { body }));
    };
    expect(await restore()).toMatchObject({ collectionId: first.id, version: 1 });
    expect(await restore({})).toMatchObject({ collectionId: first.id, version: 1 });
    const to = { collectionId: second.id };
    expect(await restore(to)).toMatchObject({ collectionId: second.id, version: 2 });
    expect(await restore(to)).toMatchObject({ collectionId: second.id, version: 2 });
    expect(await restore({ collectionId: null })).toMatchObject({ collectionId: null, version: 3 });
  });

  it('a document of a deleted collection can only be restored to another place', async () => {
    const { api } = await app.account();
    const gone = await newCollection(api);
    const { id } = await created(api, { collectionId: gone.id });
    await api.deleteDocument(id);
    await api.send('DELETE', pathOf(gone));
    const restore = (body: object) => api.send('POST', `/v1/documents/${id}/restore`, { body });
    for (const body of [{}, { collectionId: gone.id }]) {
      const refused = await restore(body);
      expectFailure(refused, 409, 'INVALID_REQUEST');
      expect(refused.body.error.details).toMatchObject({ field: 'collectionId' });
    }
    expectNoCollection(await restore({ collectionId: UNKNOWN }));
    expectFailure(await api.readDocument(id), 404, 'NOT_FOUND');
    const restored = shown(await restore({ collectionId: null }));
    expect(restored).toMatchObject({ collectionId: null, version: 2 });
  });
});

describe('the filter collection', () => {
  it('the filter matches a collection with those below it, the root, and any of several', async () => {
    const { api } = await app.account();
    const [top, , bottom] = (await newChain(api, 3)) as [Collection, Collection, Collection];
    const other = await newCollection(api, 'Other');
    await created(api, { title: 'Root' });
    await created(api, { title: 'Top', collectionId: top.id });
    await created(api, { title: 'Bottom', collectionId: bottom.id, type: 'report' });
    await created(api, { title: 'Other', collectionId: other.id });
    const found = (query: string) => titles(api, `sort=title&order=asc&${query}`);
    expect(await found(`collection=${top.id}`)).toEqual(['Bottom', 'Top']);
    expect(await found(`collection=${bottom.id}`)).toEqual(['Bottom']);
    expect(await found('collection=root')).toEqual(['Root']);
    expect(await found(`collection=root&collection=${other.id}`)).toEqual(['Other', 'Root']);
    expect(await found(`collection=${top.id}&type=report`)).toEqual(['Bottom']);
    expect(await found(`collection=${UNKNOWN}`)).toEqual([]);
    const facets = await api.send('GET', `/v1/documents/facets?collection=${top.id}`);
    expect(expectSuccess(facets)).toMatchObject({
      type: [
        { value: 'document', count: 1 },
        { value: 'report', count: 1 },
      ],
    });
    expect(facets.body.data.type).toHaveLength(2);
  });

  it('the filter also selects from the trash, deleted collections included', async () => {
    const { api } = await app.account();
    const collection = await newCollection(api);
    const { id } = await created(api, { collectionId: collection.id });
    await api.deleteDocument(id);
    await api.send('DELETE', pathOf(collection));
    expect(await titles(api, `deleted=true&collection=${collection.id}`)).toEqual(['A']);
    expect(await titles(api, 'deleted=true&collection=root')).toEqual([]);
  });

  it('a cursor of a filtered list continues after a collection was created below the filtered one', async () => {
    const { api } = await app.account();
    const collection = await newCollection(api);
    for (const title of ['1', '2', '3']) {
      await created(api, { title, collectionId: collection.id });
      app.clock.advance(1000);
    }
    const query = `/v1/documents?limit=2&collection=${collection.id}`;
    const first = await api.send('GET', query);
    const { nextCursor } = first.body.meta.pagination as { nextCursor: string };
    const child = await newCollection(api, 'Child', collection.id);
    await move(api, child, null);
    await move(api, child, collection.id);
    const second = await api.send('GET', `${query}&cursor=${nextCursor}`);
    expect((expectSuccess(second) as Shown[]).map(({ title }) => title)).toEqual(['1']);
  });

  it.each(['x', 'doc_01h455vb4pex5vsknk084sn02q', ''])('the filter refuses %j', async (value) => {
    const { api } = await app.account();
    const refused = await api.send('GET', `/v1/documents?collection=${value}`);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details).toMatchObject({ field: 'collection' });
  });
});

describe('at once', () => {
  it('documents that are created and moved while their collections are deleted are never in a deleted one', async () => {
    const { api, accountId } = await app.account({ plan: 'enterprise' });
    const rounds = Array.from({ length: 8 }, async () => {
      const collection = await newCollection(api);
      const { id } = await created(api);
      const collectionId = collection.id;
      await Promise.all([
        whileBusy(() => api.createDocument({ title: 'A', collectionId })),
        whileBusy(() => api.patchDocument(id, { collectionId })),
        whileBusy(() => api.send('DELETE', pathOf(collection))),
      ]);
    });
    await Promise.all(rounds);
    const lost = await app.dataSource.query(
      `SELECT document.id FROM documents AS document JOIN collections AS collection ON collection.id = document.collection_id
        WHERE document.account_id = $1 AND document.deleted_at IS NULL AND collection.deleted_at IS NOT NULL`,
      [accountId],
    );
    expect(lost).toEqual([]);
  });
});
