import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OpenAPIObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { request } from 'undici';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { makeAccount } from '../support/accounts.js';
import { ApiClient, type ApiResponse, type RequestOptions } from '../support/api-client.js';
import { Browser } from '../support/browser.js';
import { drillCases } from '../support/drills.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { ApiDocument, type Operation } from '../openapi/api-document.js';

/** Each field is sent several times, possibly on a busy machine. */
jest.setTimeout(600_000);

/** CPU time of the main thread, as in `loop-holds.drill.e2e-spec.ts`. */
const MAX_HOLD_MS = 100;
const TRIES = 5;
/** Characters of a long field in a body, and in the query and in headers, which Node limits to 16 KiB. */
const BODY_CHARACTERS = 1_900_000;
const URL_CHARACTERS = 14_000;
/** Members of an object or array that a body may have. */
const MEMBERS = 9_900;

const V1 = new ApiDocument(JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenAPIObject);
const DASHBOARD = new ApiDocument(
  JSON.parse(readFileSync('openapi.dashboard.json', 'utf8')) as OpenAPIObject,
);

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let service: ServiceProcess;
let api: ApiClient;
let key: string;
let holdsPort: number;
let ids: Record<string, string>;
let browser: Browser;
beforeAll(async () => {
  database = await openTestDatabase();
  holdsPort = await freePort();
  service = await startService({
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PROCESS_ROLE: 'all',
    SIGNUP: 'open',
    TEST_RECEIVERS: 'true',
    TRUST_PROXY: '1',
    NODE_OPTIONS: `--import ${pathToFileURL(resolve('test/support/loop-holds.mjs')).href}`,
    LOOP_HOLDS_PORT: String(holdsPort),
  });
  key = (await makeAccount(database.dataSource)).key;
  api = new ApiClient(service.origin, key);
  browser = new Browser(service.origin, { 'x-forwarded-for': '10.1.2.3' });
  const { user, accounts } = await browser.signUp();
  const made = async (path: string, body: object) =>
    ((await api.send('POST', path, { body })).body.data as { id: string }).id;
  ids = {
    documents: await made('/v1/documents', { title: 'A', content: 'Some text.' }),
    templates: await made('/v1/templates', { name: 'T', content: '{{a}}' }),
    keys: await made('/v1/keys', { name: 'Spare', scopes: ['documents:read'] }),
    webhooks: await made('/v1/webhooks', { url: 'https://example.com/', events: ['document.*'] }),
    accountId: accounts[0]?.id ?? '',
    userId: user?.id ?? '',
  };
});
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  await database.drop();
});

async function longestHold(): Promise<number> {
  const { body } = await request(`http://127.0.0.1:${String(holdsPort)}/`);
  return ((await body.json()) as { longest: number }).longest;
}

/** Sends a request until it does not block the event loop for long. Returns the shortest of the longest blocks, in ms. */
async function holdOf(send: () => Promise<ApiResponse>): Promise<number> {
  let best = Infinity;
  for (let tries = 0; tries < TRIES && best > MAX_HOLD_MS / 2; tries += 1) {
    await longestHold();
    const answer = await send();
    expect([answer.status, answer.text]).not.toEqual([500, answer.text]);
    best = Math.min(best, await longestHold());
  }
  return best;
}

const repeated = (part: string, characters: number) => part.repeat(characters / part.length);
const array = (length: number) =>
  Array.from({ length: MEMBERS }, (_, n) => `${String(n)}${'x'.repeat(length)}`);

/** Long values, whatever the type of the field. */
const VALUES: Record<string, unknown> = {
  text: repeated('a', BODY_CHARACTERS),
  list: repeated('en-US,', BODY_CHARACTERS),
  // Normalizing these takes quadratic time.
  marks: `e${repeated('\u0301\u0316', BODY_CHARACTERS / 2)}`,
  spaces: `a${repeated(' ', BODY_CHARACTERS)}a`,
  url: `https://a:b@${repeated('a.', BODY_CHARACTERS)}`,
  array: array(180),
  'short array': array(0),
  object: Object.fromEntries(array(90).map((name) => [name, name])),
  deep: Array.from({ length: 60 }).reduce((value) => [value], 'a'),
};
const TEXTS = ['a', 'a,', '"a",', 'a=b;', ' ,', '%41', '-', 'en-US,'];
const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-encoding',
  'content-type',
  'cookie',
  'forwarded',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'last-event-id',
  'origin',
  'prefer',
  'range',
  'referer',
  'traceparent',
  'user-agent',
  'x-forwarded-for',
  'x-request-id',
];

