import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { request } from 'undici';
import type { ApiDocument, Operation } from '../openapi/api-document.js';
import type { ApiClient, ApiResponse, RequestOptions } from '../support/api-client.js';
import { drillCount, isFullDrill } from '../support/drills.js';
import { formWith } from '../support/form.js';
import { DASHBOARD, MAX_HOLD_MS, MeasuredService, V1, type Person } from './measured-service.js';

/** Each operation runs several times, possibly on a busy machine. */
jest.setTimeout(600_000);

/** Garbage collections and compilations can happen at any time, so the best of several attempts counts. */
const TRIES = 4;
const MIB = 1024 ** 2;
/** Number of characters in a generated body, below the limit of 8 MiB. */
const BODY_CHARACTERS = 7 * MIB;

/** These do not end, so they are read for a while. */
const STREAMS = ['streamEvents', 'streamEnhancement'];
const STREAM_MS = 500;

let service: MeasuredService;
let api: ApiClient;
let long: string;
let enhancement: string;
let template: string;
/** An unused key. */
let spareKey: string;
interface Receiving extends Person {
  receiverId: string;
  token: string;
}
/** The person who reads in the dashboard. */
let reader: Receiving;
/** The person of the operation that runs. */
let person: Receiving;
beforeAll(async () => {
  service = await MeasuredService.start();
  ({ api } = service);
  long = await service.create('/v1/documents', { title: 'Long', content: lines('quick') });
  await api.patchDocument(long, { content: lines('brown') });
  const variables = Array.from({ length: 100 }, (_, n) => ({ name: `v${String(n)}` }));
  const content = '{{v1}}'.repeat(MIB / 6);
  template = await service.create('/v1/templates', { name: 'T', content, variables });
  spareKey = await service.create('/v1/keys', { name: 'Spare', scopes: ['documents:read'] });
  await api.send('POST', `/v1/documents/${long}/enhance`, { body: {} });
  const enhancements = await api.send('GET', `/v1/documents/${long}/enhancements`);
  enhancement = (enhancements.body.data as { id: string }[])[0]?.id ?? '';
  reader = await signUp();
});
afterAll(() => service.end());

/** Signs up a person with a test receiver. */
async function signUp(): Promise<Receiving> {
  const signedUp = await service.signUp();
  const path = `/accounts/${signedUp.accountId}/receivers`;
  const made = await signedUp.browser.send('POST', path, {});
  const { id, url } = made.body.data as { id: string; url: string };
  const token = new URL(url).pathname.split('/').at(-1) ?? '';
  return { ...signedUp, receiverId: id, token };
}

/** Sends a request as a user of the operation does: an API client, or a page of somebody who is signed in. */
function fire(operation: Operation, path: string, input: RequestOptions): Promise<ApiResponse> {
  if (path.startsWith('/dashboard/')) return person.browser.request(operation.method, path, input);
  return api.send(operation.method, path, input);
}

/** Reads a stream for a while. */
async function readStream(path: string): Promise<ApiResponse> {
  const { statusCode, headers, body } = await request(service.origin + path, {
    headers: { authorization: `Bearer ${service.key}`, accept: 'text/event-stream' },
    signal: AbortSignal.timeout(STREAM_MS),
  });
  const text = await body.text().catch(() => '');
  return { status: statusCode, headers, body: undefined, text, bytes: Buffer.from(text) };
}

function prose(characters: number): string {
  return 'The quick brown fox jumps over the lazy dog, and {{v1}} sleeps.\n\n'
    .repeat(characters / 60)
    .slice(0, characters);
}

function lines(word: string): string {
  return Array.from({ length: 60_000 }, (_, n) => `${word} ${String((n * 7919) % 9973)}\n`).join(
    '',
  );
}

/* eslint-disable complexity -- one branch for each kind of schema */
/** Fills a schema with as much as it allows, with at most `budget` characters. */
function largest(
  document: ApiDocument,
  given: SchemaObject | ReferenceObject,
  budget: number,
  depth = 0,
): unknown {
  if ('$ref' in given) {
    const name = given.$ref.replace('#/components/schemas/', '');
    return largest(document, document.content.components?.schemas?.[name] ?? {}, budget, depth);
  }
  const part = given.allOf?.[0] ?? given.oneOf?.at(-1) ?? given.anyOf?.[0];
  if (part) return largest(document, part, budget, depth);
  if (given.enum) return given.enum.at(-1) as unknown;
  if (given.type === 'array') {
    const most = Math.min(given.maxItems ?? 100, 9_999);
    const share = Math.max(1, budget / most);
    const items = given.items ?? {};
    return Array.from({ length: most }, () => largest(document, items, share, depth + 1));
  }
  if (given.properties) {
    const members = Object.entries(given.properties);
    const share = budget / members.length;
    return Object.fromEntries(
      members.map(([name, member]) => [name, largest(document, member, share, depth + 1)]),
    );
  }
  if (given.type === 'object') return { tags: Array.from({ length: 1_000 }, () => 'tag') };
  if (given.type === 'integer' || given.type === 'number') return given.maximum ?? 1;
  if (given.type === 'boolean') return true;
  return 'x'.repeat(Math.max(1, Math.min(given.maxLength ?? 1_000, budget * 0.8)));
}

