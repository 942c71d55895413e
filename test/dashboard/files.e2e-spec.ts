import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { DashboardFiles } from '../../src/features/dashboard/dashboard-files.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const PAGE = '<!doctype html><title>Dashboard</title>';
const SCRIPT = 'console.log("hello");'.repeat(20);

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
  await mkdir(join(folder, 'dist', 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'dist', 'index.html'), PAGE);
  await writeFile(join(folder, 'dist', 'favicon.svg'), '<svg/>');
  await writeFile(join(folder, 'dist', '.env'), 'secret');
  await writeFile(join(folder, 'dist', 'assets', 'main-1a2b.js'), SCRIPT);
  await writeFile(join(folder, 'dist', 'assets', 'main-1a2b.js.br'), brotliCompressSync(SCRIPT));
  app = await startTestApp({ environment: { CORS_ORIGINS: '*' } });
  app.app.get(DashboardFiles).files.folder = join(folder, 'dist');
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.api().send(method, path, { headers });
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the files of the dashboard', () => {
  it('the files of the dashboard include the page at every page address, which no cache stores', async () => {
    for (const path of ['/dashboard/', '/dashboard/overview', '/dashboard/acct_1/documents/new']) {
      const page = await get(path, HTML);
      expect(page.status).toBe(200);
      expect(page.text).toBe(PAGE);
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(page.headers).not.toHaveProperty('etag');
      expect((await get(path, { ...HTML, 'if-none-match': '*' })).status).toBe(200);
    }
  });

  it('the files of the dashboard have links relative to a path with a slash', async () => {
    const { status, headers } = await get('/dashboard', HTML);
    expect([status, headers['location']]).toEqual([308, '/dashboard/']);
  });

  it('the files of the dashboard are cached for a year if a hash names them, in the coding that the client accepts', async () => {
    const path = '/dashboard/assets/main-1a2b.js';
    const plain = await get(path);
    expect(plain.text).toBe(SCRIPT);
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    });
    const packed = await get(path, { 'accept-encoding': 'gzip, br' });
    expect(packed.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(packed.bytes).toString()).toBe(SCRIPT);
    expect(packed.headers['etag']).not.toBe(plain.headers['etag']);
    const head = await get(path, {}, 'HEAD');
    expect(head.headers['content-length']).toBe(String(SCRIPT.length));
    expect(head.text).toBe('');
    const part = await get(path, { range: 'bytes=0-3' });
    expect([part.status, part.text, part.headers['accept-ranges']]).toEqual([200, SCRIPT, 'none']);
    expect((await get('/dashboard/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  it('the files of the dashboard that are missing are a page for people, with status 404, and the envelope for scripts and programs', async () => {
    for (const path of ['/assets/gone-1.js', '/assets/', '/assets', '/gone.js']) {
      const page = await get(`/dashboard${path}`, HTML);
      expect([page.status, page.text]).toEqual([404, PAGE]);
      expect(page.headers).toMatchObject({
        'cache-control': 'no-store',
        vary: 'Accept, Accept-Encoding',
      });
      for (const accept of ['*/*', 'text/css,*/*;q=0.1', 'application/json'])
        expectFailure(await get(`/dashboard${path}`, { accept }), 404, 'NOT_FOUND');
    }
    for (const path of ['/api', '/api/nothing'])
      expectFailure(await get(`/dashboard${path}`, HTML), 404, 'NOT_FOUND');
    const json = { accept: 'application/json' };
    expectFailure(await get('/dashboard/overview', json), 404, 'NOT_FOUND');
    expectFailure(await get('/dashboard/overview', HTML, 'POST'), 404, 'NOT_FOUND');
  });

  it('the files of the dashboard are only the files of the build: no path leaves its folder', async () => {
    for (const path of [
      '/..%2fsecret.txt',
      '/..%5csecret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      '/assets/..%00/secret.txt',
      '/.env',
      '/assets/main-1a2b.js.br',
      '/assets/constructor',
    ]) {
      const { text } = await get(`/dashboard${path}`, HTML);
      expect(text).not.toBe('secret');
      expect(text === PAGE || text.includes('"NOT_FOUND"')).toBe(true);
    }
  });

  it('the files of the dashboard are not available to other origins: CORS opens only /v1', async () => {
    const headers = { ...HTML, origin: 'https://elsewhere.example' };
    expect((await get('/v1/openapi.json', headers)).headers).toHaveProperty(
      'access-control-allow-origin',
    );
    const preflight = { ...headers, 'access-control-request-method': 'POST' };
    for (const path of ['/dashboard/', '/Dashboard/api/session', '/dashboard/api/accounts/a/v1/x'])
      for (const method of ['GET', 'OPTIONS'])
        expect((await get(path, preflight, method)).headers).not.toHaveProperty(
          'access-control-allow-origin',
        );
  });

  it('the files of the dashboard that were not built yet are reported in one sentence', async () => {
    const { files } = app.app.get(DashboardFiles);
    const { folder: built } = files;
    files.folder = join(folder, 'nothing');
    const { status, text } = await get('/dashboard/overview', HTML);
    files.folder = built;
    expect(status).toBe(503);
    expect(text).toContain('npm run build');
  });
});
