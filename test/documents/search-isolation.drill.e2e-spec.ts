import { randomInt } from 'node:crypto';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { insertRows } from './document-rows.js';
import type { ModelDocument } from './search-model.js';
import { drillCases, drillCount } from '../support/drills.js';

const MIB = 1024 * 1024;
const PATIENCE_MS = 90_000;
/** More than is indexed while those of the small account come. */
const MANY_DOCUMENTS = drillCount({ small: 1_000, full: 1_600 });
const LONG_DOCUMENTS = drillCount({ small: 300, full: 600 });

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all' },
    stopClock: false,
    runTasks: true,
  });
});
afterAll(() => app.close());

/** Returns distinct words with a total size of this many bytes. */
function differentWords(bytes: number): string {
  const word = () => randomInt(36 ** 5, 36 ** 6).toString(36) + randomInt(36).toString(36);
  return Array.from({ length: Math.floor(bytes / 8) }, word).join(' ');
}

const search = (api: ApiClient, q: string): Promise<ApiResponse> =>
  api.listDocuments({ q, limit: 1 });
const totalOf = ({ body }: ApiResponse): unknown => body.meta.pagination?.total;

/** Repeats the search until it finds this many, while another account always finds its documents. */
async function untilFound(api: ApiClient, q: string, total: number): Promise<void> {
  const other = await app.account();
  await other.api.createDocument({ title: 'bystander' });
  await eventually(
    async () => totalOf(await search(other.api, 'bystander')) === 1,
    Boolean,
    PATIENCE_MS,
  );
  await eventually(
    async () => {
      const began = performance.now();
      const theirs = await search(other.api, 'bystander');
      expectSuccess(theirs);
      expect(totalOf(theirs)).toBe(1);
      expect(performance.now() - began).toBeLessThan(5_000);
      const mine = await search(api, q);
      return mine.status === 200 && totalOf(mine) === total;
    },
    Boolean,
    PATIENCE_MS,
  );
}

describe('the search of an account and of all others', () => {
  const kinds: [number, string, () => string][] = [
    [
      drillCount({ small: 2, full: 6 }),
      '1 MiB of different words',
      () => differentWords(MIB - 100),
    ],
    [
      2,
      '1 MiB of different words that only signs part',
      () => differentWords(MIB - 100).replaceAll(' ', '&'),
    ],
    [
      2,
      '1 MiB of different accented words',
      () => differentWords(MIB * 0.75).replaceAll(' ', 'é '),
    ],
    [
      2,
      '1 MiB of different characters',
      () =>
        Array.from({ length: 349_000 }, () =>
          String.fromCodePoint(0x4e00 + randomInt(20_900)),
        ).join(''),
    ],
    [2, '1 MiB of combining marks in disorder', () => `z${'\u0301\u0327'.repeat(MIB / 4 - 100)}`],
  ];
  it.each(drillCases(kinds, (_, index) => index % 3 === 0))(
    'the search of an account and of all others continues when %i documents of %s arrive',
    async (documents, _, text) => {
      const { api } = await app.account();
      for (let n = 0; n < documents; n += 1) {
        expectSuccess(await api.createDocument({ title: 'needle', content: text() }), 201);
      }
      await untilFound(api, 'needle', documents);
      await api.createDocument({ title: 'needle', content: 'straw' });
      await untilFound(api, 'straw needle', 1);
    },
    PATIENCE_MS * 2,
  );

  it(
    'the search of an account and of all others is not delayed by an account with many documents, because accounts alternate',
    async () => {
      const [large, small] = [await app.account(), await app.account()];
      const texts = Array.from({ length: MANY_DOCUMENTS }, () => `${differentWords(8_000)} needle`);
      await insertRows(app.dataSource, large.accountId, rowsOf(large.user.id, texts));
      await Promise.all(
        Array.from({ length: 60 }, () => small.api.createDocument({ title: 'needle' })),
      );
      await eventually(
        async () => totalOf(await search(small.api, 'needle')) === 60,
        Boolean,
        PATIENCE_MS,
      );
      const behind = await search(large.api, 'needle');
      expect(totalOf(behind)).toBeLessThan(MANY_DOCUMENTS);
      const { warnings } = behind.body.meta as { warnings?: { field: string; issue: string }[] };
      expect(warnings?.[0]?.issue).toMatch(/does not include the last .* changes yet/);
      await app.dataSource.query('DELETE FROM documents WHERE account_id = $1', [large.accountId]);
    },
    PATIENCE_MS * 2,
  );

  it(
    'the search of an account and of all others does not delay a writer of many long documents',
    async () => {
      const { api, accountId, user } = await app.account();
      const texts = Array.from({ length: LONG_DOCUMENTS }, () => `${differentWords(4_000)} needle`);
      await insertRows(app.dataSource, accountId, rowsOf(user.id, texts));
      expect(totalOf(await api.listDocuments({ type: 'document', limit: 1 }))).toBe(LONG_DOCUMENTS);
      await untilFound(api, 'needle', LONG_DOCUMENTS);
    },
    PATIENCE_MS * 2,
  );
});

