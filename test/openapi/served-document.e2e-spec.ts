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
    const response = await app.api().send('GET', '/v1/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['x-ratelimit-limit']).toBeUndefined();
    expect(response.body).toMatchObject({
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
    const response = await app.api().send('DELETE', '/v1/openapi.json');
    expectFailure(response, 405, 'INVALID_REQUEST');
    expect(response.headers['allow']).toBe('GET, HEAD');
  });

  it('is not served by a background worker', async () => {
    const worker = await startTestApp({ environment: { PROCESS_ROLE: 'worker' } });
    const responses = await Promise.all(
      ['/v1/openapi.json', '/docs'].map((path) => worker.api().send('GET', path)),
    );
    await worker.close();
    for (const response of responses) expectFailure(response, 404, 'NOT_FOUND');
  });
});
