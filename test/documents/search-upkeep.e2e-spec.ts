import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' } });
});
afterAll(() => app.close());

async function isUpToDate(accountId: string): Promise<boolean> {
  const [{ n }] = await app.dataSource.query(
    'SELECT count(*)::int AS n FROM search_changes WHERE account_id = $1',
    [accountId],
  );
  return n === 0;
}

describe('the worker', () => {
  it('puts many documents into the search index at once, and few ones when they have waited', async () => {
    const [many, few] = [await app.account(), await app.account()];
    for (let n = 0; n < 60; n += 1) {
      await many.api.createDocument({ title: `Document ${String(n)}` });
    }
    await eventually(() => isUpToDate(many.accountId));
    await few.api.createDocument({ title: 'alone' });
    await app.dataSource.query(
      `UPDATE search_changes SET noted_at = noted_at - interval '1 minute' WHERE account_id = $1`,
      [few.accountId],
    );
    await eventually(() => isUpToDate(few.accountId));
    const totalOf = async ({ api }: typeof many, q: string) =>
      (await api.listDocuments({ q })).body.meta.pagination.total as number;
    expect(await totalOf(many, 'document')).toBe(60);
    expect(await totalOf(few, 'alone')).toBe(1);
  });

  it('puts the orders of a large account into the index, and the documents that come later', async () => {
    const { api, accountId } = await app.account();
    for (let n = 0; n < 8; n += 1) {
      await api.createDocument({ title: `Document ${String(n)}`, type: 'report' });
    }
    await app.dataSource.query('SELECT search_update($1, 1000, true)', [accountId]);
    await cutInBlocks(accountId);
    await api.createDocument({ title: 'A later one', type: 'report' });
    await eventually(async () => (await orderedDocuments(accountId)) >= 8);
    const listed = await api.listDocuments({
      type: 'report',
      sort: 'title',
      order: 'asc',
      limit: 2,
    });
    expect(listed.body.data).toMatchObject([{ title: 'A later one' }, { title: 'Document 0' }]);
  });
});

/** As an account of 50,000 documents has them; each with one document or two. */
async function cutInBlocks(accountId: string): Promise<void> {
  await app.dataSource.query(
    `UPDATE search_blocks SET used = search_width(used, 8192), live = search_width(live, 8192),
            deleted = search_width(deleted, 8192) WHERE account_id = $1`,
    [accountId],
  );
  for (let blocks = 1; blocks < 7; blocks += 1) {
    await app.dataSource.query(
      `SELECT search_split(id) FROM (
         SELECT id FROM search_blocks WHERE account_id = $1 ORDER BY bit_count(live) DESC LIMIT 1) AS fullest`,
      [accountId],
    );
  }
}

/** Documents in the order with the fewest. */
async function orderedDocuments(accountId: string): Promise<number> {
  const [{ fewest }] = await app.dataSource.query(
    `SELECT min(n)::int AS fewest FROM unnest('{title,updated_at,word_count}'::text[]) AS wanted(sort)
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(bit_count(bits)), 0) AS n FROM search_orders AS known JOIN search_slices ON order_id = known.id
         WHERE account_id = $1 AND known.sort = wanted.sort AND is_complete AND digit = 10) AS sliced`,
    [accountId],
  );
  return fewest as number;
}
