import { uuidOf } from '../../src/platform/basics/identifiers/identifiers.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';

interface ShownDocument {
  id: string;
  title: string;
  content: string;
  type: string;
  status: string;
  externalId: string | null;
  metadata: Record<string, unknown>;
  version: number;
}

interface Overlap {
  field: string;
  yours: string | null;
  theirs: string | null;
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const CONTENT = 'One line.\n\nThe quick fox jumps.\n\nLast line.\n';

const documentOf = (response: ApiResponse) => expectSuccess(response) as ShownDocument;
const put = (api: ApiClient, id: string, body: object, headers: Record<string, string> = {}) =>
  api.send('PUT', `/v1/documents/${id}`, { body, headers });
const overlapsOf = ({ body }: ApiResponse) =>
  (body as { error: { details: { version: number; overlaps: Overlap[]; omitted?: number } } }).error
    .details;

/** Returns a document at version 2, whose second version somebody else made with `theirs`. */
async function changed(theirs: object, original: object = {}): Promise<[ApiClient, ShownDocument]> {
  const { api } = await app.account();
  const body = { title: 'Title', content: CONTENT, ...original };
  const created = expectSuccess(await api.createDocument(body), 201) as ShownDocument;
  documentOf(await api.patchDocument(created.id, theirs));
  return [api, created];
}

describe('PATCH with baseVersion', () => {
  it('PATCH with baseVersion merges texts that changed in different places into one version', async () => {
    const [api, { id }] = await changed({ content: CONTENT.replace('quick', 'quick red') });
    const patch = { content: `Zero.\n${CONTENT.replace('jumps', 'leaps')}`, baseVersion: 1 };
    const merged = documentOf(await api.patchDocument(id, patch));
    expect(merged).toMatchObject({
      version: 3,
      content: 'Zero.\nOne line.\n\nThe quick red fox leaps.\n\nLast line.\n',
    });
    const [version] = expectSuccess(
      await api.list(`/v1/documents/${id}/versions`, { order: 'desc' }),
    ) as object[];
    expect(version).toMatchObject({
      number: 3,
      changes: ['content'],
      origin: { type: 'merge', baseVersion: 1 },
    });
    const { body } = await api.listEvents({ limit: 1 });
    const event = expectSuccess(await api.send('GET', `/v1/events/${String(body.data[0].id)}`));
    expect(event).toMatchObject({
      type: 'document.updated',
      data: {
        document: { content: merged.content },
        origin: { type: 'merge', baseVersion: 1 },
      },
    });
  });

  it('PATCH with baseVersion merges titles, and keeps those of others if only the content was changed', async () => {
    const [api, { id }] = await changed({ title: 'New title' });
    const content = CONTENT.replace('quick', 'slow');
    const patch = { title: 'Title', content, baseVersion: 1 };
    expect(documentOf(await api.patchDocument(id, patch))).toMatchObject({
      title: 'New title',
      content,
    });
  });

  it('PATCH with baseVersion answers 409 with the texts of both sides if the same words changed, and writes nothing', async () => {
    const theirs = CONTENT.replace('quick', 'red');
    const [api, { id }] = await changed({ title: 'Theirs', content: theirs });
    const content = CONTENT.replace('quick', 'blue').replace('Last', 'Final');
    const response = await api.patchDocument(id, { title: 'Mine', content, baseVersion: 1 });
    expectFailure(response, 409, 'INVALID_REQUEST');
    expect(overlapsOf(response)).toEqual({
      version: 2,
      overlaps: [
        { field: 'title', yours: 'Mine', theirs: 'Theirs' },
        { field: 'content', yours: 'blue', theirs: 'red' },
      ],
    });
    expect(documentOf(await api.readDocument(id))).toMatchObject({ version: 2, content: theirs });
  });

  it('PATCH with baseVersion tells how many overlaps a response leaves out', async () => {
    const lines = (word: string) =>
      Array.from({ length: 150 }, (_, n) => `${String(n)} ${word}\n\n`).join('');
    const [api, { id }] = await changed({ content: lines('two') }, { content: lines('one') });
    const response = await api.patchDocument(id, { content: lines('three'), baseVersion: 1 });
    const { overlaps, omitted } = overlapsOf(response);
    expect([overlaps.length, omitted]).toEqual([100, 50]);
  });

  it('PATCH with baseVersion creates no version if the merged text is the current one, as for a repeated request', async () => {
    const [api, { id }] = await changed({ title: 'Theirs' });
    const patch = { content: CONTENT.replace('quick', 'slow'), baseVersion: 1 };
    const first = documentOf(await api.patchDocument(id, patch));
    expect(documentOf(await api.patchDocument(id, patch))).toEqual(first);
    expect(first.version).toBe(3);
  });

  it('PATCH with baseVersion is like a PATCH without it if it names the current version', async () => {
    const [api, { id }] = await changed({ title: 'Theirs' });
    const response = await api.patchDocument(id, { content: 'Mine.', baseVersion: 2 });
    expect(documentOf(response)).toMatchObject({ version: 3, content: 'Mine.' });
    const [version] = expectSuccess(
      await api.list(`/v1/documents/${id}/versions`, { order: 'desc' }),
    ) as { origin: null }[];
    expect(version?.origin).toBeNull();
  });

  it('PATCH with baseVersion sets other fields as without it', async () => {
    const [api, { id }] = await changed({ metadata: { theirs: 1 }, type: 'report' });
    const patch = { metadata: { mine: 2 }, type: 'article', content: 'New.\n', baseVersion: 1 };
    expect(documentOf(await api.patchDocument(id, patch))).toMatchObject({
      type: 'article',
      metadata: { theirs: 1, mine: 2 },
      content: 'New.\n',
    });
  });

  it('PATCH with baseVersion refuses a version that is greater than the current one, or no version', async () => {
    const [api, { id }] = await changed({ title: 'Theirs' });
    const response = await api.patchDocument(id, { content: 'Mine.', baseVersion: 3 });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.message).toBe(
      'baseVersion: must not be greater than the current version, 2',
    );
    for (const baseVersion of [0, 1.5, '1', null]) {
      const wrong = await api.patchDocument(id, { content: 'Mine.', baseVersion });
      expectFailure(wrong, 400, 'INVALID_REQUEST');
    }
  });

  it('PATCH with baseVersion answers 409 if the base version is no longer stored', async () => {
    const [api, { id }] = await changed({ title: 'Theirs' });
    await app.dataSource.query('DELETE FROM document_versions WHERE document_id = $1', [
      uuidOf('document', id),
    ]);
    const response = await api.patchDocument(id, { content: 'Mine.', baseVersion: 1 });
    expectFailure(response, 409, 'INVALID_REQUEST');
    expect(response.body.error.details).toMatchObject({ field: 'baseVersion', version: 2 });
    expect(documentOf(await api.readDocument(id)).content).toBe(CONTENT);
  });

  it('PATCH with baseVersion checks If-Match first', async () => {
    const [api, { id }] = await changed({ title: 'Theirs' });
    const headers = { 'If-Match': '"1"' };
    for (const baseVersion of [1, 7]) {
      const response = await api.patchDocument(id, { content: 'Mine.', baseVersion }, headers);
      expectFailure(response, 412, 'INVALID_REQUEST');
    }
    const current = { 'If-Match': '"2"' };
    const body = { content: CONTENT.replace('quick', 'slow'), baseVersion: 1 };
    expect((await api.patchDocument(id, body, current)).status).toBe(200);
  });

  it('PATCH with baseVersion refuses a merged text that is too long', async () => {
    const half = 'a'.repeat(600_000);
    const [api, { id }] = await changed(
      { content: `${half}\nmiddle\n` },
      { content: 'x\nmiddle\n' },
    );
    const response = await api.patchDocument(id, {
      content: `x\nmiddle\n${half}`,
      baseVersion: 1,
    });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details).toMatchObject({ field: 'content' });
  });

