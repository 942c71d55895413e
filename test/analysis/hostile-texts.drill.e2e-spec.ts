import fc from 'fast-check';
import { CheckerLimits } from '../../src/features/analysis/checker/checker-engine.js';
import type { TestAccount } from '../support/accounts.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { drillCount, isFullDrill } from '../support/drills.js';
import { expectSuccess } from '../support/envelope.js';
import { endOf } from '../support/jobs.js';

/** Loading the engine and analyzing texts takes long on a busy machine. */
const PATIENCE_MS = 300_000;
jest.setTimeout(900_000);

const SIZE = drillCount({ small: 4 * 1024, full: 1024 * 1024 });
/** The full drill stops after ten minutes. */
const RUNS = isFullDrill ? { numRuns: 100_000, interruptAfterTimeLimit: 600_000 } : { numRuns: 4 };
const SEED = Number(process.env['MODEL_SEED'] ?? Date.now() % 2 ** 31);

interface Shown {
  start: number;
  end: number;
  line: number;
  column: number;
  original: string;
  replacements: { value: string }[];
}

interface Result {
  issues: Shown[];
  summary: { text: string; start: number; end: number }[];
  outline: { text: string; start: number; end: number }[];
}

let app: TestApp;
let account: TestAccount & { api: ApiClient };
let api: ApiClient;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' } });
  app.app.get(CheckerLimits).timeLimitMs = PATIENCE_MS;
  account = await app.account({ plan: 'enterprise' });
  ({ api } = account);
  await analyzed({ content: 'Warm.' });
}, PATIENCE_MS);
afterAll(() => app.close());

async function ended<Value>(response: ApiResponse): Promise<Value> {
  if (response.status !== 202)
    return expectSuccess(response, response.status === 201 ? 201 : 200) as Value;
  const job = await endOf(api, response, PATIENCE_MS);
  expect(job).toMatchObject({ status: 'succeeded', error: null });
  return job.result as Value;
}

async function analyzed(body: { content: string; format?: string; language?: string }) {
  return ended<Result>(await api.send('POST', '/v1/analyze', { body }));
}

/** The positions of line starts, by line. Lines end with CRLF, LF or CR. */
function lineStarts(content: string): number[] {
  return [
    0,
    ...[...content.matchAll(/\r\n|\n|\r/g)].map(({ 0: end, index }) => index + end.length),
  ];
}

function splitsPair(content: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(content.slice(Math.max(0, at - 1), at + 1));
}

/** Checks everything that holds for all issues of all texts. */
function expectExact(content: string, { issues, summary, outline }: Result): void {
  const starts = lineStarts(content);
  for (const { start, end, line, column, original, replacements } of issues) {
    expect(content.slice(start, end)).toBe(original);
    expect([splitsPair(content, start), splitsPair(content, end)]).toEqual([false, false]);
    expect((starts[line - 1] ?? NaN) + column - 1).toBe(start);
    expect(original).not.toContain(CODE);
    for (const { value } of replacements) expect(value.isWellFormed()).toBe(true);
  }
  for (const { text, start, end } of summary) expect(content.slice(start, end)).toBe(text);
  for (const { start, end } of outline) expect(start).toBeLessThan(end);
}

/** A misspelled word that only stands in code, addresses and names of links. */
const CODE = 'recievecode';

