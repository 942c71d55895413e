import { CHECKS, type AnalysisResult, type StyleRule } from './analysis.js';
import { Engine, type TextToAnalyze } from './engine.js';
import { Harper, type HarperWork } from './english/harper.js';

const engine = new Engine(undefined);
let harper: Harper;
beforeAll(async () => {
  harper = await Harper.load();
}, 60_000);

async function analyze(text: TextToAnalyze) {
  const { pieces, overview } = await engine.plan(text);
  const found: string[] = [];
  for (const { paragraphs, english } of pieces) {
    const lints: string[] = [];
    for (const task of english)
      lints.push(JSON.stringify(await harper.lintsIn(JSON.parse(task) as HarperWork)));
    found.push(await engine.check(paragraphs, lints));
  }
  return { ...(await engine.assemble(text, overview, found)), pieces };
}

const request = (content: string, kept: string | null = null): TextToAnalyze => ({
  content,
  format: 'markdown',
  settings: { checks: [...CHECKS], language: 'auto', suggestionLevel: 'high' },
  rules: { words: [], styleRules: [] },
  dismissed: [],
  kept,
});

const paragraphs = (count: number) =>
  Array.from(
    { length: count },
    (_, index) =>
      `The committee will definately look at chapter ${String(index)} of the report next week.`,
  );

interface Piece {
  tasks: { paragraph: { prose: string } }[];
}

