import { expectFailure, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { ApiResponse, ApiClient } from '../support/api-client.js';
import { connect } from 'node:net';
import { formWith, type FormFile } from '../support/form.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { IMPORT_LIMIT: '64kb' } });
});
afterAll(() => app.close());

interface Imported {
  id: string;
  title: string;
  type: string;
  content: string;
  metadata: unknown;
}

const imported = (response: ApiResponse) => expectSuccess(response, 201) as Imported;
const problemOf = ({ body }: ApiResponse) =>
  body.error.details as { field: string; issue: string; problems?: { field: string }[] };

describe('importing a document', () => {
  it('importing a document creates it from Markdown like POST does: with event, location, entity tag and all fields', async () => {
    const { api } = await app.account();
    const response = await api.importDocument({
      name: 'notes.md',
      content:
        '---\ntitle: "Q3: results"\ntype: report\nmetadata: { "tags": ["a"],"ratio":1.0 }\n---\n# Other\r\n\r\ntext',
    });
    const data = imported(response);
    expect(data).toMatchObject({
      title: 'Q3: results',
      type: 'report',
      content: '# Other\r\n\r\ntext',
      status: 'draft',
      version: 1,
      wordCount: 2,
    });
    expect(response.text).toContain('"metadata":{ "tags": ["a"],"ratio":1.0 },');
    expect(response.headers['location']).toBe(`/v1/documents/${data.id}`);
    expect(response.headers['etag']).toBe('"1"');
    expect((await api.readDocument(data.id)).body.data).toEqual(data);
    const [event] = (await api.listEvents()).body.data as { type: string }[];
    expect(event?.type).toBe('document.created');
  });

  it.each([
    ['its front matter', 'a.md', '---\ntitle: Front\n---\n# Heading', 'Front'],
    ['its first heading', 'a.md', 'text\n\n## The **first** `one`\n\n# Second', 'The first one'],
    ['its name', 'Größe & mehr.v2.md', 'text', 'Größe & mehr.v2'],
    ['the title of the page', 'a.html', '<title>A &amp; B</title><h1>C</h1>', 'A & B'],
    ['the first heading of a page', 'a.htm', '<p>x</p><h2>C <i>d</i></h2>', 'C d'],
  ])('importing a document uses the title from %s', async (_, name, content, title) => {
    const { api } = await app.account();
    expect(imported(await api.importDocument({ name, content })).title).toBe(title);
  });

  it('importing a document lets the form override title, type and format', async () => {
    const { api } = await app.account();
    const file = { name: 'a.bin', content: '---\ntitle: x\ntype: banana\n---\n<b>*y*</b>' };
    const fields = { title: ' Mine\n', type: 'article', format: 'md' };
    const data = imported(await api.importDocument(file, fields));
    expect(data).toMatchObject({ title: ' Mine\n', type: 'article', content: '<b>*y*</b>' });
  });

  it.each([
    ['by its extension', { name: 'a.HTML', content: '<b>x</b>' }, '**x**'],
    [
      'by the type of its part',
      { name: 'a', content: '<b>x</b>', type: 'text/html; charset=utf-8' },
      '**x**',
    ],
    ['text as Markdown', { name: 'a.txt', content: '*x*' }, '*x*'],
    ['whatever its line breaks', { name: 'a.md', content: 'a\rb\r\nc\n' }, 'a\rb\r\nc\n'],
    ['without its byte order mark', { name: 'a.md', content: '\ufeffa' }, 'a'],
    ['in UTF-16', { name: 'a.md', content: Buffer.from('\ufeff漢字', 'utf16le') }, '漢字'],
    ['empty', { name: 'a.md', content: '' }, ''],
  ])('importing a document reads a file %s', async (_, file, content) => {
    const { api } = await app.account();
    expect(imported(await api.importDocument(file)).content).toBe(content);
  });

  it('importing a document converts a page to Markdown and drops what runs, loads or hides, with warnings', async () => {
    const { api } = await app.account();
    const response = await api.importDocument({
      name: 'page.html',
      content: `<html><head><title>Page</title><style>p{}</style><script>alert(1)</script></head>
        <body onload="alert(1)"><h2 style="x">Head</h2><p onclick="x()">Text <b>bold</b>
        <a href="javascript:alert(1)">bad</a> <a href="JaVa\tScRiPt:x">bad</a> <a href="https://example.com">good</a></p>
        <ul><li>one<ol><li>two</ol></ul><table><tr><th>A<th>B<tr><td>1<td>2</table>
        <img src="data:image/png;base64,AAAA" alt="pic"><img src=x onerror=alert(1) alt=y>
        <iframe src="//evil"></iframe><svg onload=alert(1)><script>1</script></svg><pre>  a\n  b</pre></body>`,
    });
    expect(imported(response).content).toBe(
      '## Head\n\nText **bold** bad bad [good](https://example.com)\n\n- one\n  1. two\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\npic![y](x)\n\n```\n  a\n  b\n```',
    );
    const issues = (response.body.meta.warnings as { issue: string }[]).map(({ issue }) => issue);
    expect(issues).toEqual([
      expect.stringContaining('1 embedded image removed'),
      expect.stringContaining('2 unsafe links removed'),
      expect.stringContaining('iframe, svg'),
    ]);
  });

  it('importing a document says which keys of the front matter became metadata', async () => {
    const { api } = await app.account();
    const content = '---\ntitle: x\nauthor: Ada\ntags: [a]\n__proto__: 1\n---\n';
    const response = await api.importDocument({ name: 'a.md', content });
    expect(response.text).toContain('"metadata":{"author": "Ada", "tags": ["a"], "__proto__": 1}');
    expect(response.body.meta.warnings).toHaveLength(3);
  });

  it.each([
    ['a type that there is not', { name: 'a.md', content: '---\ntype: banana\n---\n# x' }, 'type'],
    ['tags that are no list', { name: 'a.md', content: '---\ntags: a\n---\n# x' }, 'metadata.tags'],
    ['U+0000', { name: 'a.md', content: '# x\0' }, 'content'],
    ['bytes that are no UTF-8', { name: 'a.md', content: Buffer.from([0xff]) }, 'file'],
    [
      'half of a surrogate pair',
      { name: 'a.md', content: Buffer.from('\ufeff\ud83d', 'utf16le') },
      'file',
    ],
    ['a DOCX that is none', { name: 'a.docx', content: 'x' }, 'file'],
    ['broken front matter', { name: 'a.md', content: '---\na: [\n---\n' }, 'file'],
    ['no format', { name: 'a.bin', content: 'x' }, 'format'],
    ['no title anywhere', { name: '.md', content: 'x' }, 'title'],
  ])('importing a document refuses %s and names the problem', async (_, file, field) => {
    const { api } = await app.account();
    const response = await api.importDocument(file);
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(problemOf(response).field).toBe(field);
    expect((await api.listDocuments()).body.meta.pagination.total).toBe(0);
  });

  it('importing a document refuses content of more than 1 MiB', async () => {
    const roomy = await startTestApp();
    const { api } = await roomy.account();
    const response = await api.importDocument({
      name: 'a.md',
      content: 'x'.repeat(1024 * 1024 + 1),
    });
    await roomy.close();
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(problemOf(response).field).toBe('content');
  });

  it('importing a document happens once with an Idempotency-Key, whatever the boundary of the form', async () => {
    const { api } = await app.account();
    const headers = { 'idempotency-key': 'once' };
    const file = { name: 'a.md', content: '# Same' };
    const responses = [];
    for (let n = 0; n < 3; n += 1) responses.push(await api.importDocument(file, {}, headers));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(responses.map((reply) => imported(reply).id)).size).toBe(1);
    expect(responses[1]?.headers['idempotency-replayed']).toBe('true');
    const other = await api.importDocument({ name: 'a.md', content: '# Other' }, {}, headers);
    expectFailure(other, 422, 'INVALID_REQUEST');
    expect((await api.listDocuments()).body.meta.pagination.total).toBe(1);
  });

  it('importing a document creates one document and one event when a hundred requests arrive with one Idempotency-Key', async () => {
    const { api } = await app.account();
    const file = { name: 'a.md', content: '# Same' };
    const send = () => api.importDocument(file, {}, { 'idempotency-key': 'once' });
    const responses = await Promise.all(Array.from({ length: 100 }, send));
    const made = responses.filter(({ status }) => status !== 409);
    expect(new Set(made.map((reply) => imported(reply).id)).size).toBe(1);
    expect(made.filter(({ headers }) => !headers['idempotency-replayed'])).toHaveLength(1);
    expect((await api.listDocuments()).body.meta.pagination.total).toBe(1);
    expect((await api.listEvents({})).body.meta.pagination.total).toBe(1);
  });
});