/** Fields of `/v2/check`, which the API document omits. */
const CHECK_FIELDS = [
  'text',
  'data',
  'language',
  'motherTongue',
  'preferredVariants',
  'enabledRules',
  'disabledRules',
  'enabledCategories',
  'disabledCategories',
  'enabledOnly',
  'level',
  'username',
  'apiKey',
  'api_key',
  'unknown',
];

/** Returns forms and JSON objects with a long field, and bodies that are hard to read. */
function checksOf(field: string): [string, string, RequestOptions][] {
  const others: Record<string, unknown> = { language: 'en', text: 'a' };
  if (field === 'data') delete others['text'];
  const bodies = Object.entries(VALUES).flatMap(([kind, value]): [string, string][] => {
    const json: [string, string] = [
      `${field}: ${kind}`,
      JSON.stringify({ ...others, [field]: value }),
    ];
    if (typeof value !== 'string') return [json];
    const form = new URLSearchParams({ language: 'en', text: 'a', [field]: value }).toString();
    const plain = `language=en&text=a&${field}=${value} ${'&'.repeat(980)}`;
    return [json, [`${field}=${kind}`, form.slice(0, 2_000_000)], [`${field}= ${kind} &`, plain]];
  });
  const often = repeated(`&${field}=${'a,'.repeat(1_000)}`, BODY_CHARACTERS);
  bodies.push([`${field} repeated`, `language=en${often}`]);
  bodies.push([`${field} escaped`, `{"${field}":"${repeated('\\u0041', BODY_CHARACTERS)}"}`]);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return bodies.map(([name, body]) => [name, '/v2/check', { rawBody: body, headers }]);
}

/** Returns the names of the fields in a JSON body, of its parts too: `document.title`. */
function fieldsOf(
  document: ApiDocument,
  given: SchemaObject | ReferenceObject | undefined,
  depth = 0,
): string[] {
  if (!given) return [];
  if ('$ref' in given) {
    const name = given.$ref.replace('#/components/schemas/', '');
    return fieldsOf(document, document.content.components?.schemas?.[name], depth);
  }
  const parts = [...(given.allOf ?? []), ...(given.oneOf ?? []), ...(given.anyOf ?? [])];
  const own = Object.entries(given.properties ?? {}).flatMap(([name, member]) => [
    name,
    ...(depth < 2 ? fieldsOf(document, member, depth + 1).map((one) => `${name}.${one}`) : []),
  ]);
  const items = given.items ? fieldsOf(document, given.items, depth + 1) : [];
  return [
    ...new Set([
      ...own,
      ...items.map((one) => `0.${one}`),
      ...parts.flatMap((part) => fieldsOf(document, part, depth)),
    ]),
  ];
}

/** Returns a body in which only this field is set. */
function bodyWith(path: string, value: unknown): unknown {
  return path
    .split('.')
    .reduceRight<unknown>((inner, name) => (name === '0' ? [inner] : { [name]: inner }), value);
}

function pathOf(path: string): string {
  return path
    .replace(
      /\/(documents|templates|keys|webhooks)\/\{\w+\}/,
      (_, kind: string) => `/${kind}/${ids[kind] ?? ''}`,
    )
    .replace('{accountId}', ids['accountId'] ?? '')
    .replace('{userId}', ids['userId'] ?? '')
    .replace(/\{(?:number|version)\}/, '1')
    .replaceAll(/\{\w+\}/g, 'x');
}

