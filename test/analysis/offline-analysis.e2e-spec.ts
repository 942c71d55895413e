import { AnalysisProviders } from '../../src/features/analysis/providers/analysis-providers.js';
import { AnalysisRepository } from '../../src/features/analysis/analyses/analysis.repository.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { endOf } from '../support/jobs.js';
import { itConforms } from './provider-conformance.js';

/** The first analysis of a process loads the engine. */
const PATIENCE_MS = 240_000;

interface Issue {
  id: string;
  ruleId: string;
  category: string;
  severity: string;
  start: number;
  end: number;
  line: number;
  column: number;
  original: string;
  message: string;
  replacements: { value: string; confidence: number }[];
  status: string;
}

interface Analysis {
  id: string;
  documentId: string;
  documentVersion: number;
  language: { code: string; source: string };
  effectiveSettings: { language: string; suggestionLevel: string; warnings: string[] };
  issues: Issue[];
  issuesOmitted: number;
  summary: { text: string }[];
  scores: { overall: number | null; correctness: number | null; basis?: object };
  unsupportedChecks: { check: string; language: string }[];
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' } });
  const { api } = await app.account();
  await analyzed(api, await api.send('POST', '/v1/analyze', { body: { content: 'Warm.' } }));
}, PATIENCE_MS);
afterAll(() => app.close());

/** Returns the analysis, whether it came in the response or from a job. */
async function analyzed(api: ApiClient, response: ApiResponse): Promise<Analysis> {
  if (response.status === 200) return expectSuccess(response, 200) as Analysis;
  expect(response.status).toBe(202);
  expect(response.headers['location']).toBe(`/v1/jobs/${(response.body as Body).data.id}`);
  const job = await endOf(api, response, PATIENCE_MS);
  expect(job).toMatchObject({ status: 'succeeded', error: null });
  const { analysisId } = job.result as unknown as { analysisId?: string };
  if (analysisId === undefined) return job.result as unknown as Analysis;
  const [list] = [await api.send('GET', `/v1/documents/${documentOf(response)}/analyses`)];
  const rows = expectSuccess(list, 200) as Analysis[];
  return rows.find(({ id }) => id === analysisId) as Analysis;
}

interface Body {
  data: { id: string };
}

const asked = new WeakMap<ApiResponse, string>();
const documentOf = (response: ApiResponse) => asked.get(response) ?? '';

async function analyze(api: ApiClient, id: string, body: object = {}): Promise<Analysis> {
  const response = await api.send('POST', `/v1/documents/${id}/analyze`, { body });
  asked.set(response, id);
  return analyzed(api, response);
}

async function documentWith(api: ApiClient, content: string, more: object = {}): Promise<string> {
  const response = await api.createDocument({ title: 'A text', content, ...more });
  return (expectSuccess(response, 201) as { id: string }).id;
}

