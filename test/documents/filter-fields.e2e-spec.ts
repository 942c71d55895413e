import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { updateIndex } from './document-rows.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'api' } });
});
afterAll(() => app.close());

it('several values of one filter match any of them, on every page that a cursor leads to', async () => {
  const { api } = await app.account();
  const types = ['report', 'article', 'research', 'report', 'article'];
  for (const [n, type] of types.entries()) {
    expectSuccess(await api.createDocument({ title: String(n), type }), 201);
    app.clock.advance(1_000);
  }
  const walk = async (filters: string[], sort: string) => {
    let cursor: string | null = '';
    let titles = '';
    for (let page = 0; cursor !== null && page < 10; page += 1) {
      // The order of values does not matter, not even to a cursor.
      filters.reverse();
      const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const path = `/v1/documents?${filters.join('&')}&limit=1&sort=${sort}${from}`;
      const response = await api.send('GET', path);
      titles += (expectSuccess(response) as { title: string }[]).map((one) => one.title).join('');
      cursor = response.body.meta.pagination.nextCursor as string | null;
    }
    return titles;
  };
  expect(await walk(['type=report', 'type=research'], 'created_at')).toBe('320');
  expect(await walk(['type=article', 'type=research'], 'title')).toBe('421');
  const first = await api.send('GET', '/v1/documents?type=report&type=article&limit=1');
  const cursor = first.body.meta.pagination.nextCursor as string;
  const other = await api.send('GET', `/v1/documents?type=report&limit=1&cursor=${cursor}`);
  expectFailure(other, 400, 'INVALID_REQUEST');
  expect(other.body.error.details.field).toBe('cursor');
});

it('ids select the documents of a list, in its own order, without unknown ones', async () => {
  const { api } = await app.account();
  const stranger = (await app.account()).api;
  const made: string[] = [];
  for (const title of ['C', 'A', 'B', 'D']) {
    const { id } = expectSuccess(await api.createDocument({ title }), 201) as { id: string };
    made.push(id);
    app.clock.advance(1_000);
  }
  const [c = '', a = '', b = '', d = ''] = made;
  await api.deleteDocument(d);
  const titles = async (query: string, client = api) => {
    const response = await client.send('GET', `/v1/documents?${query}`);
    const found = (expectSuccess(response) as { title: string }[]).map(({ title }) => title);
    expect(response.body.meta.pagination.total).toBe(found.length);
    return found.join('');
  };
  const unknown = encodeId('document', newUuid());
  expect(await titles(`ids=${c},${a}`)).toBe('AC');
  expect(await titles(`ids=${a}&ids=${c}&ids=${c}`)).toBe('AC');
  expect(await titles(`ids=${a},${b}&ids=${c}&sort=title&order=asc`)).toBe('ABC');
  expect(await titles(`ids=${d},${unknown},${b}`)).toBe('B');
  expect(await titles(`ids=${a},${d}&deleted=true`)).toBe('D');
  expect(await titles(`ids=${a},${b}&status=published`)).toBe('');
  expect(await titles(`ids=${a},${b},${c}`, stranger)).toBe('');
  const hundred = [a, ...Array.from({ length: 99 }, () => encodeId('document', newUuid()))];
  expect(await titles(`ids=${hundred.join(',')}`)).toBe('A');
  await updateIndex(app);
  expect(await titles(`ids=${a},${b}&q=b`)).toBe('B');
  const tooMany = await api.send('GET', `/v1/documents?ids=${b},${hundred.join(',')}`);
  expectFailure(tooMany, 400, 'INVALID_REQUEST');
  expect(tooMany.body.error.details.issue).toBe('must not contain more than 100');
  const wrong = await api.send('GET', `/v1/documents?ids=${a},doc_x`);
  expectFailure(wrong, 400, 'INVALID_REQUEST');
  expect(wrong.body.error.details).toMatchObject({
    field: 'ids',
    issue: "'doc_x' is not the id of a document, doc_ and 26 characters",
  });
});

describe('a filter', () => {
  it('a filter finds its documents', async () => {
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
      ['type=document&type=report', 'ABCD'],
      ['type=report&type=research', 'A'],
      ['type=report&type=report', 'A'],
      ['status=draft&status=published', 'ABCD'],
      ['status=archived&status=published', ''],
      ['department=Sales&department=Legal', 'A'],
      ['project=Apollo&project=Gemini', 'B'],
      ['metadata.region=us&metadata.region=eu', 'B'],
      ['metadata.region=eu&metadata.n=1.5&metadata.n=2', 'B'],
      ['metadata.region=eu&metadata.n=2&metadata.n=3', ''],
      [`createdBy=${encodeId('user', newUuid())}&createdBy=${user.id}`, 'ABCD'],
      ['type=document&type=report&department=Sales&tag=x&tag=y', 'A'],
      ['type=document&type=report&q=b', 'B'],
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
      ['metadata.tags=x&metadata.tags=y', 'AB'],
      ['metadata.tags=y&metadata.region=eu&metadata.region=us', ''],
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

  it('a filter accepts times with an offset, with or without an encoded plus', async () => {
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

  it('a filter accepts a day as its start in UTC, and a time without seconds', async () => {
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

  it('a filter reports every bad value at once', async () => {
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
    'department=a&department=b%00',
    `createdBy=${encodeId('user', newUuid())}&createdBy=me`,
    'project=a%00',
    'metadata=x',
    'metadata.k=a%00',
    'metadata.k%00=a',
    'metadata.{region}=eu',
    'metadata.%7Bregion%7D=eu',
    'metadata.client%252Ename=Acme',
    'createdAfter=2026-11-20T08:00:00',
    'updatedBefore=2026-02-30',
    'createdAfter=1795168800000',
    'createdBefore=2026-11-20T24:00:01Z',
    'createdBefore=',
    'type=report&type=novel',
    'status=draft,published',
    'ids=',
    'ids=doc_1',
    `ids=${encodeId('document', newUuid())},`,
    `ids=${encodeId('user', newUuid())}`,
    'deleted=1',
    Array.from({ length: 21 }, (_, n) => `tag=${String(n)}`).join('&'),
    'tags=a',
  ])('a filter is refused as %s, with the parameter', async (query) => {
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