const WORDS = [
  'We recieve teh report. ',
  'This is definately a goverment office, ',
  'He go home yesterday. ',
  'Das ist ein Fehlr über die Größe. ',
  'An hour ago their was a a problem. ',
  'La reponse tres importante de le monde. ',
  'הדוח של היום ',
  'تقرير اليوم ',
  '日本語のテキスト。',
];
const SIGNS = [
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\r\n\r\n',
  ' ',
  '\t',
  '\u00a0',
  '\u2028',
  '\u0085',
  '\v',
  '\f',
  '😀',
  '👨‍👩‍👧‍👦',
  '🇩🇪',
  '👍🏽',
  '1️⃣',
  '𝕳𝖊𝖑𝖑𝖔 ',
  'e\u0301',
  'recie\u0301ve ',
  'u\u0308ber ',
  'Straſse ',
  'ﬁnd ',
  'a\u0300\u0316\u0331\u0345 ',
  '\u200d',
  '\u200b',
  '\u00ad',
  'de\u00adfi\u00adna\u00adte\u00adly ',
  '\u202e',
  '\u2066',
  '\u2069',
  '\ufeff',
  '\u0000',
  '\ud83d',
  '\ude00',
  '\uffff',
  '\ufffc',
  '\u0001',
  '\u001b[31m',
  '# ',
  '## teh end\n',
  '> ',
  '>> ',
  '- ',
  '1. ',
  '* * *\n',
  '---\n',
  '+++\n',
  '===\n',
  '    ',
  '\\',
  '| a | b |\n|---|---|\n| teh | c |\n',
  '*',
  '**',
  '_',
  '~~',
  '`',
  '[',
  ']',
  '](',
  ')',
  '<',
  '>',
  '<div>',
  '</div>',
  '<!--',
  '-->',
  '&amp;',
  '&#x1F600;',
  '&#0;',
  '$',
  '$$',
  '{{',
  '}}',
  '{%',
  '%}',
  '%s',
];
const PASSAGES = [
  `\`${CODE}\` `,
  `\n\n\`\`\`js\n${CODE} = teh;\n\`\`\`\n\n`,
  `\n\n~~~\n${CODE}\n~~~\n\n`,
  `\n\n    ${CODE}\n\n`,
  `<code>${CODE}</code> `,
  `[the report](https://example.com/${CODE}?a=1#${CODE}) `,
  `![alt](${CODE}.png "title") `,
  `<https://example.com/${CODE}> `,
  `https://example.com/${CODE} `,
  `${CODE}@example.com `,
  `{{ ${CODE} }} `,
  `\${${CODE}} `,
  `$${CODE}_1 = x$ `,
  `\\(${CODE} = 1\\) `,
];
const FRONT_MATTER = [
  `---\ntitle: ${CODE}\n---\n`,
  `\ufeff---\r\ntitle: ${CODE}\r\n...\r\n`,
  `+++\ntitle = "${CODE}"\n+++\n\n`,
  `;;;\n{"title": "${CODE}"}\n;;;\n`,
  `---json\n{"title": "${CODE}"}\n---\n`,
];

/** Texts. Passages of code stand in blocks of their own, so that the signs before them cannot change their meaning. */
const hostile = fc
  .record({
    front: fc.constantFrom('', '', ...FRONT_MATTER),
    safe: fc.array(fc.constantFrom(...WORDS, ...PASSAGES.map((one) => `\n\n${one}\n\n`)), {
      maxLength: 8,
    }),
    parts: fc.array(
      fc.oneof(
        fc.constantFrom(...WORDS),
        fc.constantFrom(...SIGNS),
        fc.string({ unit: 'binary', maxLength: 5 }),
      ),
      {
        maxLength: 40,
      },
    ),
  })
  .map(({ front, safe, parts }) => `${front}${safe.join('')}\n\n${parts.join('')}`);

const isStorable = (content: string) => content.isWellFormed() && !content.includes('\0');

async function checkEverywhere(content: string, format: string, language: string): Promise<void> {
  const first = await api.send('POST', '/v1/analyze', { body: { content, format, language } });
  if (!isStorable(content)) {
    expect([200, 202, 400]).toContain(first.status);
    if (first.status === 400) return;
  }
  const result = await ended<Result>(first);
  if (format === 'markdown' && isStorable(content)) expectExact(content, result);
  expect(await analyzed({ content, format, language })).toEqual(result);
  await checkAsEditor(content);
  if (isStorable(content)) await checkDocument(content, language);
}