describe('converting a file without storing it (dryRun=true)', () => {
  const convert = (client: ApiClient, file: FormFile, fields = {}, query = '?dryRun=true') =>
    client.importDocument(file, fields, {}, query);

  it('converting a file without storing it (dryRun=true) returns title, content and warnings, and stores nothing', async () => {
    const { api: client } = await app.account();
    const file = {
      name: 'plan.html',
      content:
        '<h1>Plan</h1><ul><li>one<li>two</ul><table><tr><td>A<td>B<tr><td>1<td>2</table><iframe src="x"></iframe>',
    };
    const response = await convert(client, file);
    expect(expectSuccess(response, 200)).toEqual({
      title: 'Plan',
      content: '# Plan\n\n- one\n- two\n\n| A | B |\n| --- | --- |\n| 1 | 2 |',
    });
    expect(response.body.meta.warnings).toEqual([
      { field: 'content', issue: expect.stringContaining('iframe') },
    ]);
    for (const header of ['location', 'etag']) expect(response.headers[header]).toBeUndefined();
    expect((await client.listDocuments()).body.meta.pagination.total).toBe(0);
    expect((await client.listEvents()).body.data).toEqual([]);
    const audit = await client.list('/v1/audit', { action: 'document.import' });
    expect(expectSuccess(audit)).toEqual([]);
  });

  it('converting a file without storing it (dryRun=true) returns the same text as the import of the same file', async () => {
    const { api: client } = await app.account();
    const created = imported(await client.importDocument({ name: 'a.md', content: '# A\n\nb' }));
    const exported = await client.exportDocument(created.id, 'docx');
    const file = { name: 'a.docx', content: exported.bytes };
    const converted = expectSuccess(await convert(client, file), 200);
    const { title, content } = imported(await client.importDocument(file));
    expect(converted).toEqual({ title, content });
  });

  it('converting a file without storing it (dryRun=true) uses the title in the form, and false is the same as an import', async () => {
    const { api: client } = await app.account();
    const file = { name: 'a.md', content: '# A' };
    const response = await convert(client, file, { title: 'Mine' });
    expect(expectSuccess(response, 200)).toEqual({ title: 'Mine', content: '# A' });
    const stored = imported(await convert(client, file, {}, '?dryRun=false'));
    expect((await client.readDocument(stored.id)).status).toBe(200);
  });

  it('converting a file without storing it (dryRun=true) has the scope, limits and errors of an import', async () => {
    const reader = await app.account({ scopes: ['documents:read'] });
    const file = { name: 'a.md', content: 'x' };
    expectFailure(await convert(reader.api, file), 403, 'FORBIDDEN');
    const { api: client } = await app.account();
    const large = await convert(client, { name: 'a.md', content: 'x'.repeat(64 * 1024 + 1) });
    expectFailure(large, 413, 'INVALID_REQUEST');
    expect(large.body.error.details).toEqual({ maxBytes: 64 * 1024 });
    const broken = await convert(client, { name: 'a.docx', content: 'x' });
    expectFailure(broken, 400, 'INVALID_REQUEST');
    expect(problemOf(broken).field).toBe('file');
    const unclear = await convert(client, file, {}, '?dryRun=maybe');
    expectFailure(unclear, 400, 'INVALID_REQUEST');
    expect(problemOf(unclear).field).toBe('dryRun');
  });

  it('converting a file without storing it (dryRun=true) is repeated like any POST with an Idempotency-Key', async () => {
    const { api: client } = await app.account();
    const file = { name: 'a.md', content: '# A' };
    const send = () =>
      client.importDocument(file, {}, { 'idempotency-key': 'dry' }, '?dryRun=true');
    const [first, again] = [await send(), await send()];
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(expectSuccess(again, 200)).toEqual(expectSuccess(first, 200));
    expect((await client.listDocuments()).body.meta.pagination.total).toBe(0);
  });
});