describe('The analysis of a document', () => {
  let api: ApiClient;
  beforeAll(async () => {
    ({ api } = await app.account());
  });

  it('The analysis of a document finds mistakes at the right positions, with replacements', async () => {
    const content =
      '# Notes 😀\r\n\r\nThe results was definately better, and we recieve `teh code`.';
    const id = await documentWith(api, content);
    const analysis = await analyze(api, id, { language: 'en' });
    expect(analysis).toMatchObject({ documentId: id, documentVersion: 1 });
    const words = analysis.issues.map(({ original }) => original);
    expect(words).toEqual(expect.arrayContaining(['definately', 'recieve']));
    expect(words).not.toContain('teh');
    for (const { start, end, original, line, column } of analysis.issues) {
      expect(content.slice(start, end)).toBe(original);
      expect(line).toBe(3);
      expect(column).toBe(start - content.indexOf('The') + 1);
    }
    const [first] = analysis.issues.filter(({ original }) => original === 'definately');
    expect(first?.replacements[0]?.value).toBe('definitely');
  });

  it('The analysis of a document is returned again for the same version, without counting against the plan', async () => {
    const id = await documentWith(api, 'It is definately so.');
    const first = await analyze(api, id);
    const usage = async () => {
      const { quotas } = expectSuccess(await api.send('GET', '/v1/usage'), 200) as {
        quotas: { analysesPerDay: { used: number } };
      };
      return quotas.analysesPerDay.used;
    };
    const used = await usage();
    expect(await analyze(api, id)).toEqual(first);
    expect(await usage()).toBe(used);
    await analyze(api, id, { suggestionLevel: 'high' });
    expect(await usage()).toBe(used + 1);
  });

  it('The analysis of a document reuses unchanged paragraphs from the previous analysis', async () => {
    const id = await documentWith(api, 'The frist one is here.\n\nThe second one is here.');
    const before = await analyze(api, id);
    const asIs = jest.spyOn(AnalysisRepository.prototype, 'reusableParagraphs');
    await api.patchDocument(id, {
      content: 'The new one.\n\nThe frist one is here.\n\nThe secnd.',
    });
    const after = await analyze(api, id);
    expect(JSON.parse((await asIs.mock.results[0]?.value) as string)).toHaveLength(2);
    asIs.mockRestore();
    const [frist] = after.issues.filter(({ original }) => original === 'frist');
    expect(frist).toMatchObject({ id: before.issues[0]?.id, line: 3 });
    expect(after.issues.map(({ original }) => original)).toContain('secnd');
  });

  it.each(['constructor', '__proto__', 'toString', '\u00b4'])(
    'The analysis of a document treats %s as an unknown level and an unsupported language',
    async (word) => {
      const aiSettings = { suggestionLevel: word };
      const id = await documentWith(api, 'This is teh first sentence.', { aiSettings });
      const analysis = await analyze(api, id, { language: word });
      expect(analysis.effectiveSettings).toMatchObject({ suggestionLevel: 'medium' });
      expect(analysis.effectiveSettings.warnings).toContain(
        `Unknown suggestionLevel "${word}"; medium was used.`,
      );
    },
  );

  it('The analysis of a document reports an unknown level of the request and of the document, and no known one', async () => {
    const content = 'This is teh first sentence.';
    const id = await documentWith(api, content);
    const unknown = ['Unknown suggestionLevel "extreme"; medium was used.'];
    for (const suggestionLevel of ['extreme', 'high', ' HIGH ', 'moderate', 'extreme']) {
      const { effectiveSettings } = await analyze(api, id, { suggestionLevel });
      expect(effectiveSettings).toEqual({
        checks: expect.any(Array) as unknown,
        language: 'auto',
        suggestionLevel: /high/i.test(suggestionLevel) ? 'high' : 'medium',
        warnings: suggestionLevel === 'extreme' ? unknown : [],
      });
    }
    const text = await api.send('POST', '/v1/analyze', {
      body: { content, suggestionLevel: 'extreme' },
    });
    expect((await analyzed(api, text)).effectiveSettings.warnings).toEqual(unknown);
    const saved = await documentWith(api, content, { aiSettings: { suggestionLevel: 'extreme' } });
    expect((await analyze(api, saved)).effectiveSettings.warnings).toEqual(unknown);
  });

  it('The analysis of a document uses the language and level of the request before those of the document', async () => {
    const content = 'Das ist ein Fehlr. Und hier steht noch ein ganzer Satz.';
    const aiSettings = { language: 'German', suggestionLevel: 'minimal' };
    const id = await documentWith(api, content, { aiSettings });
    const analysis = await analyze(api, id);
    expect(analysis).toMatchObject({
      language: { code: 'de', source: 'requested' },
      effectiveSettings: { language: 'German', suggestionLevel: 'low' },
    });
    expect(analysis.issues.map(({ original }) => original)).toEqual(['Fehlr']);
    expect(analysis.unsupportedChecks).toContainEqual(
      expect.objectContaining({ check: 'casing', language: 'de' }),
    );
    expect(analysis.unsupportedChecks.map(({ check }) => check)).not.toContain('grammar');
    const other = await analyze(api, id, { suggestionLevel: 'aggressive', language: 'auto' });
    expect(other).toMatchObject({
      language: { code: 'de', source: 'detected' },
      effectiveSettings: { suggestionLevel: 'high' },
    });
  });

  it('The analysis of a document sends its scores to webhooks and streams', async () => {
    const id = await documentWith(api, 'It is definately so.');
    const { id: analysisId, scores } = await analyze(api, id);
    const events = expectSuccess(await api.send('GET', '/v1/events?limit=5'), 200) as any[];
    const event = events.find(({ type, data }) => {
      return type === 'document.analyzed' && data.document.id === id;
    });
    expect(event.data).toMatchObject({
      document: { id, version: 1 },
      analysis: { id: analysisId, documentVersion: 1, scores, issueCounts: { error: 1 } },
    });
  });

  it('The analysis of a document reports when the quality of a document drops', async () => {
    const id = await documentWith(api, 'This is a good text. It says what it has to say.');
    await analyze(api, id);
    const bad = 'Thsi is a baad tekst. It sayss whta it hass too saiy.';
    await api.patchDocument(id, { content: bad });
    const { scores } = await analyze(api, id, { language: 'en' });
    const events = expectSuccess(await api.send('GET', '/v1/events?limit=5'), 200) as any[];
    expect(events.find(({ type }) => type === 'document.quality_dropped')).toMatchObject({
      data: {
        document: { id },
        from: { version: 1 },
        to: { version: 2, overall: scores.overall },
      },
    });
  });

  it.each([
    ['en', 'This is a good text. It says what it has to say.', 'full', 100],
    ['es', 'El servicio lee los datos y los guarda en la base. Nadie lo nota.', 'spelling', 90],
    ['it', 'Il servizio legge i dati e li salva nella base. Nessuno lo nota.', 'none', null],
  ])(
    'The analysis of a document says in %s what its scores are based on',
    async (language, content, basis, correctness) => {
      const id = await documentWith(api, content);
      const { scores } = await analyze(api, id, { language });
      expect(scores).toMatchObject({ correctness, basis: { correctness: basis } });
      expect(scores.overall === null).toBe(correctness === null);
    },
  );

  it('The analysis of a document is read without a basis if an older engine made it', async () => {
    const id = await documentWith(api, 'This is a good text. It says what it has to say.');
    const { id: made, scores } = await analyze(api, id);
    await app.dataSource.query(
      `UPDATE analyses SET result = (result::jsonb #- '{scores,basis}')::json WHERE document_id = $1`,
      [decodeId('document', id)],
    );
    const { basis, ...older } = scores;
    expect(basis).toBeDefined();
    const path = `/v1/documents/${id}/analyses/${made}`;
    expect(expectSuccess(await api.send('GET', path), 200)).toMatchObject({ scores: older });
    const [quality] = expectSuccess(await api.listQuality(id), 200) as [{ scores: object }];
    expect(quality.scores).toEqual(older);
  });

  it('The analysis of a document is listed with others up to 8 MiB a page, and with fewer beyond', async () => {
    const id = await documentWith(api, 'Fine.');
    const made = await analyze(api, id);
    const documentId = decodeId('document', id);
    await app.dataSource.query(
      `UPDATE analyses SET result = (result::jsonb || jsonb_build_object('padding', repeat('x', 3000000)))::json
        WHERE document_id = $1`,
      [documentId],
    );
    const columns = `account_id, document_id, document_version, settings_hash, overall, result, paragraphs, created_by`;
    await app.dataSource.query(
      `INSERT INTO analyses (id, created_at, ${columns})
       SELECT uuid_v7(), created_at + n * interval '1 second', ${columns.replace('settings_hash', 'settings_hash || n')}
         FROM analyses, generate_series(1, 3) AS n WHERE document_id = $1`,
      [documentId],
    );
    const list = (limit: number) =>
      api.send('GET', `/v1/documents/${id}/analyses?limit=${String(limit)}`);
    const refused = await list(100);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details).toMatchObject({ field: 'limit' });
    expect(expectSuccess(await list(2), 200)).toHaveLength(2);
    const oldest = await api.send('GET', `/v1/documents/${id}/analyses?limit=1&page=4`);
    expect(expectSuccess(oldest, 200)).toMatchObject([{ id: made.id }]);
  });

  it('The analysis of a document is listed and read only by its own account', async () => {
    const id = await documentWith(api, 'Fine.');
    const made = await analyze(api, id);
    expect(await listOf(api, id)).toEqual([made]);
    const path = `/v1/documents/${id}/analyses/${made.id}`;
    expect(expectSuccess(await api.send('GET', path), 200)).toEqual(made);
    const { api: other } = await app.account();
    expectFailure(await other.send('GET', path), 404, 'NOT_FOUND');
    expectFailure(
      await other.send('POST', `/v1/documents/${id}/analyze`, { body: {} }),
      404,
      'NOT_FOUND',
    );
  });

  it("The analysis of a document is refused beyond the plan's daily quota", async () => {
    const free = await app.account({ plan: 'free' });
    const today = app.clock.now().toISOString().slice(0, 10);
    await app.dataSource.query(
      'INSERT INTO analysis_usage (account_id, day, analyses) VALUES ($1, $2, 200)',
      [free.accountId, today],
    );
    const id = await documentWith(free.api, 'Fine.');
    const refused = await free.api.send('POST', `/v1/documents/${id}/analyze`, { body: {} });
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.details).toMatchObject({ quota: 'analysesPerDay', used: 200 });
  });

  it('The analysis of a document refuses meaningless options, each by name', async () => {
    const id = await documentWith(api, 'Fine.');
    const body = { checks: ['speling'], language: 3, level: 'high' };
    const refused = await api.send('POST', `/v1/documents/${id}/analyze`, { body });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    const fields = refused.body.error.details.problems as { field: string }[];
    expect(fields.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['checks', 'language', 'level']),
    );
  });

  it(
    'The analysis of a document of a long text is a job',
    async () => {
      const paragraph = 'The committee will definately look at this long report tomorrow. ';
      // Code is not analyzed, so it makes the text long and the test short.
      const code = `\`\`\`\n${'committee.look(report);\n'.repeat(2_600)}\`\`\`\n\n`;
      const content = `${paragraph.repeat(20)}\n\n`.repeat(3) + code + paragraph;
      const id = await documentWith(api, content);
      const response = await api.send('POST', `/v1/documents/${id}/analyze`, { body: {} });
      asked.set(response, id);
      expect(response.status).toBe(202);
      const { issues, language } = await analyzed(api, response);
      expect(language.code).toBe('en');
      for (const { start, end, original } of issues.slice(0, 50)) {
        expect(content.slice(start, end)).toBe(original);
      }
    },
    PATIENCE_MS,
  );
});

