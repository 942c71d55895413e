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
});