const LIMIT = 64 * 1024;

let api: ApiClient;
let key: string;
beforeAll(async () => {
  ({ api, key } = await app.account());
});

/** Sends a form with these parts, each with headers and a body. */
function send(parts: [string, string][], end = '--\r\n', boundary = 'b'): Promise<ApiResponse> {
  const written = parts.map(([head, body]) => `--b\r\n${head}\r\n\r\n${body}\r\n`).join('');
  return api.send('POST', '/v1/documents/import', {
    rawBody: `${written}--b${end}`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
}

const field = (name: string) => `Content-Disposition: form-data; name="${name}"`;
const file = (name = 'a.md') => `${field('file')}; filename="${name}"`;
const problems = ({ body }: ApiResponse) =>
  (body.error.details.problems as { field: string; issue: string }[]).map(
    ({ field: name, issue }) => `${name} ${issue}`,
  );

describe('the form of an import', () => {
  it.each([
    ['of exactly the largest size', LIMIT, 201],
    ['of one byte more', LIMIT + 1, 413],
    ['far too large', LIMIT * 20, 413],
  ])('the form of an import accepts a file %s', async (_, size, status) => {
    const response = await api.importDocument({ name: 'a.md', content: 'x'.repeat(size) });
    expect(response.status).toBe(status);
    if (status === 413) {
      expectFailure(response, 413, 'INVALID_REQUEST');
      expect(response.body.error.details).toEqual({ maxBytes: LIMIT });
    }
  });

  it('the form of an import reports every invalid field at once', async () => {
    const response = await send([
      [field('titel'), 'x'],
      [field('title'), 'a'],
      [field('title'), 'b'],
      [field('type'), 'x'.repeat(20_000)],
      [`${field('data')}; filename="b.md"`, 'x'],
    ]);
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(problems(response)).toEqual([
      'file required field missing',
      "titel is not a known field; did you mean 'title'?",
      'title is given twice; send it once',
      'type must not be larger than 16384 bytes',
      'data is not a known field; known names are file, title, type, externalId, collectionId, format',
    ]);
  });

  it.each([
    ['a file given twice', [[file(), 'a'], [file(), 'b']], 'file is given twice; send one file'],
    ['a file that is no part with a name', [[field('file'), 'a']], 'file must be a file: a part with a filename'],
    ['a format that there is not', [[file(), 'a'], [field('format'), 'pdf']], 'format must be one of md, html, docx'],
    ['an empty title', [[file(), 'a'], [field('title'), ' ']], 'title must not be blank'],
    ['base64', [[`${file()}\r\nContent-Transfer-Encoding: base64`, 'YQ==']], 'file is sent as base64; send its bytes unencoded'],
  ] as [string, [string, string][], string][])('the form of an import refuses %s', async (_, parts, problem) => {
    const response = await send(parts);
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(problems(response)).toContain(problem);
  }); // prettier-ignore

  it.each([
    ['JSON', { body: { title: 'x' } }],
    ['no body at all', {}],
    ['a form without a boundary', { rawBody: 'x', headers: { 'content-type': 'multipart/form-data' } }],
    ['another form', { rawBody: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['a compressed form', { rawBody: 'x', headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' } }],
  ])('the form of an import returns 415 for %s', async (_, options) => {
    expectFailure(await api.send('POST', '/v1/documents/import', options), 415, 'INVALID_REQUEST');
  }); // prettier-ignore

  it.each([
    ['breaks off', () => send([[file(), 'a']], '')],
    ['has another boundary', () => send([[file(), 'a']], '--\r\n', 'other')],
    ['has headers without end', () => send([[`${file()}\r\nX: ${'x'.repeat(100_000)}`, 'a']])],
    ['has too many parts', () => send(Array.from({ length: 60 }, () => [field('f'), 'x']))],
    ['is empty', () => send([])],
  ])('the form of an import returns 400 for a form that %s', async (_, sent) => {
    expectFailure(await sent(), 400, 'INVALID_REQUEST');
  });

  it('the form of an import stores nothing of a client that disconnects midway, and continues', async () => {
    const { body, contentType } = formWith({ name: 'a.md', content: 'x'.repeat(50_000) });
    for (let n = 0; n < 20; n += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect(app.port, '127.0.0.1', () => {
          socket.write(
            `POST /v1/documents/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${contentType}\r\nContent-Length: ${String(body.length)}\r\n\r\n`,
          );
          socket.write(body.subarray(0, 30_000), () => {
            socket.destroy();
            resolve();
          });
        });
      });
    }
    expect((await api.importDocument({ name: 'a.md', content: 'still here' })).status).toBe(201);
  });

  it('the form of an import is not read before the key has been checked', async () => {
    const { body, contentType } = formWith({ name: 'a.md', content: 'x' });
    const response = await app.api('ds_live_wrong').send('POST', '/v1/documents/import', {
      rawBody: body,
      headers: { 'content-type': contentType },
    });
    expectFailure(response, 401, 'UNAUTHORIZED');
  });
});