it('The analysis of a text that is not stored returns the findings and stores no text', async () => {
  const { api, accountId } = await app.account();
  const content = 'It is definately so.';
  const response = await api.send('POST', '/v1/analyze', { body: { content, format: 'plain' } });
  const { issues, summary } = await analyzed(api, response);
  expect(issues.map(({ original }) => original)).toEqual(['definately']);
  for (const { text } of summary) expect(content).toContain(text);
  const files: unknown[] = await app.dataSource.query(
    'SELECT id FROM stored_files WHERE account_id = $1 AND expires_at > now()',
    [accountId],
  );
  expect(files).toEqual([]);
});

async function listOf(api: ApiClient, id: string): Promise<Analysis[]> {
  return expectSuccess(await api.send('GET', `/v1/documents/${id}/analyses`), 200) as Analysis[];
}

describe('A text with very many issues', () => {
  const content = 'We recieve teh wierd seperate definately goverment.\n\n'.repeat(420);

  it(
    'A text with very many issues has the first 2,000 in its result, and the number of the others',
    async () => {
      const { api } = await app.account();
      const analysis = await analyzed(
        api,
        await api.send('POST', '/v1/analyze', { body: { content, language: 'en' } }),
      );
      expect([analysis.issues.length, analysis.issuesOmitted]).toEqual([2_000, 520]);
      const id = await documentWith(api, content);
      expect((await analyze(api, id, { language: 'en' })).issuesOmitted).toBe(520);
    },
    PATIENCE_MS,
  );

  it(
    'A text with very many issues has an enhancement that says what to do about the others',
    async () => {
      const { api } = await app.account();
      const id = await documentWith(api, content);
      const response = await api.send('POST', `/v1/documents/${id}/enhance`, { body: {} });
      if (response.status === 202) await endOf(api, response, PATIENCE_MS);
      const list = expectSuccess(await api.send('GET', `/v1/documents/${id}/enhancements`));
      expect(list).toMatchObject([
        {
          status: 'proposed',
          warnings: [
            'The text has 520 more issues than one enhancement can have. Apply its suggestions, and enhance the document again.',
          ],
        },
      ]);
    },
    PATIENCE_MS,
  );
});

