import { PLAN_QUOTAS } from '../../src/features/usage/quotas/plan-quotas.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fillStorage } from '../support/fill.js';
import { endOf, importedArchive } from '../support/jobs.js';
import { recordsIn } from './account-state.js';
import {
  Original,
  refusal,
  rowsOf,
  sealed,
  type ArchiveRecord,
  expectRefused,
  type Tampering,
} from './tampering.js';

let app: TestApp;
let original: Original;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' }, stopClock: false });
  original = await Original.of(app);
});
afterAll(() => app.close());

it('An unchanged archive is imported', async () => {
  const { api } = await app.account();
  expect(await importedArchive(api, original.text())).toMatchObject({ status: 'succeeded' });
  const { api: other } = await app.account();
  // The last line does not need a line feed.
  expect(await importedArchive(other, original.text().trimEnd())).toMatchObject({
    status: 'succeeded',
  });
});

describe('An archive is refused as a whole', () => {
  it('An archive is refused as a whole with a line of a hundred megabytes, without reading it into memory', async () => {
    const archive = Buffer.alloc(100 * 1024 ** 2, 'x');
    archive.write(`${original.text().split('\n')[0] ?? ''}\n`);
    const before = process.memoryUsage().arrayBuffers;
    const error = await refusal(app, archive);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^Line 2: is longer than/) as string,
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 ** 2);
  });

  it('An archive is refused as a whole that is not UTF-8', async () => {
    const archive = Buffer.from(original.text(), 'latin1');
    archive[archive.indexOf('One')] = 0xff;
    expect((await refusal(app, archive)).message).toMatch(/UTF-8/);
  });

  it('An archive is refused as a whole when it does not fit the plan', async () => {
    const account = await app.account({ plan: 'pro' });
    const { api, accountId } = account;
    const room = (PLAN_QUOTAS.pro.storageBytes ?? 0) - 1024 ** 2;
    await fillStorage(app.dataSource, account, room);
    const document = original.records[original.lineOf('document') - 1] as ArchiveRecord;
    const content = 'x'.repeat(1024 ** 2);
    const large = { ...document, version: 1, changes: [], content, wordCount: 1 };
    const accepted = await api.importAccount(sealed([original.first, large, original.last]));
    expect(await endOf(api, accepted)).toMatchObject({
      status: 'failed',
      error: { code: 'FORBIDDEN', details: { quota: 'storageBytes', plan: 'pro' } },
    });
    expect(await rowsOf(app, accountId)).toMatchObject({ documents: 0, templates: 0 });
  });

  it('An archive is refused as a whole and reads or changes nothing of another account by naming its IDs', async () => {
    const { api } = await app.account();
    const { body } = await api.createDocument({ title: 'Theirs', content: 'secret' });
    const { id } = body.data as { id: string };
    const { api: attacker } = await app.account();
    const archive = original
      .changed('document', { id })
      .replaceAll(
        `"documentId":"${String(original.records[original.lineOf('document') - 1]?.['id'])}"`,
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

  it('An archive is refused as a whole and names no author who does not belong to the account', async () => {
    const stranger = await app.account();
    const importer = await app.account();
    const archive = original.changed('document', {
      author: stranger.user,
      createdBy: stranger.user,
    });
    expect(await importedArchive(importer.api, archive)).toMatchObject({ status: 'succeeded' });
    for (const { createdBy } of (await importer.api.listDocuments()).body.data as {
      createdBy: object;
    }[]) {
      expect(createdBy).toEqual(importer.user);
    }
  });
});

describe('An archive is refused as a whole, with a sentence and the first line that is wrong,', () => {
  it.each<Tampering>([
    [
      'that has no first line',
      () => sealed(original.records.slice(1)),
      () => 1,
      /not the first line/,
    ],
    ['that is another file', () => 'a,b,c\n1,2,3\n', () => 1, /not valid JSON/],
    ['that is JSON of something else', () => '{"hello":"world"}\n', () => 1, /not the first line/],
    [
      'of a later format',
      () => original.changed('header', { version: 4 }),
      () => 1,
      /version must be one of 1, 2, 3/,
    ],
    [
      'whose first line has no counts',
      () =>
        sealed([original.first, ...original.records.slice(1)]).replace(
          /"counts":\{[^}]*\}/,
          '"counts":7',
        ),
      () => 1,
      /counts/,
    ],
    [
      'that is cut off between lines',
      () => original.text().split('\n').slice(0, -2).join('\n'),
      undefined,
      /ends after line/,
    ],
    [
      'that is cut off within a line',
      () => original.text().slice(0, 2_000),
      undefined,
      /not valid JSON/,
    ],
    [
      'that goes on after its end',
      () => `${original.text()}{}\n`,
      undefined,
      /follows the last line/,
    ],
    [
      'with an empty line',
      () => sealed(original.records.toSpliced(3, 0, '' as unknown as ArchiveRecord)),
      () => 4,
      /is empty/,
    ],
    [
      'of which a letter was changed',
      () => original.text().replace('"One"', '"Ono"'),
      undefined,
      /sha256/,
    ],
    [
      'whose count is wrong',
      () => original.text().replace(/"document":2/, '"document":3'),
      undefined,
      /counts.document is 3 and 2.*the archive has 2/,
    ],
    [
      'with a line of another kind',
      () => original.changed('key', { record: 'secret' }),
      () => original.lineOf('key'),
      /record must be one of/,
    ],
    [
      'in another order',
      () => sealed([original.first, ...original.records.slice(1, -1).reverse(), original.last]),
      undefined,
      /cannot follow/,
    ],
    [
      'whose version stands before its document',
      () => {
        const at = original.lineOf('document') - 1;
        return sealed(
          original.records.toSpliced(
            at,
            2,
            original.records[at + 1] as ArchiveRecord,
            original.records[at] as ArchiveRecord,
          ),
        );
      },
      undefined,
      /documentId must be the id of the preceding document/,
    ],
    [
      'without one of the versions',
      () => original.without('version', 1),
      undefined,
      /must be version 1 of the preceding document/,
    ],
    [
      'with a gap between versions',
      () => original.without('version', 0),
      () => original.lineOf('version', 0),
      /number must be 2/,
    ],
    [
      'whose last document lacks a version',
      () => original.without('version', 3),
      undefined,
      /must be version 1/,
    ],
    [
      'with a version twice',
      () => {
        const at = original.lineOf('version', 1) - 1;
        return sealed(original.records.toSpliced(at, 0, original.records[at] as ArchiveRecord));
      },
      undefined,
      /has no more versions/,
    ],
    [
      'with a version of another document',
      () =>
        original.changed('version', {
          documentId: original.records[original.lineOf('document', 1) - 1]?.['id'],
        }),
      () => original.lineOf('version'),
      /documentId/,
    ],
    [
      'with a document twice',
      () => {
        const at = original.lineOf('document') - 1;
        return sealed(original.records.toSpliced(at, 0, ...original.records.slice(at, at + 3)));
      },
      undefined,
      /which an earlier line already uses/,
    ],
    [
      'with a document twice, far from each other',
      () => {
        const at = original.lineOf('document') - 1;
        return sealed(
          original.records.toSpliced(
            original.lineOf('auditEntry') - 1,
            0,
            ...original.records.slice(at, at + 3),
          ),
        );
      },
      () => original.lineOf('auditEntry'),
      /which an earlier line already uses/,
    ],
    [
      'with a template twice',
      () => {
        const at = original.lineOf('template') - 1;
        return sealed(original.records.toSpliced(at, 0, original.records[at] as ArchiveRecord));
      },
      () => original.lineOf('template') + 1,
      /which an earlier line already uses/,
    ],
    [
      'whose last line has no checksum',
      () => original.text().replace(/,"sha256":"[0-9a-f]+"/, ''),
      () => original.records.length,
      /sha256/,
    ],
  ])('%s', async (_, archive, line, message) => {
    await expectRefused(app, archive(), line?.(), message);
  });
});