describe('a document that PostgreSQL refuses to index', () => {
  beforeAll(async () => {
    // As if it had more words than a vector can hold.
    await app.dataSource.query(
      `CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF NEW.vector @@ 'poison'::tsquery THEN RAISE program_limit_exceeded; END IF;
         RETURN NEW;
       END $$;
       CREATE TRIGGER refuse_poison BEFORE INSERT OR UPDATE ON document_texts
         FOR EACH ROW EXECUTE FUNCTION refuse_poison()`,
    );
  });

  it(
    'a document that PostgreSQL refuses to index is found by its title, reported to readers and the operator, and retried when it changes',
    async () => {
      const { api } = await app.account();
      const before = await metric();
      for (let n = 0; n < 3; n += 1)
        await api.createDocument({ title: 'needle', content: 'straw' });
      const fields = { title: 'needle', content: 'straw poison', metadata: { tags: ['bad'] } };
      const { id } = expectSuccess(await api.createDocument(fields), 201) as { id: string };
      for (let n = 0; n < 3; n += 1)
        await api.createDocument({ title: 'needle', content: 'straw' });

      await untilFound(api, 'needle', 7);
      const response = await search(api, 'straw');
      expect(totalOf(response)).toBe(6);
      const issue =
        'does not search the content of 1 document that could not be indexed in time; use filters or titles';
      expect(response.body.meta.warnings).toEqual([{ field: 'q', issue }]);
      const facets = await api.send('GET', '/v1/documents/facets?q=straw');
      expect(facets.body.meta.warnings).toEqual([{ field: 'q', issue }]);
      const tagged = await api.listDocuments({ tag: 'bad' });
      expect(tagged.body).toMatchObject({ data: [{ id }], meta: { pagination: { total: 1 } } });
      expect(tagged.body.meta.warnings).toBeUndefined();
      expect(await metric()).toBe(before + 1);

      expectSuccess(await api.patchDocument(id, { content: 'straw cured' }));
      await untilFound(api, 'straw', 7);
      expect(totalOf(await search(api, 'straw cured'))).toBe(1);
      expect((await search(api, 'straw')).body.meta.warnings).toBeUndefined();
      expect(await metric()).toBe(before);
    },
    PATIENCE_MS * 2,
  );
});

function rowsOf(createdBy: string, contents: readonly string[]): ModelDocument[] {
  const now = new Date().toISOString();
  return contents.map((content) => ({
    id: encodeId('document', newUuid()),
    title: 'Row',
    content,
    type: 'document',
    status: 'draft',
    metadata: {},
    createdBy,
    templateId: null,
    wordCount: 1,
    createdAt: now,
    updatedAt: now,
    deleted: false,
  }));
}

async function metric(): Promise<number> {
  const { text } = await app.api().send('GET', '/metrics');
  return Number(/^search_documents_set_aside (\S+)$/m.exec(text)?.[1]);
}
