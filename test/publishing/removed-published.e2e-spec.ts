import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import type { ApiClient } from '../support/api-client.js';
import { HOUR_MS, inHours, listReleases, putSchedule } from '../releases/releases-api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { acted, newDocument, patched, publishingAccount } from './publishing-api.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [BackgroundTasksModule] });
});
afterAll(() => app.close());

const runTasks = () => app.app.get(BackgroundTasks, { strict: false }).runAll();

/** Returns the number of rows of published versions of an account, by table. */
async function rowsOf(accountId: string): Promise<Record<string, number>> {
  const [rows] = await app.dataSource.query<[Record<string, number>]>(
    `SELECT (SELECT count(*)::integer FROM publications WHERE account_id = $1) AS publications,
            (SELECT count(*)::integer FROM publication_history WHERE account_id = $1) AS history,
            (SELECT count(*)::integer FROM publication_texts WHERE account_id = $1) AS words,
            (SELECT count(*)::integer FROM document_labels WHERE account_id = $1 AND label LIKE 'p%') AS labels,
            (SELECT coalesce(sum(count), 0)::integer FROM row_counts WHERE account_id = $1 AND kind = 'publications') AS counted`,
    [accountId],
  );
  return rows;
}

const NOTHING = { publications: 0, history: 0, words: 0, labels: 0, counted: 0 };

describe('the published version of a document', () => {
  it.each<[string, (api: ApiClient, id: string) => Promise<void>]>([
    [
      'is deleted permanently',
      async (api, id) => void expectSuccess(await api.deleteDocument(id, { permanent: true })),
    ],
    [
      'has been in the trash for 30 days',
      async (api, id) => {
        expectSuccess(await api.deleteDocument(id));
        app.clock.advance(31 * DAY_MS);
      },
    ],
  ])('leaves no row behind once the document %s', async (_, remove) => {
    const { api, accountId } = await publishingAccount(app);
    const draft = await newDocument(api, {
      title: 'Plan',
      content: 'One.',
      metadata: { tags: ['a', 'b'] },
    });
    await acted(api, draft, 'publish');
    await patched(api, draft, { content: 'Two.' });
    await runTasks();
    const labels = expect.any(Number) as number;
    const before = await rowsOf(accountId);
    expect(before).toEqual({ publications: 1, history: 1, words: 1, labels, counted: 1 });
    expect(before['labels']).toBeGreaterThan(1);
    await remove(api, draft.id);
    await runTasks();
    expect(await rowsOf(accountId)).toEqual(NOTHING);
  });

  it('leaves no row behind 90 days after the release of a permanently deleted document has failed', async () => {
    const { api, accountId } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'Plan' });
    expectSuccess(await putSchedule(api, document, { publishAt: inHours(app, 1) }));
    expectSuccess(await api.deleteDocument(document.id, { permanent: true }));
    app.clock.advance(HOUR_MS);
    await runTasks();
    const [release] = await listReleases(api);
    expect(release).toMatchObject({
      status: 'failed',
      items: [{ id: document.id, problems: [{ check: 'document' }] }],
    });
    app.clock.advance(90 * DAY_MS);
    await runTasks();
    expect(
      await app.dataSource.query(
        `SELECT 'release' FROM releases WHERE account_id = $1
         UNION ALL SELECT 'item' FROM release_items WHERE account_id = $1`,
        [accountId],
      ),
    ).toEqual([]);
  });
});
