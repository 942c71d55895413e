import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { move, newCollection, newMember, setAccess } from '../collections/collections-api.js';
import { acted, newDocument, patched, publishingAccount, putPublishing } from './publishing-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Returns an account with a document whose version 2 is published and whose version 4 is an unpublished draft. */
async function edited(settings: object = {}) {
  const account = await publishingAccount(app, settings);
  const { api } = account;
  const draft = await newDocument(api, {
    title: 'Plan',
    content: 'One.',
    externalId: 'crm/1',
    metadata: { tags: ['old'] },
  });
  await acted(api, draft, 'publish');
  await patched(api, draft, { content: 'Secret.', metadata: { tags: ['secret'] } });
  await patched(api, draft, { title: 'Secret plan' });
  const reader = app.api(
    (await app.anotherKey(account, { scopes: ['documents:read_published'] })).key,
  );
  return { ...account, reader, id: draft.id };
}

const published = (id: string) => `/v1/documents/${id}?version=published`;

describe('reading the published version', () => {
  it('returns what was published, by ID and external ID, with an ETag that names version and number', async () => {
    const { api, id } = await edited();
    const byId = await api.send('GET', published(id));
    expect(expectSuccess(byId)).toMatchObject({
      id,
      title: 'Plan',
      content: 'One.',
      status: 'published',
      version: 2,
      metadata: { tags: ['old'] },
      publishedAt: expect.any(String) as string,
    });
    expect(byId.text).not.toMatch(/Secret|secret|@example/);
    expect(byId.body.data).not.toHaveProperty('published');
    expect(Object.keys(byId.body.data.createdBy as object)).toEqual(['id', 'name']);
    expect(byId.headers['etag']).toBe('"2;p1"');
    const byExternalId = await api.send(
      'GET',
      '/v1/documents/by-external-id/crm%2F1?version=published',
    );
    expect(byExternalId.body.data).toEqual(byId.body.data);
    expect(expectSuccess(await api.readDocument(id))).toMatchObject({ version: 4 });
  });

  it('is what a key with only documents:read_published gets, and such a key gets 403 elsewhere', async () => {
    const { reader, api, id } = await edited();
    const read = await reader.readDocument(id);
    expect(expectSuccess(read)).toMatchObject({ content: 'One.' });
    expect(read.body.data).toEqual((await api.send('GET', published(id))).body.data);
    const file = await reader.send('GET', `/v1/documents/${id}/export?format=md`);
    expect(file.text).toContain('One.');
    expect(file.text).not.toMatch(/secret/i);
    for (const path of ['/versions', '/versions/4', '/publications', '/analyses', '/presence']) {
      expectFailure(await reader.send('GET', `/v1/documents/${id}${path}`), 403, 'FORBIDDEN');
    }
    const draft = await newDocument(api, { title: 'Draft' });
    expectFailure(await reader.readDocument(draft.id), 404, 'NOT_FOUND');
  });

  it('selects fields, with an ETag of their own', async () => {
    const { reader, id } = await edited();
    const read = await reader.send('GET', `/v1/documents/${id}?fields=title,firstPublishedAt`);
    const { data } = read.body;
    expect(Object.keys(data as object)).toEqual(['id', 'title', 'firstPublishedAt']);
    expect(read.headers['etag']).toBe('"2;p1;id.title.firstPublishedAt"');
  });

  it('ends at once when the document is unpublished, archived or deleted, and when publishing is turned off', async () => {
    const { api, reader, id } = await edited();
    expectSuccess(await reader.readDocument(id));
    expectSuccess(await api.deleteDocument(id));
    expectFailure(await reader.readDocument(id), 404, 'NOT_FOUND');
    expectSuccess(await api.restoreDocument(id));
    expect(expectSuccess(await reader.readDocument(id))).toMatchObject({ content: 'One.' });
    await patched(api, { id }, { status: 'archived' });
    expectFailure(await reader.readDocument(id), 404, 'NOT_FOUND');
    await patched(api, { id }, { status: 'draft' });
    expectFailure(await reader.readDocument(id), 404, 'NOT_FOUND');
    await acted(api, { id }, 'publish', { version: 2 });
    expect(expectSuccess(await reader.readDocument(id))).toMatchObject({ content: 'One.' });
    await putPublishing(api, { enabled: false });
    expectFailure(await reader.readDocument(id), 404, 'NOT_FOUND');
  });

  it('returns 304 until the next publication; a rollback has a new ETag', async () => {
    const { api, reader, id } = await edited({ cacheSeconds: 60 });
    const first = await reader.readDocument(id);
    const etag = String(first.headers['etag']);
    const unchanged = await reader.readDocument(id, { 'If-None-Match': etag });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers).toMatchObject({ etag, 'cache-control': 'private, max-age=60' });
    expect(unchanged.headers['vary']).toBe('Authorization, Cookie');
    await acted(api, { id }, 'publish');
    const second = await reader.readDocument(id, { 'If-None-Match': etag });
    expect(second.headers['etag']).toBe('"4;p2"');
    await acted(api, { id }, 'publish', { version: 2 });
    const third = await reader.readDocument(id, { 'If-None-Match': etag });
    expect(third.headers['etag']).toBe('"2;p3"');
    expect(expectSuccess(third)).toEqual({
      ...first.body.data,
      publishedAt: third.body.data.publishedAt,
    });
    const ifMatch = { 'If-Match': String(second.headers['etag']) };
    expectSuccess(await api.patchDocument(id, { title: 'New' }, ifMatch));
  });

  it('may be stored by shared caches if the account allows it; drafts have no Cache-Control', async () => {
    const { api, id } = await edited({ cacheSeconds: 10, sharedCache: true });
    const read = await api.send('GET', published(id));
    expect(read.headers['cache-control']).toBe('public, max-age=10, stale-while-revalidate=10');
    expect((await api.readDocument(id)).headers).not.toHaveProperty('cache-control');
  });

  it('needs a right in the collection where the document is now', async () => {
    const account = await publishingAccount(app);
    const { api } = account;
    const folder = await newCollection(api);
    await setAccess(api, folder, { everyone: null, people: [] });
    const member = await newMember(app, account);
    const draft = await newDocument(api, { title: 'Plan', content: 'One.' });
    await acted(api, draft, 'publish');
    expectSuccess(await member.api.send('GET', published(draft.id)));
    await patched(api, draft, { collectionId: folder.id });
    expectFailure(await member.api.send('GET', published(draft.id)), 404, 'NOT_FOUND');
    expect(expectSuccess(await api.send('GET', published(draft.id)))).toMatchObject({
      collectionId: folder.id,
      version: 2,
    });
    expectFailure(
      await member.api.send('POST', `/v1/documents/${draft.id}/publish`),
      404,
      'NOT_FOUND',
    );
    const parent = await newCollection(api, 'Parent');
    expectSuccess(await move(api, folder, parent.id));
  });
});
