import { Parser } from 'htmlparser2';
import mammoth from 'mammoth';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { endOf, type ShownJob } from '../support/jobs.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { readPdf } from '../support/pdf-text.js';

const CONTENT = `## Results

Revenue **grew by *12 %***, see [the report](https://example.com/r?a=1&b=2) and <a href="javascript:alert(1)">this</a>.

1. one
   - nested
2. two

| Name | Amount |
| --- | ---: |
| שלום עולם | 漢字かな한글 |

> quoted \`code\`

\`\`\`js
if (a < b) alert("<script>");
\`\`\`

![A chart](https://example.com/chart.png)

<script>alert(1)</script><b onclick="x()">raw</b>

مرحبا بالعالم السلام عليكم`;

let app: TestApp;
let api: ApiClient;
beforeAll(async () => {
  app = await startTestApp();
  ({ api } = await app.account());
});
afterAll(() => app.close());

async function create(body: object): Promise<string> {
  const created = await api.createDocument({
    title: 'Quarterly report',
    content: CONTENT,
    ...body,
  });
  return (created.body.data as { id: string }).id;
}

function expectFile(response: ApiResponse, type: string, name: string): void {
  expect({ status: response.status, text: response.body as unknown }).toMatchObject({
    status: 200,
  });
  expect(response.headers['content-type']).toBe(type);
  expect(response.headers['content-disposition']).toBe(name);
  expect(response.headers['content-length']).toBe(String(response.bytes.length));
  expect(response.headers['x-request-id']).toMatch(/^req_/);
}

