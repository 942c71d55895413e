import { type ApiClient, whileBusy } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { updateIndex } from './document-rows.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface DocumentData {
  id: string;
  title: string;
  content: string;
  version: number;
  status: string;
  metadata: Record<string, unknown>;
}

async function created(api: ApiClient, body: object): Promise<DocumentData> {
  return expectSuccess(await api.createDocument(body), 201) as DocumentData;
}

async function eventTypes(api: ApiClient): Promise<string[]> {
  const { body } = await api.listEvents({ order: 'asc', limit: 100 });
  return (body.data as { type: string }[]).map(({ type }) => type);
}

describe('PATCH of a document', () => {
  it('PATCH of a document changes the given fields, creates a version, and lists the changes in its event', async () => {
    const { api } = await app.account();
    const { id } = await created(api, {
      title: 'A',
      content: 'one two',
      metadata: { tags: ['x'] },
    });
    app.clock.advance(1_000);
    const response = await api.patchDocument(id, { title: 'B', content: 'one two three' });
    const document = expectSuccess(response) as DocumentData & {
      wordCount: number;
      updatedAt: string;
    };
    expect(document).toMatchObject({
      title: 'B',
      content: 'one two three',
      wordCount: 3,
      version: 2,
      metadata: { tags: ['x'] },
      updatedAt: app.clock.now().toISOString(),
    });
    expect(response.headers['etag']).toBe('"2"');
    const { body } = await api.listEvents({ limit: 1 });
    expect(body.data[0]).toMatchObject({
      type: 'document.updated',
      data: { document: { id, version: 2 }, changes: ['title', 'content'] },
    });
    expect(expectSuccess(await api.readDocument(id))).toEqual(document);
  });

  it('PATCH of a document merges metadata, removes keys with null and preserves the rest byte for byte', async () => {
    const { api } = await app.account();
    const made = await api.send('POST', '/v1/documents', {
      rawBody:
        '{"title":"M","metadata":{"z":1.0,"a":{"k":12345678901234567890,"drop":1},"10":true}}',
    });
    const { id } = expectSuccess(made, 201) as DocumentData;
    const response = await api.send('PATCH', `/v1/documents/${id}`, {
      rawBody: '{"metadata":{"a":{"drop":null,"n":1e2},"new":"ü","__proto__":{"x":1}}}',
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(response.text).toContain(
      '"metadata":{"z":1.0,"a":{"k":12345678901234567890,"n":1e2},"10":true,"new":"ü","__proto__":{"x":1}}',
    );
  });

  it('PATCH of a document that changes nothing writes nothing and emits nothing', async () => {
    const { api } = await app.account();
    const document = await created(api, { title: 'Same', metadata: { a: 1 } });
    for (const body of [{}, { title: 'Same' }, { metadata: { a: 1, b: null } }, document]) {
      const response = await api.patchDocument(document.id, body);
      expect(expectSuccess(response)).toEqual(document);
    }
    expect(await eventTypes(api)).toEqual(['document.created']);
  });

  it('PATCH of a document reports every problem at once, including those of the result', async () => {
    const { api } = await app.account();
    const { id } = await created(api, { title: 'P', metadata: { big: 'x'.repeat(16_000) } });
    const refused = await api.patchDocument(id, { title: ' ', type: 'novel', contnet: 'x' });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    const fields = (refused.body.error.details.problems as { field: string }[]).map((p) => p.field);
    expect(fields).toEqual(['title', 'type', 'contnet']);
    const grown = await api.patchDocument(id, { metadata: { more: 'x'.repeat(1_000) } });
    expectFailure(grown, 400, 'INVALID_REQUEST');
    expect(grown.body.error.details.field).toBe('metadata');
    const wrong = await api.patchDocument(id, { metadata: { tags: 'no list' } });
    expect(wrong.body.error.details.field).toBe('metadata.tags');
  });

  it('PATCH of a document loses no change when a hundred clients write at once on two replicas', async () => {
    const account = await app.account();
    const { url } = app.dataSource.options as { url: string };
    const replica = await startTestApp({ databaseUrl: url });
    const apis = [account.api, replica.api(account.key)] as const;
    const { id } = await created(account.api, { title: 'Contended', content: '' });
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        whileBusy(() =>
          n % 2 === 0
            ? apis[0].patchDocument(id, { metadata: { [`k${String(n)}`]: n } })
            : apis[1].editDocument(id, [{ op: 'append', text: `<${String(n)}>` }]),
        ),
      ),
    );
    await replica.close();
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const document = expectSuccess(await account.api.readDocument(id)) as DocumentData;
    expect(document.version).toBe(101);
    expect(Object.keys(document.metadata)).toHaveLength(50);
    expect(document.content.match(/<\d+>/g)).toHaveLength(50);
    expect(new Set(responses.map(({ body }) => (body.data as DocumentData).version)).size).toBe(
      100,
    );
    expect(await eventTypes(account.api)).toHaveLength(100);
  });
});

