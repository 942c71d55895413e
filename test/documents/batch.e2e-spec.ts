import { type ApiClient, type ApiResponse, whileBusy } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Result {
  op: string;
  id: string | null;
  status: number;
  data?: { id: string; title: string; version: number };
  error?: { code: string; message: string; details?: Record<string, unknown> };
}

function resultsOf(response: ApiResponse): Result[] {
  return (expectSuccess(response) as { results: Result[] }).results;
}

async function created(api: ApiClient, title: string): Promise<string> {
  return (expectSuccess(await api.createDocument({ title }), 201) as { id: string }).id;
}

async function totals(api: ApiClient): Promise<[documents: number, events: number]> {
  const [documents, events] = [await api.listDocuments(), await api.listEvents()];
  return [
    documents.body.meta.pagination.total as number,
    events.body.meta.pagination.total as number,
  ];
}

describe('A batch', () => {
  it('A batch runs each operation independently and reports each result', async () => {
    const { api } = await app.account();
    const [kept, dropped] = [await created(api, 'Kept'), await created(api, 'Dropped')];
    const results = resultsOf(
      await api.batchDocuments({
        operations: [
          { op: 'create', document: { title: 'New', metadata: { b: 1 } } },
          { op: 'create', document: { titel: 'Wrong' } },
          { op: 'update', id: kept, patch: { title: 'Changed' }, ifMatch: '"1"' },
          { op: 'update', id: kept, patch: { title: 'Late' }, ifMatch: '"1"' },
          { op: 'delete', id: dropped },
          { op: 'delete', id: 'doc_nothing' },
        ],
      }),
    );
    expect(results.map(({ status }) => status)).toEqual([201, 400, 200, 412, 200, 404]);
    const made = results[0]?.data?.id;
    expect(results.map(({ op, id }) => [op, id])).toEqual([
      ['create', made],
      ['create', null],
      ['update', kept],
      ['update', kept],
      ['delete', dropped],
      ['delete', null],
    ]);
    expect(results[1]?.error).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { field: 'title' },
    });
    expect(results[4]?.data).toMatchObject({ id: dropped, deleted: true });
    expect(expectSuccess(await api.readDocument(kept))).toMatchObject({
      title: 'Changed',
      version: 2,
    });
    expect(await totals(api)).toEqual([2, 5]);
  });

  it('A batch runs operations on one document in order', async () => {
    const { api } = await app.account();
    const id = await created(api, 'Start');
    const operations = Array.from({ length: 100 }, (_, n) => ({
      op: 'update',
      id,
      patch: { title: `Title ${String(n)}` },
    }));
    const results = resultsOf(await api.batchDocuments({ operations }));
    expect(results.map(({ data }) => data?.version)).toEqual(results.map((_, n) => n + 2));
    expect(expectSuccess(await api.readDocument(id))).toMatchObject({ title: 'Title 99' });
  });

  it('A batch accepts a version number from its results as the ETag', async () => {
    const { api } = await app.account();
    const id = await created(api, 'Seen');
    const operations = [
      { op: 'update', id, patch: { title: 'Second' }, ifMatch: 1 },
      { op: 'update', id, patch: { title: 'Late' }, ifMatch: 1 },
      { op: 'delete', id, ifMatch: 1 },
      { op: 'delete', id, ifMatch: 2 },
    ];
    const results = resultsOf(await api.batchDocuments({ operations }));
    expect(results.map(({ status }) => status)).toEqual([200, 412, 412, 200]);
    expect(results[1]?.error).toMatchObject({ details: { currentVersion: 2 } });
    for (const ifMatch of [0, -1, 1.5, true, null, ['"1"']]) {
      const refused = await api.batchDocuments({ operations: [{ op: 'delete', id, ifMatch }] });
      expect(resultsOf(refused)).toMatchObject([
        { id, status: 400, error: { details: { field: 'ifMatch' } } },
      ]);
    }
  });

  it('A batch preserves metadata byte for byte', async () => {
    const { api } = await app.account();
    const response = await api.send('POST', '/v1/documents/batch', {
      rawBody:
        '{"operations":[{"op":"create","document":{"title":"x","metadata":{"b":1.0,"1":1e2, "a":[ 1 ]}}}]}',
    });
    expect(response.text).toContain('"metadata":{"b":1.0,"1":1e2, "a":[ 1 ]}');
  });
});

