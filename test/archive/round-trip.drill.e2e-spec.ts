import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { exportedArchive, importedArchive } from '../support/jobs.js';
import { recordsIn, renamed, stateOf } from './account-state.js';
import { drillCount } from '../support/drills.js';
import { isBlank } from '../../src/platform/basics/text.js';

/** Of a large text. */
const EDITS = drillCount({ small: 20, full: 60 });
const WITH_WORKER = { environment: { PROCESS_ROLE: 'all' }, stopClock: false };

let here: TestApp;
let there: TestApp;
beforeAll(async () => {
  [here, there] = await Promise.all([startTestApp(WITH_WORKER), startTestApp(WITH_WORKER)]);
});
afterAll(() => Promise.all([here.close(), there.close()]));

/** Texts that some component could misinterpret. */
const HOSTILE = [
  '',
  ' ',
  '\n',
  'line\nfeed, carriage\r\nreturn, tab\t, vertical \u000b, form feed \f',
  '"quoted" \\back\\slashed\\ \\n \\u0000 \\ud800',
  '{"record":"end"}\n{"record":"document"}\n',
  '\u2028\u2029\u0085\ufeff\u200b\u202e',
  '\u0001\u001f\u007f\u0080\u009f',
  '😀👩‍👩‍👧‍👦 𝒜 é e\u0301 ﷽',
  '漢字 かな 한국어 ไทย العربية עברית',
  "$1 $$ %s ${x} '; DROP TABLE documents; -- \\x00 E'\\n'",
  '__proto__',
  'x'.repeat(300_000),
];

async function created(api: ApiClient, body: object): Promise<string> {
  return (expectSuccess(await api.createDocument(body), 201) as { id: string }).id;
}

/** Permanently deletes the documents and templates of an account, which frees their ids. */
async function emptied(api: ApiClient, state: ReadonlyMap<string, unknown>): Promise<void> {
  for (const id of state.keys()) {
    const response = id.startsWith('doc_')
      ? await api.deleteDocument(id, { permanent: true })
      : await api.send('DELETE', `/v1/templates/${id}`);
    expect(response.status).toBe(200);
  }
}

