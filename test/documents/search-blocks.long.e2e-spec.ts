import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { walkCursors } from './walk.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'api' } });
});
afterAll(() => app.close());

/** Documents by SQL in one statement; `createdAt` and `number` are SQL over n. */
async function load(
  { accountId, userId }: { accountId: string; userId: string },
  [first, last]: [number, number],
  createdAt: string,
): Promise<void> {
  await app.dataSource.query(
    `INSERT INTO documents (id, account_id, title, type, content, excerpt, status, metadata, ai_settings, word_count,
                            version, created_by, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'No ' || n, CASE WHEN n % 5 = 0 THEN 'report' ELSE 'article' END,
            'word' || n % 7 || ' common', '', 'draft',
            json_build_object('department', 'd' || n % 3, 'tags', json_build_array('often' || n % 2, 'rarely' || n % 400)),
            '{}', n % 11, 1, $2, ${createdAt}, ${createdAt}
       FROM generate_series($3::int, $4::int) AS n`,
    [accountId, userId, first, last],
  );
}

interface Titled {
  title: string;
}

/** Pages of every depth, and the walk by cursor, against PostgreSQL's own sort. */
async function compare(api: ApiClient, accountId: string): Promise<void> {
  const rows: { id: string; type: string; title: string }[] = await app.dataSource.query(
    `SELECT id, type, title FROM documents WHERE account_id = $1 AND deleted_at IS NULL
      ORDER BY created_at DESC, id DESC`,
    [accountId],
  );
  const reports = rows.filter(({ type }) => type === 'report').map(({ title }) => title);
  for (const page of [
    1,
    2,
    7,
    Math.ceil(reports.length / 50),
    Math.ceil(reports.length / 50) + 1,
  ]) {
    for (const order of ['desc', 'asc']) {
      const response = await api.listDocuments({ type: 'report', limit: 50, page, order });
      const titles = (expectSuccess(response) as Titled[]).map(({ title }) => title);
      const expected = order === 'desc' ? reports : [...reports].reverse();
      expect(titles).toEqual(expected.slice((page - 1) * 50, page * 50));
      expect(response.body.meta.pagination.total).toBe(reports.length);
    }
  }
  for (const page of [201, 210, Math.ceil(rows.length / 100)]) {
    const response = await api.listDocuments({ limit: 100, page });
    const titles = (expectSuccess(response) as Titled[]).map(({ title }) => title);
    const expected = rows.slice((page - 1) * 100, page * 100).map(({ title }) => title);
    expect(titles).toEqual(expected);
    const { nextCursor: cursor } = response.body.meta.pagination as { nextCursor: string | null };
    if (cursor === null) continue;
    const next = expectSuccess(await api.listDocuments({ limit: 100, cursor })) as Titled[];
    expect(next.map(({ title }) => title)).toEqual(
      rows.slice(page * 100, (page + 1) * 100).map(({ title }) => title),
    );
  }
}

/** Facets of all documents, of a filter and of a word against PostgreSQL's own count of every document. */
async function compareFacets(api: ApiClient, accountId: string): Promise<void> {
  const [{ middle }] = await app.dataSource.query(
    `SELECT (SELECT created_at FROM documents WHERE account_id = $1 ORDER BY created_at DESC OFFSET 2000 LIMIT 1) AS middle`,
    [accountId],
  );
  const moment = (middle as Date).toISOString();
  for (const [query, condition] of [
    ['', 'true'],
    [`?createdAfter=${moment}`, `created_at >= '${moment}'`],
    ['?type=report', `type = 'report'`],
    ['?tag=rarely7', `metadata::jsonb -> 'tags' ? 'rarely7'`],
    [
      '?department=d1&tag=often0',
      `metadata ->> 'department' = 'd1' AND metadata::jsonb -> 'tags' ? 'often0'`,
    ],
    ['?q=word3', `content LIKE 'word3 %'`],
  ] as const) {
    const response = await api.send('GET', `/v1/documents/facets${query}`);
    const facets = expectSuccess(response) as Record<string, { value: string; count: number }[]>;
    const rows: { facet: string; value: string; count: number }[] = await app.dataSource.query(
      `SELECT facet, value, count(*)::int AS count
           FROM documents, LATERAL (
             SELECT 'type' AS facet, type AS value
             UNION ALL SELECT 'department', metadata ->> 'department'
             UNION ALL SELECT 'tag', json_array_elements_text(metadata -> 'tags')) AS field
          WHERE account_id = $1 AND deleted_at IS NULL AND ${condition} GROUP BY facet, value`,
      [accountId],
    );
    for (const facet of ['type', 'department', 'tag']) {
      const all = rows.filter((row) => row.facet === facet);
      const shown = facets[facet] ?? [];
      expect(shown).toHaveLength(Math.min(all.length, 100));
      const lowest = Math.min(...shown.map(({ count }) => count));
      const counts = new Map(all.map(({ value, count }) => [value, count]));
      expect(shown).toEqual(shown.map(({ value }) => ({ value, count: counts.get(value) })));
      const left = all.filter(({ value }) => !shown.some((one) => one.value === value));
      expect(left.filter(({ count }) => count > lowest)).toEqual([]);
    }
  }
}

