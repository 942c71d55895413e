import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { endOf } from '../support/jobs.js';

/** The first analysis of a process loads the engine. */
const PATIENCE_MS = 180_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' } });
  await issuesIn((await app.account()).api, 'Warm.');
}, PATIENCE_MS);
afterAll(() => app.close());

const RULES = [
  { id: 'plain-words', kind: 'replacement', from: ['utilize'], to: 'use', severity: 'error' },
  { id: 'no-hype', kind: 'banned', phrases: ['game changer'], message: 'Say what it does.' },
  { id: 'dates', kind: 'pattern', pattern: '\\d{1,2}/\\d{1,2}/\\d{4}', severity: 'style' },
  { id: 'names', kind: 'accepted', words: ['Acmeizer'] },
];

interface Issue {
  ruleId: string;
  original: string;
  message: string;
  severity: string;
  replacements: { value: string }[];
}

async function issuesIn(api: ApiClient, content: string, body: object = {}): Promise<Issue[]> {
  const wishes = { language: 'en', suggestionLevel: 'high', ...body };
  const answer = await api.send('POST', '/v1/analyze', { body: { content, ...wishes } });
  if (answer.status === 200) return (expectSuccess(answer, 200) as { issues: Issue[] }).issues;
  const job = await endOf(api, answer, PATIENCE_MS);
  return (job.result as unknown as { issues: Issue[] }).issues;
}

const houseStyle = (issues: Issue[]) =>
  issues.filter(({ ruleId }) => ruleId.startsWith('house-style.'));

async function createRules(api: ApiClient, rules: object[]): Promise<{ version: number }> {
  const answer = await api.send('POST', '/v1/style-rules', { body: { rules } });
  return expectSuccess(answer, 201) as { version: number };
}

