import { request } from 'undici';
import { CheckerLimits } from '../../src/features/analysis/checker/checker-engine.js';
import { OfflineProvider } from '../../src/features/analysis/providers/offline/offline-provider.js';
import type { TestAccount } from '../support/accounts.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { logged } from '../requests/request-log.js';

/** The first check of a process loads the engine. */
const PATIENCE_MS = 240_000;
jest.setTimeout(PATIENCE_MS);

interface Match {
  message: string;
  shortMessage: string;
  offset: number;
  length: number;
  replacements: { value: string }[];
  context: { text: string; offset: number; length: number };
  sentence: string;
  type: { typeName: string };
  rule: {
    id: string;
    description: string;
    issueType: string;
    category: { id: string; name: string };
  };
}

interface CheckResponse {
  software: { name: string; apiVersion: number };
  warnings: { incompleteResults: boolean };
  language: {
    name: string;
    code: string;
    detectedLanguage: { name: string; code: string; confidence: number };
  };
  matches: Match[];
  sentenceRanges: [number, number][];
}

type Account = TestAccount & { api: ApiClient };
type Fields = Record<string, string>;

const FORM = 'application/x-www-form-urlencoded';
const WARM = 'It is definately so.';

let app: TestApp;
let account: Account;
beforeAll(async () => {
  app = await startTestApp();
  app.app.get(CheckerLimits).timeLimitMs = PATIENCE_MS;
  account = await app.account();
  await checked({ text: WARM, language: 'en-US' });
}, PATIENCE_MS);
afterAll(() => app.close());

interface Sent {
  path?: string;
  type?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Sends a body as is. */
async function post(
  body: string | Buffer,
  { path = '/v2/check', type = FORM, headers, signal }: Sent = {},
) {
  const response = await request(app.origin + path, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body,
    signal,
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    text: await response.body.text(),
  };
}

const form = (fields: Fields) => new URLSearchParams(fields).toString();

/** Checks a text with the key of an account in the form. */
async function checked(
  fields: Fields,
  { key }: Pick<TestAccount, 'key'> = account,
): Promise<CheckResponse> {
  const { status, text } = await post(form({ apiKey: key, ...fields }));
  expect({ status, text }).toMatchObject({ status: 200 });
  return JSON.parse(text) as CheckResponse;
}

/** Returns the error of a refused request, which is plain text. */
async function refused(
  response: ReturnType<typeof post>,
): Promise<{ status: number; error: string }> {
  const { status, headers, text } = await response;
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^Error: [^\n]+$/);
  return { status, error: text.slice('Error: '.length).trim() };
}

/** The passages of the matches in the text as it was sent. */
const passages = (text: string, { matches }: Pick<CheckResponse, 'matches'>) =>
  matches.map(({ offset, length }) => text.slice(offset, offset + length));

