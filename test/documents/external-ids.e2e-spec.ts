import fc from 'fast-check';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { isBlank } from '../../src/platform/basics/text.js';

interface Shown {
  id: string;
  externalId: string | null;
  title: string;
  content: string;
  status: string;
  version: number;
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'api' } });
});
afterAll(() => app.close());

const pathOf = (externalId: string) =>
  `/v1/documents/by-external-id/${encodeURIComponent(externalId)}`;

const put = (
  api: ApiClient,
  externalId: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<ApiResponse> => api.send('PUT', pathOf(externalId), { body, headers });

const read = (api: ApiClient, externalId: string) => api.send('GET', pathOf(externalId));

async function created(api: ApiClient, body: object): Promise<Shown> {
  return expectSuccess(await api.createDocument(body), 201) as Shown;
}

/** Expects that the document `id` already has the external id. */
function expectTaken(response: ApiResponse, id: string): void {
  expectFailure(response, 409, 'INVALID_REQUEST');
  expect(response.body.error.details).toMatchObject({
    field: 'externalId',
    issue: `belongs to ${id}`,
    documentId: id,
  });
}

describe('an externalId', () => {
  it('an externalId is stored on creation, changed and removed by PATCH, and found by the list', async () => {
    const { api } = await app.account();
    const without = await created(api, { title: 'A' });
    expect(without.externalId).toBeNull();
    const { id } = await created(api, { title: 'B', externalId: 'crm/4711' });
    await created(api, { title: 'C', externalId: 'crm/4712' });
    const titles = async (query: string) =>
      (expectSuccess(await api.send('GET', `/v1/documents?${query}`)) as Shown[])
        .map(({ title }) => title)
        .sort();
    expect(await titles('externalId=crm%2F4711')).toEqual(['B']);
    expect(await titles('externalId=crm/4711&externalId=crm/4712&externalId=x')).toEqual([
      'B',
      'C',
    ]);
    expect(await titles('externalId=crm')).toEqual([]);

    const changed = await api.patchDocument(id, { externalId: 'crm/9' });
    expect(expectSuccess(changed)).toMatchObject({ externalId: 'crm/9', version: 2 });
    expectFailure(await read(api, 'crm/4711'), 404, 'NOT_FOUND');
    expect(expectSuccess(await read(api, 'crm/9'))).toEqual(
      expectSuccess(await api.readDocument(id)),
    );
    const versions = expectSuccess(await api.send('GET', `/v1/documents/${id}/versions`));
    expect(versions).toMatchObject([
      { number: 2, changes: ['externalId'], externalId: 'crm/9' },
      { number: 1, changes: [], externalId: 'crm/4711' },
    ]);
    const removed = await api.patchDocument(id, { externalId: null });
    expect(expectSuccess(removed)).toMatchObject({ externalId: null, version: 3 });
  });

  it('an externalId stays when the document is replaced without it, and when a version is restored', async () => {
    const { api } = await app.account();
    const { id } = await created(api, { title: 'A', externalId: 'one' });
    const replaced = await api.replaceDocument(id, { title: 'B' });
    expect(expectSuccess(replaced)).toMatchObject({ title: 'B', externalId: 'one' });
    expectSuccess(await api.patchDocument(id, { externalId: 'two' }));
    const restored = await api.send('POST', `/v1/documents/${id}/versions/1/restore`);
    expect(expectSuccess(restored)).toMatchObject({ title: 'A', externalId: 'two' });
    expect(expectSuccess(await api.replaceDocument(id, { title: 'C', externalId: null }))).toEqual(
      expect.objectContaining({ externalId: null }),
    );
  });

  it('an externalId belongs to one document of an account, and a second one learns which', async () => {
    const { api } = await app.account();
    const stranger = (await app.account()).api;
    const { id } = await created(api, { title: 'A', externalId: 'one' });
    await created(stranger, { title: 'A', externalId: 'one' });
    const other = await created(api, { title: 'B', externalId: 'two' });

    expectTaken(await api.createDocument({ title: 'C', externalId: 'one' }), id);
    const keyed = { 'idempotency-key': 'k' };
    const body = { title: 'C', externalId: 'one' };
    expectTaken(await api.createDocument(body, keyed), id);
    expectTaken(await api.createDocument(body, keyed), id);
    expectTaken(await api.patchDocument(other.id, { externalId: 'one' }), id);
    expectTaken(await api.replaceDocument(other.id, { title: 'B', externalId: 'one' }), id);
    expect(expectSuccess(await api.readDocument(other.id))).toEqual(other);

    for (const atomic of [true, false]) {
      const operations = [
        { op: 'create', document: { title: 'D' } },
        { op: 'create', document: { title: 'D', externalId: 'one' } },
      ];
      const batch = await api.batchDocuments({ operations, atomic });
      const { results } = expectSuccess(batch) as { results: { status: number; error?: object }[] };
      expect(results.map(({ status }) => status)).toEqual([atomic ? 424 : 201, 409]);
      expect(results[1]?.error).toMatchObject({ details: { field: 'externalId', documentId: id } });
    }
    const form = { name: 'a.md', content: '# A' };
    expectTaken(await api.importDocument(form, { externalId: 'one' }), id);
    const imported = await api.importDocument(form, { externalId: 'three' });
    expect(expectSuccess(imported, 201)).toMatchObject({ externalId: 'three' });
  });

  it('an externalId is free while its document is in the trash, which then cannot be restored', async () => {
    const { api } = await app.account();
    const first = await created(api, { title: 'A', externalId: 'one' });
    const removed = await api.send('DELETE', pathOf('one'));
    expect(expectSuccess(removed)).toMatchObject({ id: first.id, deleted: true });
    expectFailure(await read(api, 'one'), 404, 'NOT_FOUND');
    expectFailure(await api.send('DELETE', pathOf('one')), 404, 'NOT_FOUND');

    const second = expectSuccess(await put(api, 'one', { title: 'B' }), 201) as Shown;
    expect(second.id).not.toBe(first.id);
    expectTaken(await api.restoreDocument(first.id), second.id);
    const trash = await api.listDocuments({ deleted: true, externalId: 'one' });
    expect(expectSuccess(trash)).toMatchObject([{ id: first.id, externalId: 'one' }]);
    expectSuccess(await api.patchDocument(second.id, { externalId: null }));
    expect(expectSuccess(await api.restoreDocument(first.id))).toMatchObject({ externalId: 'one' });
  });

  it.each([
    ['', 'must not be blank'],
    [' \t', 'must not be blank'],
    ['a\nb', 'must not contain control characters'],
    ['a\u0001', 'must not contain control characters'],
    ['a\u0085', 'must not contain control characters'],
    ['..', 'must not be . or ..'],
    ['x'.repeat(256), 'must not be longer than 255 characters'],
    [4711, 'must be a string'],
  ])('an externalId cannot be %j', async (externalId, issue) => {
    const { api } = await app.account();
    const { id } = await created(api, { title: 'A' });
    const responses = [
      await api.createDocument({ title: 'B', externalId }),
      await api.patchDocument(id, { externalId }),
      await api.replaceDocument(id, { title: 'B', externalId }),
    ];
    for (const reply of responses) {
      expectFailure(reply, 400, 'INVALID_REQUEST');
      expect(reply.body.error.details.field).toBe('externalId');
    }
    expect(responses[1]?.body.error.details.issue).toBe(issue);
  });
});

describe('PUT by an externalId', () => {
  it('PUT by an externalId creates the document, replaces it, and writes nothing when nothing changes', async () => {
    const { api } = await app.account();
    const first = await put(api, 'crm/4711', { title: 'A', type: 'report', content: 'One two' });
    const shown = expectSuccess(first, 201) as Shown;
    expect(shown).toMatchObject({ externalId: 'crm/4711', status: 'draft', version: 1 });
    expect(first.headers['location']).toBe(`/v1/documents/${shown.id}`);
    expect(first.headers['etag']).toBe('"1"');

    const again = await put(api, 'crm/4711', { title: 'A', type: 'report', content: 'One two' });
    expect(expectSuccess(again)).toEqual(shown);
    expect(again.headers['location']).toBeUndefined();
    expectSuccess(await api.patchDocument(shown.id, { status: 'published' }));
    const replaced = expectSuccess(
      await put(api, 'crm/4711', { title: 'B', metadata: { tags: ['x'] } }),
    );
    expect(replaced).toMatchObject({
      id: shown.id,
      title: 'B',
      type: 'document',
      content: '',
      metadata: { tags: ['x'] },
      status: 'published',
      version: 3,
    });
    // A response can be sent back unchanged.
    expect(expectSuccess(await put(api, 'crm/4711', replaced as object))).toEqual(replaced);
    const events = expectSuccess(await api.send('GET', '/v1/events?limit=100')) as {
      type: string;
    }[];
    expect(events.map(({ type }) => type).reverse()).toEqual([
      'document.created',
      'document.updated',
      'document.status_changed',
      'document.published',
      'document.updated',
    ]);
  });

  it('PUT by an externalId honors If-Match and If-None-Match, even if there is no document', async () => {
    const { api } = await app.account();
    const absent = await put(api, 'one', { title: 'A' }, { 'if-match': '*' });
    expectFailure(absent, 412, 'INVALID_REQUEST');
    expect(absent.body.error.details.field).toBe('If-Match');
    expectSuccess(await put(api, 'one', { title: 'A' }, { 'if-none-match': '*' }), 201);
    const second = await put(api, 'one', { title: 'B' }, { 'if-none-match': '*' });
    expectFailure(second, 412, 'INVALID_REQUEST');
    expect(second.body.error.details).toMatchObject({ currentVersion: 1, currentETag: '"1"' });
    expectSuccess(await put(api, 'one', { title: 'B' }, { 'if-match': '"1"' }));
    expectFailure(
      await put(api, 'one', { title: 'C' }, { 'if-match': '"1"' }),
      412,
      'INVALID_REQUEST',
    );
  });

  it('PUT by an externalId refuses a different externalId in the body, and a new document that is not a draft', async () => {
    const { api } = await app.account();
    const refused = async (body: object, field: string) => {
      const reply = await put(api, 'one', body);
      expectFailure(reply, 400, 'INVALID_REQUEST');
      expect(reply.body.error.details.field).toBe(field);
    };
    await refused({ title: 'A', externalId: 'two' }, 'externalId');
    await refused({ title: 'A', status: 'published' }, 'status');
    await refused({ content: 'A' }, 'title');
    await refused({ title: 'A', templateVariables: {} }, 'templateVariables');
    expectSuccess(await put(api, 'one', { title: 'A', status: 'draft', externalId: 'one' }), 201);
    expect(expectSuccess(await put(api, 'one', { title: 'A', status: 'archived' }))).toMatchObject({
      status: 'archived',
    });
    for (const path of ['a%00', '%C2%85', '%20', 'x'.repeat(256)]) {
      const reply = await api.send('PUT', `/v1/documents/by-external-id/${path}`, {
        body: { title: 'A' },
      });
      expectFailure(reply, 400, 'INVALID_REQUEST');
      expectFailure(
        await api.send('GET', `/v1/documents/by-external-id/${path}`),
        404,
        'NOT_FOUND',
      );
    }
    const malformed = await api.send('GET', '/v1/documents/by-external-id/%E0%A4%A');
    expectFailure(malformed, 400, 'INVALID_REQUEST');
  });

  it('PUT by an externalId creates one document for any number of concurrent requests, every time', async () => {
    const { api } = await app.account();
    for (let round = 0; round < 2; round += 1) {
      const externalId = `race ${String(round)}`;
      const bodies = Array.from({ length: 12 }, (_, n) => ({ title: `T${String(n)}` }));
      const responses = await Promise.all(
        bodies.map((body, n) =>
          n % 4 === 3
            ? api.createDocument({ ...body, externalId })
            : put(api, externalId, body, n % 4 === 2 ? { 'if-none-match': '*' } : {}),
        ),
      );
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      expect(new Set(statuses.filter((status) => status > 201))).toEqual(new Set([409, 412]));
      const found = await api.listDocuments({ externalId });
      const [document, ...others] = expectSuccess(found) as Shown[];
      expect(others).toEqual([]);
      const ids = responses
        .filter(({ status }) => status < 202)
        .map(({ body }) => body.data.id as string);
      expect(new Set(ids)).toEqual(new Set([document?.id]));
      expect(document?.version).toBe(statuses.filter((status) => status === 200).length + 1);
    }
  });

  it('PUT by an externalId leaves one document, whatever is put, deleted and renamed concurrently', async () => {
    const { api } = await app.account();
    for (let round = 0; round < 2; round += 1) {
      const externalId = `churn ${String(round)}`;
      const { id } = await created(api, { title: 'A', externalId });
      const responses = await Promise.all([
        put(api, externalId, { title: 'B' }),
        api.send('DELETE', pathOf(externalId)),
        put(api, externalId, { title: 'C' }),
        api.patchDocument(id, { externalId: null }),
        put(api, externalId, { title: 'D' }),
        put(api, externalId, { title: 'E' }),
      ]);
      for (const { status } of responses) expect([200, 201, 404]).toContain(status);
      const left = expectSuccess(await api.listDocuments({ externalId })) as Shown[];
      expect(left.length).toBeLessThanOrEqual(1);
    }
  });

  it('PUT by an externalId finds every valid external ID under its percent-encoded path', async () => {
    const { api } = await app.account();
    const odd = fc.constantFrom(
      '/',
      '//',
      '%',
      '%2F',
      '+',
      ' ',
      '?',
      '#',
      ':',
      ';',
      '&=',
      '.',
      '\\',
      '"',
      "'",
      'é',
      'e\u0301',
      '漢',
      '😀',
      '\u202e',
      '\u2028',
    );
    const text = fc
      .array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 5 })), {
        minLength: 1,
        maxLength: 8,
      })
      .map((parts) =>
        parts
          .join('')
          .replaceAll(/\p{Cc}/gu, '')
          .toWellFormed(),
      )
      .filter((value) => !isBlank(value) && value !== '.' && value !== '..');
    const ids = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(text, async (externalId) => {
        const known = ids.get(externalId);
        const reply = await put(api, externalId, { title: 'A' });
        const { id } = expectSuccess(reply, known === undefined ? 201 : 200) as Shown;
        expect(id).toBe(known ?? id);
        ids.set(externalId, id);
        expect(expectSuccess(await read(api, externalId))).toMatchObject({ id, externalId });
      }),
      { numRuns: 20, examples: [['😀'.repeat(255)], ['export'], ['a/b%2Fc']] },
    );
  });
});