describe('The offline engine', () => {
  it('looks again only at paragraphs that have changed, wherever the others have moved', async () => {
    const first = paragraphs(8);
    const before = await analyze(request(first.join('\n\n')));
    const added = 'This paragraph is a new one, and has its own mistaek.';
    const changed = [added, ...first.slice(0, 4), ...first.slice(5)].join('\n\n');
    const { pieces } = await engine.plan(request(changed, before.paragraphs));
    const tasks = pieces.flatMap(({ paragraphs }) => (JSON.parse(paragraphs) as Piece).tasks);
    expect(tasks.map(({ paragraph }) => paragraph.prose)).toEqual([added]);
    const [again, anew] = [
      await analyze(request(changed, before.paragraphs)),
      await analyze(request(changed)),
    ];
    expect(again.result).toBe(anew.result);
    expect(again.paragraphs).toBe(anew.paragraphs);
  }, 120_000);

  it.each([
    ['de-CH', 'Die Grossstadt ist gemäss dem Massstab gross.', {}],
    ['de-CH', 'Das ist die Strase.', { Strase: 'Strasse' }],
    ['de-DE', 'Das ist die Strasse.', { Strasse: 'Straße' }],
    ['en-AU', 'The color of the theatre is gray.', { color: 'colour', gray: 'grey' }],
    ['en-CA', 'The color of the theatre is gray.', {}],
  ])(
    'spells as the region does: %s in %j',
    async (language, content, expected) => {
      const settings = {
        checks: ['spelling' as const],
        language,
        suggestionLevel: 'high' as const,
      };
      const { result } = await analyze({ ...request(content), settings });
      const { issues } = JSON.parse(result) as AnalysisResult;
      const found = issues.map((one) => [one.original, one.replacements[0]?.value]);
      expect(Object.fromEntries(found)).toEqual(expected);
    },
    60_000,
  );

  it('tells the language of each paragraph, and that of the text by what most of it is in', async () => {
    const { result, paragraphs } = await analyze(
      request(
        [
          'Installation',
          'Der Dienst liest seine Einstellungen aus der Umgebung und startet nicht, wenn eine davon fehlt.',
          'This paragraph is a quotation from the English manual.',
        ].join('\n\n'),
      ),
    );
    expect((JSON.parse(result) as AnalysisResult).language.code).toBe('de');
    const kept = JSON.parse(paragraphs) as { language: string }[];
    expect(kept.map(({ language }) => language)).toEqual(['de', 'de', 'en']);
  }, 60_000);

  it('finds the same in a paragraph whatever stands beside it', async () => {
    const slip = 'They 😀 will recieve the "report tomorrow.';
    const all = ['# Notes', ...paragraphs(40), slip, ...paragraphs(80)];
    const text = request(all.join('\r\n\r\n'));
    const whole = await analyze(text);
    expect(whole.pieces.length).toBeGreaterThan(1);
    const alone = await analyze(request(slip));
    const of = (outcome: { result: string }) =>
      (JSON.parse(outcome.result) as AnalysisResult).issues.map(({ ruleId, original }) => [
        ruleId,
        original,
      ]);
    expect(of(whole)).toEqual(expect.arrayContaining(of(alone)));
    const { issues } = JSON.parse(whole.result) as AnalysisResult;
    expect(issues.map(({ original }) => original)).toContain('recieve');
    for (const { start, end, original } of issues) {
      expect(text.content.slice(start, end)).toBe(original);
    }
  }, 120_000);

  it('lists the first 2,000 issues, counts the others, and stores a limited number of paragraphs', async () => {
    const sentence = 'We recieve teh wierd seperate definately goverment.';
    const text = Array.from({ length: 500 }, () => sentence).join('\n\n');
    const { result } = await analyze(request(text));
    const { issues, issuesOmitted, effectiveSettings } = JSON.parse(result) as AnalysisResult;
    expect([issues.length, issuesOmitted]).toEqual([2_000, 1_000]);
    expect(effectiveSettings.warnings).toEqual([]);
    expect(result.length).toBeLessThan(2 ** 21);
  }, 120_000);

  it('says how many headings the outline lists', async () => {
    const { result } = await analyze(request('# a\n\n'.repeat(10_100)));
    const { outline, effectiveSettings } = JSON.parse(result) as AnalysisResult;
    const listed = outline.length;
    expect(listed).toBeGreaterThan(3_000);
    expect(effectiveSettings.warnings).toEqual([
      `The outline lists ${String(listed)} of 10100 headings.`,
    ]);
    expect(result.length).toBeLessThan(300_000);
  }, 120_000);

  it.each([
    ['en', 2_000, 'We recieve it on Monday and then agree. '],
    ['de', 500, 'Der Dienst liest seine Einstellungen aus der Umgebung und '],
  ])(
    'reports in %s that a paragraph has more than %i unknown words',
    async (language, most, filler) => {
      const letters = (index: number) =>
        String(index).replace(/\d/g, (digit) => 'bcdfghjklm'.charAt(Number(digit)));
      const words = Array.from(
        { length: most + 10 },
        (_, index) => `${filler}xzq${letters(index)}u. `,
      );
      const paragraph = words.join('').trim();
      const asked = request(`${paragraph}\n\nA short end.`);
      const text = { ...asked, settings: { ...asked.settings, language } };
      const first = await analyze(text);
      const warnings = (outcome: { result: string }) =>
        (JSON.parse(outcome.result) as AnalysisResult).effectiveSettings.warnings;
      expect(warnings(first)).toEqual([
        `A paragraph has more than ${String(most)} unknown words; the rest of them were not checked. Correct the reported ones, and analyze the text again.`,
      ]);
      // The warning is stored with the paragraph.
      const again = await analyze({ ...text, kept: first.paragraphs });
      expect(again.pieces).toEqual([]);
      expect(again.result).toBe(first.result);
    },
    180_000,
  );

  it('reports that a paragraph of unknown words was not checked', async () => {
    const asked = request(
      'Xzqabu xzqacu xzqadu xzqaeu xzqafu xzqagu xzqahu xzqaiu xzqaku xzqalu xzqamu und das ist es.',
    );
    const text = { ...asked, settings: { ...asked.settings, language: 'de' } };
    const { issues, effectiveSettings } = JSON.parse(
      (await analyze(text)).result,
    ) as AnalysisResult;
    expect(issues).toEqual([]);
    expect(effectiveSettings.warnings).toEqual([
      expect.stringContaining('so its spelling was not checked'),
    ]);
  }, 60_000);

  it('leaves out the slowest style rules if all of them take too long, and says so', async () => {
    const pattern = { kind: 'pattern', severity: 'warning', message: null, replacement: null };
    const heavy = Array.from({ length: 50 }, (_, index) => ({
      ...pattern,
      id: `heavy-${String(index)}`,
      pattern: `[a-z .]{1,999}x${String(index)}`,
    }));
    const light = { ...pattern, id: 'light', pattern: 'synergy' };
    const content = 'We need more synergy in the team. '.repeat(300);
    const text: TextToAnalyze = {
      ...request(content),
      settings: { checks: ['house-style'], language: 'en', suggestionLevel: 'high' },
      rules: { words: [], styleRules: [...heavy, light] as StyleRule[] },
    };
    const { result } = await analyze({ ...text, isInteractive: true });
    const { issues, effectiveSettings } = JSON.parse(result) as AnalysisResult;
    expect(issues.map(({ ruleId }) => ruleId)).toContain('house-style.light');
    expect(effectiveSettings.warnings).toContainEqual(
      'The style rules take too long for a text of this length, so 44 of 51 were not applied. Send the text in parts, or use fewer or smaller patterns.',
    );
  }, 120_000);
});
