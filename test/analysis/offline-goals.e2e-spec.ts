import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { endOf } from '../support/jobs.js';
import { dataOf, type ShownEnhancement, type ShownSuggestion } from './shown.js';

/** Loading the engine may take longer than the request waits. */
const PATIENCE_MS = 240_000;

interface Enhanced extends ShownEnhancement {
  goals: string[];
  suggestions: (ShownSuggestion & { ruleId: string; source: string; reason: string })[];
  texts: { goal: string; text: string; source: string }[];
  warnings: string[];
}

const CONTENT = `# Colors in our café 🎨

The color of the wall is red. We like the color of the door, the color of the roof, and the color \`colour\`.

The colour of the floor is "a colour", and we utilize it. It was new on 03/04/2025.

- The first wall.
- The second wall.
- The third wall.
- The fourth wall
`;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' } });
}, PATIENCE_MS);
afterAll(() => app.close());

async function documentOf(api: ApiClient, content: string): Promise<string> {
  return dataOf<{ id: string }>(await api.createDocument({ title: 'Text', content })).id;
}

async function enhanced(api: ApiClient, id: string, wishes: object): Promise<Enhanced> {
  const response = await api.enhanceDocument(id, { language: 'English', ...wishes });
  if (response.status === 202) await endOf(api, response, PATIENCE_MS);
  const [item] = dataOf<{ id: string }[]>(await api.listEnhancements(id));
  return dataOf<Enhanced>(await api.readEnhancement(id, item?.id ?? ''));
}

const changesOf = ({ suggestions }: Enhanced) =>
  suggestions.map(({ ruleId, original, replacements }) => [
    ruleId,
    original,
    replacements.map(({ value }) => value),
  ]);

describe('Without a language model', () => {
  it(
    'Without a language model, consistency suggests the variant of the majority with its counts, and reports ambiguous dates',
    async () => {
      const { api } = await app.account();
      const id = await documentOf(api, CONTENT);
      const made = await enhanced(api, id, { goals: ['consistency'] });
      expect(made).toMatchObject({ status: 'proposed', goals: ['consistency'], error: null });
      expect(changesOf(made)).toEqual([
        ['consistency.spelling', 'colour', ['color']],
        ['consistency.ambiguous-date', '03/04/2025', []],
        ['consistency.list-end', 'wall', ['wall.']],
      ]);
      for (const { start, end, original, source } of made.suggestions) {
        expect(CONTENT.slice(start, end)).toBe(original);
        expect(source).toBe('rule');
      }
      expect(made.suggestions[0]).toMatchObject({
        reason: 'This document uses "color" 4 times and "colour" 1 time.',
        replacements: [{ value: 'color', confidence: 0.85 }],
      });
    },
    2 * PATIENCE_MS,
  );

  it(
    'Without a language model, hints are skipped by all, refused by id, and can be accepted and rejected',
    async () => {
      const { api } = await app.account();
      const id = await documentOf(api, CONTENT);
      const made = await enhanced(api, id, { goals: ['consistency', 'simplify'] });
      const hint = made.suggestions.find(({ original }) => original === '03/04/2025')?.id ?? '';
      const refused = await api.applySuggestions(id, made.id, { suggestionIds: [hint] });
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.text).toContain('has no replacement to apply');
      const safe = await api.applySuggestions(id, made.id, { suggestionIds: 'all', safe: true });
      expect(expectSuccess(safe)).toMatchObject({ suggestionCounts: { accepted: 0, open: 4 } });
      const applied = await api.applySuggestions(id, made.id, { suggestionIds: 'all' });
      expect(expectSuccess(applied)).toMatchObject({
        status: 'partially_applied',
        suggestionCounts: { accepted: 3, open: 1 },
      });
      const { content } = dataOf<{ content: string }>(await api.readDocument(id));
      expect(content).toContain(
        'The color of the floor is "a colour", and we use it. It was new on 03/04/2025.',
      );
      expect(content).toContain('`colour`');
      expect(content).toContain('- The fourth wall.\n');
      const rejected = await api.rejectSuggestions(id, made.id, { suggestionIds: [hint] });
      expect(expectSuccess(rejected)).toMatchObject({ suggestionCounts: { rejected: 1, open: 0 } });
      const again = await enhanced(api, id, { goals: ['consistency', 'simplify'] });
      expect(changesOf(again)).toEqual([]);
    },
    2 * PATIENCE_MS,
  );

  it(
    'a title is taken from the text',
    async () => {
      const { api } = await app.account();
      const id = await documentOf(api, CONTENT);
      const made = await enhanced(api, id, { goals: ['title'] });
      expect(made.texts).toEqual([
        { goal: 'title', text: 'Colors in our café 🎨', source: 'extracted' },
      ]);
      expect(made.suggestions).toEqual([]);
      const empty = await enhanced(api, await documentOf(api, '```\ncode\n```\n'), {
        goals: ['title'],
      });
      expect(empty).toMatchObject({
        status: 'proposed',
        texts: [],
        warnings: ['The document has no text to take a title from.'],
      });
    },
    2 * PATIENCE_MS,
  );

  it.each([
    'rewrite',
    'clarity',
    'tone',
    'shorten',
    'expand',
    'summarise',
    'summarize',
    'translate',
    'custom',
  ])('the goal %s is refused with a sentence that lists the others', async (goal) => {
    const { api } = await app.account();
    const id = await documentOf(api, 'A text.');
    const refused = await api.enhanceDocument(id, { goals: [goal, 'title'] });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    const name = goal === 'summarize' ? 'summarise' : goal;
    expect(refused.body.error.message).toBe(
      `Without a language model, only the goals correct, consistency, simplify, title work; ${name} needs a model. Ask the operator to configure one (AI_BASE_URL), then select it with PATCH /v1/analysis-settings.`,
    );
  });
});
