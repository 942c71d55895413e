import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { endOf } from '../support/jobs.js';
import { dataOf, type ShownEnhancement, type ShownSuggestion } from './shown.js';

/** The first analysis of a process loads the engine. */
const PATIENCE_MS = 240_000;

type Found = ShownSuggestion & { ruleId: string };

interface Rule {
  id: string;
  category: string;
  severity: string;
  languages: string[];
  description: string;
  example: { wrong: string; right: string } | null;
  source: string;
  disabled: boolean;
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' } });
  const { api } = await app.account();
  await analyzed(api, 'Warm.');
}, PATIENCE_MS);
afterAll(() => app.close());

const RULES = '/v1/analysis-rules';
const SETTINGS = '/v1/analysis-settings';

const rulesOf = async (api: ApiClient, query = '') =>
  expectSuccess(await api.send('GET', `${RULES}${query}`)) as Rule[];
const totalOf = ({ body }: ApiResponse) =>
  (body as { meta: { pagination: { total: number } } }).meta.pagination.total;
const switchOff = (api: ApiClient, disabledRules: string[]) =>
  api.send('PATCH', SETTINGS, { body: { disabledRules } });

/** Returns the issues of a text that is not stored. */
async function analyzed(api: ApiClient, content: string, language = 'en'): Promise<Found[]> {
  const response = await api.send('POST', '/v1/analyze', { body: { content, language } });
  const result = response.status === 202 ? (await endOf(api, response, PATIENCE_MS)).result : null;
  const shown = (result ?? expectSuccess(response)) as { issues: never[] };
  return shown.issues;
}

describe('The list of analysis rules', () => {
  it('The list of analysis rules has rules of all kinds, with examples, in pages', async () => {
    const { api } = await app.account();
    const first = await api.send('GET', `${RULES}?limit=100`);
    const rules = expectSuccess(first) as Rule[];
    let { nextCursor } = first.body.meta.pagination as { nextCursor: string | null };
    while (nextCursor !== null) {
      const next = await api.send('GET', `${RULES}?limit=100&cursor=${nextCursor}`);
      rules.push(...(expectSuccess(next) as Rule[]));
      ({ nextCursor } = next.body.meta.pagination as { nextCursor: string | null });
    }
    expect(rules).toHaveLength(totalOf(first));
    expect(rules.length).toBeGreaterThan(700);
    const ids = rules.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(rules.find(({ id }) => id === 'grammar.plain-verb')).toEqual({
      id: 'grammar.plain-verb',
      category: 'grammar',
      severity: 'error',
      languages: ['en'],
      description:
        'Verbs like "do", "did", "can", "will" and "should" are followed by the base form of a verb, without an ending.',
      example: { wrong: 'He did not knew it.', right: 'He did not know it.' },
      source: 'built-in',
      disabled: false,
    });
    expect(new Set(rules.map(({ source }) => source))).toEqual(
      new Set(['built-in', 'harper', 'model']),
    );
    expect(rules.filter(({ id }) => id.startsWith('house-style.'))).toEqual([]);
  });

  it('The list of analysis rules is filtered by category, language and words', async () => {
    const { api } = await app.account();
    const passive = await rulesOf(api, '?category=passive&category=length');
    expect(passive.map(({ id }) => id)).toEqual([
      'length.sentence',
      'passive.voice',
      'simplify.sentence-break',
    ]);
    const german = await rulesOf(api, '?language=de-AT&limit=100');
    expect(german.map(({ id }) => id)).toContain('spelling.unknown-word');
    expect(german.map(({ id }) => id)).toContain('model.grammar');
    expect(german.map(({ id }) => id)).not.toContain('grammar.plain-verb');
    const found = await rulesOf(api, '?search=accuse%20OF');
    expect(found.map(({ id }) => id)).toContain('grammar.accuse-of');
    expect(await rulesOf(api, '?search=accuse%20zebra')).toEqual([]);
    const last = await rulesOf(api, '?order=desc&limit=1');
    expect(last[0]?.id).toMatch(/^wordiness\./);
    expectFailure(await api.send('GET', `${RULES}?category=tone`), 400, 'INVALID_REQUEST');
  });

  it('The list of analysis rules refuses a language that is given twice', async () => {
    const { api } = await app.account();
    const refused = await api.send('GET', `${RULES}?language=de&language=en`);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.field).toBe('language');
  });

  it('The list of analysis rules takes names of languages, and refuses what is no language', async () => {
    const { api } = await app.account();
    const german = await rulesOf(api, '?language=de&limit=100');
    for (const name of ['German', 'deutsch', 'DE_at', 'deu'])
      expect(await rulesOf(api, `?language=${name}&limit=100`)).toEqual(german);
    for (const value of ['Klingonisch', 'auto', '', 'e', 'en,de', '%00', '__proto__']) {
      const refused = await api.send('GET', `${RULES}?language=${value}`);
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.message).toContain(
        'language: must be a language, such as de or German',
      );
    }
  });
});