describe('The offline provider', () => {
  let accountId: string;
  beforeAll(async () => {
    ({ accountId } = await app.account());
  });

  itConforms(() => ({ provider: app.app.get(AnalysisProviders).get('offline'), accountId }));
});

const RULES = [
  { id: 'plain-words', kind: 'replacement', from: ['utilize'], to: 'use', severity: 'error' },
  { id: 'no-hype', kind: 'banned', phrases: ['game changer'], message: 'Say what it does.' },
  { id: 'dates', kind: 'pattern', pattern: '\\d{1,2}/\\d{1,2}/\\d{4}', severity: 'style' },
  { id: 'names', kind: 'accepted', words: ['Acmeizer'] },
];

async function issuesIn(api: ApiClient, content: string, body: object = {}): Promise<Issue[]> {
  const wishes = { language: 'en', suggestionLevel: 'high', ...body };
  const response = await api.send('POST', '/v1/analyze', { body: { content, ...wishes } });
  if (response.status === 200) return (expectSuccess(response, 200) as { issues: Issue[] }).issues;
  const job = await endOf(api, response, PATIENCE_MS);
  return (job.result as unknown as { issues: Issue[] }).issues;
}

const compiledRules = (issues: Issue[]) =>
  issues.filter(({ ruleId }) => ruleId.startsWith('house-style.'));

