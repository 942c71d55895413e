import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';
import type { ApiDocument, Operation } from '../openapi/api-document.js';
import { ApiClient, type ApiResponse, type RequestOptions } from '../support/api-client.js';
import { drillCases } from '../support/drills.js';
import { DASHBOARD, MAX_HOLD_MS, MeasuredService, V1, type Person } from './measured-service.js';

/** Each field is sent several times, possibly on a busy machine. */
jest.setTimeout(600_000);

const TRIES = 5;
/** Characters of a long field in a body, and in the query and in headers, which Node limits to 16 KiB. */
const BODY_CHARACTERS = 1_900_000;
const URL_CHARACTERS = 14_000;
/** Members of an object or array that a body may have. */
const MEMBERS = 9_900;

let service: MeasuredService;
let api: ApiClient;
let ids: Record<string, string>;
let person: Person;
beforeAll(async () => {
  service = await MeasuredService.start();
  ({ api } = service);
  person = await service.signUp();
  ids = {
    documents: await service.create('/v1/documents', { title: 'A', content: 'Some text.' }),
    templates: await service.create('/v1/templates', { name: 'T', content: '{{a}}' }),
    keys: await service.create('/v1/keys', { name: 'Spare', scopes: ['documents:read'] }),
    webhooks: await service.create('/v1/webhooks', {
      url: 'https://example.com/',
      events: ['document.*'],
    }),
  };
});
afterAll(() => service.end());

/** Sends a request until it does not block the event loop for long. Returns the shortest of the longest blocks, in ms. */
async function holdOf(send: () => Promise<ApiResponse>): Promise<number> {
  let best = Infinity;
  for (let tries = 0; tries < TRIES && best > MAX_HOLD_MS / 2; tries += 1) {
    await service.longestHold();
    const response = await send();
    expect([response.status, response.text]).not.toEqual([500, response.text]);
    best = Math.min(best, await service.longestHold());
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
    .replace('{accountId}', person.accountId)
    .replace('{userId}', person.userId)
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
  it.each(OPERATIONS)(
    'No long field blocks the event loop of %s',
    async (_, document, operation) => {
      const inputs = drillCases(inputsOf(document, operation), (__, index) => index % 40 === 0);
      await expectShort(inputs, (path, input) =>
        path.startsWith('/dashboard/')
          ? person.browser.request(operation.method, path, input)
          : api.send(operation.method, path, input),
      );
    },
  );

  it.each(CHECK_FIELDS)(
    'No long field blocks the event loop of a check, with a key and without: %s',
    async (field) => {
      const keyless = new ApiClient(service.origin, undefined);
      const inputs = drillCases(checksOf(field), (_, index) => index % 6 === 3);
      for (const client of [api, keyless]) {
        await expectShort(inputs, (path, input) => client.send('POST', path, input));
      }
    },
  );

  it.each(HEADERS)('No long field blocks the event loop in the header %s', async (name) => {
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
