import type { ApiResponse, ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { HOSTILE_TEXTS } from '../documents/hostile-texts.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Listed {
  id: string;
  type: string;
  data: { document: { id: string; content?: string } };
}

describe('listing events', () => {
  it('listing events shows what happened in the thin form: which document, its version, who, and by which request', async () => {
    const account = await app.account();
    const created = await account.api.createDocument({ title: 'Watched', content: 'Long text' });
    const { id } = created.body.data as { id: string };
    const events = expectSuccess(await account.api.listEvents());
    expect(events).toEqual([
      {
        id: expect.stringMatching(/^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/) as string,
        type: 'document.created',
        timestamp: app.clock.now().toISOString(),
        apiVersion: 'v1',
        data: { document: { id, type: 'document', status: 'draft', version: 1 } },
        actor: { userId: account.user.id, keyId: expect.stringMatching(/^key_/) as string },
        requestId: created.body.meta.requestId as string,
      },
    ]);
  });

  it('listing events returns the newest first, by page and by cursor, with the exact total', async () => {
    const { api } = await app.account();
    const documents: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const created = await api.createDocument({ title: String(index) });
      documents.unshift((created.body.data as { id: string }).id);
      app.clock.advance(1000);
    }
    const subjects = ({ body }: ApiResponse) =>
      (body.data as Listed[]).map(({ data }) => data.document.id);
    const first = await api.listEvents({ limit: 2 });
    expect(subjects(first)).toEqual(documents.slice(0, 2));
    expect(first.body.meta.pagination).toMatchObject({
      page: 1,
      limit: 2,
      total: 5,
      pages: 3,
      hasMore: true,
    });
    const next = await api.listEvents({
      limit: 2,
      cursor: first.body.meta.pagination.nextCursor as string,
    });
    expect(subjects(next)).toEqual(documents.slice(2, 4));
    expect(subjects(await api.listEvents({ limit: 2, page: 3 }))).toEqual(documents.slice(4));
    expect(subjects(await api.listEvents({ order: 'asc' }))).toEqual(documents.toReversed());
  });

  it('listing events contains nothing for a refused request', async () => {
    const { api } = await app.account();
    expect((await api.createDocument({ title: '' })).status).toBe(400);
    expect((await api.listEvents()).body).toMatchObject({
      data: [],
      meta: { pagination: { total: 0 } },
    });
  });

  it('listing events shows no event of another account', async () => {
    const owner = await app.account();
    const stranger = await app.account();
    await owner.api.createDocument({ title: 'Private' });
    expect((await stranger.api.listEvents()).body.data).toEqual([]);
  });

  it.each([
    ['sort', { sort: 'type' }],
    ['limit', { limit: 0 }],
    ['type', { type: 'document.made' }],
  ])('listing events refuses a wrong %s and names it', async (field, query) => {
    const { api } = await app.account();
    const response = await api.listEvents(query);
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details.field).toBe(field);
  });
});

it('reading an event returns it in full, byte for byte as webhooks receive it', async () => {
  const { api, accountId } = await app.account();
  const metadata = '{"b":1.0,"1":2e2,"__proto__":{"x":1}}';
  const created = await api.send('POST', '/v1/documents', {
    rawBody: `{"title":"T","content":"Long text","metadata":${metadata}}`,
  });
  expectSuccess(created, 201);
  const [listed] = (await api.listEvents()).body.data as [Listed];
  const read = await api.readEvent(listed.id);
  const event = expectSuccess(read) as Listed;
  expect(event.data.document).toEqual(created.body.data);
  expect(read.text).toContain(`"metadata":${metadata}`);
  const [stored] = await app.dataSource.query<{ full_body: string }[]>(
    'SELECT full_body FROM events WHERE account_id = $1',
    [accountId],
  );
  expect(read.text).toContain(`"data":${stored?.full_body ?? 'no event'},"meta"`);
});

/** Maximum size of a content in an event, in UTF-8 bytes. */
const SHOWN = 256 * 1024;

let api: ApiClient;
beforeEach(async () => {
  ({ api } = await app.account());
});

interface Told {
  type: string;
  document: string;
}

/** Returns the full events of the account, oldest first, with documents as JSON text. */
async function told(): Promise<Told[]> {
  const { body } = await api.listEvents({ order: 'asc', limit: 100 });
  const ids = (body.data as { id: string }[]).map(({ id }) => id);
  const events = await Promise.all(ids.map((id) => api.readEvent(id)));
  return events.map((event) => {
    const { type, data } = event.body.data as { type: string; data: { document: object } };
    return { type, document: JSON.stringify(data.document) };
  });
}

const documentOf = ({ body }: ApiResponse): string => {
  if (!body.success) throw new Error(JSON.stringify(body.error).slice(0, 500));
  return JSON.stringify(body.data);
};
const idOf = (reply: ApiResponse): string => (reply.body.data as { id: string }).id;

describe.each(Object.entries(HOSTILE_TEXTS).filter(([, text]) => Buffer.byteLength(text) <= SHOWN))(
  'Events with the content: %s',
  (_, text) => {
    it('Events show the document as in the response to its change', async () => {
      const created = await api.createDocument({ title: 'One', content: text });
      const emptied = await api.patchDocument(idOf(created), { content: '' });
      const filled = await api.patchDocument(idOf(created), { content: text });
      expect(await told()).toEqual([
        { type: 'document.created', document: documentOf(created) },
        { type: 'document.updated', document: documentOf(emptied) },
        { type: 'document.updated', document: documentOf(filled) },
      ]);
    });
  },
);