  it('PATCH with baseVersion does not put texts of documents into the request log', async () => {
    const [api, { id }] = await changed({ content: 'secret of theirs' });
    const response = await api.patchDocument(id, { content: 'secret of mine', baseVersion: 1 });
    expectFailure(response, 409, 'INVALID_REQUEST');
    const { requestId } = response.body.meta as { requestId: string };
    const logged = await eventually(
      () => api.send('GET', `/v1/requests/${requestId}`),
      ({ status }) => status === 200,
    );
    expect(logged.body.data.error.details).toEqual({ version: 2 });
    expect(logged.text).not.toContain('secret');
  });
});

describe('PUT with baseVersion', () => {
  const whole = { title: 'Title', content: CONTENT, metadata: { a: 1 }, type: 'report' };

  it('PUT with baseVersion merges texts, and keeps fields that the request did not change', async () => {
    const [api, { id }] = await changed(
      { metadata: { b: 2 }, type: 'article', status: 'published', content: `Zero.\n${CONTENT}` },
      whole,
    );
    const content = `${CONTENT}More.\n`;
    const response = await put(api, id, { ...whole, status: 'draft', content, baseVersion: 1 });
    expect(documentOf(response)).toMatchObject({
      content: `Zero.\n${content}`,
      metadata: { a: 1, b: 2 },
      type: 'article',
      status: 'published',
      version: 3,
    });
  });

  it('PUT with baseVersion sets fields that only the request changed', async () => {
    const [api, { id }] = await changed({ title: 'Theirs' }, whole);
    const body = { ...whole, metadata: { c: 3 }, externalId: 'crm/1', baseVersion: 1 };
    expect(documentOf(await put(api, id, body))).toMatchObject({
      title: 'Theirs',
      metadata: { c: 3 },
      externalId: 'crm/1',
    });
  });

  it('PUT with baseVersion answers 409 if both changed a field, each in its own way', async () => {
    const [api, { id }] = await changed({ type: 'article', metadata: { a: 2 } }, whole);
    const body = { ...whole, type: 'article', metadata: { a: 3 }, baseVersion: 1 };
    const response = await put(api, id, body);
    expectFailure(response, 409, 'INVALID_REQUEST');
    expect(overlapsOf(response).overlaps).toEqual([
      { field: 'metadata', yours: '{"a":3}', theirs: '{"a":2}' },
    ]);
  });

  it('PUT with baseVersion checks a change of status against the current one', async () => {
    const [api, { id }] = await changed({ title: 'Theirs' }, whole);
    await api.patchDocument(id, { status: 'published' });
    const illegal = await put(api, id, { ...whole, status: 'in_review', baseVersion: 2 });
    expectFailure(illegal, 409, 'INVALID_REQUEST');
    expect(overlapsOf(illegal).overlaps).toEqual([
      { field: 'status', yours: 'in_review', theirs: 'published' },
    ]);
  });

  it('PUT with baseVersion works by external id, where a new document has no base', async () => {
    const { api } = await app.account();
    const path = '/v1/documents/by-external-id/crm%2F7';
    const send = (body: object) => api.send('PUT', path, { body });
    const wrong = await send({ title: 'A', baseVersion: 1 });
    expectFailure(wrong, 400, 'INVALID_REQUEST');
    expect(wrong.body.error.details).toMatchObject({ field: 'baseVersion' });
    expect((await send({ title: 'A', content: CONTENT })).status).toBe(201);
    expect((await send({ title: 'A', content: `Zero.\n${CONTENT}` })).status).toBe(200);
    const merged = await send({ title: 'A', content: `${CONTENT}More.\n`, baseVersion: 1 });
    expect(documentOf(merged).content).toBe(`Zero.\n${CONTENT}More.\n`);
  });
});