describe('PUT of a document', () => {
  it('PUT of a document replaces all of it: omitted fields get their defaults, and the status stays', async () => {
    const { api } = await app.account();
    const made = await created(api, {
      title: 'Old',
      type: 'report',
      content: 'x',
      metadata: { a: 1 },
    });
    await api.patchDocument(made.id, { status: 'in_review' });
    const document = expectSuccess(await api.replaceDocument(made.id, { title: 'New' }));
    expect(document).toMatchObject({
      title: 'New',
      type: 'document',
      content: '',
      metadata: {},
      status: 'in_review',
      version: 3,
    });
  });

  it('PUT of a document accepts what a read returned', async () => {
    const { api } = await app.account();
    const made = await created(api, { title: 'Round', content: 'trip', metadata: { a: [1] } });
    expect(expectSuccess(await api.replaceDocument(made.id, made))).toEqual(made);
  });

  it.each([{}, { q: 'trip' }, { deleted: 'true' }])(
    'PUT of a document and PATCH accept what a list with %j returned',
    async (query) => {
      const { api } = await app.account();
      const made = await created(api, { title: 'Round', content: 'trip' });
      await updateIndex(app);
      if ('deleted' in query) await api.send('DELETE', `/v1/documents/${made.id}`);
      const [listed] = expectSuccess(await api.listDocuments(query)) as Record<string, unknown>[];
      expect(listed).toMatchObject({ id: made.id });
      if ('deleted' in query) await api.send('POST', `/v1/documents/${made.id}/restore`);
      const sent = { ...listed, title: 'Back' };
      expect(expectSuccess(await api.patchDocument(made.id, sent))).toMatchObject({ version: 2 });
      const replaced = expectSuccess(await api.replaceDocument(made.id, { ...sent, content: '' }));
      expect(replaced).toMatchObject({ title: 'Back', content: '', version: 3 });
    },
  );

  it('PUT of a document needs a title', async () => {
    const { api } = await app.account();
    const { id } = await created(api, { title: 'T' });
    const refused = await api.replaceDocument(id, { content: 'x' });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.field).toBe('title');
  });
});

describe('Edits of a document', () => {
  it('Edits of a document are applied in order', async () => {
    const { api } = await app.account();
    const { id } = await created(api, { title: 'E', content: 'one two two' });
    const response = await api.editDocument(id, [
      { op: 'replace', find: 'one', with: 'two' },
      { op: 'replace', find: 'two', with: '2', all: true },
      { op: 'insert', at: 'start', text: '> ' },
      { op: 'append', text: '!' },
      { op: 'delete', find: '> ' },
    ]);
    expect(expectSuccess(response)).toMatchObject({ content: '2 2 2!', version: 2 });
  });

  it('Edits of a document are all refused when one is impossible, and its index is reported', async () => {
    const { api } = await app.account();
    const { id } = await created(api, { title: 'E', content: 'a a' });
    const refused = await api.editDocument(id, [
      { op: 'append', text: 'x' },
      { op: 'replace', find: 'a', with: 'b' },
    ]);
    expectFailure(refused, 422, 'INVALID_REQUEST');
    expect(refused.body.error.details).toMatchObject({ index: 1, field: 'edits[1].find' });
    expect(expectSuccess(await api.readDocument(id))).toMatchObject({ content: 'a a', version: 1 });
  });

  it('Edits of a document that are malformed are refused with each problem', async () => {
    const { api } = await app.account();
    const { id } = await created(api, { title: 'E' });
    const refused = await api.editDocument(id, [
      { op: 'replce', find: 'a' },
      { op: 'insert', text: 3, att: 1 },
    ]);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    const fields = (refused.body.error.details.problems as { field: string }[]).map((p) => p.field);
    expect(fields).toEqual(['edits[0].op', 'edits[1].at', 'edits[1].text', 'edits[1].att']);
  });
});

describe('The status of a document', () => {
  const LEGAL = ['draft>in_review', 'in_review>draft', 'draft>published', 'in_review>published'];
  const MORE = ['published>draft', 'draft>archived', 'in_review>archived', 'published>archived'];
  const STATUSES = ['draft', 'in_review', 'published', 'archived'];
  const WAY: Record<string, string[]> = { draft: [] };

  it('The status of a document changes as the contract allows, and an illegal change is a conflict that lists the allowed ones', async () => {
    const { api } = await app.account();
    const legal = new Set([...LEGAL, ...MORE, 'archived>draft']);
    for (const from of STATUSES) {
      for (const to of STATUSES.filter((status) => status !== from)) {
        const { id } = await created(api, { title: `${from} to ${to}` });
        for (const status of WAY[from] ?? [from]) await api.patchDocument(id, { status });
        const response = await api.patchDocument(id, { status: to });
        expect([from, to, response.status]).toEqual([
          from,
          to,
          legal.has(`${from}>${to}`) ? 200 : 409,
        ]);
        if (response.status === 409)
          expect(response.body.error.details).toMatchObject({ from, to });
      }
    }
  });

  it('The status of a document emits its changes', async () => {
    const { api } = await app.account();
    const { id } = await created(api, { title: 'S' });
    await api.patchDocument(id, { status: 'published' });
    await api.patchDocument(id, { status: 'archived', title: 'T' });
    expect(await eventTypes(api)).toEqual([
      'document.created',
      'document.updated',
      'document.status_changed',
      'document.published',
      'document.updated',
      'document.status_changed',
      'document.archived',
    ]);
  });
});

describe("Another account's document", () => {});
