import { startTestApp, type TestApp } from '../support/app.js';
import { endOf, importedArchive } from '../support/jobs.js';
import { recordsIn } from './account-state.js';
import { Original, refusal, rowsOf, sealed, type ArchiveRecord } from './tampering.js';

let app: TestApp;
let original: Original;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' }, stopClock: false });
  original = await Original.of(app);
});
afterAll(() => app.close());

async function isUnderWay(accountId: string): Promise<boolean> {
  const rows = await app.dataSource.query<object[]>(
    'SELECT FROM jobs WHERE account_id = $1 AND finished_at IS NULL',
    [accountId],
  );
  return rows.length > 0;
}

describe('An archive that nobody changed', () => {
  it('is imported', async () => {
    const { api } = await app.account();
    expect(await importedArchive(api, original.text())).toMatchObject({ status: 'succeeded' });
    const { api: other } = await app.account();
    // The last line may lack its line feed.
    expect(await importedArchive(other, original.text().trimEnd())).toMatchObject({
      status: 'succeeded',
    });
  });
});

describe('An archive is refused as a whole', () => {
  it('with a line of hundreds of megabytes, without reading it into memory', async () => {
    const archive = Buffer.alloc(200 * 1024 ** 2, 'x');
    const before = process.memoryUsage().arrayBuffers;
    const error = await refusal(app, archive);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^Line 1: is longer than/) as string,
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 1024 ** 2);
  });

  it('that is not UTF-8', async () => {
    const archive = Buffer.from(original.text(), 'latin1');
    archive[archive.indexOf('One')] = 0xff;
    expect((await refusal(app, archive)).message).toMatch(/UTF-8/);
  });

  it('when it does not fit the plan', async () => {
    const { api, accountId } = await app.account({ plan: 'free' });
    const document = original.records[original.lineOf('document') - 1] as ArchiveRecord;
    const content = 'x'.repeat(1024 ** 2);
    const documents = Array.from({ length: 101 }, (_, n) => ({
      ...{ ...document, version: 1, changes: [], content, wordCount: 1 },
      id: `doc_01kam3k0v5e0rbk1y2c9q4w${String(n).padStart(3, '0')}`,
    }));
    const records = [original.first, ...documents, original.last];
    const accepted = await api.importAccount(sealed(records));
    // Reading the job again and again would take more requests than the plan has.
    while (await isUnderWay(accountId)) await new Promise((resolve) => setImmediate(resolve));
    expect(await endOf(api, accepted)).toMatchObject({
      status: 'failed',
      error: { code: 'FORBIDDEN', details: { quota: 'storageBytes', plan: 'free' } },
    });
    expect(await rowsOf(app, accountId)).toMatchObject({ documents: 0, templates: 0 });
  });

  it('and nothing of another account is read or changed by naming its ids', async () => {
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

  it('and nobody is named as an author who does not belong to the account', async () => {
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