const pattern = (n: number) => `(?:w${String(n)}\\pL{30}){30}`;
const swaps = (count: number) =>
  Array.from({ length: count }, (_, n) => `  '${pattern(n)}': x`).join('\n');
const vale = (count: number) => ({
  files: [{ path: 'A/B.yml', content: `extends: substitution\nswap:\n${swaps(count)}\n` }],
});
const rules = (kind: object) => ({
  rules: Array.from({ length: 1_000 }, (_, n) => ({ id: `r${String(n)}`, ...kind })),
});

const raw = (text: string): RequestOptions => ({
  rawBody: text,
  headers: { 'content-type': 'application/json' },
});
const escapes = '\\u0041'.repeat(BODY_CHARACTERS / 6);
const quotes = '\\"'.repeat(BODY_CHARACTERS / 2);
const names = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${String(n)}`, n]));
/** JSON that takes longer to parse than its size suggests. */
const HARD_JSON = [
  `{"title":"${escapes}"}`,
  `{"title":"A","content":"${quotes}"}`,
  `{"title":"A"${' '.repeat(BODY_CHARACTERS)}}`,
  `{"title":${'\n'.repeat(BODY_CHARACTERS)}"A" 1}`,
  `{${']'.repeat(BODY_CHARACTERS)}`,
  `{"title":"A","${'🙂'.repeat(BODY_CHARACTERS / 4)}":1}`,
  JSON.stringify({ title: 'A', metadata: names(9_999), aiSettings: names(9_999), ...names(9_900) }),
  JSON.stringify({ title: 'A', metadata: Array.from({ length: 20 }, () => names(9_990)) }),
  JSON.stringify({
    title: 'A',
    metadata: Array.from({ length: 10 }, () => Array.from({ length: 9_990 }, () => ({}))),
  }),
];
/** Nested so deeply that a recursive parser would overflow the stack. */
const DEEP_YAML = `a: ${'['.repeat(5_000)}`;

/** Inputs that cost more than what {@link largest} generates from the schema. */
const COSTLY: Record<string, () => RequestOptions[]> = {
  createDocument: () => [
    ...HARD_JSON.map(raw),
    ...[
      { title: 'A', templateId: template, templateVariables: { v1: 'runs' } },
      { title: 'A', content: prose(MIB) },
      { title: 'A', content: '永和九年歲在癸丑🙂'.repeat(35_000) },
      { title: 'A', content: '🙂'.repeat(MIB / 4) },
      { title: 'A', content: prose(BODY_CHARACTERS) },
      { title: 'x'.repeat(BODY_CHARACTERS) },
      {
        title: 'A',
        metadata: { a: Array.from({ length: 100 }, () => Array.from({ length: 9_999 }, () => 1)) },
      },
    ].map((body) => ({ body })),
  ],
  batchDocuments: () => [
    {
      body: {
        operations: Array.from({ length: 90 }, () => ({
          op: 'create',
          document: { title: 'A', content: prose(80_000) },
        })),
      },
    },
    ...[prose(MIB), '"\n'.repeat(MIB / 4)].map((content) => ({
      body: {
        operations: Array.from({ length: 6 }, () => ({
          op: 'create',
          document: { title: 'A', content },
        })),
      },
    })),
  ],
  previewTemplate: () => [{ body: { templateVariables: { v1: 'runs' } } }],
  importDocument: () =>
    [
      { name: 'a.html', content: '<p>a <b>b</b></p>'.repeat(60_000) },
      { name: 'a.md', content: prose(MIB) },
      { name: 'a.txt', content: '\u0001'.repeat(MIB) },
      { name: 'a.md', content: `---\n${DEEP_YAML}\n---\n` },
    ].map((file) => {
      const { body, contentType } = formWith(file, {});
      return { rawBody: body, headers: { 'content-type': contentType } };
    }),
  createStyleRules: () =>
    [
      rules({ kind: 'pattern', pattern: pattern(1) }),
      rules({ kind: 'banned', phrases: Array(800).fill('a phrase') }),
      rules({ kind: 'accepted', words: Array(50).fill('word') }),
      { rules: Array.from({ length: 1_000 }, () => ({ kind: 'banned', ...names(25) })) },
    ].map((body) => ({ body })),
  testStyleRules: () =>
    [{ phrases: Array(99).fill('o') }, { phrases: Array(499).fill('o') }].map(({ phrases }) => {
      const { rules: all } = rules({ kind: 'banned', phrases });
      return { body: { rules: all.slice(0, 100), content: prose(10_000) } };
    }),
  importStyleRules: () => [
    { body: vale(4_299) },
    { body: vale(1_000) },
    { body: { files: [{ path: 'A/B.yml', content: DEEP_YAML }] } },
  ],
  createTemplate: () =>
    [
      '{{a}}'.repeat(MIB / 5),
      '\\{{a}}'.repeat(MIB / 6),
      Array.from({ length: 90_000 }, (_, n) => `{{v${String(n % 50)}}}`).join(''),
      Array.from({ length: 90_000 }, (_, n) => `{{v${String(n)}}}`).join(''),
    ].map((content) => ({
      body: { name: `T${String(Math.random())}`, content: content.slice(0, MIB) },
    })),
  editDocument: () => [
    {
      body: {
        edits: Array.from({ length: 30 }, () => ({
          op: 'replace',
          find: 'o',
          with: 'oo',
          all: true,
        })),
      },
    },
  ],
  patchDocument: () => [
    { body: { content: lines(`word${String(Math.random())}`) } },
    ...[
      lines('quick').replace('quick', 'slow'),
      lines('red'),
      prose(MIB),
      '.,'.repeat(MIB / 2),
    ].map((content) => ({ body: { content, title: 'x. '.repeat(160), baseVersion: 1 } })),
  ],
};

/** Characters of a body made from the schema. Bodies that are known to be costly have their whole size in each run. */
const LARGEST_CHARACTERS = drillCount({ small: 2 * MIB, full: BODY_CHARACTERS });

function inputsOf(document: ApiDocument, operation: Operation): RequestOptions[] {
  const costly = COSTLY[operation.operationId]?.() ?? [];
  const body = operation.requestBody as
    { content: Record<string, { schema?: SchemaObject }> } | undefined;
  const [mediaType, described] = Object.entries(body?.content ?? {})[0] ?? [];
  if (!described?.schema) return costly.length > 0 ? costly : [{}];
  if (mediaType !== 'application/json') {
    const headers = { 'content-type': mediaType ?? '' };
    return [...costly, { rawBody: 'x\n'.repeat(BODY_CHARACTERS / 2), headers }];
  }
  return [...costly, { body: largest(document, described.schema, LARGEST_CHARACTERS) }];
}

function pathOf({ path, parameters = [] }: Operation): string {
  const filled = path
    .replace('/documents/{id}', `/documents/${long}`)
    .replace('/templates/{id}', `/templates/${template}`)
    .replace('/enhancements/{enhancementId}', `/enhancements/${enhancement}`)
    .replace('/keys/{id}', `/keys/${spareKey}`)
    .replace('{accountId}', person.accountId)
    .replace('{userId}', person.userId)
    .replace('{receiverId}', person.receiverId)
    .replace('{token}', person.token)
    .replace('{number}', '1')
    .replace('{version}', '1')
    .replaceAll(/\{\w+\}/g, 'x'.repeat(100));
  const query = parameters.flatMap((parameter) => {
    if ('$ref' in parameter || parameter.in !== 'query') return [];
    const schema = (parameter.schema ?? {}) as SchemaObject;
    const value = parameter.name === 'format' ? 'html' : schema.enum?.at(-1);
    const text =
      typeof value === 'string' ? value : 'x'.repeat(Math.min(schema.maxLength ?? 20, 500));
    return schema.type === 'integer' ? [`${parameter.name}=100`] : [`${parameter.name}=${text}`];
  });
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled;
}

const OPERATIONS = [V1, DASHBOARD].flatMap((document) =>
  document
    .operations()
    // Deletions come last.
    .sort((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
    .map((operation) => [operation.operationId, document, operation] as const),
);

describe('No request blocks the event loop', () => {
  it('No request blocks the event loop not even the first one for the API document', async () => {
    await service.longestHold();
    expect((await api.send('GET', '/v1/openapi.json')).status).toBe(200);
    expect(await service.longestHold()).toBeLessThan(MAX_HOLD_MS);
  });

  it.each(OPERATIONS)('%s', async (operationId, document, operation) => {
    // A change in the dashboard can end the session or the account: each has a person of its own.
    const isChange = document === DASHBOARD && operation.method !== 'GET';
    person = isChange ? await signUp() : reader;
    const isStream = STREAMS.includes(operationId);
    const bare = pathOf({ ...operation, parameters: [] });
    for (const paths of new Set([pathOf(operation), ...(isFullDrill ? [bare] : [])])) {
      for (const input of inputsOf(document, operation)) {
        let best = Infinity;
        for (let tries = 0; tries < TRIES && best > MAX_HOLD_MS; tries += 1) {
          await service.longestHold();
          const sent = isStream ? readStream(paths) : fire(operation, paths, input);
          // Another client reads meanwhile.
          const [response] = await Promise.all([sent, api.send('GET', '/health/live')]);
          expect([response.status, response.text]).not.toEqual([500, response.text]);
          // A request that is refused early would prove nothing.
          if (paths.includes(person.accountId))
            expect([401, 403, 429]).not.toContain(response.status);
          best = Math.min(best, await service.longestHold());
        }
        expect(best).toBeLessThan(MAX_HOLD_MS);
      }
    }
  });
});
