import { createHash } from 'node:crypto';
import { HourlyPurges } from '../../src/background/hourly-purges.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { endOf, exportedArchive, importedArchive } from '../support/jobs.js';
import { recordsIn } from './account-state.js';

type Record_ = Record<string, any>;

let app: TestApp;
let original: Record_[];
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' }, stopClock: false });
  const { api } = await app.account();
  for (const title of ['One', 'Two']) {
    const { body } = await api.createDocument({ title, content: 'a', metadata: { tags: ['x'] } });
    const { id } = body.data as { id: string };
    await api.patchDocument(id, { content: 'b' });
    await api.patchDocument(id, { content: 'c' });
  }
  original = recordsIn(await exportedArchive(api));
});
afterAll(() => app.close());

/** The archive of these records, with the numbers and the checksum that its own would have. */
function sealed(records: (Record_ | string)[]): string {
  const named = records.filter((record): record is Record_ => typeof record === 'object');
  const counts: Record<string, number> = {};
  for (const { record } of named.slice(1, -1)) {
    counts[String(record)] = (counts[String(record)] ?? 0) + 1;
  }
  const lines = records.slice(0, -1).map((record, index) => {
    if (typeof record === 'string') return record;
    return JSON.stringify(index === 0 ? { ...record, counts } : record);
  });
  const body = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}${JSON.stringify({ record: 'end', counts, sha256 })}\n`;
}

/** The original with one record changed. */
const changed = (name: string, change: Record_ | ((record: Record_) => Record_ | string)) => {
  const index = original.findIndex(({ record }) => record === name);
  const record = original[index] ?? {};
  const other = typeof change === 'function' ? change(record) : { ...record, ...change };
  return sealed(original.toSpliced(index, 1, other as Record_));
};
const lineOf = (name: string, nth = 0) =>
  original.findIndex(
    (record) => record === original.filter(({ record: other }) => other === name)[nth],
  ) + 1;
const without = (name: string, nth = 0) => sealed(original.toSpliced(lineOf(name, nth) - 1, 1));
const future = '2999-01-01T00:00:00.000Z';

/** What is in the database of an account. */
async function rowsOf(accountId: string): Promise<Record<string, number>> {
  const [counts] = await app.dataSource.query<Record<string, number>[]>(
    `SELECT (SELECT count(*)::int FROM documents WHERE account_id = $1) AS documents,
            (SELECT count(*)::int FROM document_versions WHERE account_id = $1) AS versions,
            (SELECT count(*)::int FROM templates WHERE account_id = $1) AS templates,
            (SELECT count(*)::int FROM template_versions WHERE account_id = $1) AS template_versions,
            (SELECT count(*)::int FROM events WHERE account_id = $1) AS events,
            (SELECT count(*)::int FROM audit_log WHERE account_id = $1) AS entries,
            (SELECT count(*)::int FROM stored_files WHERE account_id = $1) AS files,
            (SELECT coalesce(sum(count), 0)::int FROM row_counts WHERE account_id = $1) AS counted`,
    [accountId],
  );
  return counts ?? {};
}

async function isUnderWay(accountId: string): Promise<boolean> {
  const rows = await app.dataSource.query<object[]>(
    'SELECT FROM jobs WHERE account_id = $1 AND finished_at IS NULL',
    [accountId],
  );
  return rows.length > 0;
}

/** Imports it into a fresh account, which must have nothing afterwards; what the job says. */
async function refusal(
  archive: string | Buffer,
): Promise<{ code: string; message: string; details: any }> {
  const { api, accountId } = await app.account();
  const job = await importedArchive(api, archive);
  expect(job).toMatchObject({ status: 'failed', result: null });
  expect(job.error?.message).toMatch(/^[A-Z].*\.$/);
  await app.app.get(HourlyPurges).run();
  for (const count of Object.values(await rowsOf(accountId))) expect(count).toBe(0);
  return job.error ?? { code: '', message: '', details: null };
}

describe('An archive is refused as a whole, with a sentence and the first line that is wrong,', () => {
  it('and is not when nothing is', async () => {
    const { api } = await app.account();
    expect(await importedArchive(api, sealed(original))).toMatchObject({ status: 'succeeded' });
    const { api: other } = await app.account();
    // The last line may lack its line feed.
    expect(await importedArchive(other, sealed(original).trimEnd())).toMatchObject({
      status: 'succeeded',
    });
  });

  it.each<[string, () => string, (() => number) | undefined, RegExp]>([
    ['that has no first line', () => sealed(original.slice(1)), () => 1, /not the first line/],
    ['that is another file', () => 'a,b,c\n1,2,3\n', () => 1, /not valid JSON/],
    ['that is JSON of something else', () => '{"hello":"world"}\n', () => 1, /not the first line/],
    ['of a later format', () => changed('header', { version: 2 }), () => 1, /version must be 1/],
    [
      'whose first line has no counts',
      () =>
        sealed([original[0] as Record_, ...original.slice(1)]).replace(
          /"counts":\{[^}]*\}/,
          '"counts":7',
        ),
      () => 1,
      /counts/,
    ],
    [
      'that is cut off between lines',
      () => sealed(original).split('\n').slice(0, -2).join('\n'),
      undefined,
      /breaks off after line/,
    ],
    [
      'that is cut off within a line',
      () => sealed(original).slice(0, 2_000),
      undefined,
      /not valid JSON/,
    ],
    [
      'that goes on after its end',
      () => `${sealed(original)}{}\n`,
      undefined,
      /after the last line/,
    ],
    [
      'with an empty line',
      () => sealed(original.toSpliced(3, 0, '' as unknown as Record_)),
      () => 4,
      /is empty/,
    ],
    [
      'of which a letter was changed',
      () => sealed(original).replace('"One"', '"Ono"'),
      undefined,
      /sha256/,
    ],
    [
      'whose count is wrong',
      () => sealed(original).replace(/"document":2/, '"document":3'),
      undefined,
      /counts.document says 3 and 2.*there are 2/,
    ],
    [
      'with a line of another kind',
      () => changed('key', { record: 'secret' }),
      () => lineOf('key'),
      /record must be one of/,
    ],
    [
      'in another order',
      () =>
        sealed([
          original[0] as Record_,
          ...original.slice(1, -1).reverse(),
          original.at(-1) as Record_,
        ]),
      undefined,
      /cannot come after/,
    ],
    [
      'whose version stands before its document',
      () => {
        const at = lineOf('document') - 1;
        return sealed(
          original.toSpliced(at, 2, original[at + 1] as Record_, original[at] as Record_),
        );
      },
      undefined,
      /documentId must be the id of the document before/,
    ],
    [
      'without one of the versions',
      () => without('version', 1),
      undefined,
      /must be version 1 of the document before/,
    ],
    [
      'with a gap between versions',
      () => without('version', 0),
      () => lineOf('version', 0),
      /number must be 2/,
    ],
    [
      'whose last document lacks a version',
      () => without('version', 3),
      undefined,
      /must be version 1/,
    ],
    [
      'with a version twice',
      () => {
        const at = lineOf('version', 1) - 1;
        return sealed(original.toSpliced(at, 0, original[at] as Record_));
      },
      undefined,
      /one too many/,
    ],
    [
      'with a version of another document',
      () => changed('version', { documentId: original[lineOf('document', 1) - 1]?.['id'] }),
      () => lineOf('version'),
      /documentId/,
    ],
    [
      'with a document twice',
      () => {
        const at = lineOf('document') - 1;
        return sealed(original.toSpliced(at, 0, ...original.slice(at, at + 3)));
      },
      undefined,
      /which an earlier line has already/,
    ],
    [
      'with a document twice, far from each other',
      () => {
        const at = lineOf('document') - 1;
        return sealed(
          original.toSpliced(lineOf('auditEntry') - 1, 0, ...original.slice(at, at + 3)),
        );
      },
      () => lineOf('auditEntry'),
      /which an earlier line has already/,
    ],
    [
      'with a template twice',
      () => {
        const at = lineOf('template') - 1;
        return sealed(original.toSpliced(at, 0, original[at] as Record_));
      },
      () => lineOf('template') + 1,
      /which an earlier line has already/,
    ],
    [
      'with a malformed id',
      () => changed('document', { id: 'doc_1' }),
      () => lineOf('document'),
      /id must be the id of a document/,
    ],
    [
      'with an empty title',
      () => changed('document', { title: ' \n' }),
      () => lineOf('document'),
      /title must not be empty/,
    ],
    [
      'with a title that is too long',
      () => changed('version', { title: 'x'.repeat(501) }),
      () => lineOf('version'),
      /title must not be longer/,
    ],
    [
      'with a content over 1 MiB',
      () => changed('version', { content: 'x'.repeat(1024 ** 2 + 1) }),
      () => lineOf('version'),
      /content must not be larger/,
    ],
    [
      'with an unknown type',
      () => changed('document', { type: 'novel' }),
      () => lineOf('document'),
      /type must be one of/,
    ],
    [
      'with an unknown status',
      () => changed('version', { status: 'gone' }),
      () => lineOf('version'),
      /status must be one of/,
    ],
    [
      'with metadata that is none',
      () => changed('document', { metadata: [] }),
      () => lineOf('document'),
      /metadata must be an object/,
    ],
    [
      'with tags that are none',
      () => changed('document', { metadata: { tags: [1] } }),
      () => lineOf('document'),
      /metadata.tags\[0\] must be a string/,
    ],
    [
      'with metadata over 16 KiB',
      () => changed('document', { metadata: { a: 'x'.repeat(16_384) } }),
      () => lineOf('document'),
      /metadata must not be larger/,
    ],
    [
      'with another source of metadata',
      () => changed('document', { metadataSource: '{\n"tags":["y"]}' }),
      () => lineOf('document'),
      /metadataSource/,
    ],
    [
      'with U+0000',
      () => changed('document', (record) => JSON.stringify(record).replace('"c"', '"\\u0000"')),
      () => lineOf('document'),
      /U\+0000/,
    ],
    [
      'with half of a surrogate pair',
      () => changed('document', (record) => JSON.stringify(record).replace('"c"', '"\\ud800"')),
      () => lineOf('document'),
      /surrogate/,
    ],
    [
      'with a name twice',
      () => changed('document', (record) => JSON.stringify(record).replace('{', '{"title":"x",')),
      () => lineOf('document'),
      /given twice/,
    ],
    [
      'with a number that no double holds',
      () =>
        changed('document', (record) => JSON.stringify(record).replace('["x"]', '["x"],"n":1e999')),
      () => lineOf('document'),
      /too large to keep/,
    ],
    [
      'that nests too deep',
      () =>
        changed('document', (record) =>
          JSON.stringify(record).replace('["x"]', '["x"],"n":' + '['.repeat(99) + ']'.repeat(99)),
        ),
      () => lineOf('document'),
      /nests deeper/,
    ],
    [
      'with an unknown member',
      () => changed('document', { contnet: 'x' }),
      () => lineOf('document'),
      /did you mean 'content'/,
    ],
    [
      'without a member',
      () => changed('document', { author: undefined }),
      () => lineOf('document'),
      /author required field missing/,
    ],
    [
      'with an author that is none',
      () => changed('version', { author: { id: 'me' } }),
      () => lineOf('version'),
      /author must be a user/,
    ],
    [
      'with a word count that cannot be',
      () => changed('document', { wordCount: 2 }),
      () => lineOf('document'),
      /wordCount/,
    ],
    [
      'with a time that is none',
      () => changed('document', { createdAt: 'yesterday' }),
      () => lineOf('document'),
      /createdAt must be a time/,
    ],
    [
      'with a time in the future',
      () => changed('document', { deletedAt: future }),
      () => lineOf('document'),
      /future/,
    ],
    [
      'whose times run backwards',
      () =>
        changed('document', {
          createdAt: '2026-01-02T00:00:00.000Z',
          updatedAt: '2026-01-01T00:00:00.000Z',
        }),
      () => lineOf('document'),
      /updatedAt must not be before createdAt/,
    ],
    [
      'whose version is newer than what replaced it',
      () =>
        changed('version', (record) => ({
          ...record,
          createdAt: new Date(Date.parse(String(record['createdAt'])) + 60_000).toISOString(),
        })),
      () => lineOf('version'),
      /createdAt must be between/,
    ],
    [
      'with version 0',
      () => changed('document', { version: 0 }),
      () => lineOf('document'),
      /version must be a whole number/,
    ],
    [
      'with changes that are none',
      () => changed('version', { changes: ['wordCount'] }),
      () => lineOf('version'),
      /changes must be/,
    ],
    [
      'with a template without a name',
      () => changed('template', { name: '' }),
      () => lineOf('template'),
      /name must not be empty/,
    ],
    [
      'with variables that are none',
      () => changed('template', { variables: [{ name: '1 2' }] }),
      () => lineOf('template'),
      /variables\[0\].name/,
    ],
    [
      'whose last line has no checksum',
      () => sealed(original).replace(/,"sha256":"[0-9a-f]+"/, ''),
      () => original.length,
      /sha256/,
    ],
  ])('%s', async (_, archive, line, message) => {
    const error = await refusal(archive());
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(message) as string,
    });
    if (line !== undefined) {
      expect(error.details).toMatchObject({ line: line() });
      expect(error.message).toMatch(new RegExp(`^Line ${String(line())}:`));
    }
  });

  it('with a line of hundreds of megabytes, without reading it into memory', async () => {
    const archive = Buffer.alloc(200 * 1024 ** 2, 'x');
    const before = process.memoryUsage().arrayBuffers;
    const error = await refusal(archive);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^Line 1: is longer than/) as string,
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 1024 ** 2);
  });

  it('that is not UTF-8', async () => {
    const archive = Buffer.from(sealed(original), 'latin1');
    archive[archive.indexOf('One')] = 0xff;
    expect((await refusal(archive)).message).toMatch(/UTF-8/);
  });

  it('when it does not fit the plan', async () => {
    const { api, accountId } = await app.account({ plan: 'free' });
    const document = original[lineOf('document') - 1] as Record_;
    const content = 'x'.repeat(1024 ** 2);
    const documents = Array.from({ length: 101 }, (_, n) => ({
      ...{ ...document, version: 1, changes: [], content, wordCount: 1 },
      id: `doc_01kam3k0v5e0rbk1y2c9q4w${String(n).padStart(3, '0')}`,
    }));
    const records = [original[0] as Record_, ...documents, original.at(-1) as Record_];
    const accepted = await api.importAccount(sealed(records));
    // Reading the job again and again would take more requests than the plan has.
    while (await isUnderWay(accountId)) await new Promise((resolve) => setImmediate(resolve));
    expect(await endOf(api, accepted)).toMatchObject({
      status: 'failed',
      error: { code: 'FORBIDDEN', details: { quota: 'storageBytes', plan: 'free' } },
    });
    expect(await rowsOf(accountId)).toMatchObject({ documents: 0, templates: 0 });
  });

  it('and nothing of another account is read or changed by naming its ids', async () => {
    const { api } = await app.account();
    const { body } = await api.createDocument({ title: 'Theirs', content: 'secret' });
    const { id } = body.data as { id: string };
    const { api: attacker } = await app.account();
    const archive = changed('document', { id }).replaceAll(
      `"documentId":"${String(original[lineOf('document') - 1]?.['id'])}"`,
      `"documentId":"${id}"`,
    );
    const job = await importedArchive(attacker, sealed(recordsIn(archive)));
    expect(job).toMatchObject({
      status: 'succeeded',
      result: { summary: { newIds: { document: 2 } } },
    });
    expect((await attacker.readDocument(id)).status).toBe(404);
    expect((await api.readDocument(id)).body.data).toMatchObject({
      title: 'Theirs',
      content: 'secret',
      version: 1,
    });
    expect((await api.list(`/v1/documents/${id}/versions`, {})).body.data).toHaveLength(1);
  });

  it('and nobody is named as an author who does not belong to the account', async () => {
    const stranger = await app.account();
    const importer = await app.account();
    const archive = changed('document', { author: stranger.user, createdBy: stranger.user });
    expect(await importedArchive(importer.api, archive)).toMatchObject({ status: 'succeeded' });
    for (const { createdBy } of (await importer.api.listDocuments()).body.data as {
      createdBy: object;
    }[]) {
      expect(createdBy).toEqual(importer.user);
    }
  });
});