describe('House rules', () => {
  it(
    'are looked at once their version is activated, in the account that wrote them only',
    async () => {
      const { api } = await app.account();
      const content = 'We Utilize the `utilize` call of Acmeizer, a game  changer, since 1/2/2026.';
      const { version } = await createRules(api, RULES);
      expect(version).toBe(1);
      expect(houseStyle(await issuesIn(api, content))).toEqual([]);
      expectSuccess(await api.send('POST', '/v1/style-rules/1/activate'), 200);
      const found = houseStyle(await issuesIn(api, content));
      expect(found.map(({ ruleId, original }) => [ruleId, original])).toEqual([
        ['house-style.plain-words', 'Utilize'],
        ['house-style.no-hype', 'game  changer'],
        ['house-style.dates', '1/2/2026'],
      ]);
      expect(found[0]).toMatchObject({ severity: 'error', replacements: [{ value: 'Use' }] });
      expect(found[1]).toMatchObject({ severity: 'warning', message: 'Say what it does.' });
      const { api: other } = await app.account();
      expect(houseStyle(await issuesIn(other, content))).toEqual([]);
      expectSuccess(await api.send('POST', '/v1/style-rules/deactivate'), 200);
      expect(houseStyle(await issuesIn(api, content))).toEqual([]);
    },
    PATIENCE_MS,
  );

  it('are kept in versions, of which one is in force', async () => {
    const { api } = await app.account();
    await createRules(api, RULES);
    await createRules(api, RULES.slice(0, 1));
    await api.send('POST', '/v1/style-rules/1/activate');
    await api.send('POST', '/v1/style-rules/2/activate');
    const list = expectSuccess(await api.send('GET', '/v1/style-rules'), 200) as object[];
    expect(list).toMatchObject([
      { version: 2, isActive: true, rules: [{ id: 'plain-words' }] },
      { version: 1, isActive: false },
    ]);
    expectFailure(await api.send('GET', '/v1/style-rules/3'), 404, 'NOT_FOUND');
    const { api: other } = await app.account();
    expectFailure(await other.send('GET', '/v1/style-rules/1'), 404, 'NOT_FOUND');
  });

  it(
    'say what they would find in which documents, before they are in force',
    async () => {
      const { api } = await app.account();
      const ids: string[] = [];
      for (const content of ['We utilize it, and utilize it.', 'Fine.', 'I utilize one.']) {
        const made = await api.createDocument({ title: 'A text', content });
        ids.push((expectSuccess(made, 201) as { id: string }).id);
      }
      await createRules(api, RULES);
      const job = await endOf(
        api,
        await api.send('POST', '/v1/style-rules/1/dry-run'),
        PATIENCE_MS,
      );
      expect(job).toMatchObject({
        kind: 'style-rules.dry-run',
        status: 'succeeded',
        result: {
          version: 1,
          documents: 3,
          documentsWithFindings: 2,
          findings: 3,
          rules: [{ ruleId: 'house-style.plain-words', findings: 3, documents: 2 }],
          mostFindings: [
            { documentId: ids[0], title: 'A text', findings: 2 },
            { documentId: ids[2], findings: 1 },
          ],
        },
      });
    },
    PATIENCE_MS,
  );

  it.each([
    [{ id: 'x', kind: 'pattern', pattern: '(?=a)b' }, 'rules[0].pattern', 'RE2'],
    [{ id: 'x', kind: 'pattern', pattern: 'a*' }, 'rules[0].pattern', 'empty text'],
    [{ id: 'x', kind: 'replacement', from: ['a'], too: 'b' }, 'rules[0].too', 'to'],
    [{ id: 'x', kind: 'swap' }, 'rules[0].kind', 'replacement'],
    [{ id: 'X Y', kind: 'banned', phrases: ['a'] }, 'rules[0].id', 'a-z'],
    [{ id: 'x', kind: 'banned', phrases: [] }, 'rules[0].phrases', 'array of 1'],
  ])('like %j are refused by the place of what is wrong', async (rule, field, issue) => {
    const { api } = await app.account();
    const refused = await api.send('POST', '/v1/style-rules', { body: { rules: [rule] } });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.problems).toContainEqual({
      field,
      issue: expect.stringContaining(issue) as string,
    });
  });

  it('are counted before an import compiles them', async () => {
    const { api } = await app.account();
    const swaps = Array.from({ length: 4_299 }, (_, n) => `  '(?:w${String(n)}\\pL{30}){30}': x`);
    const content = `extends: substitution\nswap:\n${swaps.join('\n')}\n`;
    const files = [{ path: 'A/B.yml', content }];
    const refused = await api.send('POST', '/v1/style-rules/import', { body: { files } });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.message).toBe(
      'This import contains 4,299 rules. A version can have at most 1,000.',
    );
  });

  it('are refused by name when a pattern is too large', async () => {
    const { api } = await app.account();
    const rules = [
      { id: 'a', kind: 'pattern', pattern: 'fine' },
      { id: 'b', kind: 'pattern', pattern: '\\pL{1000}'.repeat(10) },
    ];
    const refused = await api.send('POST', '/v1/style-rules', { body: { rules } });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.field).toBe('rules[1].pattern');
    expect(refused.body.error.message).toContain('at most 5,000');
  });

  it('are refused when they are too large together', async () => {
    const { api } = await app.account();
    const rules = Array.from({ length: 300 }, (_, n) => ({
      id: `r${String(n)}`,
      kind: 'pattern',
      pattern: `(?:w${String(n)}\\pL{30}){30}`,
    }));
    const refused = await api.send('POST', '/v1/style-rules', { body: { rules } });
    expectFailure(refused, 422, 'INVALID_REQUEST');
    expect(refused.body.error.message).toContain('more than 250,000 instructions');
  });

  it(
    'take linear time, whatever the pattern',
    async () => {
      const { api } = await app.account();
      const pattern = '(a*)*(a|aa)+$x';
      await createRules(api, [{ id: 'x', kind: 'pattern', pattern }]);
      await api.send('POST', '/v1/style-rules/1/activate');
      const checks = ['house-style'];
      expect(await issuesIn(api, `${'a'.repeat(6_000)} b`, { checks })).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'are made of the rules of a Vale style, and what has no counterpart is named',
    async () => {
      const { api } = await app.account();
      const files = [
        {
          path: 'Acme/Terms.yml',
          content:
            "extends: substitution\nmessage: Use '%s'.\nlevel: error\nswap:\n  utilize: use\n  '(?:e-mail|eMail)': email\n",
        },
        {
          path: 'Acme/Hype.yml',
          content:
            "extends: existence\nmessage: \"Remove '%s'.\"\nlevel: suggestion\ntokens:\n  - world-class\n  - 'best[ -]in[ -]class'\n",
        },
        {
          path: 'Acme/Commas.yml',
          content:
            'extends: occurrence\nmessage: Fewer commas.\nlevel: warning\nscope: sentence\nmax: 2\ntoken: ","\n',
        },
        { path: 'Acme/Headings.yml', content: 'extends: capitalization\nmatch: $title\n' },
      ];
      const imported = await api.send('POST', '/v1/style-rules/import', { body: { files } });
      expect(expectSuccess(imported, 201)).toMatchObject({
        version: 1,
        isActive: false,
        skipped: [
          {
            path: 'Acme/Headings.yml',
            reason: expect.stringContaining('capitalization') as string,
          },
        ],
      });
      await api.send('POST', '/v1/style-rules/1/activate');
      const content = 'I utilize eMail, a world-class, best-in-class, old, good thing.';
      const found = houseStyle(await issuesIn(api, content));
      expect(found.map(({ original, severity }) => [original, severity])).toEqual(
        expect.arrayContaining([
          ['utilize', 'error'],
          ['eMail', 'error'],
          ['world-class', 'style'],
          ['best-in-class', 'style'],
          [content, 'warning'],
        ]),
      );
    },
    PATIENCE_MS,
  );
});

describe('The dictionary of an account', () => {
  it(
    'silences every rule in its words, in this account only',
    async () => {
      const { api } = await app.account();
      const content = 'It is definately here. We use teh same.';
      const words = async (client: ApiClient) =>
        (await issuesIn(client, content)).map(({ original }) => original);
      expect(await words(api)).toEqual(expect.arrayContaining(['definately', 'teh']));
      const added = await api.send('POST', '/v1/dictionary/add', {
        body: { words: ['definately', 'teh', 'definately'] },
      });
      expect(expectSuccess(added, 200)).toEqual({ words: ['definately', 'teh'] });
      expect(await words(api)).toEqual([]);
      const { api: other } = await app.account();
      expect(await words(other)).toEqual(expect.arrayContaining(['definately', 'teh']));
      const removed = await api.send('POST', '/v1/dictionary/remove', { body: { words: ['teh'] } });
      expect(expectSuccess(removed, 200)).toEqual({ words: ['definately'] });
      expect(expectSuccess(await api.send('GET', '/v1/dictionary'), 200)).toEqual({
        words: ['definately'],
      });
      expect(await words(api)).toEqual(['teh']);
    },
    PATIENCE_MS,
  );

  it('refuses what is no word, by its place', async () => {
    const { api } = await app.account();
    const refused = await api.send('POST', '/v1/dictionary/add', {
      body: { words: ['a', ' ', 3] },
    });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    const { problems } = refused.body.error.details as { problems: { field: string }[] };
    expect(problems.map(({ field }) => field)).toEqual(['words[1]', 'words[2]']);
  });
});