function inputsOf(document: ApiDocument, operation: Operation): [string, string, RequestOptions][] {
  const path = pathOf(operation.path);
  const body = operation.requestBody as
    { content: Record<string, { schema?: SchemaObject }> } | undefined;
  const schema = body?.content['application/json']?.schema;
  const names = [...fieldsOf(document, schema), ...(schema ? ['unknown'] : [])];
  const inputs: [string, string, RequestOptions][] = names.flatMap((name) =>
    Object.entries(VALUES).map(([kind, value]): [string, string, RequestOptions] => [
      `${name}: ${kind}`,
      path,
      { body: bodyWith(name, value) },
    ]),
  );
  if (schema) {
    const unknown = Object.fromEntries(array(90).map((name) => [name, 1]));
    inputs.push(['unknown names', path, { body: unknown }]);
    inputs.push(['a long name', path, { body: { [repeated('a', BODY_CHARACTERS)]: 1 } }]);
  }
  const parameters = (operation.parameters ?? []).flatMap((parameter) =>
    'in' in parameter && parameter.in === 'query' ? [parameter.name] : [],
  );
  for (const name of [...parameters, 'unknown']) {
    for (const text of TEXTS) {
      const value = repeated(text, URL_CHARACTERS / 2).replaceAll(' ', '+');
      inputs.push([`?${name}=${text}`, `${path}?${name}=${value}`, {}]);
    }
    const often = repeated(`&${name}=a`, URL_CHARACTERS).slice(1);
    inputs.push([`?${name} repeated`, `${path}?${often}`, {}]);
  }
  const query = Array.from({ length: 1_000 }, (_, n) => `limi${String(n)}=1`).join('&');
  inputs.push(['unknown parameters', `${path}?${query}`, {}]);
  return inputs;
}

const OPERATIONS = [V1, DASHBOARD].flatMap((document) =>
  document
    .operations()
    .filter(({ method, operationId }) => method !== 'DELETE' && !operationId.startsWith('stream'))
    .map((operation) => [operation.operationId, document, operation] as const),
);

/** Fails with every input that blocks the event loop for too long. */
async function expectShort(
  inputs: readonly [string, string, RequestOptions][],
  send: (path: string, input: RequestOptions) => Promise<ApiResponse>,
): Promise<void> {
  const long: [string, number][] = [];
  for (const [name, path, input] of inputs) {
    const hold = await holdOf(() => send(path, input));
    if (process.env['SHOW_HOLDS'] && hold > Number(process.env['SHOW_HOLDS']))
      process.stderr.write(`${hold.toFixed(0)} ms  ${path.slice(0, 60)}  ${name}\n`);
    if (hold > MAX_HOLD_MS) long.push([name, Math.round(hold)]);
  }
  expect(long).toEqual([]);
}

describe('No long field blocks the event loop', () => {
  it.each(OPERATIONS)('of %s', async (_, document, operation) => {
    const inputs = drillCases(inputsOf(document, operation), (__, index) => index % 40 === 0);
    await expectShort(inputs, (path, input) =>
      path.startsWith('/dashboard/')
        ? browser.request(operation.method, path, input)
        : api.send(operation.method, path, input),
    );
  });

  it.each(CHECK_FIELDS)('of a check, with a key and without: %s', async (field) => {
    const keyless = new ApiClient(service.origin, undefined);
    const inputs = drillCases(checksOf(field), (_, index) => index % 6 === 3);
    for (const client of [api, keyless]) {
      await expectShort(inputs, (path, input) => client.send('POST', path, input));
    }
  });

  it.each(HEADERS)('in the header %s', async (name) => {
    const document = `/v1/documents/${ids['documents'] ?? ''}`;
    const paths: [string, string][] = [
      ['GET', document],
      ['PATCH', document],
      ['POST', '/v1/documents'],
      ['GET', '/v1/events'],
      ['POST', '/v2/check'],
      ['GET', '/dashboard/'],
      ['OPTIONS', '/v1/documents'],
    ];
    for (const [method, path] of drillCases(paths, (_, index) => index % 3 === 0)) {
      const inputs = TEXTS.map((text): [string, string, RequestOptions] => {
        const value = `Bearer ${repeated(text, URL_CHARACTERS)}`;
        const headers = { [name]: name === 'authorization' ? value : value.slice(7) };
        return [`${method} ${text}`, path, { headers, ...(method === 'GET' ? {} : { body: {} }) }];
      });
      await expectShort(inputs, (to, input) => api.send(method, to, input));
    }
  });
});