describe('exporting a document', () => {
  it('exporting a document as Markdown gives title, type and metadata as front matter and the exact content', async () => {
    const content = '\ufeff---\r\na\rb\n  c \t';
    const id = await create({ type: 'report', metadata: { tags: ['a'] }, content });
    const response = await api.exportDocument(id, 'md');
    expectFile(
      response,
      'text/markdown; charset=utf-8',
      'attachment; filename="Quarterly report.md"',
    );
    expect(response.text).toBe(
      `---\ntitle: "Quarterly report"\ntype: report\nmetadata: {"tags":["a"]}\n---\n${content}`,
    );
  });

  it('exporting a document as HTML gives a self-contained page in which nothing runs', async () => {
    const response = await api.exportDocument(await create({ title: 'A <b> & "c"' }), 'html');
    expectFile(response, 'text/html; charset=utf-8', 'attachment; filename="A b & c.html"');
    const page = response.text;
    expect(page).toMatch(/^<!DOCTYPE html>/);
    expect(page).toContain('<title>A &lt;b&gt; &amp; &quot;c&quot;</title>');
    expect(page).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none';/);
    expect(page).toContain('<strong>raw</strong>');
    expect(page).toContain('<img src="https://example.com/chart.png" alt="A chart"');
    const names = new Set<string>();
    const attributes = new Set<string>();
    new Parser({
      onopentag: (name, given) => {
        names.add(name);
        for (const one of Object.keys(given)) attributes.add(one);
      },
    }).end(page);
    expect(
      [...names].filter((name) => ['script', 'iframe', 'link', 'object'].includes(name)),
    ).toEqual([]);
    expect([...attributes].filter((name) => name.startsWith('on') || name === 'style')).toEqual([]);
    expect(page).not.toMatch(/href="javascript/i);
  });

  it('exporting a document as DOCX gives a document that word processors read', async () => {
    const response = await api.exportDocument(await create({}), 'docx');
    expectFile(
      response,
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'attachment; filename="Quarterly report.docx"',
    );
    const { value } = await mammoth.convertToHtml({ buffer: response.bytes });
    expect(value).toContain('<h2>Results</h2>');
    expect(value).toContain('<strong>grew by <em>12 %</em></strong>');
    expect(value).toContain('<a href="https://example.com/r?a=1&amp;b=2">the report</a>');
    expect(value).toContain('<ol><li>one<ul><li>nested</li></ul></li><li>two</li></ol>');
    expect(value).toMatch(/<td><p>שלום עולם<\/p><\/td><td><p>漢字かな한글<\/p><\/td>/);
    expect(value).toContain('<a href="https://example.com/chart.png">A chart</a>');
    expect(value).toContain('مرحبا بالعالم');
    expect(value).not.toContain('alert(1)');
  });

  it('exporting a document as PDF gives a searchable document, in every script', async () => {
    const response = await api.exportDocument(await create({}), 'pdf');
    expectFile(response, 'application/pdf', 'attachment; filename="Quarterly report.pdf"');
    const { title, pages, links, outline } = await readPdf(response.bytes);
    const text = pages.join('\n');
    expect(title).toBe('Quarterly report');
    expect(outline).toEqual(['Results']);
    expect(links).toEqual(['https://example.com/r?a=1&b=2', 'https://example.com/chart.png']);
    for (const words of [
      'Quarterly report',
      'Revenue grew by 12 %, see the report',
      'if (a < b) alert("<script>");',
      'quoted code',
      'A chart',
      'שלום עולם',
      'مرحبا بالعالم السلام عليكم',
      '漢字かな한글',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain('alert(1)');
  });

  it('exporting a document as PDF breaks no word of a table that is wide enough', async () => {
    const content =
      '| Center | Right | `monospaced` |\n| --- | ---: | --- |\n| **emphasised** | x | *`IIIIIIIIII`* |';
    const id = await create({ content });
    const { pages } = await readPdf((await api.exportDocument(id, 'pdf')).bytes);
    for (const word of ['Center', 'Right', 'monospaced', 'emphasised', 'IIIIIIIIII'])
      expect(pages.join('\n')).toContain(word);
  });

  it('exporting a document shows the title once when the text begins with it', async () => {
    const id = await create({ title: 'The title', content: '# The *title*\n\ntext' });
    expect((await api.exportDocument(id, 'html')).text.match(/<h1/g)).toHaveLength(1);
    const { pages } = await readPdf((await api.exportDocument(id, 'pdf')).bytes);
    expect(pages[0]?.match(/The title/g)).toHaveLength(1);
  });

  it('exporting a document shows footnotes in every format: as links, as footnotes of Word, and as notes at the end of a PDF', async () => {
    const content = 'One[^b], two[^a], one[^b].\n\n[^a]: First.\n[^b]: Second.\n\nLast line.';
    const id = await create({ title: 'The title', content });
    const html = (await api.exportDocument(id, 'html')).text;
    expect(html).toContain('<a href="#fn-1" id="fnref-1" data-footnote-ref>1</a>');
    const pdf = await readPdf((await api.exportDocument(id, 'pdf')).bytes);
    expect(pdf.pages.join(' ').replace(/\s+/g, ' ')).toMatch(
      /One ?1 ?, two ?2 ?, one ?1 ?\. Last line\. 1\. Second\. 2\. First\./,
    );
    const docx = await api.exportDocument(id, 'docx');
    const { body } = await api.importDocument({ name: 'a.docx', content: docx.bytes });
    expect(body.data.content).toBe(
      'One[^1], two[^2], one[^1].\n\nLast line.\n\n[^1]: Second.\n\n[^2]: First.',
    );
    expect((await api.exportDocument(id, 'md')).text).toContain(content);
  });

  it('exporting a document names the file after the title in every script, and in ASCII for clients that know nothing else', async () => {
    const id = await create({ title: 'Größe / 漢字', content: '' });
    const { headers } = await api.exportDocument(id, 'md');
    expect(headers['content-disposition']).toBe(
      `attachment; filename="Grosse HanZi.md"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E6%BC%A2%E5%AD%97.md`,
    );
  });

  it('exporting a document returns 304 without converting while the client has the current version', async () => {
    const id = await create({});
    const first = await api.exportDocument(id, 'html');
    const tag = String(first.headers['etag']);
    // fetch adds no-cache automatically. Tags are compared weakly.
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const unchanged = await api.exportDocument(id, 'html', {
        'if-none-match': known,
        'cache-control': 'no-cache',
      });
      expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    }
    expect((await api.exportDocument(id, 'docx', { 'if-none-match': tag })).status).toBe(200);
    await api.patchDocument(id, { title: 'Changed' });
    expect((await api.exportDocument(id, 'html', { 'if-none-match': tag })).status).toBe(200);
  });

  it.each([
    ['no format', '', 'required field missing'],
    ['another format', '?format=odt', 'must be one of md, html, docx, pdf'],
    ['an unknown parameter', '?format=md&foo=1', 'is not a known field'],
  ])('exporting a document refuses %s in the envelope', async (_, query, issue) => {
    const response = await api.send('GET', `/v1/documents/${await create({})}/export${query}`);
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.message).toContain(issue);
  });

  it('exporting a document reveals nothing about documents of another account or in the trash', async () => {
    const id = await create({});
    const stranger = (await app.account()).api;
    expectFailure(await stranger.exportDocument(id, 'pdf'), 404, 'NOT_FOUND');
    await api.deleteDocument(id);
    expectFailure(await api.exportDocument(id, 'pdf'), 404, 'NOT_FOUND');
  });

  it('exporting a document runs as one job for a large document, with the requested version', async () => {
    const background = await startTestApp({ environment: { PROCESS_ROLE: 'all' } });
    const { api } = await background.account();
    const content = 'word '.repeat(16_000);
    const { body } = await api.createDocument({ title: 'Größe', content });
    const { id } = body.data as { id: string };
    const accepted = await api.exportDocument(id, 'pdf');
    const queued = expectSuccess(accepted, 202) as ShownJob;
    expect(accepted.headers).toMatchObject({
      location: `/v1/jobs/${queued.id}`,
      'retry-after': '1',
    });
    const job = await endOf(api, accepted);
    expect(job).toMatchObject({
      kind: 'document.export',
      status: 'succeeded',
      result: { mediaType: 'application/pdf', fileName: 'Größe.pdf' },
    });
    const file = await api.readJobResult(job.id);
    expect(file.headers['content-type']).toBe('application/pdf');
    expect(file.text).toMatch(/^%PDF-/);
    expect((await api.exportDocument(id, 'pdf')).body.data.id).toBe(job.id);
    await api.patchDocument(id, { content: `${content}more` });
    const next = await api.exportDocument(id, 'pdf');
    expect(next.body.data.id).not.toBe(job.id);
    expect(await endOf(api, next)).toMatchObject({ status: 'succeeded' });
    expect((await api.exportDocument(id, 'md')).status).toBe(200);
    await background.close();
  });

  it('exporting a document runs as one job for concurrent requests', async () => {
    const account = await app.account();
    const { body } = await account.api.createDocument({ title: 't', content: 'w '.repeat(40_000) });
    const { id } = body.data as { id: string };
    const writer = app.dataSource.createQueryRunner();
    await writer.startTransaction();
    // Everybody has looked for a job before anybody can add one.
    await writer.query('LOCK TABLE jobs IN SHARE MODE');
    const asked = Array.from({ length: 5 }, () => account.api.exportDocument(id, 'pdf'));
    const waiting = async () => {
      const rows = (await writer.query(
        'SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())',
      )) as object[];
      return rows.length;
    };
    await eventually(waiting, (count) => count >= 2);
    await writer.commitTransaction();
    await writer.release();
    const jobs = (await Promise.all(asked)).map((reply) => expectSuccess(reply, 202) as ShownJob);
    expect(new Set(jobs.map((job) => job.id)).size).toBe(1);
  });

  it('exporting a document ends one that takes too long, and nothing else', async () => {
    const hasty = await startTestApp({
      environment: {
        CONVERSION_TIMEOUT_SECONDS: '3',
        CONVERSION_THREADS: '1',
        PROCESS_ROLE: 'all',
      },
    });
    const account = await hasty.account();
    const make = async (content: string) => {
      const { body } = await account.api.createDocument({ title: 't', content });
      return (body.data as { id: string }).id;
    };
    const [slow, quick] = [await make('a\n\n'.repeat(300_000)), await make('quick')];
    const job = await endOf(account.api, await account.api.exportDocument(slow, 'pdf'));
    expect(job).toMatchObject({ status: 'failed', error: { code: 'INVALID_REQUEST' } });
    expect((await account.api.exportDocument(quick, 'md')).text).toContain('quick');
    await hasty.close();
  });

  it('exporting a document accepts a hundred at once from one account', async () => {
    const { api: one } = await app.account();
    const { body } = await one.createDocument({ title: 't', content: 'text' });
    const { id } = body.data as { id: string };
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => one.exportDocument(id, 'md')),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(100).fill(200));
  });

  it('exporting a document returns 503 when too many are waiting, and the API keeps working', async () => {
    const busy = await startTestApp({ environment: { CONVERSION_THREADS: '1' } });
    const account = await busy.account();
    const { body } = await account.api.createDocument({ title: 't', content: 'word '.repeat(500) });
    const { id } = body.data as { id: string };
    const begun = performance.now();
    const exports = Array.from({ length: 200 }, () => account.api.exportDocument(id, 'pdf'));
    const listed = await account.api.listDocuments();
    expect(listed.status).toBe(200);
    const responses = await Promise.all(exports);
    const refused = responses.filter(({ status }) => status === 503);
    const taken = responses.filter(({ status }) => status === 200);
    // Exports that have waited for 25 s are refused as well.
    const isSlow = performance.now() - begun > 25_000;
    expect(taken.length).toBeGreaterThanOrEqual(isSlow ? 1 : 128);
    expect(refused).toHaveLength(200 - taken.length);
    expect(refused.length).toBeGreaterThan(0);
    expectFailure(refused[0] as ApiResponse, 503, 'INTERNAL_ERROR');
    expect(refused[0]?.headers['retry-after']).toBe('5');
    await busy.close();
  });
});