/** A phrase of one document in seven, and one that would have to be looked for in every text. */
async function searchPhrases(api: ApiClient): Promise<void> {
  const response = await api.listDocuments({ q: '"word3 common"', limit: 1 });
  expect(response.body.meta.pagination.total).toBe(Math.floor((24_000 - 3) / 7) + 1);
  const common = await api.listDocuments({ q: '"common common"' });
  expect(common.body.meta.pagination.total).toBe(24_000);
  expect(common.body.meta.warnings).toMatchObject([{ field: 'q' }]);
}

describe('the search index of a large account', () => {
  it.each([
    ['in the order of creation', `now() - (25000 - n) * interval '1 second'`],
    ['in the reverse order', `now() - n * interval '1 second'`],
    ['in any order', `now() - random() * interval '300 days'`],
    ['at one moment', 'now()'],
  ])('has the right pages when documents are loaded %s', async (_, createdAt) => {
    const account = await app.account();
    for (const part of [
      [1, 6000],
      [6001, 12_000],
      [12_001, 18_000],
      [18_001, 24_000],
    ] as const) {
      await load(account, [...part], createdAt);
    }
    await compare(account.api, account.accountId);
    await compareFacets(account.api, account.accountId);
    await searchPhrases(account.api);
    const [{ waiting }] = await app.dataSource.query(
      'SELECT count(*)::int AS waiting FROM search_changes WHERE account_id = $1',
      [account.accountId],
    );
    expect(waiting).toBe(0);
  });

  it('stays right through changes of more documents than a block has room for', async () => {
    const account = await app.account();
    const { api, accountId } = account;
    await load(account, [1, 9000], `now() - n * interval '1 second'`);
    for (let round = 0; round < 3; round += 1) {
      await app.dataSource.query(
        `UPDATE documents SET type = CASE WHEN type = 'report' THEN 'article' ELSE 'report' END
          WHERE account_id = $1 AND word_count % 2 = $2`,
        [accountId, round % 2],
      );
    }
    await app.dataSource.query('DELETE FROM documents WHERE account_id = $1 AND word_count = 3', [
      accountId,
    ]);
    const reports: { id: string }[] = await app.dataSource.query(
      `SELECT id FROM documents WHERE account_id = $1 AND type = 'report'`,
      [accountId],
    );
    const response = await api.listDocuments({ type: 'report', limit: 1 });
    expect(response.body.meta.pagination.total).toBe(reports.length);
    await compareFacets(api, accountId);
    const q = await api.listDocuments({ q: 'word3', limit: 1 });
    const [{ n }] = await app.dataSource.query(
      `SELECT count(*)::int AS n FROM documents WHERE account_id = $1 AND content = 'word3 common'`,
      [accountId],
    );
    expect(q.body.meta.pagination.total).toBe(n);
    await app.dataSource.query('DELETE FROM documents WHERE account_id = $1', [accountId]);
    expect((await api.listDocuments({ type: 'report' })).body.meta.pagination.total).toBe(0);
    const kept = await app.dataSource.query(
      `SELECT (SELECT count(*) FROM search_entries AS entry JOIN search_blocks AS block ON block.id = entry.block_id
                WHERE account_id = $1)::int AS entries,
              (SELECT count(*) FROM search_postings AS list JOIN search_blocks AS block ON block.id = list.block_id
                WHERE account_id = $1)::int AS postings,
              (SELECT count(*) FROM search_values WHERE account_id = $1)::int AS values,
              (SELECT count(*) FROM search_counts WHERE account_id = $1)::int AS counts`,
      [accountId],
    );
    expect(kept).toEqual([{ entries: 0, postings: 0, values: 0, counts: 0 }]);
  });

  it('keeps cursors free of doubles and gaps while others create, and the index follows', async () => {
    const account = await app.account();
    const now = app.clock.now().toISOString();
    await load(account, [1, 600], `'${now}'::timestamptz - n * interval '1 second'`);
    const walk = { sort: 'created_at', order: 'desc', limit: 100 };
    const before = await walkCursors(account.api, walk);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await account.api.listDocuments({ status: 'draft', limit: 37, cursor });
      seen.push(...(page.body.data as { id: string }[]).map(({ id }) => id));
      cursor = page.body.meta.pagination.nextCursor as string | null;
      await account.api.createDocument({ title: 'Meanwhile' });
    } while (cursor !== null);
    expect(seen).toEqual(before);
  });
});
