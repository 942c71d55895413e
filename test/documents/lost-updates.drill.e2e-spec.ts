import type { ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';

let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  replica = await startTestApp({ databaseUrl: (app.dataSource.options as { url: string }).url });
});
afterAll(async () => {
  await replica.close();
  await app.close();
});

interface DocumentData {
  id: string;
  title: string;
  content: string;
  version: number;
  metadata: Record<string, unknown>;
}

interface Sent {
  kind: string;
  n: number;
  response: ApiResponse;
}

/** On a slow machine, the database has no capacity for some requests. Those had no effect. */
const BUSY = 503;

/** Every other status that a client may get while others delete and restore the document. */
const EXPECTED: Record<string, number[]> = {
  patch: [200, 404],
  edit: [200, 404],
  keyedEdit: [200, 404],
  put: [200, 404, 412],
  batch: [200],
  delete: [200, 404],
  restore: [200, 409],
};

it('Two replicas with clients that do everything at once to one document lose nothing that was acknowledged, and create one version per change', async () => {
  const account = await app.account();
  const apis = [account.api, replica.api(account.key)] as const;
  const body = { title: 'start', content: '' };
  const { id } = expectSuccess(await account.api.createDocument(body), 201) as DocumentData;
  const append = (n: number) => ({ edits: [{ op: 'append', text: `<${String(n)}>` }] });
  const send: Record<string, (n: number) => Promise<ApiResponse>> = {
    patch: (n) => apis[n % 2 ? 1 : 0].patchDocument(id, { metadata: { [`k${String(n)}`]: n } }),
    edit: (n) => apis[n % 2 ? 1 : 0].send('POST', `/v1/documents/${id}/edits`, { body: append(n) }),
    keyedEdit: (n) =>
      apis[n % 2 ? 1 : 0].send('POST', `/v1/documents/${id}/edits`, {
        body: append(n),
        headers: { 'Idempotency-Key': String(n) },
      }),
    // Read, change, write: only a tag prevents it from undoing concurrent changes.
    put: async (n) => {
      const read = await apis[n % 2 ? 1 : 0].readDocument(id);
      if (read.status !== 200) return read;
      return apis[n % 2 ? 0 : 1].send('PUT', `/v1/documents/${id}`, {
        body: { ...(read.body.data as object), title: `put ${String(n)}` },
        headers: { 'If-Match': String(read.headers['etag']) },
      });
    },
    batch: (n) =>
      apis[n % 2 ? 1 : 0].batchDocuments({
        atomic: n % 4 < 2,
        operations: [{ op: 'update', id, patch: { metadata: { [`b${String(n)}`]: n } } }],
      }),
    delete: (n) => apis[n % 2 ? 1 : 0].deleteDocument(id),
    restore: (n) => apis[n % 2 ? 1 : 0].restoreDocument(id),
  };
  const kinds = ['patch', 'edit', 'put', 'keyedEdit', 'patch', 'batch', 'edit', 'patch'];
  const all: Promise<Sent>[] = Array.from({ length: 240 }, async (_, n) => {
    const kind = n % 60 === 30 ? 'delete' : n % 12 === 7 ? 'restore' : (kinds[n % 8] ?? 'patch');
    return { kind, n, response: (await send[kind]?.(n)) as ApiResponse };
  });
  const sent = await Promise.all(all);
  const unexpected = sent.filter(
    ({ kind, response }) => ![...(EXPECTED[kind] ?? []), BUSY].includes(response.status),
  );
  expect(unexpected.map(({ kind, response }) => [kind, response.status, response.text])).toEqual(
    [],
  );

  await account.api.restoreDocument(id);
  const document = expectSuccess(await account.api.readDocument(id)) as DocumentData;
  const done = sent.filter(({ kind, response }) => response.status === 200 && kind !== 'restore');
  const numbers = (...wanted: string[]) =>
    done.filter(({ kind }) => wanted.includes(kind)).map(({ n }) => n);
  const applied = done.filter(
    ({ kind, response }) => kind === 'batch' && response.body.data.results[0].status === 200,
  );
  const edits = numbers('edit', 'keyedEdit');
  const found = Array.from(document.content.matchAll(/<(\d+)>/g), ([, n]) => Number(n));
  expect(found.sort((a, b) => a - b)).toEqual(edits.sort((a, b) => a - b));
  const keys = [
    ...numbers('patch').map((n) => `k${String(n)}`),
    ...applied.map(({ n }) => `b${String(n)}`),
  ];
  expect(Object.keys(document.metadata).sort()).toEqual(keys.sort());
  expect(edits.length * keys.length).toBeGreaterThan(0);
  expect(document.version).toBe(1 + edits.length + keys.length + numbers('put').length);
  await expectOneEventAVersion(account.api, document);
});

async function expectOneEventAVersion(
  api: Awaited<ReturnType<TestApp['account']>>['api'],
  { id, version }: DocumentData,
): Promise<void> {
  const updates: number[] = [];
  let cursor: string | null | undefined;
  do {
    const { body } = await api.listEvents({ limit: 100, cursor });
    for (const { type, data } of body.data) {
      if (type === 'document.updated') updates.push(data.document.version as number);
    }
    cursor = body.meta.pagination.nextCursor as string | null;
  } while (cursor);
  const expected = Array.from({ length: version - 1 }, (_, index) => index + 2);
  expect(updates.sort((a, b) => a - b)).toEqual(expected);
  const { body } = await api.list(`/v1/documents/${id}/versions`, { limit: 100, order: 'asc' });
  const numbers = (body.data as { number: number }[]).map(({ number }) => number);
  expect(numbers).toEqual(Array.from({ length: Math.min(version, 100) }, (_, index) => index + 1));
}