describe('An atomic batch', () => {
  it('An atomic batch does everything, or nothing if one operation fails', async () => {
    const { api } = await app.account();
    const id = await created(api, 'Before');
    const operations = [
      { op: 'create', document: { title: 'New' } },
      { op: 'update', id, patch: { title: 'After' } },
      { op: 'delete', id: 'doc_nothing' },
      { op: 'create', document: { title: 'Never tried' } },
    ];
    const refused = resultsOf(await api.batchDocuments({ operations, atomic: true }));
    expect(refused.map(({ status }) => status)).toEqual([424, 424, 404, 424]);
    expect(refused[0]?.error?.details).toEqual({ failedOperation: 2 });
    expect(expectSuccess(await api.readDocument(id))).toMatchObject({
      title: 'Before',
      version: 1,
    });
    expect(await totals(api)).toEqual([1, 1]);
    const done = operations.filter((_, n) => n !== 2);
    const results = resultsOf(await api.batchDocuments({ operations: done, atomic: true }));
    expect(results.map(({ status }) => status)).toEqual([201, 200, 201]);
    expect(await totals(api)).toEqual([3, 4]);
  });

  it('An atomic batch and others over the same documents never wait for each other forever', async () => {
    const { api } = await app.account();
    const ids = await Promise.all(Array.from({ length: 5 }, (_, n) => created(api, String(n))));
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const order = n % 2 === 0 ? ids : [...ids].reverse();
        const operations = order.map((id) => ({
          op: 'update',
          id,
          patch: { title: `by ${String(n)}` },
        }));
        return whileBusy(() =>
          n % 5 === 4
            ? api.patchDocument(ids[n % 5] ?? '', { title: `alone ${String(n)}` })
            : api.batchDocuments({ operations, atomic: true }),
        );
      }),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const versions = await Promise.all(
      ids.map(
        async (id) => (expectSuccess(await api.readDocument(id)) as { version: number }).version,
      ),
    );
    expect(versions.reduce((sum, version) => sum + version, 0)).toBe(5 + 16 * 5 + 4);
  });
});

describe('A batch over the trash', () => {
  async function trashed(api: ApiClient, count: number): Promise<string[]> {
    const ids = await Promise.all(Array.from({ length: count }, (_, n) => created(api, String(n))));
    await api.batchDocuments({ operations: ids.map((id) => ({ op: 'delete', id })) });
    return ids;
  }

  it('A batch over the trash restores 100 documents in one request, each with its event', async () => {
    const { api } = await app.account();
    const ids = await trashed(api, 100);
    const operations = ids.map((id) => ({ op: 'restore', id }));
    const results = resultsOf(await api.batchDocuments({ operations }));
    expect(results.map(({ op, id, status }) => [op, id, status])).toEqual(
      ids.map((id) => ['restore', id, 200]),
    );
    expect(results[3]?.data).toMatchObject({ id: ids[3], title: '3', version: 1 });
    expect(await totals(api)).toEqual([100, 300]);
  });

  it('A batch over the trash deletes documents for good, from the trash and from outside', async () => {
    const { api } = await app.account();
    const [inTrash = ''] = await trashed(api, 1);
    const outside = await created(api, 'Outside');
    const operations = [inTrash, outside].map((id) => ({ op: 'delete', id, permanent: true }));
    const results = resultsOf(await api.batchDocuments({ operations }));
    expect(results.map(({ data }) => data)).toEqual(
      [inTrash, outside].map((id) => ({
        id,
        deleted: true,
        permanent: true,
        restorableUntil: null,
      })),
    );
    for (const id of [inTrash, outside]) {
      expectFailure(await api.restoreDocument(id), 404, 'NOT_FOUND');
    }
  });

  it('A batch over the trash needs documents:delete to delete for good, and reports that per operation', async () => {
    const { api } = await app.account({ scopes: ['documents:write', 'documents:read'] });
    const [inTrash = '', other = ''] = await trashed(api, 2);
    const operations = [
      { op: 'delete', id: inTrash, permanent: true },
      { op: 'restore', id: other },
    ];
    const results = resultsOf(await api.batchDocuments({ operations }));
    expect(results.map(({ status }) => status)).toEqual([403, 200]);
    expect(results[0]?.error?.details?.['requiredScopes']).toEqual(['documents:delete']);
    const all = resultsOf(await api.batchDocuments({ operations, atomic: true }));
    expect(all.map(({ status }) => status)).toEqual([403, 424]);
  });

  it('A batch over the trash reports what cannot be restored: present, unknown, of another version, with a taken external id', async () => {
    const { api } = await app.account();
    const [inTrash = ''] = await trashed(api, 1);
    const present = await created(api, 'Present');
    const taken = await api.createDocument({ title: 'Taken', externalId: 'crm/1' });
    const takenId = (taken.body.data as { id: string }).id;
    await api.deleteDocument(takenId);
    await api.createDocument({ title: 'Holder', externalId: 'crm/1' });
    const operations = [
      { op: 'restore', id: present },
      { op: 'restore', id: 'doc_nothing' },
      { op: 'restore', id: inTrash, ifMatch: 7 },
      { op: 'restore', id: takenId },
      { op: 'restore', id: inTrash, ifMatch: 1 },
    ];
    const results = resultsOf(await api.batchDocuments({ operations }));
    expect(results.map(({ status }) => status)).toEqual([409, 404, 412, 409, 200]);
  });

  it('A batch over the trash undoes an atomic batch as a whole', async () => {
    const { api } = await app.account();
    const [one = '', two = ''] = await trashed(api, 2);
    const operations = [
      { op: 'restore', id: one },
      { op: 'delete', id: two, permanent: true },
      { op: 'restore', id: two },
    ];
    const results = resultsOf(await api.batchDocuments({ operations, atomic: true }));
    expect(results.map(({ status }) => status)).toEqual([424, 424, 404]);
    expect((await api.restoreDocument(one)).status).toBe(200);
    expect((await api.restoreDocument(two)).status).toBe(200);
  });

  it('A batch over the trash refuses members of other operations', async () => {
    const { api } = await app.account();
    const id = await created(api, 'One');
    const operations = [
      { op: 'restore', id, permanent: true },
      { op: 'delete', id, permanent: 'yes' },
    ];
    const results = resultsOf(await api.batchDocuments({ operations }));
    expect(results).toMatchObject(
      operations.map(({ op }) => ({
        op,
        id,
        status: 400,
        error: { details: { field: 'permanent' } },
      })),
    );
    expect((await api.readDocument(id)).status).toBe(200);
  });
});

