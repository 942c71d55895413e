import { type ApiClient, type ApiResponse, whileBusy } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { DATABASE_POOL_SIZE: '20' } });
});
afterAll(() => app.close());

interface Result {
  op: string;
  id: string | null;
  status: number;
  data?: { id: string; title: string; externalId: string | null; version: number };
  error?: { code: string; details?: Record<string, unknown> };
}

function resultsOf(response: ApiResponse): Result[] {
  return (expectSuccess(response) as { results: Result[] }).results;
}

const statusesOf = (response: ApiResponse) => resultsOf(response).map(({ status }) => status);

const upsert = (externalId: string, title = externalId, more: object = {}) => ({
  op: 'upsert',
  externalId,
  document: { title, ...more },
});

async function totals(api: ApiClient): Promise<[documents: number, events: number]> {
  const [documents, events] = [await api.listDocuments(), await api.listEvents()];
  return [
    documents.body.meta.pagination.total as number,
    events.body.meta.pagination.total as number,
  ];
}

describe('upserting documents in a batch', () => {
  it.each([{}, { atomic: true }])(
    'upserting documents in a batch twice changes nothing the second time (%j)',
    async (how) => {
      const { api } = await app.account();
      const operations = Array.from({ length: 100 }, (_, n) =>
        upsert(`crm/${String(n)}`, `Title ${String(n)}`, {
          content: 'Text',
          metadata: { b: 1, a: 2 },
        }),
      );
      const first = resultsOf(await api.batchDocuments({ operations, ...how }));
      expect(new Set(first.map(({ status }) => status))).toEqual(new Set([201]));
      expect(first.map(({ op, id, data }) => [op, id, data?.externalId])).toEqual(
        operations.map(({ externalId }, n) => ['upsert', first[n]?.data?.id, externalId]),
      );
      expect(await totals(api)).toEqual([100, 100]);
      const second = resultsOf(await api.batchDocuments({ operations, ...how }));
      expect(second.map(({ status, data }) => [status, data])).toEqual(
        first.map(({ data }) => [200, data]),
      );
      expect(await totals(api)).toEqual([100, 100]);
    },
  );

  it('upserting documents in a batch replaces what changed, as PUT by external id does', async () => {
    const { api } = await app.account();
    await api.batchDocuments({ operations: [upsert('a', 'One', { content: 'Text' })] });
    const [changed, seen, wrong, stale] = resultsOf(
      await api.batchDocuments({
        operations: [
          upsert('a', 'Two'),
          { ...upsert('a', 'Three', { externalId: 'a' }), ifMatch: 2 },
          upsert('a', 'Three', { externalId: 'b' }),
          { ...upsert('a', 'Four'), ifMatch: '"2"' },
        ],
      }),
    );
    expect([changed?.status, changed?.data?.version]).toEqual([200, 2]);
    expect([seen?.status, seen?.data?.version]).toEqual([200, 3]);
    expect([wrong?.status, wrong?.error?.details?.['field']]).toEqual([400, 'externalId']);
    expect([stale?.status, stale?.id]).toEqual([412, null]);
    const stored = await api.send('GET', '/v1/documents/by-external-id/a');
    expect(expectSuccess(stored)).toMatchObject({ title: 'Three', content: '', version: 3 });
    const [absent] = resultsOf(
      await api.batchDocuments({ operations: [{ ...upsert('new'), ifMatch: 1 }] }),
    );
    expect(absent?.status).toBe(412);
  });

  it.each([{}, { atomic: true }])(
    'upserting documents in a batch runs operations on the same document in order (%j)',
    async (how) => {
      const { api } = await app.account();
      const id = resultsOf(await api.batchDocuments({ operations: [upsert('x')] }))[0]?.id;
      const response = await api.batchDocuments({
        operations: [
          upsert('new', 'One'),
          upsert('new', 'Two'),
          { op: 'update', id, patch: { title: 'Patched' } },
          upsert('x', 'Upserted'),
          { op: 'update', id, patch: { externalId: 'y' } },
          upsert('x', 'Another'),
          upsert('y', 'Renamed'),
          { op: 'delete', id },
          upsert('y', 'Recreated'),
          { op: 'create', document: { title: 'Created', externalId: 'z' } },
          upsert('z', 'Then upserted'),
        ],
        ...how,
      });
      expect(statusesOf(response)).toEqual([201, 200, 200, 200, 200, 201, 200, 200, 201, 201, 200]);
      const titles = await Promise.all(
        ['new', 'x', 'y', 'z'].map(async (externalId) => {
          const read = await api.send('GET', `/v1/documents/by-external-id/${externalId}`);
          return (expectSuccess(read) as { title: string }).title;
        }),
      );
      expect(titles).toEqual(['Two', 'Another', 'Recreated', 'Then upserted']);
    },
  );

  it('upserting documents in a batch undoes the whole atomic batch when one upsert fails', async () => {
    const { api } = await app.account();
    const response = await api.batchDocuments({
      atomic: true,
      operations: [upsert('a'), upsert('', 'Nameless'), upsert('b')],
    });
    expect(statusesOf(response)).toEqual([424, 400, 424]);
    expect(await totals(api)).toEqual([0, 0]);
  });

  it('upserting documents in a batch respects the quota: existing documents are replaced, excess ones refused', async () => {
    const { api, accountId } = await app.account({ plan: 'free' });
    await api.batchDocuments({ operations: [upsert('kept')] });
    await app.dataSource.query(
      `UPDATE row_counts SET count = 1000 WHERE account_id = $1 AND kind = 'documents'`,
      [accountId],
    );
    const response = await api.batchDocuments({
      operations: [upsert('kept', 'New'), upsert('more')],
    });
    expect(statusesOf(response)).toEqual([200, 403]);
  });

  it('upserting documents in a batch sent again with its Idempotency-Key returns the same response and does nothing', async () => {
    const { api } = await app.account();
    const body = { operations: [upsert('a', 'One'), upsert('a', 'Two'), upsert('b')] };
    const headers = { 'idempotency-key': 'import-1' };
    const first = await api.batchDocuments(body, headers);
    expect(statusesOf(first)).toEqual([201, 200, 201]);
    await api.batchDocuments({ operations: [upsert('a', 'Three')] });
    const again = await api.batchDocuments(body, headers);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(resultsOf(again)).toEqual(resultsOf(first));
    expect(await totals(api)).toEqual([2, 4]);
  });

  it.each([
    ['each by itself', {}, undefined],
    ['atomic', { atomic: true }, undefined],
    ['with a key', {}, 'import'],
  ])(
    'upserting documents in a batch by several clients at once creates each document once: %s',
    async (_, how, key) => {
      const { api } = await app.account();
      const ids = Array.from({ length: 30 }, (_, n) => `shared/${String(n)}`);
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, client) => {
          // Each client uses another order, so two that waited for each other's documents would never end.
          const order = client % 2 === 0 ? ids : ids.toReversed();
          const rotated = [...order.slice(client * 3), ...order.slice(0, client * 3)];
          const headers: Record<string, string> =
            key === undefined ? {} : { 'idempotency-key': `${key}-${String(client)}` };
          const body = { operations: rotated.map((id) => upsert(id)), ...how };
          return whileBusy(() => api.batchDocuments(body, headers));
        }),
      );
      const statuses = responses.flatMap(statusesOf);
      expect(statuses.filter((status) => status === 201)).toHaveLength(30);
      expect(statuses.filter((status) => status === 200)).toHaveLength(210);
      expect(await totals(api)).toEqual([30, 30]);
    },
    60_000,
  );

  it.each([
    ['no externalId', { op: 'upsert', document: { title: 'A' } }, 'externalId'],
    ['an id', { op: 'upsert', id: 'doc_x', externalId: 'a', document: {} }, 'id'],
    ['no document', { op: 'upsert', externalId: 'a' }, 'document'],
    ['a wrong ifMatch', { ...upsert('a'), ifMatch: 0 }, 'ifMatch'],
  ])('upserting documents in a batch refuses one with %s', async (_, operation, field) => {
    const { api } = await app.account();
    const results = resultsOf(await api.batchDocuments({ operations: [operation] }));
    expect(results).toMatchObject([
      { op: 'upsert', id: null, status: 400, error: { details: { field } } },
    ]);
  });
});
