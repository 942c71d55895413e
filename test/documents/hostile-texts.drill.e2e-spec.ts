import { randomUUID } from 'node:crypto';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { exportedArchive, importedArchive } from '../support/jobs.js';
import { HOSTILE_TEXTS, isLong } from './hostile-texts.js';
import { drillCases } from '../support/drills.js';

let app: TestApp;
let api: ApiClient;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' }, stopClock: false });
  ({ api } = await app.account());
});
afterAll(() => app.close());

interface Kept {
  title: string;
  content: string;
  metadata: object;
}

/** Puts the text into every field of a document: title, content, and a name and a value in its metadata. */
function withText(text: string): Kept {
  if (isLong(text)) return { title: 'Long', content: text, metadata: {} };
  const metadata = { [text]: text, tags: [text, ''], department: text, deep: [{ [text]: [text] }] };
  return { title: text, content: text, metadata };
}

const keptOf = ({ body }: ApiResponse): Kept & { id: string } => {
  if (!body.success) throw new Error(JSON.stringify(body.error).slice(0, 500));
  const { id, title, content, metadata } = body.data as Kept & { id: string };
  return { id, title, content, metadata };
};

/** Fails with a short message unless both are identical, including the order of names. */
function expectSame(actual: Kept, expected: Kept): void {
  const { title, content, metadata } = actual;
  expect({ title, metadata: JSON.stringify(metadata) }).toEqual({
    title: expected.title,
    metadata: JSON.stringify(expected.metadata),
  });
  // Printing a difference of a megabyte takes minutes.
  if (content !== expected.content)
    expect(content.slice(0, 2_000)).toBe(expected.content.slice(0, 2_000));
  expect(content === expected.content).toBe(true);
}

async function expectRead(id: string, expected: Kept): Promise<void> {
  expectSame(keptOf(await api.readDocument(id)), expected);
}

const plain = () => api.createDocument({ title: 'Plain', content: 'plain', metadata: { a: 1 } });
const PLAIN: Kept = { title: 'Plain', content: 'plain', metadata: { a: 1 } };

/** Samples small texts. Events and the archive below use all of them every time. */
const TEXTS = drillCases(Object.entries(HOSTILE_TEXTS), (_, index) => index % 6 === 4);

describe.each(TEXTS)('%s', (_, text) => {
  const wanted = withText(text);

  it('Hostile texts are preserved by creating, even with an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const responses = [
      await api.createDocument(wanted),
      await api.createDocument(wanted, headers),
      await api.createDocument(wanted, headers),
    ];
    for (const response of responses) {
      const created = keptOf(response);
      expectSame(created, wanted);
      await expectRead(created.id, wanted);
    }
    expect(responses[2]?.headers['idempotency-replayed']).toBe('true');
  });

  it('Hostile texts are preserved by PATCH and PUT, in old versions, and by restoring them', async () => {
    const { id } = keptOf(await plain());
    const { metadata, ...rest } = wanted;
    const patch = { ...rest, metadata: { ...metadata, a: null } };
    expectSame(keptOf(await api.patchDocument(id, patch)), wanted);
    expectSame(keptOf(await api.replaceDocument(id, PLAIN)), PLAIN);
    expectSame(keptOf(await api.replaceDocument(id, wanted)), wanted);
    await api.patchDocument(id, { content: 'end', title: 'End' });
    const path = `/v1/documents/${id}/versions`;
    for (const [number, expected] of [
      [1, PLAIN],
      [2, wanted],
      [3, PLAIN],
      [4, wanted],
    ] as const) {
      expectSame(keptOf(await api.send('GET', `${path}/${String(number)}`)), expected);
    }
    expectSame(keptOf(await api.send('POST', `${path}/2/restore`)), wanted);
    await expectRead(id, wanted);
  });

  it('Hostile texts are preserved by edits', async () => {
    const { id } = keptOf(await api.createDocument({ title: 'E', content: '<>' }));
    const edit = async (edits: object[], content: string) => {
      expectSame(keptOf(await api.editDocument(id, edits)), { title: 'E', content, metadata: {} });
    };
    if (Buffer.byteLength(text) > 500_000) {
      await edit(
        [
          { op: 'delete', find: '<>' },
          { op: 'append', text },
        ],
        text,
      );
      return;
    }
    await edit([{ op: 'insert', at: 1, text }], `<${text}>`);
    await edit([{ op: 'replace', find: `<${text}>`, with: text }], text);
    await edit([{ op: 'append', text: `|${text}` }], `${text}|${text}`);
    await edit([{ op: 'replace', find: `|${text}`, with: '' }], text);
    await edit([{ op: 'insert', at: 'end', text: '!' }], `${text}!`);
    await edit([{ op: 'delete', find: text }], '!');
  });

  it.each([false, true])('Hostile texts are preserved by a batch, atomic: %s', async (atomic) => {
    const { id } = keptOf(await api.createDocument({ title: 'B' }));
    const { body } = await api.batchDocuments({
      atomic,
      operations: [
        { op: 'create', document: wanted },
        { op: 'update', id, patch: wanted },
      ],
    });
    for (const result of body.data.results as { data: Kept & { id: string } }[]) {
      expectSame(result.data, wanted);
      await expectRead(result.data.id, wanted);
    }
  });

  it('Hostile texts are preserved by a template, as its text and as the value of a variable', async () => {
    const variables = [{ name: 'v' }];
    const filled = keptOf(
      await api.createDocument({
        templateId: await templateOf({ title: '{{v}}', content: '{{v}}', variables }),
        ...(isLong(text) ? { title: 'Long' } : {}),
        templateVariables: { v: text },
      }),
    );
    expectSame(filled, { ...wanted, metadata: {} });
    // Templates write literal braces with a backslash before them.
    if (text.includes('\\{{')) return;
    const copied = await api.createDocument({ templateId: await templateOf(wanted) });
    expectSame(keptOf(copied), wanted);
  });

  it('Hostile texts are preserved by an export as Markdown and its import', async () => {
    const { id } = keptOf(await api.createDocument(wanted));
    const file = await api.exportDocument(id, 'md');
    expect(file.status).toBe(200);
    const again = await api.importDocument({ name: 'a.md', content: file.bytes });
    expectSame(keptOf(again), wanted);
  });
});

async function templateOf(fields: object): Promise<string> {
  return keptOf(await api.createTemplate({ name: 'T', ...fields })).id;
}

it('an archive carries every one of them to another account, with earlier versions', async () => {
  const [from, to] = [await app.account(), await app.account()];
  const expected = new Map<string, Kept>();
  for (const text of Object.values(HOSTILE_TEXTS)) {
    const { id } = keptOf(await from.api.createDocument(withText(text)));
    await from.api.patchDocument(id, { title: 'Changed', content: `${text.slice(0, 100)}!` });
    expected.set(id, withText(text));
  }
  const archive = await exportedArchive(from.api, 60_000);
  await removeAll(from.api, [...expected.keys()]);
  const job = await importedArchive(to.api, archive, 60_000);
  expect(job).toMatchObject({ status: 'succeeded' });
  for (const [id, kept] of expected) {
    expectSame(keptOf(await to.api.send('GET', `/v1/documents/${id}/versions/1`)), kept);
  }
}, 120_000);

/** This frees the ids, so the archive's documents keep theirs. */
async function removeAll(account: ApiClient, ids: string[]): Promise<void> {
  for (const id of ids) await account.deleteDocument(id, { permanent: true });
}
