import { IndexUpkeep } from '../../src/documents/search/index-upkeep.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' } });
});
afterAll(() => app.close());

async function waiting(accountId: string): Promise<number> {
  const [{ n }] = await app.dataSource.query(
    'SELECT count(*)::int AS n FROM search_changes WHERE account_id = $1',
    [accountId],
  );
  return n as number;
}

describe('the worker', () => {
  it('puts many documents into the search index at once, and few ones when they have waited', async () => {
    const [many, few] = [await app.account(), await app.account()];
    const { api } = many;
    for (let n = 0; n < 60; n += 1) await api.createDocument({ title: `Document ${String(n)}` });
    await few.api.createDocument({ title: 'alone' });
    await app.app.get(IndexUpkeep).round();
    expect(await waiting(many.accountId)).toBe(0);
    await app.dataSource.query(
      `UPDATE search_changes SET noted_at = noted_at - interval '1 minute' WHERE account_id = $1`,
      [few.accountId],
    );
    await app.app.get(IndexUpkeep).round();
    expect(await waiting(few.accountId)).toBe(0);
    expect((await api.listDocuments({ q: 'document' })).body.meta.pagination.total).toBe(60);
    expect((await few.api.listDocuments({ q: 'alone' })).body.meta.pagination.total).toBe(1);
  });
});