describe('A check', () => {
  it('A check answers as LanguageTool does, in UTF-16 units', async () => {
    const text = '😀 This is an test.\n\nWe recieve it 👩‍👩‍👧 definately.';
    const response = await checked({ text, language: 'en-US' });
    expect(passages(text, response)).toEqual(['an', 'recieve', 'definately']);
    expect(response).toMatchObject({
      software: { name: 'Document Service', apiVersion: 1 },
      warnings: { incompleteResults: false },
      language: {
        name: 'English (US)',
        code: 'en-US',
        detectedLanguage: { name: 'English (US)', code: 'en-US', confidence: 1 },
      },
    });
    expect(response.matches[1]).toEqual({
      message: expect.stringContaining('recieve') as string,
      shortMessage: 'Spelling mistake',
      offset: text.indexOf('recieve'),
      length: 7,
      replacements: expect.arrayContaining([{ value: 'receive' }]) as unknown,
      context: { text: text.replaceAll('\n', ' '), offset: text.indexOf('recieve'), length: 7 },
      sentence: 'We recieve it 👩‍👩‍👧 definately.',
      type: { typeName: 'UnknownWord' },
      rule: {
        id: 'MORFOLOGIK_RULE_EN_US',
        description: expect.any(String) as string,
        issueType: 'misspelling',
        category: { id: 'TYPOS', name: 'Possible typo' },
        isPremium: false,
      },
      ignoreForIncompleteSentence: false,
      contextForSureMatch: 0,
    });
    expect(response.matches[0]?.rule).toMatchObject({
      issueType: 'grammar',
      category: { id: 'GRAMMAR' },
    });
    expect(response.sentenceRanges.map(([start, end]) => text.slice(start, end))).toEqual([
      '😀 This is an test.',
      'We recieve it 👩‍👩‍👧 definately.',
    ]);
  });

  it('A check quotes the passage in its context, and at most 500 units of a sentence', async () => {
    const word = 'and then we go on with it, ';
    const text = `${word.repeat(30)}definately, ${word.repeat(30)}`;
    const { matches } = await checked({ text, language: 'en-US' });
    const match = matches.find(({ rule }) => rule.issueType === 'misspelling');
    const { context, sentence } = match ?? { context: { text: '', offset: 0, length: 0 } };
    expect(context.text).toMatch(/^\.\.\..*\.\.\.$/);
    expect(context.text.slice(context.offset, context.offset + context.length)).toBe('definately');
    expect(sentence).toContain('definately');
    expect(sentence?.length).toBeLessThanOrEqual(500);
  });

  it('A check of an empty text has no matches', async () => {
    for (const text of ['', ' \n ', '\u0000']) {
      expect((await checked({ text, language: 'auto' })).matches).toEqual([]);
    }
  });

  it.each([
    ['de-DE', 'Das ist ein Feler im Text.', 'Feler', 'GERMAN_SPELLER_RULE'],
    ['fr', 'Nous avons reçu une lettrre ce matin.', 'lettrre', 'FR_SPELLING_RULE'],
    ['es', 'Tengo una preguntta para todos.', 'preguntta', 'MORFOLOGIK_RULE_ES'],
    ['pt-BR', 'Eu fiz um errro aqui.', 'errro', 'MORFOLOGIK_RULE_PT_BR'],
    ['nl', 'Dit is een voorbeelld van een zin.', 'voorbeelld', 'MORFOLOGIK_RULE_NL_NL'],
    ['pl-PL', 'To jest bardzo waźny list.', 'waźny', 'MORFOLOGIK_RULE_PL_PL'],
    ['da-DK', 'Det er en god sætnning.', 'sætnning', 'HUNSPELL_RULE'],
    ['sv', 'Det här är en bra mennning.', 'mennning', 'HUNSPELL_RULE'],
    ['en-GB', 'We recieve a colour television.', 'recieve', 'MORFOLOGIK_RULE_EN_GB'],
  ])('A check finds misspellings in %s', async (language, text, word, id) => {
    const response = await checked({ text, language });
    expect(passages(text, response)).toEqual([word]);
    expect(response.matches[0]?.rule).toMatchObject({ id, issueType: 'misspelling' });
    expect(response.language.code).toBe(language);
  });

  it('A check detects the language, and checks the preferred variant', async () => {
    const text = 'The theatre was definately closed when we came there yesterday.';
    const either = await checked({ text, language: 'auto' });
    expect(passages(text, either)).toEqual(['definately']);
    expect(either.language).toMatchObject({ code: 'en-US', name: 'English (US)' });
    expect(either.language.detectedLanguage.confidence).toBeGreaterThan(0);
    const american = await checked({ text, language: 'auto', preferredVariants: 'de-AT,en-US,xx' });
    expect(passages(text, american)).toEqual(['theatre', 'definately']);
    const british = await checked({ text, language: 'auto', preferredVariants: 'en-GB,en-US' });
    expect(british).toMatchObject({
      language: { code: 'en-GB', name: 'English (UK)' },
      matches: [{ offset: 16, rule: { id: 'MORFOLOGIK_RULE_EN_GB' } }],
    });
    const german = await checked({
      text: 'Das ist ein Feler, den niemand gesehen hat.',
      language: 'auto',
      preferredVariants: 'en-GB,de-AT',
    });
    expect(german).toMatchObject({
      language: { code: 'de-AT', name: 'German (Austria)' },
      matches: [{ rule: { id: 'AUSTRIAN_GERMAN_SPELLER_RULE' } }],
    });
  });

  it('A check reports the rules that the client selects', async () => {
    const text = 'We recieve an test. The mail was written by the team in order to help.';
    const ids = async (options: Fields) =>
      (await checked({ text, language: 'en-US', ...options })).matches.map(({ rule }) => rule.id);
    const all = await ids({});
    expect(all).toEqual(['MORFOLOGIK_RULE_EN_US', 'GRAMMAR_AN_A']);
    expect(await ids({ disabledRules: 'WHITESPACE_RULE,MORFOLOGIK_RULE_EN_US' })).toEqual([all[1]]);
    expect(await ids({ disabledRules: 'spelling.unknown-word' })).toEqual([all[1]]);
    expect(await ids({ disabledCategories: 'TYPOS,CASING' })).toEqual([all[1]]);
    expect(await ids({ enabledOnly: 'true', enabledCategories: 'TYPOS' })).toEqual([all[0]]);
    expect(await ids({ enabledOnly: 'true', enabledRules: 'GRAMMAR_AN_A' })).toEqual([all[1]]);
    const picky = await ids({ level: 'picky' });
    expect(picky).toEqual(expect.arrayContaining([...all, 'PASSIVE_VOICE']));
    expect(await ids({ enabledRules: 'PASSIVE_VOICE' })).toEqual([all[0], all[1], 'PASSIVE_VOICE']);
  });

  it('A check uses the dictionary and the style rules of the account', async () => {
    const own = await app.account();
    const text = 'Our Frobnikator is definately e-mail.';
    await own.api.send('POST', '/v1/dictionary/add', { body: { words: ['definately'] } });
    const made = await own.api.send('POST', '/v1/style-rules', {
      body: { rules: [{ id: 'email', kind: 'replacement', from: ['e-mail'], to: 'email' }] },
    });
    const { version } = expectSuccess(made, 201) as { version: number };
    await own.api.send('POST', `/v1/style-rules/${String(version)}/activate`);
    const response = await checked({ text, language: 'en-US' }, own);
    expect(passages(text, response)).toEqual(['e-mail']);
    expect(response.matches[0]).toMatchObject({
      replacements: [{ value: 'email' }],
      rule: { id: 'HOUSE_STYLE_EMAIL', issueType: 'style', category: { id: 'STYLE' } },
    });
  });

  it('A check stores no text, no job and no event', async () => {
    const own = await app.account();
    await checked({ text: 'Nobody stores this definately secret text.', language: 'en-US' }, own);
    const counts: unknown = await app.dataSource.query(
      `SELECT (SELECT count(*)::int FROM jobs WHERE account_id = $1) AS jobs,
              (SELECT count(*)::int FROM events WHERE account_id = $1) AS events,
              (SELECT count(*)::int FROM stored_files WHERE account_id = $1) AS files`,
      [own.accountId],
    );
    expect(counts).toEqual([{ jobs: 0, events: 0, files: 0 }]);
  });
});

