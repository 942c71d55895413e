import { encodeId, newUuid } from '../../src/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { updateIndex } from './document-rows.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'api' } });
});
afterAll(() => app.close());

describe('a filter', () => {
  it('finds its documents', async () => {
    const { api, user } = await app.account();
    const made = [
      { title: 'A', type: 'report', metadata: { tags: ['x', 'y'], department: 'Sales' } },
      { title: 'B', metadata: { tags: ['x'], project: 'Apollo', region: 'eu', n: 1.5, ok: true } },
      { title: 'C', metadata: { client: { name: 'Acme', 'a.b': [1, { c: 'deep' }] }, none: null } },
      { title: 'D', metadata: { 'client.name': 'Acme', long: 'x'.repeat(3000), '': 'empty key' } },
    ];
    for (const document of made) {
      expectSuccess(await api.createDocument(document), 201);
      app.clock.advance(60_000);
    }
    await updateIndex(app);
    const minutes = (ago: number) =>
      new Date(app.clock.now().getTime() - ago * 60_000).toISOString();
    const expected: [string, string][] = [
      ['type=report', 'A'],
      ['type=document', 'BCD'],
      ['status=draft', 'ABCD'],
      ['status=published', ''],
      ['tag=x', 'AB'],
      ['tag=x&tag=y', 'A'],
      ['tag=X', ''],
      ['department=Sales', 'A'],
      ['department=sales', ''],
      ['project=Apollo', 'B'],
      ['metadata.region=eu', 'B'],
      ['metadata[region]=eu', 'B'],
      ['metadata%5Bclient.name%5D=Acme', 'CD'],
      ['metadata[client][name]=Acme', 'CD'],
      ['metadata.n=1.5', 'B'],
      ['metadata.n=1.50', ''],
      ['metadata.ok=true', 'B'],
      ['metadata.client.name=Acme', 'CD'],
      ['metadata.client.a.b=1', 'C'],
      ['metadata.client.a.b.c=deep', 'C'],
      ['metadata.none=null', ''],
      ['metadata.tags=y', 'A'],
      ['metadata.tags=x&metadata.tags=y', 'A'],
      ['metadata.__proto__=x', ''],
      [`metadata.long=${'x'.repeat(3000)}`, 'D'],
      [`metadata.long=${'x'.repeat(2999)}`, ''],
      [`createdBy=${user.id}`, 'ABCD'],
      [`createdBy=${encodeId('user', newUuid())}`, ''],
      [`templateId=${encodeId('template', newUuid())}`, ''],
      [`createdAfter=${minutes(2)}`, 'CD'],
      [`createdBefore=${minutes(2)}`, 'AB'],
      [`createdAfter=${minutes(3)}&createdBefore=${minutes(2)}`, 'B'],
      [`updatedAfter=${minutes(1)}`, 'D'],
      [`updatedBefore=${minutes(3)}`, 'A'],
      ['createdAfter=0000-01-01T00:00:00Z', 'ABCD'],
      ['createdBefore=9999-12-31T23:59:59.999999Z', 'ABCD'],
      ['updatedAfter=0000-01-01T00:00:00Z&updatedBefore=9999-12-31T23:59:59Z', 'ABCD'],
      ['deleted=true', ''],
      ['deleted=false', 'ABCD'],
      ['type=document&tag=x&metadata.region=eu&q=b', 'B'],
    ];
    for (const [query, titles] of expected) {
      const response = await api.send('GET', `/v1/documents?sort=title&order=asc&${query}`);
      const found = (expectSuccess(response) as { title: string }[]).map(({ title }) => title);
      expect([query, found.join('')]).toEqual([query, titles]);
      expect(response.body.meta.pagination.total).toBe(titles.length);
    }
  });

  it('takes times with an offset, with or without an encoded plus', async () => {
    const { api } = await app.account();
    await api.createDocument({ title: 'T' });
    const local = new Date(app.clock.now().getTime() + 2 * 3_600_000).toISOString().slice(0, 19);
    for (const offset of ['%2B02:00', '+02:00']) {
      const after = await api.send('GET', `/v1/documents?createdAfter=${local}${offset}`);
      expect(after.body.meta.pagination.total).toBe(1);
      const before = await api.send('GET', `/v1/documents?createdBefore=${local}${offset}`);
      expect(before.body.meta.pagination.total).toBe(0);
    }
  });

  it('takes a day for its beginning in UTC, and a time without seconds', async () => {
    const { api } = await app.account();
    await api.createDocument({ title: 'T' });
    const total = async (query: Record<string, string>) =>
      (await api.listDocuments(query)).body.meta.pagination.total as number;
    const now = app.clock.now().getTime();
    const day = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);
    expect(await total({ createdAfter: day(0), createdBefore: day(1) })).toBe(1);
    expect(await total({ createdBefore: day(0) })).toBe(0);
    expect(await total({ updatedAfter: day(1) })).toBe(0);
    expect(await total({ createdAfter: `${day(0)}T00:00Z` })).toBe(1);
    expect(await total({ createdAfter: `${day(1)}T01:00+01:00` })).toBe(0);
  });

  it('names every bad value at once', async () => {
    const { api } = await app.account();
    const response = await api.send(
      'GET',
      '/v1/documents?type=novel&status=open&tag=a%00&createdBy=me&templateId=t&createdAfter=yesterday&updatedBefore=2026-02-30T00:00:00Z&deleted=yes&metadata.=x&sort=size&limit=0',
    );
    expectFailure(response, 400, 'INVALID_REQUEST');
    const problems = response.body.error.details.problems as { field: string }[];
    expect(problems.map(({ field }) => field).sort()).toEqual([
      'createdAfter',
      'createdBy',
      'deleted',
      'limit',
      'metadata',
      'sort',
      'status',
      'tag',
      'templateId',
      'type',
      'updatedBefore',
    ]);
  });

  it.each([
    'department=a&department=b',
    'project=a%00',
    'metadata=x',
    'metadata.k=a%00',
    'metadata.k%00=a',
    'createdAfter=2026-11-20T08:00:00',
    'updatedBefore=2026-02-30',
    'createdAfter=1795168800000',
    'createdBefore=2026-11-20T24:00:01Z',
    'createdBefore=',
    'type=report&type=article',
    'deleted=1',
    'tag=a&'.repeat(21),
    'tags=a',
  ])('is refused as %s, naming the parameter', async (query) => {
    const { api } = await app.account();
    for (const path of ['/v1/documents', '/v1/documents/facets']) {
      const response = await api.send('GET', `${path}?${query}`);
      expectFailure(response, 400, 'INVALID_REQUEST');
      const field = query.startsWith('metadata.')
        ? /^metadata/
        : new RegExp(`^${query.split('=')[0] ?? ''}$`);
      expect(response.body.error.details.field).toMatch(field);
    }
  });
});