it('Batches with baseVersion merge each operation, and report overlaps as a separate request does', async () => {
  const [api, { id }] = await changed({ content: `Zero.\n${CONTENT}` });
  const update = (content: string) => ({ op: 'update', id, patch: { content, baseVersion: 1 } });
  const operations = [update(`${CONTENT}More.\n`), update(`Null.\n${CONTENT}`)];
  const { results } = expectSuccess(await api.batchDocuments({ operations })) as {
    results: { status: number; data?: ShownDocument; error?: { details: object } }[];
  };
  expect(results.map(({ status }) => status)).toEqual([200, 409]);
  expect(results[0]?.data?.content).toBe(`Zero.\n${CONTENT}More.\n`);
  expect(results[1]?.error?.details).toMatchObject({
    version: 3,
    overlaps: [{ field: 'content', yours: 'Null.\n', theirs: 'Zero.\n' }],
  });
});

describe('20 concurrent writers with baseVersion', () => {
  const SECTIONS = 8;
  const WRITES = 6;

  it('20 concurrent writers with baseVersion lose no line: each is in the last version or its request got 409', async () => {
    const { api } = await app.account();
    const sections = Array.from({ length: SECTIONS }, (_, n) => `## Section ${String(n)}\n\n`);
    const created = await api.createDocument({ title: 'Shared', content: sections.join('') });
    const { id } = expectSuccess(created, 201) as ShownDocument;
    const written: string[] = [];
    let refused = 0;
    const writer = async (index: number) => {
      for (let n = 0; n < WRITES; n += 1) {
        const { content, version } = documentOf(await api.readDocument(id));
        const line = `Line ${String(n)} of writer ${String(index)}.`;
        const heading = `## Section ${String((index + n) % SECTIONS)}\n\n`;
        const mine = content.replace(heading, `${heading}${line}\n\n`);
        const response = await api.patchDocument(id, { content: mine, baseVersion: version });
        expect([200, 409, 503]).toContain(response.status);
        if (response.status === 200) written.push(line);
        else refused += 1;
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, index) => writer(index)));
    const { content } = documentOf(await api.readDocument(id));
    expect(written.filter((line) => !content.includes(line))).toEqual([]);
    expect(
      content
        .split('\n')
        .filter((line) => line.startsWith('Line '))
        .sort(),
    ).toEqual(written.sort());
    expect(written.length + refused).toBe(20 * WRITES);
    expect(written.length).toBeGreaterThan(20);
  });
});

it('Merging a text of 1 MiB takes the changes of both sides in thousands of lines', async () => {
  const line = (n: number) => `${'words of a line '.repeat(4)}${String(n)}\n`;
  const content = Array.from({ length: 14_000 }, (_, n) => line(n)).join('');
  const theirs = content.replaceAll('0\n', '0 theirs\n');
  const [api, { id }] = await changed({ content: theirs }, { content });
  const mine = content.replaceAll('5\n', '5 mine\n');
  const response = await api.patchDocument(id, { content: mine, baseVersion: 1 });
  expect(documentOf(response).content).toBe(theirs.replaceAll('5\n', '5 mine\n'));
});