async function checkAsEditor(text: string): Promise<void> {
  const rawBody = new URLSearchParams({ text, language: 'auto', apiKey: account.key }).toString();
  const response = await api.send('POST', '/v2/check', {
    rawBody,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  if (text.length > 65_536) {
    expect(response.status).toBe(413);
    return;
  }
  expect({ status: response.status, text: response.status === 200 ? '' : response.text }).toEqual({
    status: 200,
    text: '',
  });
  const { matches } = JSON.parse(response.text) as {
    matches: { offset: number; length: number }[];
  };
  const sent = text.toWellFormed();
  for (const { offset, length } of matches) {
    expect(offset + length).toBeLessThanOrEqual(sent.length);
    expect([splitsPair(sent, offset), splitsPair(sent, offset + length)]).toEqual([false, false]);
  }
}

async function checkDocument(content: string, language: string): Promise<void> {
  const created = await api.createDocument({ title: 'x', content });
  const { id } = expectSuccess(created, 201) as { id: string };
  const response = await api.send('POST', `/v1/documents/${id}/analyze`, { body: { language } });
  await ended(response);
  const [analysis] = expectSuccess(
    await api.send('GET', `/v1/documents/${id}/analyses`),
  ) as Result[];
  expectExact(content, analysis as Result);
  const goals = ['correct', 'consistency', 'simplify'];
  await ended(await api.send('POST', `/v1/documents/${id}/enhance`, { body: { goals, language } }));
  const [made] = expectSuccess(await api.send('GET', `/v1/documents/${id}/enhancements`)) as {
    id: string;
  }[];
  const path = `/v1/documents/${id}/enhancements/${made?.id ?? ''}`;
  const { suggestions, status } = expectSuccess(await api.send('GET', path)) as {
    suggestions: Shown[];
    status: string;
  };
  expect(status).toBe('proposed');
  expectExact(content, { issues: suggestions, summary: [], outline: [] });
  const applied = await api.send('POST', `${path}/apply`, {
    body: { suggestionIds: 'all', safe: true },
  });
  expect(applied.status).toBe(200);
  const after = expectSuccess(await api.readDocument(id)) as { content: string };
  const isSame = (pattern: string) =>
    after.content.split(pattern).length === content.split(pattern).length;
  expect(isSame(CODE)).toBe(true);
}

describe('A hostile text', () => {
  it(`A hostile text is analyzed, improved and checked without a failure, at exact positions (seed ${String(SEED)})`, async () => {
    const formats = fc.constantFrom('markdown', 'plain');
    const languages = fc.constantFrom('auto', 'auto', 'en', 'de', 'fr', 'he', 'xx');
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(hostile, formats, languages, async (content, format, language) => {
        runs += 1;
        await checkEverywhere(content, format, language);
      }),
      { seed: SEED, ...RUNS },
    );
    process.stderr.write(`${String(runs)} hostile texts\n`);
    expect(runs).toBeGreaterThan(3);
  });

  it.each([
    ['one line of words', 'We recieve teh report on monday and '],
    ['one word', 'a'],
    ['lines of one character', 'a\n'],
    ['paragraphs of one character', 'a\n\n'],
    ['nested quotes', '> '],
    ['nested lists', '- '],
    ['combining marks', 'e\u0301\u0316'],
    ['emoji', '😀'],
    ['headings', '# teh\n\n'],
    ['open brackets', '[a]('],
    ['open mathematics', '\\(a $'],
    ['misspelled words', 'We recieve teh wierd seperate definately goverment.\n\n'],
  ])('A hostile text of %s has a result at the size limit', async (_, pattern) => {
    const content = pattern.repeat(Math.floor(SIZE / Buffer.byteLength(pattern)));
    expectExact(content, await analyzed({ content }));
    const { id } = expectSuccess(await api.createDocument({ title: 'x', content }), 201) as {
      id: string;
    };
    await ended(await api.send('POST', `/v1/documents/${id}/analyze`, { body: {} }));
    await ended(await api.send('POST', `/v1/documents/${id}/enhance`, { body: {} }));
    const [made] = expectSuccess(await api.send('GET', `/v1/documents/${id}/enhancements`)) as {
      status: string;
    }[];
    expect(made?.status).toMatch(/proposed|applied/);
    await checkAsEditor(content.slice(0, 65_536).toWellFormed());
  });
});