describe('The forms of clients', () => {
  it('gramma sends api_key, disabled categories and annotated Markdown', async () => {
    const source = '# Notes\n\nThis is **an test** of `teh code`.\n';
    const at = (part: string, from = 0) => source.indexOf(part, from);
    const piece = (kind: 'text' | 'markup', start: number, end: number, more = {}) => ({
      [kind]: source.slice(start, end),
      offset: { start, end },
      ...more,
    });
    const code = at('`teh');
    const annotation = [
      piece('markup', 0, 2),
      piece('text', 2, 7),
      piece('markup', 7, 9, { interpretAs: '\n\n' }),
      piece('text', 9, 17),
      piece('markup', 17, 19),
      piece('text', 19, 26),
      piece('markup', 26, 28),
      piece('text', 28, code),
      piece('markup', code, code + 10),
      piece('text', code + 10, code + 11),
      piece('markup', code + 11, source.length, { interpretAs: '\n' }),
    ];
    const { status, text } = await post(
      form({
        api_key: account.key,
        language: 'en-US',
        data: JSON.stringify({ annotation }),
        disabledCategories: 'TYPOS,COLLOQUIALISMS',
      }),
    );
    expect(status).toBe(200);
    expect(passages(source, JSON.parse(text) as CheckResponse)).toEqual(['an']);
  });

  it('LTeX sends a form as JSON, and reads dummies for code', async () => {
    const source = 'We recieve **an \\emph{apple}** and \\texttt{teh} files definately.';
    const annotation = [
      { text: 'We recieve ' },
      { markup: '**' },
      { text: 'an ' },
      { markup: '\\emph{' },
      { text: 'apple' },
      { markup: '}**' },
      { text: ' and ' },
      { markup: '\\texttt{teh}', interpretAs: 'Dummy0' },
      { text: ' files definately.' },
    ];
    const body = `language=en-US&data=${encodeURIComponent(JSON.stringify({ annotation }))}&username=ada%40example.com&apiKey=${account.key}&level=picky&motherTongue=de-DE`;
    const { status, text } = await post(body, { type: 'application/json' });
    expect(status).toBe(200);
    const response = JSON.parse(text) as CheckResponse;
    expect(passages(source, response)).toEqual(['recieve', 'definately']);
    for (const { rule } of response.matches) expect(rule.id).toMatch(/^MORFOLOGIK_/);
  });

  it('LibreOffice sends its text unencoded, and checks the languages that are listed', async () => {
    const text = '“Search & find” is 50% better + we recieve it.';
    const body = `text=${text}&language=en-US&username=ada@example.com&apiKey=${account.key}`;
    const response = await post(body);
    expect(response.status).toBe(200);
    expect(passages(text, JSON.parse(response.text) as CheckResponse)).toEqual(['recieve']);
    const { statusCode, body: list } = await request(`${app.origin}/v2/languages`);
    expect(statusCode).toBe(200);
    const languages = (await list.json()) as { name: string; code: string; longCode: string }[];
    expect(languages).toEqual(
      expect.arrayContaining([
        { name: 'English (US)', code: 'en', longCode: 'en-US' },
        { name: 'German (Germany)', code: 'de', longCode: 'de-DE' },
        { name: 'Portuguese (Brazil)', code: 'pt', longCode: 'pt-BR' },
        { name: 'French', code: 'fr', longCode: 'fr' },
      ]),
    );
    for (const { longCode } of languages) {
      expect((await checked({ text: '', language: longCode })).language.code).toBe(longCode);
    }
  });

  it('The forms of clients browser add-ons have the key in the path, and detect the language', async () => {
    const { key } = await app.anotherKey(account, { scopes: ['documents:analyze'] });
    const text = 'We recieve it every day in the evening.';
    const fields = {
      data: JSON.stringify({ annotation: [{ text }] }),
      textSessionId: '12345:1',
      enableHiddenRules: 'true',
      level: 'default',
      language: 'auto',
      noopLanguages: 'de,en',
      preferredLanguages: 'de,en',
      preferredVariants: 'en-US,de-DE,pt-BR,ca-ES',
      disabledRules: 'WHITESPACE_RULE,CONSECUTIVE_SPACES',
      useragent: 'standalone',
      mode: 'textLevelOnly',
      allowIncompleteResults: 'true',
    };
    const response = await post(form(fields), { path: `/lt/${key}/v2/check` });
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(passages(text, JSON.parse(response.text) as CheckResponse)).toEqual(['recieve']);
    for (const path of ['languages', 'maxtextlength', 'healthcheck']) {
      const own = await request(`${app.origin}/lt/${key}/v2/${path}`);
      const open = await request(`${app.origin}/v2/${path}`);
      expect(own.statusCode).toBe(200);
      expect(await own.body.text()).toBe(await open.body.text());
    }
  });

  it('a JSON object may replace the form', async () => {
    const body = { language: 'en-US', data: { annotation: [{ text: 'We recieve it.' }] } };
    const { status, text } = await post(JSON.stringify(body), {
      type: 'text/plain',
      headers: { authorization: `Bearer ${account.key}` },
    });
    expect(status).toBe(200);
    expect((JSON.parse(text) as CheckResponse).matches).toMatchObject([{ offset: 3, length: 7 }]);
  });

  it('The forms of clients fields may be in the query, of a GET too; those in the form win', async () => {
    const query = form({ text: 'We recieve it.', language: 'en-US', apiKey: account.key });
    const response = await request(`${app.origin}/v2/check?${query}`);
    expect(response.statusCode).toBe(200);
    const found = (await response.body.json()) as CheckResponse;
    expect(found.matches).toMatchObject([{ offset: 3, length: 7 }]);
    const posted = await post(form({ text: 'It is definately so.' }), {
      path: `/v2/check?${query}`,
    });
    expect((JSON.parse(posted.text) as CheckResponse).matches).toMatchObject([{ offset: 6 }]);
  });

  it('an Idempotency-Key has no effect', async () => {
    const headers = { 'idempotency-key': 'k', authorization: `Bearer ${account.key}` };
    for (const word of ['recieve', 'definately']) {
      const { status, text } = await post(form({ text: `It is ${word}.`, language: 'en' }), {
        headers,
      });
      expect({ status, text }).toMatchObject({
        status: 200,
        text: expect.stringContaining(`is ${word}.`) as string,
      });
    }
  });

  it('A check answers every operation of a text with markup at its place, and keeps the markup', async () => {
    const source = 'This is **an** test, and a **elephant** is here.';
    const annotation = [
      { text: 'This is ' },
      { markup: '**' },
      { text: 'an' },
      { markup: '**' },
      { text: ' test, and a ' },
      { markup: '**' },
      { text: 'elephant' },
      { markup: '**' },
      { text: ' is here.' },
    ];
    const response = await checked({ data: JSON.stringify({ annotation }), language: 'en-US' });
    expect(response.matches.length).toBeGreaterThan(0);
    let fixed = source;
    for (const { offset, length, replacements } of response.matches.toReversed()) {
      const [first] = replacements;
      if (first) fixed = fixed.slice(0, offset) + first.value + fixed.slice(offset + length);
    }
    expect(fixed).toBe('This is **a** test, and an **elephant** is here.');
  });
});