describe('A rule that an account switched off', () => {
  const CONTENT = 'He accused me for theft. It is definately so.';
  const rulesIn = (issues: readonly Found[]) => issues.map(({ ruleId }) => ruleId);

  it('A rule that an account switched off reports nothing in analyses, and a stored analysis is not returned again', async () => {
    const { api } = await app.account();
    const { id } = dataOf<{ id: string }>(
      await api.createDocument({ title: 'x', content: CONTENT }),
    );
    const analyses = async () => {
      const response = await api.send('POST', `/v1/documents/${id}/analyze`, { body: {} });
      if (response.status === 202) await endOf(api, response, PATIENCE_MS);
      const list = await api.send('GET', `/v1/documents/${id}/analyses`);
      return expectSuccess(list) as { id: string; issues: Found[] }[];
    };
    const [before] = await analyses();
    expect(rulesIn(before?.issues ?? [])).toEqual(['grammar.accuse-of', 'spelling.unknown-word']);
    const settings = expectSuccess(await switchOff(api, ['grammar.accuse-of']));
    expect(settings).toMatchObject({ disabledRules: ['grammar.accuse-of'], provider: 'offline' });
    const [after] = await analyses();
    expect(after?.id).not.toBe(before?.id);
    expect(rulesIn(after?.issues ?? [])).toEqual(['spelling.unknown-word']);
    expect(rulesIn(await analyzed(api, CONTENT))).toEqual(['spelling.unknown-word']);
    expect(await rulesOf(api, '?disabled=true')).toMatchObject([
      { id: 'grammar.accuse-of', disabled: true },
    ]);
    expectSuccess(await switchOff(api, []));
    expect(rulesIn(await analyzed(api, CONTENT))).toHaveLength(2);
  });

  it('A rule that an account switched off reports nothing to clients of LanguageTool either', async () => {
    const { api } = await app.account();
    const rawBody = new URLSearchParams({ text: CONTENT, language: 'en-US' }).toString();
    const passages = async () => {
      const { matches } = JSON.parse((await api.send('POST', '/v2/check', { rawBody })).text) as {
        matches: { offset: number; length: number }[];
      };
      return matches.map(({ offset, length }) => CONTENT.slice(offset, offset + length));
    };
    expect(await passages()).toEqual(['for', 'definately']);
    expectSuccess(await switchOff(api, ['grammar.accuse-of']));
    expect(await passages()).toEqual(['definately']);
  });

  it('A rule that an account switched off does not hide the findings of another rule in the same passage', async () => {
    const { api } = await app.account();
    const text = 'The childrens room is small.';
    expect(rulesIn(await analyzed(api, text))).toEqual(['grammar.childrens']);
    expectSuccess(await switchOff(api, ['grammar.childrens']));
    expect(rulesIn(await analyzed(api, text))).toEqual(['spelling.unknown-word']);
    const spanish = 'Yo tambien voy a la casa de mi hermano.';
    expect(rulesIn(await analyzed(api, spanish, 'es'))).toEqual(['spelling.wrong-form']);
    expectSuccess(await switchOff(api, ['spelling.wrong-form']));
    expect(rulesIn(await analyzed(api, spanish, 'es'))).toEqual(['spelling.unknown-word']);
  });

  it('A rule that an account switched off suggests nothing in requested and automatic enhancements', async () => {
    const { api } = await app.account();
    expectSuccess(await switchOff(api, ['grammar.accuse-of']));
    const suggested = async (id: string) => {
      const path = `/v1/documents/${id}/enhancements`;
      const read = async () => expectSuccess(await api.send('GET', path)) as ShownEnhancement[];
      const made = await eventually(async () => {
        const [newest] = await read();
        return newest?.status === 'proposed' ? newest : undefined;
      });
      const one = await api.send('GET', `${path}/${made?.id ?? ''}`);
      return dataOf<ShownEnhancement>(one).suggestions.map(({ original }) => original);
    };
    const create = async (aiSettings: object) => {
      const response = await api.createDocument({ title: 'x', content: CONTENT, aiSettings });
      return dataOf<{ id: string }>(response).id;
    };
    const requested = await create({});
    await api.send('POST', `/v1/documents/${requested}/enhance`, { body: {} });
    expect(await suggested(requested)).toEqual(['definately']);
    const automatic = await create({ autoEnhance: true });
    app.clock.advance(10_000);
    await app.app.get(BackgroundTasks).runAll();
    expect(await suggested(automatic)).toEqual(['definately']);
  });

  it('A rule that an account switched off is not lost when others switch off rules or change settings at the same time', async () => {
    const { api } = await app.account();
    const all = (await rulesOf(api, '?limit=20')).map(({ id }) => id).sort();
    const change = (body: object) => api.send('PATCH', SETTINGS, { body });
    const responses = await Promise.all([
      ...all.map((id) => change({ disableRules: [id] })),
      change({ qualityDrop: 7 }),
    ]);
    for (const response of responses) expectSuccess(response);
    const [one = '', ...rest] = all;
    const settings = async () => expectSuccess(await api.send('GET', SETTINGS));
    expect(await settings()).toMatchObject({ disabledRules: all, qualityDrop: 7 });
    await Promise.all([
      change({ enableRules: [one] }),
      change({ disableRules: ['model.grammar'] }),
      change({ qualityDrop: null }),
    ]);
    expect(await settings()).toMatchObject({
      disabledRules: [...rest, 'model.grammar'].sort(),
      qualityDrop: null,
    });
    const replaced = { disabledRules: [one], disableRules: ['model.grammar'] };
    expect(expectSuccess(await change(replaced))).toMatchObject({
      disabledRules: [one, 'model.grammar'].sort(),
    });
    const both = await change({ disableRules: [one], enableRules: ['model.grammar', one] });
    expectFailure(both, 400, 'INVALID_REQUEST');
    expect(both.body.error.message).toBe(`enableRules[1]: ${one} is also in disableRules`);
    const unknown = await change({ enableRules: ['grammar.nonsense'] });
    expect(unknown.body.error.message).toBe(
      'enableRules[0]: grammar.nonsense is not a rule; GET /v1/analysis-rules lists all rules',
    );
  });

  it.each([
    [
      ['grammar.accuse-of', 'grammar.nonsense'],
      'disabledRules[1]: grammar.nonsense is not a rule; GET /v1/analysis-rules lists all rules',
    ],
    [
      ['house-style.plain-words'],
      'disabledRules[0]: house-style.plain-words is a style rule; create a version without it with POST /v1/style-rules, and activate that',
    ],
  ])('A rule that an account switched off must exist: %j', async (ids, message) => {
    const { api } = await app.account();
    const refused = await switchOff(api, ids);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.message).toBe(message);
  });

  it.each([
    [[1], 'disabledRules: must contain only strings'],
    [[null], 'disabledRules: must contain only strings'],
    [['a'.repeat(201)], 'disabledRules: must not contain strings longer than 200 characters'],
  ])('A rule that an account switched off must have an id as text: %#', async (ids, message) => {
    const { api } = await app.account();
    const refused = await switchOff(api, ids as string[]);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.message).toBe(message);
  });

  it('A rule that an account switched off is stored once, and only keys with all scopes switch it off', async () => {
    const { api } = await app.account();
    const twice = await switchOff(api, [
      'spelling.unknown-word',
      'casing.proper-name',
      'casing.proper-name',
    ]);
    expect(expectSuccess(twice)).toMatchObject({
      disabledRules: ['casing.proper-name', 'spelling.unknown-word'],
    });
    const kept = await api.send('PATCH', SETTINGS, { body: { qualityDrop: 5 } });
    expect(expectSuccess(kept)).toMatchObject({
      disabledRules: ['casing.proper-name', 'spelling.unknown-word'],
    });
    const tooMany = Array.from({ length: 1_001 }, () => 'casing.proper-name');
    expectFailure(await switchOff(api, tooMany), 400, 'INVALID_REQUEST');
    const { api: writer } = await app.account({ scopes: ['documents:analyze', 'documents:write'] });
    expectFailure(await switchOff(writer, []), 403, 'FORBIDDEN');
  });
});

