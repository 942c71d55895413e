import { DocumentService, type NotFoundError } from '@document-service/client';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_CODES, type ErrorKind } from '../../src/platform/basics/errors/app-error.js';
import { ERROR_STATUS } from '../../src/platform/http/envelope/envelope.js';
import { Drain } from '../../src/platform/http/server/drain.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sendRaw } from '../support/raw-http.js';

const PUBLIC_URL = 'https://documents.example.com';
const PAGES = path.resolve('docs/errors');
const KINDS = Object.keys(ERROR_STATUS) as ErrorKind[];

interface FailureBody {
  success: false;
  error: { code: string; message: string; details?: object; docUrl?: string };
}

const pageOf = (name: string) => `${name.toLowerCase().replaceAll('_', '-')}.md`;
const textOf = (page: string) => readFileSync(path.join(PAGES, page), 'utf8');

/** A request for each kind of error that is easy to cause, also before routing and on unreadable requests. */
const REQUESTS: readonly [ErrorKind, (app: TestApp, key: string) => Promise<unknown>][] = [
  ['bad_request', (app, key) => app.api(key).send('POST', '/v1/documents', { body: {} })],
  ['unauthorized', (app) => app.api().send('GET', '/v1/documents')],
  ['forbidden', (app, key) => app.api(key).send('GET', '/v1/audit')],
  ['not_found', (app, key) => app.api(key).send('GET', '/v1/documents/doc_1')],
  ['not_found', (app) => app.api().send('GET', '/nowhere')],
  ['method_not_allowed', (app, key) => app.api(key).send('DELETE', '/v1/documents')],
  [
    'payload_too_large',
    (app, key) =>
      app.api(key).send('POST', '/v1/documents', { body: { title: 'x'.repeat(9_000_000) } }),
  ],
  [
    'unsupported_media_type',
    (app, key) =>
      app.api(key).send('POST', '/v1/documents', {
        rawBody: 'title=x',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
  ],
  ['unavailable', (app) => app.api().send('GET', '/health/ready')],
  ['expectation_failed', (app) => raw(app, 'Expect: nothing\r\nConnection: close\r\n')],
];

/** Requests without a readable `Host`. */
const UNREADABLE: typeof REQUESTS = [
  ['headers_too_large', (app) => raw(app, `X-Large: ${'x'.repeat(20_000)}\r\n`)],
  ['bad_request', (app) => raw(app, 'not a header\r\n')],
];

async function raw(app: TestApp, headers: string): Promise<unknown> {
  const { port, host } = new URL(app.origin);
  const head = `GET /v1/documents HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
  const { body } = await sendRaw(Number(port), head);
  return { body: JSON.parse(body) as unknown };
}

describe.each([
  ['with PUBLIC_URL', { PUBLIC_URL }],
  ['without PUBLIC_URL', {}],
])('an error of a service %s', (_, environment: { PUBLIC_URL?: string }) => {
  let app: TestApp;
  let key: string;
  /** Without PUBLIC_URL, the origin that the requests are sent to. */
  let origin: string;
  beforeAll(async () => {
    app = await startTestApp({ environment });
    origin = environment.PUBLIC_URL ?? app.origin;
    ({ key } = await app.account({ scopes: ['documents:read', 'documents:write'] }));
  });
  afterAll(() => app.close());

  it.each([...REQUESTS, ...UNREADABLE])(
    '%s leads to its page unless the origin is unknown',
    async (kind, send) => {
      jest.spyOn(app.app.get(Drain), 'isDraining', 'get').mockReturnValue(kind === 'unavailable');
      const { error } = ((await send(app, key)) as { body: FailureBody }).body;
      expect(error.code).toBe(ERROR_STATUS[kind].code);
      const members = ['code', 'message', ...(error.details ? ['details'] : [])];
      const isUnreadable = UNREADABLE.some(([, unreadable]) => unreadable === send);
      if (environment.PUBLIC_URL === undefined && isUnreadable) {
        expect(Object.keys(error)).toEqual(members);
        return;
      }
      expect(Object.keys(error)).toEqual([...members, 'docUrl']);
      const [found, page = ''] = error.docUrl?.split('/docs/errors/') ?? [];
      expect(found).toBe(origin);
      expect(`${page}.md`).toBe(pageOf(kind));
      expect(existsSync(path.join(PAGES, `${page}.md`))).toBe(true);
    },
  );

  it('has docUrl in the TypeScript client too', async () => {
    const client = new DocumentService({ baseUrl: app.origin, apiKey: key });
    const thrown: unknown = await client.documents.get('doc_1').catch((error: unknown) => error);
    expect((thrown as NotFoundError).docUrl).toBe(`${origin}/docs/errors/not-found`);
  });

  it('leads from the results of a batch to their pages', async () => {
    const id = 'doc_01kam3k0v5e0rbk1y2c9q4w7zt';
    const operations = [
      { op: 'delete', id },
      { op: 'create', document: { title: 'x' } },
    ];
    const body = { atomic: true, operations };
    const { text } = await app.api(key).send('POST', '/v1/documents/batch', { body });
    const pages = [...text.matchAll(/"docUrl":"([^"]+)"/g)].map(([, url]) => url);
    const expected = ['not-found', 'failed-dependency'].map(
      (page) => `${origin}/docs/errors/${page}`,
    );
    expect(pages).toEqual(expected);
  });
});

describe('docUrl without PUBLIC_URL', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  /** Sends a request without a key. PORT stands for the port of the service. */
  async function docUrl(request: string): Promise<string | undefined> {
    const head = request.replaceAll('PORT', String(app.port));
    const { body } = await sendRaw(app.port, `${head}\r\nConnection: close\r\n\r\n`);
    const { error } = JSON.parse(body) as FailureBody;
    return error.docUrl?.replace(String(app.port), 'PORT');
  }

  it.each([
    ['localhost:PORT', 'http://localhost:PORT'],
    ['LOCALHOST:PORT', 'http://localhost:PORT'],
    ['127.0.0.1:PORT', 'http://127.0.0.1:PORT'],
    ['[::1]:PORT', 'http://[::1]:PORT'],
    ['[::ffff:127.0.0.1]:PORT', 'http://[::ffff:127.0.0.1]:PORT'],
    ['localhost:PORT\r\nX-Forwarded-Host: evil.example', 'http://localhost:PORT'],
    ['localhost:PORT\r\nX-Forwarded-Proto: https', 'http://localhost:PORT'],
  ])('is that of a Host which the service listens on: %j', async (host, origin) => {
    expect(await docUrl(`GET /v1/documents HTTP/1.1\r\nHost: ${host}`)).toBe(
      `${origin}/docs/errors/unauthorized`,
    );
  });

  it('is that of the Host if the request target is a whole URL', async () => {
    const request = 'GET http://evil.example/v1/documents HTTP/1.1\r\nHost: localhost:PORT';
    expect(await docUrl(request)).toBe('http://localhost:PORT/docs/errors/unauthorized');
  });

  it.each([
    'evil.example',
    'evil.example:PORT',
    'localhost',
    'localhost:1',
    'localhost.evil.example:PORT',
    'evil.example@localhost:PORT',
    'localhost:PORT@evil.example',
    'localhost:PORT/evil',
    'localhost:PORT#',
    '0.0.0.0:PORT',
    '192.0.2.7:PORT',
    '[2001:db8::1]:PORT',
    '[::1',
    'evil.example\r\nX-Forwarded-Host: localhost:PORT',
    '',
  ])('is missing if a client may have invented the Host: %j', async (host) => {
    expect(await docUrl(`GET /v1/documents HTTP/1.1\r\nHost: ${host}`)).toBeUndefined();
  });

  it('is missing without a Host', async () => {
    expect(await docUrl('GET /v1/documents HTTP/1.0')).toBeUndefined();
  });
});

/** The sources of the service, with texts that are split over lines joined. */
function sources(): string {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(path.join('src', file), 'utf8'))
    .join('\n')
    .replace(/['`]\s*\+\s*['`]/g, '');
}

describe('the page of an error', () => {
  it.each(KINDS)('of the kind %s states its status and code', (kind) => {
    const { status, code } = ERROR_STATUS[kind];
    const text = textOf(pageOf(kind));
    expect(text).toMatch(new RegExp(`^# ${String(status)} \\w`, 'm'));
    expect(text).toMatch(new RegExp(`^\\| ${String(status)} +\\| \`${code}\` `, 'm'));
  });

  it.each(ERROR_CODES)('of the code %s leads to all its statuses', (code) => {
    const text = textOf(pageOf(code));
    const kinds = KINDS.filter((kind) => ERROR_STATUS[kind].code === code);
    const statuses = kinds.map((kind) => String(ERROR_STATUS[kind].status));
    const [only] = kinds;
    // The only kind of a code can have the code's name and page.
    if (only && pageOf(only) === pageOf(code)) return;
    const linked = [...text.matchAll(/\[(\d{3})\]\(([a-z-]+\.md)\)/g)];
    expect(linked.map(([, status]) => status).sort()).toEqual(statuses.sort());
    expect(linked.map(([, , page]) => page).sort()).toEqual(kinds.map(pageOf).sort());
  });

  it('exists for kinds and codes only, and the index lists all of them', () => {
    const pages = ['index.md', ...new Set([...KINDS, ...ERROR_CODES].map(pageOf))].sort();
    expect(readdirSync(PAGES).sort()).toEqual(pages);
    const index = readFileSync('docs/reference/error-codes.md', 'utf8');
    for (const kind of KINDS) {
      const { status, code } = ERROR_STATUS[kind];
      expect(index).toMatch(
        new RegExp(
          `^\\| \\[${String(status)}\\]\\(../errors/${pageOf(kind)}\\) +\\| \\[\`${code}\`\\]\\(../errors/${pageOf(code)}\\)`,
          'm',
        ),
      );
    }
  });

  it('quotes messages that the service sends', () => {
    const code = sources();
    const quoted = readdirSync(PAGES).flatMap((page) =>
      [...textOf(page).matchAll(/^\| `([^`]+)` +\| [^`A-Z]*[A-Z]/gm)].map(
        ([, message = '']) => message,
      ),
    );
    expect(quoted.length).toBeGreaterThan(60);
    const unknown = quoted.filter(
      (message) => !message.split('…').every((part) => code.includes(part.trim())),
    );
    expect(unknown).toEqual([]);
  });
});