it('A batch with an Idempotency-Key happens once as a whole, with its failures', async () => {
  const { api } = await app.account();
  for (const atomic of [false, true]) {
    const body = {
      atomic,
      operations: [
        { op: 'create', document: { title: 'Once' } },
        { op: 'delete', id: 'doc_nothing' },
      ],
    };
    const headers = { 'Idempotency-Key': `batch ${String(atomic)}` };
    const first = resultsOf(await api.batchDocuments(body, headers));
    const retry = resultsOf(await api.batchDocuments(body, headers));
    expect(retry).toEqual(first);
    expect(first.map(({ status }) => status)).toEqual(atomic ? [424, 404] : [201, 404]);
  }
  expect(await totals(api)).toEqual([1, 1]);
});

it('Batches with an Idempotency-Key over the same documents in any order never wait for each other forever', async () => {
  const { api } = await app.account();
  const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => created(api, String(n))));
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, n) => {
      const order = n % 2 === 0 ? ids : [...ids].reverse();
      const operations = order.map((id) => ({
        op: 'update',
        id,
        patch: { title: `batch ${String(n)}` },
      }));
      const body = { operations, atomic: n % 3 === 0 };
      return api.batchDocuments(body, { 'Idempotency-Key': String(n) });
    }),
  );
  const statuses = responses.flatMap((response) => resultsOf(response).map(({ status }) => status));
  expect(statuses).toEqual(statuses.map(() => 200));
  const document = expectSuccess(await api.readDocument(ids[0] ?? '')) as { version: number };
  expect(document.version).toBe(13);
});

it('A batch over long documents runs completely, and omits contents once its response is too long', async () => {
  const { api } = await app.account();
  const content = 'word '.repeat(200_000);
  const made = await Promise.all(
    Array.from({ length: 9 }, () => api.createDocument({ title: 'Long', content })),
  );
  const ids = made.map(({ body }) => (body.data as { id: string }).id);
  const operations = ids.map((id) => ({ op: 'update', id, patch: { title: 'Longer' } }));
  // The second time, the stored response is returned.
  for (let time = 0; time < 2; time += 1) {
    const response = await api.batchDocuments({ operations }, { 'Idempotency-Key': 'long' });
    const results = resultsOf(response) as (Result & {
      data: { content?: string; contentTruncated?: true };
    })[];
    expect(results.map(({ status }) => status)).toEqual(ids.map(() => 200));
    const whole = results.filter(({ data }) => data.content === content);
    const shortened = results.filter(({ data }) => data.contentTruncated && !data.content);
    expect([whole.length, shortened.length]).toEqual([8, 1]);
    expect(response.text.length).toBeLessThan(9_000_000);
  }
});

