import { connect } from 'node:net';
import { once } from 'node:events';
import { expectFailure } from '../support/envelope.js';
import { sendRaw, type RawResponse } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
let key: string;
/** With the default body limit. */
let roomy: TestApp;
beforeAll(async () => {
  roomy = await startTestApp();
  app = await startTestApp({ environment: { BODY_LIMIT: '2mb' } });
  key = (await app.account()).key;
});
afterAll(async () => {
  await app.close();
  await roomy.close();
});

describe('every response is in the envelope', () => {
  it('when the route is unknown, with a key, without one, and outside the API', async () => {
    for (const path of [
      '/v1/nope',
      '/v1/',
      '/nope',
      '/v2/documents',
      '/v1/documents/a/b/c',
      '/%zz',
      '/v1/documents/%E0%A4%A',
    ]) {
      for (const api of [app.api(), app.api(key)]) {
        const response = await api.send('GET', path);
        expectFailure(
          response,
          path.includes('%') ? 400 : 404,
          path.includes('%') ? 'INVALID_REQUEST' : 'NOT_FOUND',
        );
      }
    }
  });

  it('when the path does not support the method, with the supported ones in Allow', async () => {
    const response = await app.api(key).send('PUT', '/v1/documents', { body: {} });
    expectFailure(response, 405, 'INVALID_REQUEST');
    expect(response.headers['allow']).toBe('GET, HEAD, POST');
    expectFailure(
      await app.api(key).send('POST', '/health/live', { body: {} }),
      405,
      'INVALID_REQUEST',
    );
  });

  it.each([
    ['malformed JSON', '{"title": }', 400],
    ['JSON cut short', '{"title": "x"', 400],
    ['an empty body', '', 400],
    ['an array', '[]', 400],
    ['a number', '7', 400],
    ['null', 'null', 400],
    ['a number no double can hold', '{"title":"t","metadata":{"n":1e400}}', 400],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
  ])('when the body is %s', async (_, rawBody, status) => {
    const response = await app.api(key).send('POST', '/v1/documents', { rawBody });
    expectFailure(response, status, 'INVALID_REQUEST');
    expect(typeof response.body.error.details.field).toBe('string');
  });

  it('when the body is not declared as JSON', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/json; charset=latin1',
      'multipart/form-data',
    ]) {
      const response = await app.api(key).send('POST', '/v1/documents', {
        rawBody: '{"title":"t"}',
        headers: { 'content-type': type },
      });
      expectFailure(response, 415, 'INVALID_REQUEST');
    }
    const compressed = await app
      .api(key)
      .send('POST', '/v1/documents', { rawBody: 'x', headers: { 'content-encoding': 'gzip' } });
    expectFailure(compressed, 415, 'INVALID_REQUEST');
  });

  it('when a patch has another type, with the supported types', async () => {
    const patch = await app.api(key).send('PATCH', '/v1/documents/doc_x', {
      rawBody: '[{"op":"remove","path":"/title"}]',
      headers: { 'content-type': 'application/json-patch+json' },
    });
    expectFailure(patch, 415, 'INVALID_REQUEST');
    expect(patch.headers['accept-patch']).toBe('application/merge-patch+json, application/json');
  });

  it('when the body is too large, announced or not', async () => {
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
    // Concurrently, because the service waits before it closes each connection.
    const [announced, streamed] = await Promise.all([
      sendRaw(
        app.port,
        `POST /v1/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n`,
      ),
      sendRaw(
        app.port,
        `POST /v1/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}`,
      ),
    ]);
    expectRawFailure(announced, 413, 'INVALID_REQUEST');
    expectRawFailure(streamed, 413, 'INVALID_REQUEST');
  });

  it('when the body is too large, even for a client that sends all of it before reading', async () => {
    const form = new FormData();
    form.append('file', new Blob([Buffer.alloc(20 * 1024 * 1024, 'x')]), 'large.md');
    const json = Buffer.alloc(20 * 1024 * 1024, 'x');
    for (const [path, body, headers] of [
      ['/v1/documents/import', form, {}],
      ['/v1/documents', json, { 'content-type': 'application/json' }],
    ] as const) {
      const response = await fetch(`http://127.0.0.1:${String(app.port)}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...headers },
        body,
      });
      expect([path, response.status]).toEqual([path, 413]);
      expect(await response.json()).toMatchObject({
        success: false,
        error: { code: 'INVALID_REQUEST', details: { maxBytes: expect.any(Number) as number } },
      });
    }
  });

  it('when the request cannot even be read', async () => {
    expectRawFailure(await sendRaw(app.port, 'NONSENSE\r\n\r\n'), 400, 'INVALID_REQUEST');
    expectRawFailure(
      await sendRaw(app.port, 'GET /v1/documents HTTP/1.1\r\nConnection: close\r\n\r\n'),
      400,
      'INVALID_REQUEST',
    );
    expectRawFailure(
      await sendRaw(app.port, 'GET / HTTP/1.1\r\nHost: x\r\nBad Header\x00: y\r\n\r\n'),
      400,
      'INVALID_REQUEST',
    );
    expectRawFailure(
      await sendRaw(app.port, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`),
      431,
      'INVALID_REQUEST',
    );
    expectRawFailure(
      await sendRaw(app.port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'),
      405,
      'INVALID_REQUEST',
    );
    expectRawFailure(
      await sendRaw(app.port, 'GET /v1/documents HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n'),
      417,
      'INVALID_REQUEST',
    );
  });

  it('when the body is cut off, with the ID of its own request', async () => {
    const reply = await sendRaw(
      app.port,
      `POST /v1/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"title":`,
      { end: true },
    );
    expectRawFailure(reply, 400, 'INVALID_REQUEST');
  });

  it('and the service continues when a client vanishes in the middle of its body', async () => {
    const socket = connect(app.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST /v1/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    socket.resetAndDestroy();
    expect((await app.api(key).createDocument({ title: 'Still here' })).status).toBe(201);
  });

  it('and names each field with text that cannot be stored', async () => {
    const response = await app.api(key).send('POST', '/v1/documents', {
      rawBody: String.raw`{"title":"a\u0000b","metadata":{"tags":["ok","\ud800"],"k\u0000":1,"deep":[{"x":"\udc00\ud800"}]},"content":"\ud83d\ude00"}`,
    });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(
      (response.body.error.details.problems as { field: string }[]).map(({ field }) => field),
    ).toEqual(['title', 'metadata.tags[1]', 'metadata.k\u0000', 'metadata.deep[0].x']);
  });

  it('and rejects eight megabytes of nonsense as quickly as any other body', async () => {
    const { api } = await roomy.account();
    for (const rawBody of [
      `{${':'.repeat(7_000_000)}`,
      `{${'"\\q":'.repeat(1_400_000)}`,
      ','.repeat(7_000_000),
    ]) {
      expectFailure(await api.send('POST', '/v1/documents', { rawBody }), 400, 'INVALID_REQUEST');
    }
  });

  it('and refuses a body nested 100,000 levels deep immediately', async () => {
    for (const deep of [
      '['.repeat(100_000) + ']'.repeat(100_000),
      '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000),
      '['.repeat(100_000),
    ]) {
      const response = await app
        .api(key)
        .send('POST', '/v1/documents', { rawBody: `{"title":"t","metadata":{"a":${deep}}}` });
      expectFailure(response, 400, 'INVALID_REQUEST');
    }
  });

  it('and never larger than its request, however many problems that has', async () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `"field${String(index)}":1`).join(
      ',',
    );
    const tags = Array.from({ length: 100_000 }, () => '1').join(',');
    const longName = 'x'.repeat(500_000);
    for (const rawBody of [
      `{"title":"t",${many}}`,
      `{"title":"t","metadata":{"tags":[${tags}]}}`,
      `{"title":"t","metadata":{"${longName}":["\\u0000","\\u0000"]}}`,
    ]) {
      const response = await app.api(key).send('POST', '/v1/documents', { rawBody });
      expectFailure(response, 400, 'INVALID_REQUEST');
      expect(response.text.length).toBeLessThan(20_000);
    }
  });

  it('without reading the body if no route accepts one', async () => {
    const options = { rawBody: '{', headers: { 'content-type': 'text/plain' } };
    expectFailure(await app.api().send('POST', '/v1/nope', options), 404, 'NOT_FOUND');
    expectFailure(await app.api(key).send('PUT', '/v1/documents', options), 405, 'INVALID_REQUEST');
  });

  it('even for an unreadable request after a valid one on the same connection', async () => {
    const good = `GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n`;
    const socket = connect(app.port, '127.0.0.1');
    await once(socket, 'connect');
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.write(good);
    await once(socket, 'data');
    socket.write('NONSENSE\r\n\r\n');
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toMatch(/HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it('with security headers on successes and failures alike', async () => {
    for (const response of [await app.api(key).listDocuments(), await app.api().listDocuments()]) {
      expect(response.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
      });
      expect(response.headers).not.toHaveProperty('x-powered-by');
    }
  });
});

function expectRawFailure(reply: RawResponse, status: number, code: string): void {
  expect(reply.status).toBe(status);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  const body = JSON.parse(reply.body) as {
    success: boolean;
    error: { code: string };
    meta: { requestId: string };
  };
  expect(body).toMatchObject({ success: false, error: { code } });
  expect(reply.headers['x-request-id']).toBe(body.meta.requestId);
}