describe('The field safe of an issue', () => {
  it('The field safe of an issue is true if the first replacement has a confidence of at least 0.9', async () => {
    const { api } = await app.account();
    const issues = await analyzed(
      api,
      'This is the the definately best plan, altough he go home and recieve it. The wdfht is here.',
    );
    expect(issues.length).toBeGreaterThan(2);
    for (const { replacements, safe } of issues)
      expect(safe).toBe((replacements[0]?.confidence ?? 0) >= 0.9);
    expect(issues.some(({ safe }) => safe)).toBe(true);
    expect(issues.some(({ safe }) => !safe)).toBe(true);
  });

  it('The field safe of an issue is added to analyses that an earlier release stored', async () => {
    const { api } = await app.account();
    const { id } = dataOf<{ id: string }>(
      await api.createDocument({ title: 'x', content: 'It is definately \\"safe\\": the plan.' }),
    );
    const response = await api.send('POST', `/v1/documents/${id}/analyze`, { body: {} });
    if (response.status === 202) await endOf(api, response, PATIENCE_MS);
    const read = async () =>
      expectSuccess(await api.send('GET', `/v1/documents/${id}/analyses`)) as {
        issues: object[];
      }[];
    const [now] = await read();
    expect(now?.issues).toMatchObject([{ ruleId: 'spelling.unknown-word', safe: true }]);
    await app.dataSource.query(
      `UPDATE analyses SET result = replace(result::text, '"safe":true,', '')::json`,
    );
    expect(await read()).toEqual([now]);
  });
});
