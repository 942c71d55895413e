import { newCollection, newMember, setAccess } from '../collections/collections-api.js';
import { updateIndex } from '../documents/document-rows.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import {
  acted,
  newDocument,
  patched,
  publishingAccount,
  putPublishing,
  type PublishedDocument,
} from './publishing-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const index = () => updateIndex(app);

const list = (api: ApiClient, query: string) =>
  api.send('GET', `/v1/documents?perspective=published${query}`);

/** Returns the titles of published versions that a query finds, and checks the total. */
async function titles(api: ApiClient, query = ''): Promise<string[]> {
  const response = await list(api, query);
  const items = expectSuccess(response) as { title: string }[];
  expect(response.body.meta.pagination.total).toBe(items.length);
  return items.map(({ title }) => title).sort();
}

/** Returns an account with a published document that was edited since, a published one, and a draft. */
async function libraryAccount() {
  const account = await publishingAccount(app);
  const { api } = account;
  const edited = await newDocument(api, {
    title: 'Edited',
    content: 'The quick fox.',
    type: 'report',
    metadata: { tags: ['old'], project: 'Apollo' },
  });
  await acted(api, edited, 'publish');
  await patched(api, edited, {
    title: 'Secret title',
    content: 'The hidden badger.',
    type: 'article',
    metadata: { tags: ['secret'], project: 'Zeus' },
  });
  const plain = await newDocument(api, {
    title: 'Plain',
    content: 'A quick hare.',
    type: 'report',
  });
  await acted(api, plain, 'publish');
  const draft = await newDocument(api, { title: 'Draft', content: 'A quick badger.' });
  await index();
  const reader = app.api(
    (await app.anotherKey(account, { scopes: ['documents:read_published'] })).key,
  );
  return { ...account, reader, edited, plain, draft };
}

