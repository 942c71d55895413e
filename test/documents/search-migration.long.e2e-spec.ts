import { migrate, migrationStatus, revertLastMigration } from '../../src/database/migrations.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { updateIndex } from './document-rows.js';

const FASTER = 'FasterSearch1760000012000';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'api' } });
});
afterAll(() => app.close());

const PATHS = [
  '?type=report&limit=3',
  '?tag=often&sort=created_at&limit=3',
  '?tag=rarely7&limit=100',
  '?metadata.client=c17',
  '?updatedAfter=2000-01-01T00:00:00Z&type=article&limit=3',
];
/** What the service asks of the database in a later form than these, or with tables that came later. */
const FACETS = [
  { filters: [] },
  { filters: [['type', null, 'report']] },
  { filters: [['metadata', 'tags', 'rarely7']] },
  {
    filters: [['metadata', 'tags', 'often']],
    groups: [[{ text: 'word3', negated: false, phrase: false }]],
  },
];

describe('a search index of the form before', () => {
  it('answers the same when it has the new form, follows changes in both, and can go back', async () => {
    const { api, accountId, userId } = await app.account();
    const insert = (first: number, last: number) =>
      app.dataSource.query(
        `INSERT INTO documents (id, account_id, title, type, content, excerpt, status, metadata, ai_settings, word_count,
                                version, created_by, created_at, updated_at)
         SELECT uuid_v7(), $1, 'No ' || n, CASE WHEN n % 3 = 0 THEN 'report' ELSE 'article' END, 'word' || n % 10, '',
                'draft', json_build_object('client', 'c' || n, 'tags', ARRAY['often', 'rarely' || n % 150]), '{}', 1, 1,
                $2, now() + n * interval '1 ms', now() FROM generate_series($3::int, $4::int) AS n`,
        [accountId, userId, first, last],
      );
    const change = async (part: number) => {
      const rows = `account_id = $1 AND word_count = 1 AND right(title, 1) = $2`;
      const values = [accountId, String(part)];
      await app.dataSource.query(`UPDATE documents SET type = 'report' WHERE ${rows}`, values);
      await app.dataSource.query(
        `DELETE FROM documents WHERE ${rows} AND title LIKE '%0_'`,
        values,
      );
      while ((await waiting()) > 0) await updateIndex(app.dataSource, accountId);
    };
    const waiting = async (): Promise<number> => {
      const [row] = await app.dataSource.query<{ n: number }[]>(
        'SELECT count(*)::int AS n FROM search_changes WHERE account_id = $1',
        [accountId],
      );
      return row?.n ?? 0;
    };
    const answers = async () => {
      const all: unknown[] = [];
      for (const path of PATHS) {
        const response = await api.send('GET', `/v1/documents${path}`);
        all.push([path, expectSuccess(response), response.body.meta.pagination?.total]);
      }
      for (const conditions of FACETS) {
        const request = JSON.stringify({ deleted: false, ranked: false, ...conditions });
        const counts = await app.dataSource.query<unknown[]>(
          'SELECT * FROM search_facets($1, $2, 100)',
          [accountId, request],
        );
        expect(counts.length).toBeGreaterThan(3);
        all.push([request, counts]);
      }
      return all;
    };
    const goBack = async () => {
      const isApplied = async () =>
        (await migrationStatus(app.dataSource)).some(
          ({ name, applied }) => name === FASTER && applied,
        );
      while (await isApplied()) await revertLastMigration(app.dataSource);
    };

    await goBack();
    // Some bitmaps and lists of the form before have additions that are not in them yet.
    await insert(1, 900);
    await insert(901, 1_450);
    await insert(1_451, 1_480);
    await updateIndex(app.dataSource, accountId);
    const before = await answers();
    await migrate(app.dataSource);
    expect(await answers()).toEqual(before);
    await change(1);
    const changed = await answers();
    expect(changed).not.toEqual(before);
    await goBack();
    expect(await answers()).toEqual(changed);
    await change(2);
    const changedAgain = await answers();
    await migrate(app.dataSource);
    expect(await answers()).toEqual(changedAgain);
    const [{ reports }] = await app.dataSource.query(
      `SELECT count(*)::int AS reports FROM documents WHERE account_id = $1 AND type = 'report'`,
      [accountId],
    );
    const list = await api.listDocuments({ type: 'report', limit: 1 });
    expect(list.body.meta.pagination.total).toBe(reports);
  });
});