describe('A refused check', () => {
  const DATA = JSON.stringify({ annotation: [{ text: 'a' }] });

  it.each<[string, Fields, string]>([
    ['no text', { language: 'en' }, 'There is no text to check'],
    ['text and data', { language: 'en', text: 'a', data: DATA }, 'Send either text or data'],
    ['invalid data', { language: 'en', data: '{"annotation":' }, 'data is not valid JSON'],
    ['no language', { text: 'a' }, 'The field language is missing'],
    ['an unknown language', { text: 'a', language: 'xx-YY' }, '"xx-YY" is not a language code'],
    ['a language without dictionary', { text: 'a', language: 'ja-JP' }, 'is not a language code'],
    ['enabledOnly alone', { text: 'a', language: 'en', enabledOnly: 'true' }, 'enabledOnly needs'],
  ])('says what to do about %s', async (_, fields, message) => {
    const { status, error } = await refused(post(form({ apiKey: account.key, ...fields })));
    expect({ status, error }).toEqual({
      status: 400,
      error: expect.stringContaining(message) as string,
    });
  });

  it('A refused check says what to do about JSON that is none', async () => {
    const headers = { authorization: `Bearer ${account.key}` };
    const { status, error } = await refused(post('{"text":', { headers }));
    expect({ status, error }).toMatchObject({ status: 400 });
    expect(error).toContain('is not a JSON object');
  });

  it('A refused check is 413 for a text of more than 65,536 UTF-16 units, and for a body of more than 2 MiB', async () => {
    const key = { apiKey: account.key, language: 'en' };
    const long = form({ ...key, text: '\u{1f600}'.repeat(32_769) });
    const { status, error } = await refused(post(long));
    expect({ status, error }).toEqual({
      status: 413,
      error:
        'The text has 65,538 characters; at most 65,536 can be checked at once. Send it in parts.',
    });
    const most = await post(form({ ...key, text: '\u{1f600}'.repeat(32_768) }));
    expect(most.status).toBe(200);
    const large = await refused(post('x'.repeat(2 * 1024 ** 2 + 1)));
    expect(large).toEqual({
      status: 413,
      error: 'The body is larger than 2 MiB. Send the text in parts.',
    });
  });

  it('A refused check is 403 without a key, with a wrong one, and without the scope', async () => {
    const fields = { text: 'a', language: 'en' };
    const other = await app.anotherKey(account, { scopes: ['documents:read'] });
    const attempts: [ReturnType<typeof post>, string][] = [
      [post(form(fields)), 'There is no API key'],
      [post(form({ ...fields, api_key: '' })), 'There is no API key'],
      [post(form({ ...fields, apiKey: 'wrong' })), 'not an API key of this service'],
      [post(form(fields), { headers: { authorization: 'Bearer x' } }), 'not an API key'],
      [post(form(fields), { path: '/lt/wrong/v2/check' }), 'not an API key'],
      [post(form(fields), { path: '/v2/check?apiKey=wrong' }), 'not an API key'],
      [post(form({ ...fields, apiKey: other.key })), 'lacks the scope documents:analyze'],
      [post(form(fields), { path: `/lt/${account.key}/v2/check` }), 'and no other'],
    ];
    for (const [attempt, message] of attempts) {
      const { status, error } = await refused(attempt);
      expect({ status, error }).toEqual({
        status: 403,
        error: expect.stringContaining(message) as string,
      });
    }
    const wide = await request(`${app.origin}/lt/${account.key}/v2/healthcheck`);
    expect(wide.statusCode).toBe(403);
    await wide.body.dump();
  });

  it('A refused check is 403 for a GET without a key, and 415 for a multipart form', async () => {
    const get = await request(`${app.origin}/v2/check?language=en&text=a`);
    expect(get.statusCode).toBe(403);
    expect(await get.body.text()).toContain('Error: There is no API key');
    const type = 'multipart/form-data; boundary=x';
    const { status, error } = await refused(post('--x--', { type }));
    expect(status).toBe(415);
    expect(error).toContain('application/x-www-form-urlencoded');
  });

  it('A refused check accepts a key in the query', async () => {
    const { status } = await post(form({ text: 'a', language: 'en' }), {
      path: `/v2/check?apiKey=${account.key}`,
    });
    expect(status).toBe(200);
  });

  it('A refused check is 429 in plain text when the requests of the plan are used up', async () => {
    const own = await app.account({ plan: 'free' });
    const send = () => post(form({ apiKey: own.key, text: '', language: 'en' }));
    for (let index = 0; index < 10; index += 1) {
      const { status, headers } = await send();
      expect(status).toBe(200);
      expect(headers['x-ratelimit-remaining']).toBe(String(9 - index));
    }
    const { headers } = await send();
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const { status, error } = await refused(send());
    expect({ status, error }).toMatchObject({ status: 429 });
    expect(error).toContain("The account's 10 requests per minute are used up");
  });

  it.each(['a-', 'A', '😀', 'a\n', '(', 'teh '])(
    'A refused check is not one of 65,536 units that repeat %j',
    async (pattern) => {
      const text = pattern.repeat(65_536 / pattern.length);
      await checked({ text, language: 'en-US' });
    },
  );

  it('A refused check is 500 after the time limit, while the engine keeps its threads', async () => {
    const limits = app.app.get(CheckerLimits);
    const before = limits.timeLimitMs;
    limits.timeLimitMs = 1;
    const own = await app.account({ plan: 'plus' });
    const fields = { text: 'A new and definately long text. '.repeat(100), language: 'en' };
    const { status, error } = await refused(post(form({ apiKey: own.key, ...fields })));
    limits.timeLimitMs = before;
    expect({ status, error }).toMatchObject({ status: 500 });
    expect(error).toContain('The check took longer than');
    expect(await used(own.api)).toBe(0);
    expect((await checked(fields, own)).matches.length).toBeGreaterThan(0);
  });

  it('A refused check leaves out slow style rules, or is 413 after the time limit', async () => {
    const own = await app.account();
    const pattern = { kind: 'pattern', severity: 'warning', message: null, replacement: null };
    const rules = Array.from({ length: 30 }, (_, index) => ({
      ...pattern,
      id: `slow-${String(index)}`,
      pattern: `[a-z .]{1,999}x${String(index)}`,
    }));
    const light = { ...pattern, id: 'light', pattern: 'synergy' };
    const body = { rules: [...rules, light] };
    expectSuccess(await own.api.send('POST', '/v1/style-rules', { body }), 201);
    await own.api.send('POST', '/v1/style-rules/1/activate');
    const text = 'We need more synergy in the team. '.repeat(100);
    const { matches, warnings } = await checked({ text, language: 'en' }, own);
    expect(matches.map(({ rule }) => rule.id)).toContain('HOUSE_STYLE_LIGHT');
    expect(warnings).toEqual({ incompleteResults: true });
    const limits = app.app.get(CheckerLimits);
    const before = limits.timeLimitMs;
    limits.timeLimitMs = 1;
    const fields = { text: `Another text. ${text}`, language: 'en' };
    const late = await refused(post(form({ apiKey: own.key, ...fields })));
    limits.timeLimitMs = before;
    expect(late.status).toBe(413);
    expect(late.error).toMatch(
      /^With the style rules of your account, the check took longer than .* Send a shorter text, or use fewer or smaller patterns\.$/,
    );
  });

  it('A refused check stops when the client disconnects', async () => {
    const signals: AbortSignal[] = [];
    const offline = app.app.get(OfflineProvider, { strict: false });
    const analyze = offline.analyze.bind(offline);
    const client = new AbortController();
    const spy = jest.spyOn(offline, 'analyze').mockImplementation((...args) => {
      signals.push(args[1]);
      client.abort();
      return analyze(...args);
    });
    const fields = { apiKey: account.key, text: 'Gone. '.repeat(8_000), language: 'en' };
    await expect(post(form(fields), { signal: client.signal })).rejects.toThrow();
    await eventually(() => signals[0]?.aborted);
    spy.mockRestore();
  });
});

