import { readFileSync } from 'node:fs';
import type { OpenAPIObject, ParameterObject, SchemaObject } from '@nestjs/swagger';
import { FROM_EVERYWHERE, newBrowser } from '../dashboard/people.js';
import { newUser } from '../support/browser.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { ApiResponse, RequestOptions } from '../support/api-client.js';
import { drillCases } from '../support/drills.js';
import { startMailServer, type MailServer } from '../support/mail-server.js';
import { ApiDocument, type Operation } from '../openapi/api-document.js';

/** What PostgreSQL cannot store, or JSON cannot represent, percent-encoded and in JSON. */
const IN_ADDRESS = drillCases(
  ['a%00b', '%ED%A0%80', '%00', '%FF', '%E2%82%AC', '1e400', '..%2F..', '%3F%23'],
  (_, index) => index < 2,
);
const IN_JSON = drillCases(
  ['"a\\u0000b"', '"\\ud800"', '1e400', '{"a\\u0000b": "\\udfff"}', '["a\\u0000b"]'],
  (_, index) => index < 2,
);
const IN_HEADERS = drillCases(['a\u00ffb', '\u00c3(', '1e400', '"', '\t'], (_, index) => index < 1);
const HEADERS = ['user-agent', 'idempotency-key', 'x-request-id', 'if-match', 'if-none-match'];
const OTHER_HEADERS = ['accept-language', 'last-event-id', 'referer', 'x-forwarded-for', 'cookie'];

let app: TestApp;
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  const environment = { ...FROM_EVERYWHERE, SMTP_URL: mail.url, PUBLIC_URL: 'http://example.com' };
  app = await startTestApp({ environment: { ...environment, LOG_LEVEL: 'silent' } });
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

type Sender = (path: string, options?: RequestOptions) => Promise<ApiResponse>;

interface Case extends Operation {
  pathParameters: string[];
  queryParameters: string[];
  bodyFields: string[];
}

function casesOf(file: string): Case[] {
  const content = JSON.parse(readFileSync(file, 'utf8')) as OpenAPIObject;
  return new ApiDocument(content).operations().map((operation) => {
    const parameters = (operation.parameters ?? []) as ParameterObject[];
    const names = (where: string) =>
      parameters.filter((one) => one.in === where).map(({ name }) => name);
    const body = operation.requestBody as
      { content?: Record<string, { schema?: SchemaObject & { $ref?: string } }> } | undefined;
    const schema = body?.content?.['application/json']?.schema;
    const named = schema?.$ref?.split('/').at(-1) ?? '';
    const resolved = (content.components?.schemas?.[named] ?? schema) as SchemaObject | undefined;
    return {
      ...operation,
      pathParameters: [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
      queryParameters: names('query'),
      bodyFields: Object.keys(resolved?.properties ?? {}),
    };
  });
}

/** Sends every case of an operation. Returns the requests that were answered with 500. */
async function failuresOf(operation: Case, send: Sender, idOf: (name: string) => string) {
  const failures: string[] = [];
  const check = async (path: string, options: RequestOptions = {}) => {
    const { status } = await send(path, options);
    if (status === 500) failures.push(`${operation.method} ${path} ${JSON.stringify(options)}`);
  };
  const pathWith = (replaced?: string, by = '') =>
    operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === replaced ? by : idOf(name),
    );
  const path = pathWith();
  for (const name of operation.pathParameters) {
    for (const value of IN_ADDRESS) await check(pathWith(name, value));
  }
  for (const name of [...operation.queryParameters, 'unknown', '%00']) {
    for (const value of IN_ADDRESS) await check(`${path}?${name}=${value}`);
  }
  for (const name of operation.bodyFields) {
    for (const value of IN_JSON)
      await check(path, { rawBody: `{${JSON.stringify(name)}: ${value}}` });
  }
  if (operation.method !== 'GET') {
    for (const rawBody of ['"a\\u0000b"', '{"a\\u0000b": 1}', Buffer.from([0xff, 0]), '\0']) {
      await check(path, { rawBody });
    }
  }
  for (const name of [...HEADERS, ...OTHER_HEADERS]) {
    for (const value of IN_HEADERS) await check(path, { headers: { [name]: value } });
  }
  return failures;
}

const NOBODY = '01h455vb4pex5vsknk084sn02q';

/** Streams, which would not end. */
const ENDLESS = new Set(['streamEvents', 'streamEnhancements', 'followEvents']);

describe('a text that PostgreSQL cannot store', () => {
  it('is never an internal error of the API', async () => {
    const { key } = await app.account({ plan: 'enterprise' });
    const client = app.api(key);
    const failures: string[] = [];
    for (const operation of casesOf('openapi.json')) {
      if (ENDLESS.has(operation.operationId) || /stream/i.test(operation.path)) continue;
      const send: Sender = (path, { headers, ...options } = {}) =>
        client.send(operation.method, path, {
          ...options,
          headers: { 'content-type': 'application/json', ...headers },
        });
      failures.push(...(await failuresOf(operation, send, () => `doc_${NOBODY}`)));
    }
    expect(failures).toEqual([]);
  });

  it('is never an internal error of the dashboard', async () => {
    const failures: string[] = [];
    for (const operation of casesOf('openapi.dashboard.json')) {
      if (/stream/i.test(operation.path)) continue;
      // Some operations end the session, and a person can make 600 requests a minute.
      const page = newBrowser(app);
      const accountId = (await page.signUp(newUser())).accounts[0]?.id ?? '';
      const send: Sender = (path, { headers, ...options } = {}) =>
        page.request(operation.method, path, {
          ...options,
          headers: { 'content-type': 'application/json', ...headers },
        });
      const idOf = (name: string) => (name === 'accountId' ? accountId : `user_${NOBODY}`);
      failures.push(...(await failuresOf(operation, send, idOf)));
    }
    expect(failures).toEqual([]);
  });
});
