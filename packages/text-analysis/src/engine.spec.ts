import { CHECKS, type AnalysisResult } from './analysis.js';
import { Engine, type TextToAnalyze } from './engine.js';
import { Harper } from './english/harper.js';

const engine = new Engine(undefined);
let harper: Harper;
beforeAll(async () => {
  harper = await Harper.load();
}, 60_000);

async function analyze(text: TextToAnalyze) {
  const { pieces, overview } = await engine.plan(text);
  const found: string[] = [];
  for (const { paragraphs, english } of pieces) {
    const lints = english && JSON.stringify(await harper.lintsOf(JSON.parse(english) as string[]));
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
});