async function createRules(api: ApiClient, rules: object[]): Promise<{ version: number }> {
  const response = await api.send('POST', '/v1/style-rules', { body: { rules } });
  return expectSuccess(response, 201) as { version: number };
}

describe('Style rules', () => {
  it(
    'Style rules apply once their version is activated, only in the account that wrote them',
    async () => {
      const { api } = await app.account();
      const content = 'We Utilize the `utilize` call of Acmeizer, a game  changer, since 1/2/2026.';
      const { version } = await createRules(api, RULES);
      expect(version).toBe(1);
      expect(compiledRules(await issuesIn(api, content))).toEqual([]);
      expectSuccess(await api.send('POST', '/v1/style-rules/1/activate'), 200);
      const found = compiledRules(await issuesIn(api, content));
      expect(found.map(({ ruleId, original }) => [ruleId, original])).toEqual([
        ['house-style.plain-words', 'Utilize'],
        ['house-style.no-hype', 'game  changer'],
        ['house-style.dates', '1/2/2026'],
      ]);
      expect(found[0]).toMatchObject({ severity: 'error', replacements: [{ value: 'Use' }] });
      expect(found[1]).toMatchObject({ severity: 'warning', message: 'Say what it does.' });
      const { api: other } = await app.account();
      expect(compiledRules(await issuesIn(other, content))).toEqual([]);
      expectSuccess(await api.send('POST', '/v1/style-rules/deactivate'), 200);
      expect(compiledRules(await issuesIn(api, content))).toEqual([]);
    },
    PATIENCE_MS,
  );

  it('Style rules are stored in versions, of which one is active', async () => {
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
    'Style rules report what they would find in which documents before they are active',
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
  ])(
    'Style rules like %j are refused with the position of the problem',
    async (rule, field, issue) => {
      const { api } = await app.account();
      const refused = await api.send('POST', '/v1/style-rules', { body: { rules: [rule] } });
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details.problems).toContainEqual({
        field,
        issue: expect.stringContaining(issue) as string,
      });
    },
  );

  it('Style rules are tried on a text before they are saved, with positions in the whole text', async () => {
    const { api } = await app.account();
    const content = 'First.\n\nWe Utilize the `utilize` call, a game  changer, since 1/2/2026.';
    const body = { rules: RULES, content };
    const result = expectSuccess(await api.send('POST', '/v1/style-rules/test', { body }), 200);
    const { findings, findingsOmitted } = result as {
      findings: { ruleId: string; start: number; end: number; original: string }[];
      findingsOmitted: number;
    };
    expect(findings).toMatchObject([
      {
        ruleId: 'house-style.plain-words',
        severity: 'error',
        original: 'Utilize',
        replacements: [{ value: 'Use' }],
      },
      { ruleId: 'house-style.no-hype', message: 'Say what it does.', original: 'game  changer' },
      { ruleId: 'house-style.dates', severity: 'style', original: '1/2/2026' },
    ]);
    for (const { start, end, original } of findings) {
      expect(content.slice(start, end)).toBe(original);
    }
    expect(findingsOmitted).toBe(0);
    expect(expectSuccess(await api.send('GET', '/v1/style-rules'), 200)).toEqual([]);
  });

  it('Style rules that are tried on a text are refused like new ones, and the text is limited', async () => {
    const { api } = await app.account();
    const test = (rules: object[], content: string) =>
      api.send('POST', '/v1/style-rules/test', { body: { rules, content } });
    const lookahead = await test([{ id: 'x', kind: 'pattern', pattern: '(?=a)b' }], 'ab');
    expectFailure(lookahead, 400, 'INVALID_REQUEST');
    expect(lookahead.body.error.details.field).toBe('rules[0].pattern');
    const long = await test([], 'a'.repeat(10_001));
    expectFailure(long, 400, 'INVALID_REQUEST');
    expect(long.body.error.details.field).toBe('content');
    // Each paragraph has at most 200 findings of a rule.
    const paragraph = `${'very '.repeat(200)}\n\n`;
    const many = await test([{ id: 'a', kind: 'banned', phrases: ['very'] }], paragraph.repeat(3));
    const { findings, findingsOmitted } = expectSuccess(many, 200) as {
      findings: object[];
      findingsOmitted: number;
    };
    expect([findings.length, findingsOmitted]).toEqual([500, 100]);
    const tooMany = Array.from({ length: 101 }, (_, n) => ({
      id: `r${String(n)}`,
      kind: 'banned',
      phrases: ['a'],
    }));
    const refused = await test(tooMany, 'a');
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.field).toBe('rules');
    const phrases = Array.from({ length: 1_000 }, (_, n) => `${String(n)} ${'a'.repeat(50)}`);
    const slow = [{ id: 'x', kind: 'banned', phrases }];
    expectFailure(await test(slow, 'b'.repeat(10_000)), 422, 'INVALID_REQUEST');
    expectSuccess(await test(slow, 'b'), 200);
    const reader = await app.account({ scopes: ['documents:read'] });
    const body = { rules: [], content: '' };
    const forbidden = await reader.api.send('POST', '/v1/style-rules/test', { body });
    expectFailure(forbidden, 403, 'FORBIDDEN');
  });

  it('Style rules are counted before an import compiles them', async () => {
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

  it('Style rules are refused by name if a pattern is too large', async () => {
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

  it('Style rules are refused if they are too large together', async () => {
    const { api } = await app.account();
    const rules = Array.from({ length: 300 }, (_, n) => ({
      id: `r${String(n)}`,
      kind: 'pattern',
      pattern: `(?:w${String(n)}\\pL{30}){30}`,
    }));
    const refused = await api.send('POST', '/v1/style-rules', { body: { rules } });
    expectFailure(refused, 422, 'INVALID_REQUEST');
    expect(refused.body.error.message).toContain('more than 250,000 instructions');
    expect(refused.body.error.message).toMatch(/ rules\[(\d+)\] \(r\1\) exceeds the limit\.$/);
    expect(refused.body.error.details.field).toMatch(/^rules\[\d+\]$/);
  });

  it(
    'Style rules take linear time for any pattern',
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
    'Style rules are imported from a Vale style, and rules without a counterpart are listed',
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
      const found = compiledRules(await issuesIn(api, content));
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
    'The dictionary of an account silences every rule for its words, only in this account',
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

  it('The dictionary of an account refuses invalid words with their position', async () => {
    const { api } = await app.account();
    const refused = await api.send('POST', '/v1/dictionary/add', {
      body: { words: ['a', ' ', 3] },
    });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    const { problems } = refused.body.error.details as { problems: { field: string }[] };
    expect(problems.map(({ field }) => field)).toEqual(['words[1]', 'words[2]']);
  });
});
