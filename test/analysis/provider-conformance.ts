import type {
  AnalysisResult,
  AnalysisSettings,
  Issue,
} from '@document-service/text-analysis/analysis';
import type { AnalysisProvider } from '../../src/features/analysis/providers/analysis-provider.js';
import type { AnalysisRequest } from '@document-service/text-analysis/analysis-request';

/** Options other than the goals. */
const NOTHING_SAID = { instructions: null, tone: null, targetLanguage: null };

/** Mistakes in prose, twice (a more frequent word would count as a term), and in places that must not be changed. */
const MARKDOWN = [
  '---',
  'title: definately front matter',
  '---',
  'import Definately from "./definately"',
  '',
  '# A short heading 🎉',
  '',
  'This is definately wrong, but `definately code` and [a link](https://example.com/definately) are not.',
  '',
  '```',
  'definately in a fence',
  '```',
  '',
  'A variable {{definately}}, a directive %(definately)s and <b title="definately">HTML</b> stay. 👩‍👩‍👧 She definately knows.',
  '',
].join('\r\n');

const PROTECTED = [
  'title: definately front matter',
  '`definately code`',
  'https://example.com/definately',
  'definately in a fence',
  '{{definately}}',
  'import Definately from "./definately"',
  '%(definately)s',
  '<b title="definately">',
];

const SETTINGS: AnalysisSettings = {
  checks: ['spelling', 'grammar', 'punctuation', 'casing', 'repetition'],
  language: 'auto',
  suggestionLevel: 'high',
};

export interface ConformingProvider {
  provider: AnalysisProvider;
  accountId: string;
}

/**
 * The tests that every `AnalysisProvider` must pass. The provider's spec calls this, and sets up the provider so that it
 * finds the word `definately`.
 */
export function itConforms(begin: () => ConformingProvider): void {
  const request = (changed: Partial<AnalysisRequest> = {}): AnalysisRequest => ({
    accountId: begin().accountId,
    content: MARKDOWN,
    format: 'markdown',
    settings: SETTINGS,
    rules: { words: [], styleRules: [] },
    dismissed: [],
    kept: null,
    ...changed,
  });
  const goesOn = () => new AbortController().signal;
  const analyze = async (changed?: Partial<AnalysisRequest>) => {
    const outcome = await begin().provider.analyze(request(changed), goesOn());
    return { outcome, result: JSON.parse(outcome.result) as AnalysisResult };
  };
  const open = (issues: readonly Issue[]) => issues.filter(({ status }) => status === 'open');

  // The first text of a process loads the engine.
  it('An analysis provider finds a mistake, with a replacement', async () => {
    const { result } = await analyze();
    const found = result.issues.filter(({ original }) => original === 'definately');
    expect(found.length).toBeGreaterThan(0);
    for (const { replacements } of found) expect(replacements[0]?.value).toBe('definitely');
  }, 180_000);

  it('An analysis provider reports exact positions in UTF-16 units, with line and column, in text order', async () => {
    const { result } = await analyze();
    let last = 0;
    for (const { start, end, original, line, column, unit } of result.issues) {
      expect(unit).toBe('utf16');
      expect(MARKDOWN.slice(start, end)).toBe(original);
      expect(original.isWellFormed()).toBe(true);
      const before = MARKDOWN.slice(0, start).split('\n');
      expect([line, column]).toEqual([before.length, (before.at(-1) ?? '').length + 1]);
      expect(start).toBeGreaterThanOrEqual(last);
      last = start;
    }
  });

  it('ignores code, URLs, HTML, front matter and variables', async () => {
    const { result } = await analyze();
    for (const passage of PROTECTED) {
      const start = MARKDOWN.indexOf(passage);
      const inside = result.issues.filter(
        (issue) => issue.start < start + passage.length && start < issue.end,
      );
      expect([passage, inside]).toEqual([passage, []]);
    }
  });

  it('An analysis provider returns the same for the same text, with or without stored findings', async () => {
    const first = await analyze();
    expect((await analyze()).outcome).toEqual(first.outcome);
    const again = await analyze({ kept: first.outcome.paragraphs });
    expect(again.result.issues).toEqual(first.result.issues);
  });

  it('An analysis provider names its engine, and counts open issues', async () => {
    const { outcome, result } = await analyze();
    expect(result.engine).toEqual(begin().provider.engine);
    const counted = { error: 0, warning: 0, style: 0 };
    for (const { severity } of open(result.issues)) counted[severity] += 1;
    expect(outcome.digest.issueCounts).toEqual(counted);
    expect(outcome.overall).toBe(result.scores.overall);
  });

  it('An analysis provider reports no dismissed issue as open, and none in a word of the account', async () => {
    const { result } = await analyze();
    const dismissed = open(result.issues).map(({ id }) => id);
    expect(new Set(dismissed).size).toBe(dismissed.length);
    expect(open((await analyze({ dismissed })).result.issues)).toEqual([]);
    const { issues } = (await analyze({ rules: { words: ['definately'], styleRules: [] } })).result;
    expect(issues.filter(({ original }) => original.includes('definately'))).toEqual([]);
  });

  it('An analysis provider runs only the requested checks', async () => {
    const { result } = await analyze({ settings: { ...SETTINGS, checks: ['passive'] } });
    expect(result.issues.filter(({ category }) => category !== 'passive')).toEqual([]);
  });

  it('An analysis provider has statistics for a text without prose', async () => {
    const { result } = await analyze({ content: '' });
    expect(result.issues).toEqual([]);
    expect(result.statistics).toMatchObject({ words: 0 });
    expect(result.scores.overall).toBeNull();
  });

  it('proposes the corrections it finds', async () => {
    const { suggestions } = await begin().provider.enhance(
      { ...request(), goals: ['correct'], ...NOTHING_SAID },
      goesOn(),
    );
    expect(suggestions.length).toBeGreaterThan(0);
    let end = 0;
    for (const suggestion of suggestions) {
      expect(MARKDOWN.slice(suggestion.start, suggestion.end)).toBe(suggestion.original);
      expect(suggestion.start).toBeGreaterThanOrEqual(end);
      expect(suggestion.replacements.length).toBeGreaterThan(0);
      end = suggestion.end;
    }
  });

  it('An analysis provider refuses an unsupported goal', async () => {
    const { provider } = begin();
    const goal = provider.goals.includes('tone') ? 'translate' : 'tone';
    await expect(
      provider.enhance({ ...request(), goals: [goal], ...NOTHING_SAID }, goesOn()),
    ).rejects.toMatchObject({ name: 'AppError', kind: 'bad_request' });
  });

  it('An analysis provider ends with the reason of its signal when cancelled', async () => {
    const cancelled = new AbortController();
    const made = begin().provider.analyze(request(), cancelled.signal);
    const reason = new Error('cancelled');
    cancelled.abort(reason);
    await expect(made).rejects.toBe(reason);
    await expect(begin().provider.analyze(request(), cancelled.signal)).rejects.toBe(reason);
  });
}