describe('A malformed operation', () => {
  const MALFORMED: [sent: unknown, field: string, result: { op: string; id?: null }][] = [
    [{ op: 'update', patch: { title: 'B' } }, 'id', { op: 'update', id: null }],
    [{ op: 'delete' }, 'id', { op: 'delete', id: null }],
    [{ op: 'restore', id: 7 }, 'id', { op: 'restore', id: null }],
    [{ op: 'delete', id: null }, 'id', { op: 'delete', id: null }],
    [{ op: 'update', id: 'doc_x', patch: [] }, 'patch', { op: 'update', id: null }],
    [{ op: 'create', document: 'A' }, 'document', { op: 'create', id: null }],
    [{ op: 'upsert', document: {} }, 'externalId', { op: 'upsert', id: null }],
    [{ op: 'create', document: {}, titel: 1 }, 'titel', { op: 'create', id: null }],
    [{ op: 'merge', id: 'x' }, 'op', { op: 'unknown', id: null }],
    [{ op: 'constructor' }, 'op', { op: 'unknown', id: null }],
    [{ op: 'unknown' }, 'op', { op: 'unknown', id: null }],
    [{ op: ['create'] }, 'op', { op: 'unknown', id: null }],
    [{}, 'op', { op: 'unknown', id: null }],
    [null, 'op', { op: 'unknown', id: null }],
    [7, 'op', { op: 'unknown', id: null }],
    [[], 'op', { op: 'unknown', id: null }],
  ];

  it.each<Record<string, string>>([{}, { 'Idempotency-Key': 'once' }])(
    'fails alone, with the path in the operation (headers %j)',
    async (headers) => {
      const { api } = await app.account();
      const id = await created(api, 'Before');
      const operations = [
        { op: 'create', document: { title: 'First' } },
        ...MALFORMED.map(([sent]) => sent),
        { op: 'update', id, patch: { title: 'After' } },
        { op: 'delete', id, iff: 1 },
      ];
      const results = resultsOf(await api.batchDocuments({ operations }, headers));
      expect(results).toMatchObject([
        { op: 'create', status: 201 },
        ...MALFORMED.map(([, field, result]) => ({
          ...result,
          status: 400,
          error: { code: 'INVALID_REQUEST', details: { field, problems: [{ field }] } },
        })),
        { op: 'update', id, status: 200, data: { title: 'After' } },
        { op: 'delete', id, status: 400, error: { details: { field: 'iff' } } },
      ]);
      expect(await totals(api)).toEqual([2, 3]);
    },
  );

  it('A malformed operation refuses an atomic batch', async () => {
    const { api } = await app.account();
    for (const [sent, field] of MALFORMED) {
      const operations = [{ op: 'create', document: { title: 'First' } }, sent];
      const refused = await api.batchDocuments({ atomic: true, operations });
      expectFailure(refused, 400, 'INVALID_REQUEST');
      const isObject = sent !== null && typeof sent === 'object' && !Array.isArray(sent);
      const path = isObject ? `operations[1].${field}` : 'operations[1]';
      expect(refused.body.error.details).toMatchObject({ field: path });
    }
    expect(await totals(api)).toEqual([0, 0]);
  });
});

it('A malformed batch is refused as a whole, with each problem', async () => {
  const { api } = await app.account();
  const refused = await api.batchDocuments({
    atomic: 'yes',
    operations: [{ op: 'create' }, { op: 'merge', id: 'x' }, 7, { op: 'delete', id: 'x', iff: 1 }],
  });
  expectFailure(refused, 400, 'INVALID_REQUEST');
  const fields = (refused.body.error.details.problems as { field: string }[]).map((p) => p.field);
  expect(fields).toEqual([
    'operations[0].document',
    'operations[1].op',
    'operations[2]',
    'operations[3].iff',
    'atomic',
  ]);
  for (const operations of [
    [],
    Array.from({ length: 101 }, () => ({ op: 'delete', id: 'x' })),
    {},
    null,
  ]) {
    expectFailure(await api.batchDocuments({ operations }), 400, 'INVALID_REQUEST');
  }
  const operations = [{ op: 'create', document: { title: 'A' } }];
  expectFailure(await api.batchDocuments({ operations, atomc: true }), 400, 'INVALID_REQUEST');
  expectFailure(await api.batchDocuments(operations), 400, 'INVALID_REQUEST');
  expectFailure(await api.batchDocuments({}), 400, 'INVALID_REQUEST');
  expect(await totals(api)).toEqual([0, 0]);
});
