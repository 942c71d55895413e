import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { updateIndex } from './document-rows.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'api' } });
});
afterAll(() => app.close());

type Facets = Record<string, { value: string; count: number }[]>;

describe('facets', () => {
  it('facets count by type, status, tag, department and project, most frequent first', async () => {
    const { api } = await app.account();
    const metadata = { tags: ['b', 'a', 'a'], department: 'Sales' };
    await api.createDocument({ title: '1', type: 'report', metadata });
    await api.createDocument({ title: '2', metadata: { tags: ['a'], project: 'x' } });
    await api.createDocument({ title: '3', metadata: { project: '__proto__' } });
    expect(expectSuccess(await api.send('GET', '/v1/documents/facets'))).toEqual({
      type: [
        { value: 'document', count: 2 },
        { value: 'report', count: 1 },
      ],
      status: [{ value: 'draft', count: 3 }],
      tag: [
        { value: 'a', count: 2 },
        { value: 'b', count: 1 },
      ],
      department: [{ value: 'Sales', count: 1 }],
      project: [
        { value: '__proto__', count: 1 },
        { value: 'x', count: 1 },
      ],
    });
    await updateIndex(app);
    const filtered = await api.send('GET', '/v1/documents/facets?tag=a&q=2');
    expect(expectSuccess(filtered)).toMatchObject({
      type: [{ value: 'document', count: 1 }],
      tag: [{ value: 'a', count: 1 }],
      department: [],
    });
  });

  it('facets are exact for thousands of documents with more values than are shown', async () => {
    const { api, accountId, userId } = await app.account();
    // Value n of 0 … 149 is on every document whose number is a multiple of it.
    await app.dataSource.query(
      `INSERT INTO documents (id, account_id, title, type, content, excerpt, status, metadata, ai_settings, word_count,
                              version, created_by, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'No. ' || n, CASE WHEN n % 3 = 0 THEN 'report' ELSE 'article' END, '', '', 'draft',
              json_build_object('project', 'p' || n % 150, 'tags',
                (SELECT json_agg('t' || k) FROM generate_series(1, 130) AS k WHERE n % k = 0)),
              '{}', 0, 1, $2, now() - n * interval '1 minute', now()
         FROM generate_series(1, 3000) AS n`,
      [accountId, userId],
    );
    const check = async (extra: number) => {
      for (const [query, matches] of [
        ['', (): boolean => true],
        ['?type=report', (n: number): boolean => n % 3 === 0],
        ['?metadata.project=p0', (n: number): boolean => n % 150 === 0],
      ] as const) {
        const response = await api.send('GET', `/v1/documents/facets${query}`);
        const facets = expectSuccess(response) as Facets;
        const numbers = Array.from({ length: 3000 }, (_, index) => index + 1).filter(matches);
        const ofTag = (k: number) => numbers.filter((n) => n % k === 0).length;
        const counts = Array.from({ length: 130 }, (_, index) => ofTag(index + 1))
          .filter((count) => count > 0)
          .sort((one, other) => other - one)
          .slice(0, 100);
        const plain = facets['tag']?.filter(({ value }) => value !== 'extra');
        if (extra === 0) expect(plain?.map(({ count }) => count)).toEqual(counts);
        for (const { value, count } of plain ?? []) {
          expect([value, count]).toEqual([value, ofTag(Number(value.slice(1)))]);
        }
        const warnings = (response.body.meta.warnings ?? []) as { field: string }[];
        const isCut = (wanted: string) => warnings.some(({ field }) => field === wanted);
        expect(isCut('tag')).toBe(ofTag(130) + numbers.length > 100);
        expect(facets['tag']?.length).toBeLessThanOrEqual(100);
        if (query === '') expect(isCut('project')).toBe(true);
        const extras = facets['tag']?.find(({ value }) => value === 'extra')?.count ?? 0;
        expect(extras).toBe(query === '' ? extra : 0);
      }
    };
    await check(0);
    const create = { op: 'create', document: { title: 'late', metadata: { tags: ['extra'] } } };
    for (let n = 0; n < 120; n += 10) {
      const operations = Array.from({ length: 10 }, () => create);
      expectSuccess(await api.batchDocuments({ operations }));
    }
    await check(120);
  });

  it('facets need the scope documents:read, and do not support paging', async () => {
    const { api } = await app.account({ scopes: ['documents:write'] });
    expectFailure(await api.send('GET', '/v1/documents/facets'), 403, 'FORBIDDEN');
    const reader = await app.account();
    const response = await reader.api.send('GET', '/v1/documents/facets?limit=5');
    expectFailure(response, 400, 'INVALID_REQUEST');
  });
});
