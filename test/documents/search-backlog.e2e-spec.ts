import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'api' } });
});
afterAll(() => app.close());

describe('3,000 documents that no worker has put into the search index yet', () => {
  it('are found, each once', async () => {
    const { api, accountId, userId } = await app.account();
    await app.dataSource.query(
      `INSERT INTO documents (id, account_id, title, type, content, excerpt, status, metadata, ai_settings, word_count,
                              version, created_by, created_at, updated_at)
       SELECT uuid_v7(), $1, 'No ' || n, CASE WHEN n % 3 = 0 THEN 'report' ELSE 'article' END, 'word' || n % 10, '',
              'draft', '{}', '{}', 1, 1, $2, now() + n * interval '1 ms', now() FROM generate_series(1, 3000) AS n`,
      [accountId, userId],
    );
    const answers = await Promise.all([
      api.listDocuments({ type: 'report' }),
      api.listDocuments({ q: 'word7', sort: 'created_at' }),
      api.send('GET', '/v1/documents/facets'),
    ]);
    const [reports, words, facets] = answers;
    const titles = (response: typeof reports) =>
      (expectSuccess(response) as { title: string }[]).map(({ title }) => title);
    expect(titles(reports).slice(0, 2)).toEqual(['No 3000', 'No 2997']);
    expect(reports.body.meta.pagination.total).toBe(1_000);
    expect(titles(words).slice(0, 2)).toEqual(['No 2997', 'No 2987']);
    expect(words.body.meta.pagination.total).toBe(300);
    expect(expectSuccess(facets)).toMatchObject({
      type: [
        { value: 'article', count: 2_000 },
        { value: 'report', count: 1_000 },
      ],
    });
  });
});
