import { request } from 'undici';
import { CheckerThreads } from '../../src/features/analysis/checker/checker-threads.js';
import { CheckerLanguages } from '../../src/features/analysis/checker/checker-languages.js';
import type { TestAccount } from '../support/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';

/** The first check of a process loads the engine. */
const PATIENCE_MS = 240_000;
jest.setTimeout(PATIENCE_MS);

const FORM = 'application/x-www-form-urlencoded';
const LONG = 2_000_000;
/** Requests without a valid key that an address can send at once. */
const BURST = 100;

let app: TestApp;
let account: TestAccount;
beforeAll(async () => {
  app = await startTestApp({ environment: { TRUST_PROXY: '1' } });
  account = await app.account();
}, PATIENCE_MS);
afterEach(() => jest.restoreAllMocks());
afterAll(() => app.close());

interface Sent {
  method?: 'GET' | 'HEAD' | 'POST';
  path?: string;
  body?: string;
  headers?: Record<string, string>;
}

async function send({ method = 'POST', path = '/v2/check', body, headers }: Sent, address = '') {
  const response = await request(app.origin + path, {
    method,
    headers: {
      'content-type': FORM,
      ...(address && { 'x-forwarded-for': address }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  return {
    status: response.statusCode,
    retryAfter: response.headers['retry-after'],
    text: await response.body.text(),
  };
}

/** Requests without a valid key, each of which would cost much if it was read. */
const WITHOUT_KEY: [string, Sent][] = [
  ['a form', { body: 'text=a&language=en' }],
  ['a long form', { body: `text=${'a'.repeat(LONG)}&language=en` }],
  ['unencoded ampersands', { body: `text=${'a'.repeat(LONG)} ${'&'.repeat(990)}` }],
  ['only ampersands', { body: '&'.repeat(LONG) }],
  ['an unknown field', { body: 'a'.repeat(LONG) }],
  ['many variants', { body: `text=a&preferredVariants=${'en-US,'.repeat(300_000)}` }],
  ['a long wrong key', { body: `apiKey=${'%41'.repeat(600_000)}&text=a` }],
  ['an empty key', { body: 'text=a&apiKey=&api_key=' }],
  ['a JSON object', { body: JSON.stringify({ text: 'a'.repeat(LONG) }) }],
  ['invalid JSON', { body: `{"text":${'['.repeat(LONG)}` }],
  ['a multipart form', { body: '--x--', headers: { 'content-type': 'multipart/form-data' } }],
  ['a compressed body', { body: 'x', headers: { 'content-encoding': 'gzip' } }],
  ['a body that is too large', { body: 'a'.repeat(3 * 1024 ** 2) }],
  ['a GET', { method: 'GET', path: '/v2/check?text=a&language=en' }],
  ['a HEAD', { method: 'HEAD', path: '/v2/check' }],
  ['a wrong key in the path', { path: '/lt/wrong/v2/check', body: 'text=a&language=en' }],
];

describe('A check without a valid key', () => {
  it.each(WITHOUT_KEY)('A check without a valid key reaches no thread: %s', async (_, sent) => {
    const threads = jest.spyOn(app.app.get(CheckerThreads, { strict: false }), 'run');
    const languages = jest.spyOn(app.app.get(CheckerLanguages, { strict: false }), 'supported');
    expect([403, 413, 415]).toContain((await send(sent)).status);
    expect(threads).not.toHaveBeenCalled();
    expect(languages).not.toHaveBeenCalled();
  });

  it.each(WITHOUT_KEY)(
    'A check without a valid key is 429 after too many from the address: %s',
    async (name, sent) => {
      const address = `192.0.2.${String(WITHOUT_KEY.findIndex(([one]) => one === name) + 1)}`;
      const small = { body: 'text=a&language=en' };
      const first = await Promise.all(Array.from({ length: BURST }, () => send(small, address)));
      expect(new Set(first.map(({ status }) => status))).toEqual(new Set([403]));
      const { status, retryAfter, text } = await send(sent, address);
      expect({ status, retryAfter }).toEqual({ status: 429, retryAfter: '1' });
      if (sent.method !== 'HEAD') expect(text).toContain('requests without a valid API key');
    },
  );

  it('A check without a valid key counts each kind of request without a valid key', async () => {
    const address = '198.51.100.1';
    const kinds = WITHOUT_KEY.map(([, sent]) => sent).filter(
      ({ body = '' }) => body.length < 100_000,
    );
    for (let count = 0; count < BURST; count += 1) {
      const { status } = await send(kinds[count % kinds.length] ?? {}, address);
      expect([403, 415]).toContain(status);
    }
    expect((await send({ body: 'text=a' }, address)).status).toBe(429);
    // Other addresses, and a valid key from the same one, are not concerned.
    expect((await send({ body: 'text=a' }, '198.51.100.2')).status).toBe(403);
    const valid = { body: `text=&language=en&apiKey=${account.key}` };
    expect((await send(valid, address)).status).toBe(200);
    const open = await send({ method: 'GET', path: '/v2/languages' }, address);
    expect(open.status).toBe(200);
  });

  it('A check without a valid key says which form was not read to its end', async () => {
    const { status, text } = await send({ body: '&'.repeat(1_001) });
    expect(status).toBe(403);
    expect(text).toBe(
      'Error: There is no API key. The body has more than 1000 fields. In the text of a form, send & as %26.',
    );
  });
});

describe('A check with a long field', () => {
  const checked = (fields: string, method: 'GET' | 'POST' = 'POST') => {
    const form = `language=en&apiKey=${account.key}&${fields}`;
    return method === 'GET'
      ? send({ method, path: `/v2/check?${form}` })
      : send({ body: form, headers: { 'content-type': FORM } });
  };

  it.each([
    ['preferredVariants', 'en-US,'],
    ['enabledRules', 'A,'],
    ['disabledRules', 'A,'],
    ['enabledCategories', 'A,'],
    ['disabledCategories', 'A,'],
    ['level', 'x'],
    ['username', 'x'],
    ['motherTongue', 'x'],
    ['unknown', 'x'],
  ])('A check with a long field is refused before it is used: %s', async (name, part) => {
    const threads = jest.spyOn(app.app.get(CheckerThreads, { strict: false }), 'run');
    const value = part.repeat(1_900_000 / part.length);
    const bodies = [
      `text=a&${name}=${value}`,
      `${name}=${value}&${name}=a&text=a`,
      JSON.stringify({ language: 'en', apiKey: account.key, text: 'a', [name]: value }),
    ];
    for (const body of bodies) {
      const { status, text } = body.startsWith('{') ? await send({ body }) : await checked(body);
      expect(status).toBe(400);
      expect(text).toMatch(
        new RegExp(`^Error: The field ${name} has 1,[\\d,]+ bytes; at most [\\d,]+ characters are`),
      );
    }
    expect(threads).not.toHaveBeenCalled();
  });

  it('A check with a long field is refused in the query too', async () => {
    const { status, text } = await checked(`text=a&enabledRules=${'A,'.repeat(201)}`, 'GET');
    expect({ status, text }).toEqual({
      status: 400,
      text: 'Error: The field enabledRules has 201 names; at most 200 are allowed. Send fewer.',
    });
    const repeated = await checked(`text=a&level=${'x'.repeat(101)}&level=picky`, 'GET');
    expect(repeated.text).toContain('The field level has 101 characters; at most 100');
  });

  it('A check with a long field is 413 if it is the text', async () => {
    const { status, text } = await checked(`text=${'a'.repeat(LONG)}`);
    expect({ status, text }).toEqual({
      status: 413,
      text: 'Error: The text has 2,000,000 bytes; at most 65,536 characters can be checked at once. Send it in parts.',
    });
  });

  it('A check with a long field is checked with 200 names of 100 characters', async () => {
    const list = Array(200).fill('X'.repeat(100)).join(', ');
    const fields = { text: 'a', disabledRules: list, preferredVariants: list };
    const { status } = await checked(new URLSearchParams(fields).toString());
    expect(status).toBe(200);
  });
});