async function used(api: ApiClient): Promise<number> {
  const { quotas } = expectSuccess(await api.send('GET', '/v1/usage'), 200) as {
    quotas: { checkCharactersPerDay: { used: number; limit: number | null } };
  };
  return quotas.checkCharactersPerDay.used;
}

describe('The characters of a plan', () => {
  it('The characters of a plan count once an hour for each paragraph', async () => {
    const own = await app.account({ plan: 'pro' });
    const [one, two] = ['The first paragraph is here.', 'The second paragraph is there.'].map(
      (line) => line.padEnd(100, ' and it has many words'),
    ) as [string, string];
    await checked({ text: one, language: 'en' }, own);
    expect(await used(own.api)).toBe(100);
    await checked({ text: one, language: 'en' }, own);
    expect(await used(own.api)).toBe(100);
    const annotation = [{ markup: '<p>' }, { text: one }, { markup: '</p>' }];
    await checked({ data: JSON.stringify({ annotation }), language: 'en' }, own);
    expect(await used(own.api)).toBe(100);
    await checked({ text: `${two}\n${one}`, language: 'en' }, own);
    expect(await used(own.api)).toBe(201);
    app.clock.advance(61 * 60_000);
    await checked({ text: one, language: 'en' }, own);
    expect(await used(own.api)).toBe(301);
  });

  it('The characters of a plan end with 403 when they are used up, until the next day', async () => {
    const own = await app.account({ plan: 'free' });
    await app.dataSource.query(
      `INSERT INTO analysis_usage (account_id, day, check_characters) VALUES ($1, $2, 199990)`,
      [own.accountId, app.clock.now().toISOString().slice(0, 10)],
    );
    const send = (text: string) => post(form({ apiKey: own.key, text, language: 'en' }));
    const { status, error } = await refused(send('Eleven char'));
    expect({ status, error }).toEqual({
      status: 403,
      error:
        'The Free plan allows 200,000 characters per day (UTC) for the checker in editors; this account has 199,990, and this request needs 11 more. Wait until tomorrow, or move to a larger plan.',
    });
    expect((await send('Ten chars.')).status).toBe(200);
    expect((await send('Ten chars.')).status).toBe(200);
    expect(await used(own.api)).toBe(200_000);
  });

  it('The characters of a plan are unlimited on Enterprise, and counted', async () => {
    const own = await app.account();
    await checked({ text: 'Some text.', language: 'en' }, own);
    expect(await used(own.api)).toBe(10);
    await refused(post(form({ apiKey: own.key, text: 'Other text.', language: 'xx' })));
    expect(await used(own.api)).toBe(10);
  });
});