describe('An archive of an account', () => {
  it('An archive of an account restores the same documents, versions and templates in another service, byte for byte', async () => {
    const { api } = await here.account();
    for (const text of HOSTILE) {
      const id = await created(api, {
        title: isBlank(text.slice(0, 400)) ? 'empty' : text.slice(0, 400),
        content: text,
        metadata: { [`key ${text.slice(0, 50)}`]: [text.slice(0, 500), null, 1, true, {}] },
      });
      await api.patchDocument(id, { content: `${text}!` });
      await api.patchDocument(id, { title: 'Other', metadata: { tags: ['a'] } });
      await api.patchDocument(id, { status: 'published' });
    }
    const template = await api.send('POST', '/v1/templates', {
      body: {
        name: 'Own',
        title: '{{t}}',
        content: HOSTILE.slice(0, -1).join('|'),
        variables: [{ name: 't', default: '\n' }],
      },
    });
    const templateId = (expectSuccess(template, 201) as { id: string }).id;
    await api.send('PATCH', `/v1/templates/${templateId}`, { body: { description: '"\\\n' } });
    await created(api, { templateId, templateVariables: { t: 'From it' } });
    const before = await stateOf(api);
    expect(before.size).toBe(HOSTILE.length + 1 + 6);

    const archive = await exportedArchive(api);
    const { api: other } = await there.account();
    const job = await importedArchive(other, archive);
    expect(job).toMatchObject({ status: 'succeeded', error: null });
    expect(await stateOf(other)).toEqual(before);
    expect(job.result?.summary).toEqual({
      imported: {
        collections: 0,
        documents: HOSTILE.length + 1,
        versions: [...before].reduce(
          (sum, [id, texts]) => sum + (id.startsWith('doc_') ? texts.length - 2 : 0),
          0,
        ),
        templates: 6,
        templateVersions: 1,
      },
      newIds: {},
      authorsReplaced: 1,
      accessEntriesRemoved: 0,
    });
    expect(job.progress.done).toBe(job.progress.total);
  });

  it('An archive of an account preserves metadata as written: whitespace, key order, number spelling', async () => {
    const { api } = await here.account();
    const sources = [
      '{"b":1.0,"a":1e2,"1":-0,"A":"\\u00e9\\/"}',
      '{\n  "tags": [\r\n\t"x" ],\n  "n": 12345678901234567890.10\n}',
      '{ "constructor" : {"__proto__":[]} }',
    ];
    const ids: string[] = [];
    for (const metadata of sources) {
      const rawBody = `{"title":"t","metadata":${metadata},"aiSettings":${metadata}}`;
      const made = await api.send('POST', '/v1/documents', {
        rawBody,
        headers: { 'content-type': 'application/json' },
      });
      const { id } = expectSuccess(made, 201) as { id: string };
      await api.patchDocument(id, { metadata: { k: 1 } });
      ids.push(id);
    }
    const archive = await exportedArchive(api);
    const { api: other } = await there.account();
    expect(await importedArchive(other, archive)).toMatchObject({ status: 'succeeded' });
    for (const [index, id] of ids.entries()) {
      const { text } = await other.send('GET', `/v1/documents/${id}/versions/1`);
      expect(text).toContain(
        `"metadata":${String(sources[index])},"aiSettings":${String(sources[index])}}`,
      );
    }
    // Another export is identical except for the first line, the people and the log.
    const again = await exportedArchive(other);
    const kept = (text: string) =>
      text
        .split('\n')
        .filter((line) => /^\{"record":"(document|version|template|templateVersion)"/.test(line))
        .map((line) => line.replace(/"(createdBy|updatedBy|author)":\{[^{}]*\}/g, ''));
    expect(kept(again)).toEqual(kept(archive));
  });

  it('An archive of an account preserves the trash, which can be restored as before', async () => {
    const { api } = await here.account();
    const id = await created(api, { title: 'Thrown away', content: 'a b c' });
    await api.patchDocument(id, { content: 'a b c d' });
    await api.deleteDocument(id);
    const archive = await exportedArchive(api);
    const { api: other } = await there.account();
    expect(await importedArchive(other, archive)).toMatchObject({ status: 'succeeded' });
    expect((await other.readDocument(id)).status).toBe(404);
    expect((await other.listDocuments()).body.meta.pagination.total).toBe(0);
    expect(expectSuccess(await other.restoreDocument(id))).toMatchObject({
      id,
      version: 2,
      wordCount: 4,
    });
  });

  it('An archive of an account keeps its IDs if they are free, and otherwise reports the new ones', async () => {
    const { api } = await here.account();
    const template = await api.send('POST', '/v1/templates', { body: { name: 'Own', title: 't' } });
    const templateId = (expectSuccess(template, 201) as { id: string }).id;
    for (let n = 0; n < 5; n += 1) {
      const id = await created(api, { templateId, title: String(n) });
      await api.patchDocument(id, { content: 'x' });
    }
    const before = await stateOf(api);
    const archive = await exportedArchive(api);

    const { api: beside } = await here.account();
    const job = await importedArchive(beside, archive);
    expect(job).toMatchObject({ status: 'succeeded' });
    expect(job.result?.summary.newIds).toEqual({ template: 6, document: 5 });
    const report = recordsIn((await beside.readJobResult(job.id)).text);
    expect(report.at(-1)).toEqual({ record: 'summary', ...job.result?.summary });
    const ids = new Map(
      report.slice(0, -1).map(({ archiveId, id }) => [String(archiveId), String(id)] as const),
    );
    expect([...ids.keys()].sort()).toEqual([...before.keys()].sort());
    expect(await stateOf(beside)).toEqual(renamed(before, ids));
    expect(await stateOf(api)).toEqual(before);

    await emptied(api, before);
    const { api: later } = await here.account();
    expect((await importedArchive(later, archive)).result?.summary.newIds).toEqual({});
    expect(await stateOf(later)).toEqual(before);
  });

  it('An archive of an account restores everything in its own account', async () => {
    const { api, user } = await here.account();
    await created(api, { title: 'Mine', content: 'one' });
    const before = await stateOf(api);
    const archive = await exportedArchive(api);
    await emptied(api, before);
    const job = await importedArchive(api, archive);
    expect(job.result?.summary).toMatchObject({ newIds: {}, authorsReplaced: 0 });
    const [document] = (await api.listDocuments()).body.data as { createdBy: object }[];
    expect(document?.createdBy).toEqual(user);
    expect(await stateOf(api)).toEqual(before);
  });

  it('An archive of an account keeps many small edits of a large text small, and allows further ones', async () => {
    const { api } = await here.account();
    const words = Array.from({ length: 60_000 }, (_, n) => `word${String((n * 7919) % 10_007)}`);
    const id = await created(api, { title: 'Large', content: words.join(' ') });
    for (let n = 0; n < EDITS; n += 1) {
      words[(n * 331) % words.length] = `edit${String(n)}`;
      const edited = await api.patchDocument(id, { content: words.join(' ') });
      expect(edited.status).toBe(200);
    }
    const archive = await exportedArchive(api);
    const { api: other, accountId } = await there.account();
    expect(await importedArchive(other, archive)).toMatchObject({ status: 'succeeded' });
    const [size] = await there.dataSource.query<{ bytes: string }[]>(
      `SELECT sum(coalesce(octet_length(content), octet_length(content_delta::text))) AS bytes
         FROM document_versions WHERE account_id = $1`,
      [accountId],
    );
    expect(Number(size?.bytes)).toBeLessThan(words.join(' ').length);
    for (const number of [1, 2, EDITS / 2, EDITS]) {
      const path = `/v1/documents/${id}/versions/${String(number)}`;
      const [one, two] = [await api.send('GET', path), await other.send('GET', path)];
      expect(two.body.data.content === one.body.data.content).toBe(true);
    }
    const rows = (app: TestApp) =>
      app.dataSource.query<object[]>(
        'SELECT delta_bytes, delta_count FROM documents WHERE title = $1',
        ['Large'],
      );
    expect(await rows(there)).toEqual(await rows(here));
    await other.patchDocument(id, { content: 'short now' });
    const first = await other.send('GET', `/v1/documents/${id}/versions/1`);
    expect(first.body.data.wordCount).toBe(60_000);
  });

  it('An archive of an account is a snapshot while others write', async () => {
    const { api } = await here.account();
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, n) => created(api, { title: String(n), content: '0' })),
    );
    let writing = true;
    const writers = [0, 1, 2].map(async (writer) => {
      for (let n = 1; writing; n += 1) {
        const id = ids[(n * 7 + writer) % ids.length] ?? '';
        await api.patchDocument(id, { content: `${String(writer)}-${String(n)}` });
        await api.createDocument({ title: `new ${String(n)}` });
      }
    });
    const archives = [await exportedArchive(api), await exportedArchive(api)];
    writing = false;
    await Promise.all(writers);
    for (const archive of archives) {
      const { api: other } = await there.account();
      expect(await importedArchive(other, archive)).toMatchObject({ status: 'succeeded' });
    }
  });

  it('An archive of an account states its record counts, and ends with a checksum of its lines', async () => {
    const account = await here.account();
    const { api } = account;
    const id = await created(api, { title: 'One' });
    await api.patchDocument(id, { title: 'Two' });
    await api.registerWebhook({
      url: 'https://example.com/',
      events: ['*'],
      secret: 's'.repeat(32),
    });
    const archive = await exportedArchive(api);
    const records = recordsIn(archive);
    const { sha256, counts } = records.at(-1) as { sha256: string; counts: Record<string, number> };
    const before = archive.slice(0, archive.lastIndexOf('\n', archive.length - 2) + 1);
    expect(createHash('sha256').update(before).digest('hex')).toBe(sha256);
    expect(records[0]).toMatchObject({
      record: 'header',
      format: 'document-service-archive',
      version: 1,
      counts,
    });
    for (const [name, count] of Object.entries(counts)) {
      expect({ [name]: records.filter(({ record }) => record === name).length }).toEqual({
        [name]: count,
      });
    }
    expect(counts).toMatchObject({ document: 1, version: 1, template: 5, webhook: 1, key: 1 });
    expect(records.find(({ record }) => record === 'webhook')).toMatchObject({
      url: 'https://example.com/',
    });
    expect(archive).not.toContain('s'.repeat(32));
    expect(archive).not.toContain(account.key);
    expect(archive).not.toMatch(/key_?hash|secret_?encrypted/i);
  });

  it('An archive of an account is the same after any history', async () => {
    const change = fc.oneof(
      fc.record({ content: fc.string({ unit: 'grapheme', maxLength: 40 }) }),
      fc.record({
        title: fc
          .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
          .filter((text) => !isBlank(text)),
      }),
      fc.record({
        metadata: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 }),
      }),
      fc.record({ status: fc.constantFrom('draft', 'in_review', 'published', 'archived') }),
    );
    const history = fc.array(fc.array(change, { maxLength: 8 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(history, async (documents) => {
        const { api } = await here.account();
        for (const changes of documents) {
          const id = await created(api, { title: 't' });
          for (const body of changes) await api.patchDocument(id, body);
        }
        const { api: other } = await there.account();
        const job = await importedArchive(other, await exportedArchive(api));
        expect(job).toMatchObject({ status: 'succeeded' });
        expect(await stateOf(other)).toEqual(await stateOf(api));
      }),
      { numRuns: drillCount({ small: 3, full: 12 }) },
    );
  });
});