describe('Events of documents', () => {
  it('Events of documents show the document even when its content did not change, or was deleted and restored', async () => {
    const content = Object.values(HOSTILE_TEXTS).find(
      (text) => text.length > 0 && text.length < 1_000,
    );
    const created = await api.createDocument({ title: 'One', content });
    const id = idOf(created);
    const renamed = await api.patchDocument(id, { title: 'Two' });
    await api.deleteDocument(id);
    const restored = await api.restoreDocument(id);
    expect(await told()).toEqual([
      { type: 'document.created', document: documentOf(created) },
      { type: 'document.updated', document: documentOf(renamed) },
      { type: 'document.deleted', document: documentOf(renamed) },
      { type: 'document.restored', document: documentOf(restored) },
    ]);
  });

  it('Events of documents that were emitted together each show their own content', async () => {
    const texts = Object.values(HOSTILE_TEXTS).filter((text) => text.length < 1_000);
    const responses = await Promise.all(
      texts.map((content) => api.createDocument({ title: 'Many', content })),
    );
    const shown = (await told()).map(({ document }) => document);
    expect(shown.toSorted()).toEqual(responses.map(documentOf).toSorted());
  });

  it.each([
    ['a content of 256 KiB', SHOWN, true],
    ['no content of one byte more', SHOWN + 1, false],
  ])('Events of documents show %s', async (_, bytes, isShown) => {
    const created = await api.createDocument({ title: 'Long', content: 'x'.repeat(bytes) });
    await api.patchDocument(idOf(created), { title: 'Longer' });
    const lengths = (await told()).map(
      ({ document }) => (JSON.parse(document) as { content?: string }).content?.length,
    );
    expect(lengths).toEqual(isShown ? [bytes, bytes] : [undefined, undefined]);
  });
});

describe('filtering the list of events', () => {
  it('filtering the list of events accepts several types, and patterns as webhooks do', async () => {
    const { api } = await app.account();
    const { id } = (await api.createDocument({ title: 'One' })).body.data as { id: string };
    await api.send('PATCH', `/v1/documents/${id}`, { body: { status: 'published' } });
    await api.send('DELETE', `/v1/documents/${id}`);
    const types = async (query: string) => {
      const response = await api.send('GET', `/v1/events?${query}`);
      const listed = (expectSuccess(response) as Listed[]).map(({ type }) => type);
      expect(response.body.meta.pagination.total).toBe(listed.length);
      return listed.sort();
    };
    const all = await types('');
    expect(await types('type=document.created')).toEqual(['document.created']);
    const both = ['document.created', 'document.deleted'];
    expect(await types('type=document.deleted&type=document.created')).toEqual(both);
    expect(await types('type=document.deleted,document.created')).toEqual(both);
    expect(await types('type=document.*')).toEqual(all);
    expect(await types('type=*')).toEqual(all);
    expect(await types('type=webhook.*')).toEqual([]);
    const refused = await api.send('GET', '/v1/events?type=document.create');
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.field).toBe('type');
    expect(refused.body.error.details.issue).toContain("did you mean 'document.created'?");
  });

  it('filtering the list of events accepts a document and a time range, together with the others', async () => {
    const account = await app.account();
    const { api } = account;
    const times: string[] = [];
    const ids: string[] = [];
    for (const title of ['One', 'Two', 'Three']) {
      times.push(app.clock.now().toISOString());
      ids.push(((await api.createDocument({ title })).body.data as { id: string }).id);
      app.clock.advance(1000);
    }
    const of = async (query: Record<string, string | undefined>) => {
      const listed = expectSuccess(await api.listEvents(query)) as Listed[];
      return listed.map(({ data }) => ids.indexOf(data.document.id));
    };
    expect(await of({ documentId: ids[1] })).toEqual([1]);
    expect(await of({ since: times[1] })).toEqual([2, 1]);
    expect(await of({ until: times[1] })).toEqual([0]);
    expect(await of({ since: times[0], until: times[2] })).toEqual([1, 0]);
    expect(await of({ documentId: ids[0], since: times[1] })).toEqual([]);
    expect(await of({ documentId: ids[0], type: 'document.updated' })).toEqual([]);
    expect(await of({ type: 'document.created', documentId: ids[2], since: times[2] })).toEqual([
      2,
    ]);
    const stranger = await app.account();
    expect(expectSuccess(await stranger.api.listEvents({ documentId: ids[0] }))).toEqual([]);
    for (const [name, value] of [
      ['documentId', 'x'],
      ['since', 'yesterday'],
      ['until', '2026-13-01'],
    ] as const) {
      const refused = await api.listEvents({ [name]: value });
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details.field).toBe(name);
    }
  });

  it('filtering the list of events is part of a cursor, which other filters refuse', async () => {
    const { api } = await app.account();
    for (const title of ['One', 'Two', 'Three']) await api.createDocument({ title });
    const query = { type: 'document.created', limit: 2 };
    const first = await api.listEvents(query);
    const cursor = first.body.meta.pagination.nextCursor as string;
    const second = await api.listEvents({ ...query, cursor });
    expect(expectSuccess(second)).toHaveLength(1);
    for (const other of [{ limit: 2 }, { limit: 2, type: 'document.*' }]) {
      expectFailure(await api.listEvents({ ...other, cursor }), 400, 'INVALID_REQUEST');
    }
  });
});
