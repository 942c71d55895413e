import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { DocsFiles } from '../../src/entrypoints/api-document/serve/docs.controller.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const FILES: Record<string, string> = {
  'index.html': '<!doctype html><title>Document Service</title>',
  'index.md': '# Document Service\n',
  'guides/search/index.html': `<!doctype html><title>Search</title>${'<p>words</p>'.repeat(50)}`,
  'guides/search.md': '# Search\n',
  'assets/site-1a2b.css': 'body { margin: 0 }',
  'search-index.json': '{"pages":[]}',
  'llms.txt': '# Document Service\n',
  'llms-full.txt': '# Document Service\n\nEverything.\n',
  '404.html': '<!doctype html><title>Page not found</title>',
  '.env': 'secret',
};

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-'));
  const built = join(folder, 'dist');
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(join(built, name, '..'), { recursive: true });
    await writeFile(join(built, name), text);
  }
  const search = join(built, 'guides/search/index.html');
  await writeFile(`${search}.br`, brotliCompressSync(FILES['guides/search/index.html'] ?? ''));
  await writeFile(join(folder, 'secret.md'), 'secret');
  app = await startTestApp();
  app.app.get(DocsFiles).files.folder = built;
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.api().send(method, path, { headers });
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the documentation at /docs', () => {
  it.each([
    ['/docs', 'index.html', 'text/html; charset=utf-8'],
    ['/docs?x=1', 'index.html', 'text/html; charset=utf-8'],
    ['/docs/index.md', 'index.md', 'text/markdown; charset=utf-8'],
    ['/docs/guides/search', 'guides/search/index.html', 'text/html; charset=utf-8'],
    ['/docs/guides/search.md', 'guides/search.md', 'text/markdown; charset=utf-8'],
    ['/docs/search-index.json', 'search-index.json', 'application/json; charset=utf-8'],
    ['/docs/llms.txt', 'llms.txt', 'text/plain; charset=utf-8'],
    ['/docs/llms-full.txt', 'llms-full.txt', 'text/plain; charset=utf-8'],
  ])('serves %s with a strict policy, without a key or a rate limit', async (path, name, type) => {
    const { status, text, headers } = await get(path);
    expect([status, text]).toEqual([200, FILES[name]]);
    expect(headers).toMatchObject({
      'content-type': type,
      'content-security-policy': POLICY,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    expect(headers).not.toHaveProperty('x-ratelimit-limit');
  });

  it('is sent again only if it changed, in the coding that the client accepts', async () => {
    const plain = await get('/docs/guides/search');
    const packed = await get('/docs/guides/search', { 'accept-encoding': 'gzip, br' });
    expect(packed.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(packed.bytes).toString()).toBe(plain.text);
    expect(packed.headers['etag']).not.toBe(plain.headers['etag']);
    const etag = String(plain.headers['etag']);
    // fetch adds no-cache automatically.
    const again = { 'if-none-match': etag, 'cache-control': 'no-cache' };
    expect([(await get('/docs/guides/search', again)).status]).toEqual([304]);
    const head = await get('/docs/guides/search', {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(String(plain.text.length));
  });

  it('has assets that are cached for a year, because a hash names them', async () => {
    const { headers } = await get('/docs/assets/site-1a2b.css');
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/css; charset=utf-8',
    });
  });

  it.each([
    ['/docs/', '/docs'],
    ['/docs/index.html', '/docs'],
    ['/docs/guides/search/', '/docs/guides/search'],
    ['/docs/guides/search/index.html', '/docs/guides/search'],
    ['/docs//example.com//', '/docs//example.com'],
    ['/docs/try/', '/docs/try'],
    ['/docs/try', '/docs/reference/operations'],
  ])('redirects %s to %s', async (path, target) => {
    const { status, headers } = await get(path, HTML);
    expect([status, headers['location']]).toEqual([308, target]);
  });

  it('reports a missing page to browsers as a page, and to programs in the envelope', async () => {
    const page = await get('/docs/nothing', HTML);
    expect([page.status, page.text]).toEqual([404, FILES['404.html']]);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
    });
    const nothing: Record<string, string>[] = [{}, { accept: 'application/json' }];
    for (const headers of nothing) {
      const response = await get('/docs/nothing', headers);
      expectFailure(response, 404, 'NOT_FOUND');
      expect(response.body.error.message).toBe(
        'The documentation has no such page. /docs/llms.txt lists all pages. The OpenAPI document is at /v1/openapi.json.',
      );
      expect(response.headers['vary']).toContain('Accept');
    }
  });

  it.each([
    '/docs/gone.css',
    '/docs/guides/gone.md',
    '/docs/openapi.json',
    '/docs/assets/gone-1.js',
    '/docs/try/gone.js',
    '/docs/constructor',
    '/docs/gr%C3%BC%C3%9Fe',
    '/docs/100%',
    '/docs/%ff',
    '/docs/a//b',
  ])('has a page for browsers at the missing path %s, and the envelope for files', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const page = await get(path, HTML, method);
      expect([page.status, page.text]).toEqual([404, method === 'GET' ? FILES['404.html'] : '']);
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        vary: 'Accept, Accept-Encoding',
      });
    }
    for (const accept of ['text/css,*/*;q=0.1', '*/*', 'image/avif,image/png,*/*;q=0.8'])
      expectFailure(await get(path, { accept }), 404, 'NOT_FOUND');
  });

  it('is only the files of the build: no path leaves its folder', async () => {
    for (const path of [
      '/..%2fsecret.md',
      '/..%5csecret.md',
      '/guides/%2e%2e/%2e%2e/secret.md',
      '/%2e%2e/secret.md',
      '/..%00/secret.md',
      '/.env',
      '/404.html',
      '/guides/search/index.html.br',
      '/constructor',
      '/assets',
    ]) {
      const response = await get(`/docs${path}`);
      expect(response.status).toBe(404);
      expect(response.text).not.toContain('secret"');
    }
  });

  it('is only read', async () => {
    for (const path of ['/docs', '/docs/guides/search', '/docs/nothing'])
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const response = await get(path, {}, method);
        expectFailure(response, 405, 'INVALID_REQUEST');
        expect(response.headers['allow']).toBe('GET, HEAD');
      }
  });

  it('that was not built is reported in a sentence', async () => {
    const { files } = app.app.get(DocsFiles);
    const { folder: built } = files;
    files.folder = join(folder, 'nothing');
    const responses = [
      await get('/docs', HTML),
      await get('/docs'),
      await get('/docs/guides/search'),
    ];
    files.folder = built;
    for (const response of responses) {
      expectFailure(response, 404, 'NOT_FOUND');
      expect(response.body.error.message).toContain('npm run site');
    }
  });
});
