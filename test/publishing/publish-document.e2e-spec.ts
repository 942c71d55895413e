import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
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

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const publicationsOf = async (api: ApiClient, id: string) =>
  expectSuccess(await api.send('GET', `/v1/documents/${id}/publications?order=asc`)) as {
    number: number;
    version: number;
    publishedAt: string;
    endedAt: string | null;
  }[];

describe('publishing', () => {
  it('is off in a new account: documents have no published version, and publishing one is refused', async () => {
    const { api } = await app.account();
    const settings = expectSuccess(await api.send('GET', '/v1/publishing'));
    expect(settings).toEqual({
      enabled: false,
      cacheSeconds: 0,
      sharedCache: false,
      rules: [],
      settled: true,
      updatedAt: null,
    });
    const document = await newDocument(api, { title: 'Plan' });
    expectFailure(await act(api, document, 'publish'), 409, 'INVALID_REQUEST');
    const published = await patched(api, document, { status: 'published' });
    expect(published).not.toHaveProperty('published');
    const [event] = await eventsOf(api, document, 'document.published');
    expect(event?.data).not.toHaveProperty('published');
    expect(await publicationsOf(api, document.id)).toEqual([]);
  });

  it('a document gets a published version, and later edits are unpublished changes', async () => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Plan', content: 'One.' });
    expect(draft).not.toHaveProperty('published');
    const published = await acted(api, draft, 'publish');
    expect(published).toMatchObject({
      status: 'published',
      version: 2,
      published: { version: 2, changed: false },
    });
    const edited = await patched(api, draft, { content: 'Two.' });
    expect(edited.published).toEqual({ version: 2, changed: true });
    const again = await acted(api, draft, 'publish');
    expect(again).toMatchObject({ version: 3, published: { version: 3, changed: false } });
    expect(await acted(api, draft, 'publish')).toEqual(again);
    const publications = await publicationsOf(api, draft.id);
    expect(publications.map(({ number, version }) => [number, version])).toEqual([
      [1, 2],
      [2, 3],
    ]);
    expect(publications[0]?.endedAt).toBe(publications[1]?.publishedAt);
    expect(publications[1]?.endedAt).toBeNull();
  });

  it('an older version can be published while the draft stays, and a rollback has the next number', async () => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Plan', content: 'One.' });
    await patched(api, draft, { content: 'Two.' });
    await acted(api, draft, 'publish');
    const rolledBack = await acted(api, draft, 'publish', { version: 1 });
    expect(rolledBack).toMatchObject({
      version: 3,
      content: 'Two.',
      published: { version: 1, changed: true },
    });
    const events = await eventsOf(api, draft, 'document.published');
    expect(events.map(({ data }) => [data.published, data.document.content])).toEqual([
      [{ version: 3, number: 1, releaseId: null }, 'Two.'],
      [{ version: 1, number: 2, releaseId: null }, 'One.'],
    ]);
    expect(events[1]?.data).toMatchObject({
      changes: [],
      from: 'published',
      to: 'published',
      document: { status: 'published', version: 1 },
    });
    expectFailure(await act(api, draft, 'publish', { version: 4 }), 404, 'NOT_FOUND');
  });

  it('an older version of a draft can be published', async () => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Plan', content: 'One.' });
    await patched(api, draft, { content: 'Secret.' });
    const published = await acted(api, draft, 'publish', { version: 1 });
    expect(published).toMatchObject({ version: 3, published: { version: 1, changed: true } });
    const [event] = await eventsOf(api, draft, 'document.published');
    expect(JSON.stringify(event)).not.toContain('Secret');
    expect(event?.data.document).toMatchObject({
      content: 'One.',
      version: 1,
      status: 'published',
    });
  });

  it('changes of status, external ID and collection are not unpublished changes', async () => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Plan' });
    await acted(api, draft, 'publish');
    const moved = await patched(api, draft, { externalId: 'crm/1' });
    expect(moved.published).toEqual({ version: 2, changed: false });
  });

  it.each([
    ['PATCH', { status: 'published' }],
    ['PUT', { title: 'Plan', content: 'Two.', status: 'published' }],
  ])('a %s to the status publishes the version that it makes', async (method, body) => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Plan', content: 'One.' });
    const response = await api.send(method, `/v1/documents/${draft.id}`, { body });
    expect(expectSuccess(response)).toMatchObject({
      version: 2,
      published: { version: 2, changed: false },
    });
    const [event] = await eventsOf(api, draft, 'document.published');
    expect(event?.data).toMatchObject({
      changes: ['status'],
      from: 'draft',
      to: 'published',
      published: { version: 2, number: 1, releaseId: null },
    });
  });

  it.each([true, false])('a batch publishes and unpublishes (atomic: %s)', async (atomic) => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Plan' });
    const batch = async (status: string) =>
      expectSuccess(
        await api.batchDocuments({
          atomic,
          operations: [{ op: 'update', id: draft.id, patch: { status } }],
        }),
      );
    await batch('published');
    expect(expectSuccess(await api.readDocument(draft.id))).toMatchObject({
      published: { version: 2, changed: false },
    });
    await batch('archived');
    expect(expectSuccess(await api.readDocument(draft.id))).not.toHaveProperty('published');
  });

  it.each([true, false])('a batch has publish and unpublish (atomic: %s)', async (atomic) => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Plan', content: 'One.' });
    await patched(api, draft, { content: 'Two.' });
    const { id } = draft;
    const response = await api.batchDocuments({
      atomic,
      operations: [
        { op: 'publish', id, version: 1 },
        { op: 'publish', id, ifMatch: 3 },
        { op: 'unpublish', id },
        { op: 'publish', id },
      ],
    });
    const { results } = expectSuccess(response) as {
      results: { status: number; data: PublishedDocument }[];
    };
    expect(results.map(({ status, data }) => [status, data.version, data.published])).toEqual([
      [200, 3, { version: 1, changed: true }],
      [200, 3, { version: 3, changed: false }],
      [200, 4, undefined],
      [200, 5, { version: 5, changed: false }],
    ]);
  });

  it('a version can be compared with the published one', async () => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Plan', content: 'One.' });
    const diff = (number: string) =>
      api.send('GET', `/v1/documents/${draft.id}/versions/${number}/diff?against=published`);
    expectFailure(await diff('1'), 409, 'INVALID_REQUEST');
    await acted(api, draft, 'publish');
    await patched(api, draft, { title: 'New plan' });
    expect(expectSuccess(await diff('3'))).toMatchObject({
      from: 2,
      to: 3,
      title: { from: 'Plan', to: 'New plan' },
    });
    const wrong = `/v1/documents/${draft.id}/versions/3/diff?against=draft`;
    expectFailure(await api.send('GET', wrong), 400, 'INVALID_REQUEST');
  });

  it('unpublishing makes a draft, and the event has the text that readers had', async () => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Plan', content: 'One.' });
    expectFailure(await act(api, draft, 'unpublish'), 409, 'INVALID_REQUEST');
    await acted(api, draft, 'publish');
    await patched(api, draft, { content: 'Secret.' });
    const unpublished = await acted(api, draft, 'unpublish');
    expect(unpublished).toMatchObject({ status: 'draft', content: 'Secret.' });
    expect(unpublished).not.toHaveProperty('published');
    const [event] = await eventsOf(api, draft, 'document.unpublished');
    expect(event?.data).toMatchObject({
      document: { content: 'One.', version: 2 },
      published: { version: 2, number: 1, releaseId: null },
    });
    const [first] = await publicationsOf(api, draft.id);
    expect(first?.endedAt).toEqual(expect.any(String));
    await acted(api, draft, 'publish');
    const numbers = (await publicationsOf(api, draft.id)).map(({ number }) => number);
    expect(numbers).toEqual([1, 2]);
  });

  it('discarding makes a version with the published text, once', async () => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Plan', content: 'One.', metadata: { a: 1 } });
    await acted(api, draft, 'publish');
    await patched(api, draft, { content: 'Two.', title: 'Other', metadata: { a: 2 } });
    const discarded = await acted(api, draft, 'discard');
    expect(discarded).toMatchObject({
      title: 'Plan',
      content: 'One.',
      metadata: { a: 1 },
      status: 'published',
      version: 4,
      published: { version: 2, changed: false },
    });
    expect(await acted(api, draft, 'discard')).toEqual(discarded);
  });

  it('refuses a stale If-Match and an illegal status', async () => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Plan' });
    const stale = await act(api, draft, 'publish', undefined, { 'If-Match': '"7"' });
    expectFailure(stale, 412, 'INVALID_REQUEST');
    await patched(api, draft, { status: 'archived' });
    expectFailure(await act(api, draft, 'publish'), 409, 'INVALID_REQUEST');
  });

  it('concurrent publications and edits leave a published version and the numbers of all publications', async () => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Plan', content: '0' });
    await acted(api, draft, 'publish');
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0
          ? api.patchDocument(draft.id, { content: String(index + 1) })
          : act(api, draft, 'publish'),
      ),
    );
    const { published } = expectSuccess(await api.readDocument(draft.id)) as PublishedDocument;
    const publications = await publicationsOf(api, draft.id);
    expect(publications.map(({ number }) => number)).toEqual(publications.map((_, at) => at + 1));
    expect(publications.filter(({ endedAt }) => endedAt === null)).toEqual([publications.at(-1)]);
    expect(published?.version).toBe(publications.at(-1)?.version);
  });

  it('publications and settings are in the audit log', async () => {
    const { api } = await publishingAccount(app);
    const draft = await newDocument(api, { title: 'Plan' });
    await acted(api, draft, 'publish');
    await acted(api, draft, 'unpublish');
    await putPublishing(api, { enabled: false });
    const entries = expectSuccess(await api.send('GET', '/v1/audit?order=asc')) as {
      action: string;
      details: object;
    }[];
    expect(entries.map(({ action }) => action)).toEqual([
      'account.update',
      'document.create',
      'document.update',
      'document.publish',
      'document.update',
      'document.unpublish',
      'account.update',
    ]);
    expect(entries[3]?.details).toEqual({ version: 2, number: 1 });
  });
});
