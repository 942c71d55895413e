import { readFile } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('GET /v1/openapi.json', () => {
  it('is served without a key, as plain JSON outside the envelope', async () => {
    const answer = await app.api().send('GET', '/v1/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['x-ratelimit-limit']).toBeUndefined();
    expect(answer.body).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Document Service API' },
    });
  });

  it('is the document committed as openapi.json', async () => {
    const { body } = await app.api().send('GET', '/v1/openapi.json');
    expect(body).toEqual(JSON.parse(await readFile('openapi.json', 'utf8')));
  });

  it('returns 304 if the client already has it', async () => {
    const first = await app.api().send('GET', '/v1/openapi.json');
    const etag = String(first.headers['etag']);
    const again = await app.api().send('GET', '/v1/openapi.json', {
      // fetch adds no-cache automatically.
      headers: { 'if-none-match': etag, 'cache-control': 'no-cache' },
    });
    expect([again.status, again.text]).toEqual([304, '']);
    const other = await app.api().send('GET', '/v1/openapi.json', {
      headers: { 'if-none-match': '"other"' },
    });
    expect(other.status).toBe(200);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    [undefined, (bytes: Buffer) => bytes],
  ])('is compressed with %s on request, with a separate tag', async (coding, open) => {
    const read = (tag?: string) =>
      request(`${app.origin}/v1/openapi.json`, {
        headers: { 'accept-encoding': coding ?? 'identity', ...(tag && { 'if-none-match': tag }) },
      });
    const { headers, body } = await read();
    const bytes = Buffer.from(await body.arrayBuffer());
    expect(headers).toMatchObject({ 'content-length': String(bytes.length) });
    expect([headers['content-encoding'], headers['vary']]).toEqual([coding, 'Accept-Encoding']);
    const text = JSON.stringify(JSON.parse(await readFile('openapi.json', 'utf8')));
    expect(open(bytes).toString()).toBe(text);
    const again = await read(String(headers['etag']));
    expect([again.statusCode, await again.body.text()]).toEqual([304, '']);
    const other = await request(`${app.origin}/v1/openapi.json`, {
      headers: { 'accept-encoding': 'deflate', 'if-none-match': `"another"` },
    });
    expect(other.headers['content-encoding']).toBeUndefined();
    await other.body.dump();
  });

  it('supports no other method', async () => {
    const answer = await app.api().send('DELETE', '/v1/openapi.json');
    expectFailure(answer, 405, 'INVALID_REQUEST');
    expect(answer.headers['allow']).toBe('GET, HEAD');
  });

  it('is not served by a background worker', async () => {
    const worker = await startTestApp({ environment: { PROCESS_ROLE: 'worker' } });
    const answers = await Promise.all(
      ['/v1/openapi.json', '/docs', '/docs/try'].map((path) => worker.api().send('GET', path)),
    );
    await worker.close();
    for (const answer of answers) expectFailure(answer, 404, 'NOT_FOUND');
  });
});

async function fetchText(path: string) {
  const { statusCode, headers, body } = await request(app.origin + path);
  return { status: statusCode, headers, text: await body.text() };
}

/** Returns what the page loads: the values of its `src` and `href` attributes. */
function referencesOf(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, value = '']) => value);
}

describe('the reference page at /docs/try', () => {
  it('loads everything from the service itself, and all of it exists', async () => {
    const { text } = await fetchText('/docs/try');
    const references = referencesOf(text);
    expect(references).toEqual(
      expect.arrayContaining([
        '/docs/try/swagger-ui.css',
        '/docs/try/swagger-ui-bundle.js',
        '/docs/try/reference.css',
        '/docs/try/reference.js',
      ]),
    );
    for (const reference of references.filter((path) => path !== '/docs')) {
      expect(reference).toMatch(/^\/(docs\/try|v1)\//);
      expect((await fetchText(reference)).status).toBe(200);
    }
  });

  it.each([
    ['/docs/try', 'text/html; charset=utf-8'],
    ['/docs/try/reference.js', 'text/javascript; charset=utf-8'],
    ['/docs/try/reference.css', 'text/css; charset=utf-8'],
    ['/docs/try/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['/docs/try/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/try/favicon-32x32.png', 'image/png'],
  ])('serves %s as %s', async (path, type) => {
    const { status, headers } = await fetchText(path);
    expect([status, headers['content-type']]).toEqual([200, type]);
  });

  it('is also found with a trailing slash', async () => {
    const { status, headers } = await fetchText('/docs/try/');
    expect([status, headers['location']]).toEqual([308, '/docs/try']);
  });

  it('prevents the browser from loading anything from elsewhere and running anything inline', async () => {
    const { headers, text } = await fetchText('/docs/try');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|style=/);
  });

  it('shows our document and contacts no validator on the internet', async () => {
    const { text } = await fetchText('/docs/try/reference.js');
    expect(text).toContain("fetch('/v1/openapi.json')");
    expect(text).toContain('validatorUrl: null');
    expect(text).not.toMatch(/https?:\/\//);
  });

  it.each(['package.json', 'swagger-initializer.js', '..%2fpackage.json', 'LICENSE'])(
    'does not serve %s of the package',
    async (file) => {
      const answer = await app.api().send('GET', `/docs/try/${file}`);
      expectFailure(answer, 404, 'NOT_FOUND');
    },
  );
});
