import { connect } from 'node:net';
import { expectFailure } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { formWith } from '../support/form.js';

const LIMIT = 64 * 1024;

let app: TestApp;
let api: ApiClient;
let key: string;
beforeAll(async () => {
  app = await startTestApp({ environment: { IMPORT_LIMIT: '64kb' } });
  ({ api, key } = await app.account());
});
afterAll(() => app.close());

/** A form of these parts, each with its headers and its body. */
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
  ])('takes a file %s', async (_, size, status) => {
    const response = await api.importDocument({ name: 'a.md', content: 'x'.repeat(size) });
    expect(response.status).toBe(status);
    if (status === 413) {
      expectFailure(response, 413, 'INVALID_REQUEST');
      expect(response.body.error.details).toEqual({ maxBytes: LIMIT });
    }
  });

  it('names every wrong field at once', async () => {
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
      'data is not a known field; known names are file, title, type, format',
    ]);
  });

  it.each([
    ['a file given twice', [[file(), 'a'], [file(), 'b']], 'file is given twice; send one file'],
    ['a file that is no part with a name', [[field('file'), 'a']], 'file must be a file: a part with a filename'],
    ['a format that there is not', [[file(), 'a'], [field('format'), 'pdf']], 'format must be one of md, html, docx'],
    ['an empty title', [[file(), 'a'], [field('title'), ' ']], 'title must not be empty or only white space'],
    ['base64', [[`${file()}\r\nContent-Transfer-Encoding: base64`, 'YQ==']], 'file is sent as base64; send its bytes as they are'],
  ] as [string, [string, string][], string][])('refuses %s', async (_, parts, problem) => {
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
  ])('answers 415 to %s', async (_, options) => {
    expectFailure(await api.send('POST', '/v1/documents/import', options), 415, 'INVALID_REQUEST');
  }); // prettier-ignore

  it.each([
    ['breaks off', () => send([[file(), 'a']], '')],
    ['has another boundary', () => send([[file(), 'a']], '--\r\n', 'other')],
    ['has headers without end', () => send([[`${file()}\r\nX: ${'x'.repeat(100_000)}`, 'a']])],
    ['has too many parts', () => send(Array.from({ length: 60 }, () => [field('f'), 'x']))],
    ['is empty', () => send([])],
  ])('answers 400 to a form that %s', async (_, sent) => {
    expectFailure(await sent(), 400, 'INVALID_REQUEST');
  });

  it('keeps nothing of a client that leaves in the middle, and goes on', async () => {
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

  it('is not read before the key is known', async () => {
    const { body, contentType } = formWith({ name: 'a.md', content: 'x' });
    const response = await app.api('ds_live_wrong').send('POST', '/v1/documents/import', {
      rawBody: body,
      headers: { 'content-type': contentType },
    });
    expectFailure(response, 401, 'UNAUTHORIZED');
  });
});