it('The request log shows a check without the key in its path or query', async () => {
  const own = await app.account();
  const { key } = await app.anotherKey(own, { scopes: ['documents:analyze'] });
  const body = form({ text: 'a', language: 'en' });
  const send = async (path: string) => {
    const response = await request(app.origin + path, {
      method: 'POST',
      headers: { 'content-type': FORM },
      body,
    });
    await response.body.dump();
    return logged(app, own.api, {
      status: response.statusCode,
      headers: response.headers,
    } as Parameters<typeof logged>[2]);
  };
  expect(await send(`/lt/${key}/v2/check`)).toMatchObject({
    path: '/lt/REDACTED/v2/check',
    route: '/lt/{key}/v2/check',
    status: 200,
  });
  expect(await send(`/lt/${key.replace('_', '%5F')}/v2/check`)).toMatchObject({
    path: '/lt/REDACTED/v2/check',
    status: 200,
  });
  expect(await send(`/lt/${own.key}/v2/check`)).toMatchObject({
    path: '/lt/REDACTED/v2/check',
    status: 403,
  });
  expect(await send(`/v2/check?apiKey=${key}`)).toMatchObject({
    path: '/v2/check?apiKey=REDACTED',
    route: '/v2/check',
    status: 200,
  });
});

it('Web pages of other origins may use the checker if CORS_ORIGINS has them', async () => {
  const open = await startTestApp({
    environment: { CORS_ORIGINS: 'https://editor.example' },
  });
  const preflight = await request(`${open.origin}/v2/check`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://editor.example',
      'access-control-request-method': 'POST',
    },
  });
  await preflight.body.dump();
  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers['access-control-allow-origin']).toBe('https://editor.example');
  const head = await request(`${open.origin}/v2/languages`, { method: 'HEAD' });
  await head.body.dump();
  expect(head.statusCode).toBe(200);
  await open.close();
});