describe('lists of published versions', () => {
  it('filter, sort, count and search what was published', async () => {
    const { api } = await libraryAccount();
    expect(await titles(api)).toEqual(['Edited', 'Plain']);
    expect(await titles(api, '&type=report')).toEqual(['Edited', 'Plain']);
    expect(await titles(api, '&type=article')).toEqual([]);
    expect(await titles(api, '&tag=old')).toEqual(['Edited']);
    expect(await titles(api, '&tag=secret')).toEqual([]);
    expect(await titles(api, '&status=draft')).toEqual([]);
    expect(await titles(api, '&q=quick')).toEqual(['Edited', 'Plain']);
    expect(await titles(api, '&q=fox')).toEqual(['Edited']);
    expect(await titles(api, '&q=badger')).toEqual([]);
    expect(await titles(api, '&q=secret')).toEqual([]);
    expect(await titles(api, '&q=quick&type=report&metadata.project=Apollo')).toEqual(['Edited']);
    expect(await titles(api, '&q=fox&sort=title')).toEqual(['Edited']);
    const drafts = expectSuccess(await api.send('GET', '/v1/documents?q=badger')) as object[];
    expect(drafts).toHaveLength(2);
  });

  it('show no draft text, tag or email address to a key with only documents:read_published', async () => {
    const { reader, api } = await libraryAccount();
    for (const query of ['', '?q=quick', '?include=content', '?type=report&sort=updated_at']) {
      const response = await reader.send('GET', `/v1/documents${query}`);
      expect(expectSuccess(response)).toHaveLength(2);
      expect(response.text).not.toMatch(/secret|badger|Zeus|@example/i);
    }
    const facets = expectSuccess(await reader.send('GET', '/v1/documents/facets'));
    expect(facets).toMatchObject({
      type: [{ value: 'report', count: 2 }],
      status: [{ value: 'published', count: 2 }],
      tag: [{ value: 'old', count: 1 }],
      project: [{ value: 'Apollo', count: 1 }],
    });
    const words = expectSuccess(await reader.send('GET', '/v1/documents/facets?q=badger'));
    expect(words).toMatchObject({ type: [] });
    const [item] = expectSuccess(await list(api, '&q=fox')) as any[];
    expect(item).toMatchObject({
      highlight: expect.stringContaining('<mark>fox</mark>') as string,
      firstPublishedAt: expect.any(String) as string,
      publishedAt: expect.any(String) as string,
    });
  });

  it('sort by the first publication, with a cursor', async () => {
    const { api } = await publishingAccount(app);
    const first = await newDocument(api, { title: 'A' });
    const second = await newDocument(api, { title: 'B' });
    const last = await newDocument(api, { title: 'C' });
    for (const document of [last, second, first]) {
      app.clock.advance(1000);
      await acted(api, document, 'publish');
    }
    app.clock.advance(1000);
    await patched(api, last, { title: 'C2' });
    await acted(api, last, 'publish');
    for (const filter of ['', '&type=document', '&status=published&type=document']) {
      const page = await list(api, `&sort=published_at&order=asc&limit=2${filter}`);
      expect((expectSuccess(page) as PublishedDocument[]).map(({ title }) => title)).toEqual([
        'C2',
        'B',
      ]);
      const { nextCursor } = page.body.meta.pagination;
      const next = await list(
        api,
        `&sort=published_at&order=asc&limit=2${filter}&cursor=${nextCursor}`,
      );
      expect((expectSuccess(next) as PublishedDocument[]).map(({ title }) => title)).toEqual(['A']);
    }
    expectFailure(await api.send('GET', '/v1/documents?sort=published_at'), 400, 'INVALID_REQUEST');
  });

  it('refuse filters of drafts, and are refused while publishing is off', async () => {
    const { api, reader } = await libraryAccount();
    for (const query of ['&deleted=true', '&unpublishedChanges=true'])
      expectFailure(await list(api, query), 400, 'INVALID_REQUEST');
    await putPublishing(api, { enabled: false });
    expectFailure(await reader.send('GET', '/v1/documents'), 409, 'INVALID_REQUEST');
  });

  it('have an ETag until the list changes', async () => {
    const { reader, api, edited } = await libraryAccount();
    const first = await reader.send('GET', '/v1/documents');
    const headers = { 'If-None-Match': String(first.headers['etag']) };
    expect(first.headers['cache-control']).toBe('private, max-age=0');
    expect((await reader.send('GET', '/v1/documents', { headers })).status).toBe(304);
    await patched(api, edited, { title: 'Another secret' });
    expect((await reader.send('GET', '/v1/documents', { headers })).status).toBe(304);
    await acted(api, edited, 'publish');
    expect((await reader.send('GET', '/v1/documents', { headers })).status).toBe(200);
  });

  it('change at once when a document leaves or returns, and its words follow a publication', async () => {
    const { api, accountId, edited, plain } = await libraryAccount();
    expectSuccess(await api.deleteDocument(plain.id));
    expect(await titles(api)).toEqual(['Edited']);
    expect(await titles(api, '&q=quick')).toEqual(['Edited']);
    expectSuccess(await api.restoreDocument(plain.id));
    expect(await titles(api, '&q=quick')).toEqual(['Edited', 'Plain']);
    await acted(api, plain, 'unpublish');
    expect(await titles(api, '&q=quick')).toEqual(['Edited']);
    await acted(api, edited, 'publish');
    await index();
    expect(await titles(api, '&q=badger')).toEqual(['Secret title']);
    expect(await titles(api, '&q=fox')).toEqual([]);
    await acted(api, edited, 'publish', { version: 2 });
    await index();
    expect(await titles(api, '&q=badger')).toEqual([]);
    expect(await titles(api, '&q=fox')).toEqual(['Edited']);
    await acted(api, edited, 'discard');
    await index();
    expect(await titles(api, '&q=fox')).toEqual(['Edited']);
    const own = await app.dataSource.query('SELECT FROM publication_texts WHERE account_id = $1', [
      accountId,
    ]);
    expect(own).toEqual([]);
  });

  it('search words in the language that was published', async () => {
    const { api } = await publishingAccount(app);
    const document = await newDocument(api, {
      title: 'Haus',
      content: 'Die Häuser der Stadt',
      aiSettings: { language: 'de' },
    });
    await acted(api, document, 'publish');
    await patched(api, document, { aiSettings: { language: 'en' }, content: 'The houses' });
    await index();
    expect(await titles(api, '&q=haus')).toEqual(['Haus']);
    expect(await titles(api, '&q=house')).toEqual([]);
  });

  it('show what the rights in collections permit', async () => {
    const account = await publishingAccount(app);
    const { api } = account;
    const folder = await newCollection(api);
    await setAccess(api, folder, { everyone: null, people: [] });
    const member = await newMember(app, account);
    const inFolder = await newDocument(api, { title: 'Hidden', content: 'A fox.' });
    const open = await newDocument(api, { title: 'Open', content: 'A fox.' });
    for (const document of [inFolder, open]) await acted(api, document, 'publish');
    await patched(api, inFolder, { collectionId: folder.id });
    await index();
    for (const query of ['', '&q=fox', '&type=document', '&sort=title']) {
      expect(await titles(member.api, query)).toEqual(['Open']);
      expect(await titles(api, query)).toEqual(['Hidden', 'Open']);
    }
    expect(await titles(api, `&collection=${folder.id}`)).toEqual(['Hidden']);
  });

  it('of documents can be limited to those with unpublished changes', async () => {
    const { api, edited } = await libraryAccount();
    const response = await api.send('GET', '/v1/documents?unpublishedChanges=true');
    const items = expectSuccess(response) as PublishedDocument[];
    expect(items.map(({ id }) => id)).toEqual([edited.id]);
    expect(items[0]?.published).toEqual({ version: 2, changed: true });
    const facets = await api.send(
      'GET',
      '/v1/documents/facets?unpublishedChanges=true&type=article',
    );
    expect(expectSuccess(facets)).toMatchObject({ type: [{ value: 'article', count: 1 }] });
  });
});
