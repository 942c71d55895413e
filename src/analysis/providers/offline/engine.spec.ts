import { CHECKS, type AnalysisResult } from '../../analysis.js';
import { Engine, type TextToAnalyze } from './engine.js';

const engine = new Engine(undefined);

const request = (content: string, kept: string | null = null): TextToAnalyze => ({
  content,
  format: 'markdown',
  settings: { checks: [...CHECKS], language: 'auto', suggestionLevel: 'high' },
  rules: { words: [], styleRules: [] },
  dismissed: [],
  kept,
});

const PARAGRAPHS = Array.from(
  { length: 40 },
  (_, index) =>
    `The committee will definately look at chapter ${String(index)} of the report next week.`,
);

interface Piece {
  tasks: { paragraph: { prose: string } }[];
}

describe('The offline engine', () => {
  it('looks again only at paragraphs that have changed, wherever the others have moved', async () => {
    const before = await engine.analyze(request(PARAGRAPHS.join('\n\n')));
    const added = 'This paragraph is a new one, and has its own mistaek.';
    const changed = [added, ...PARAGRAPHS.slice(0, 20), ...PARAGRAPHS.slice(21)].join('\n\n');
    const { pieces } = await engine.plan(request(changed, before.paragraphs));
    const tasks = pieces.flatMap((piece) => (JSON.parse(piece) as Piece).tasks);
    expect(tasks.map(({ paragraph }) => paragraph.prose)).toEqual([added]);
    expect(await engine.analyze(request(changed, before.paragraphs))).toEqual(
      await engine.analyze(request(changed)),
    );
  }, 120_000);

  it('finds the same in a text as a whole and in pieces', async () => {
    const slip = 'They 😀 will recieve the report tomorrow.';
    const paragraphs = ['# Notes', ...PARAGRAPHS, slip, ...PARAGRAPHS];
    const text = request(paragraphs.join('\r\n\r\n'));
    const { pieces, overview } = await engine.plan(text);
    const found = await Promise.all(pieces.map((piece) => engine.check(piece)));
    const whole = await engine.analyze(text);
    expect(await engine.assemble(text, overview, found)).toEqual(whole);
    const { issues } = JSON.parse(whole.result) as AnalysisResult;
    expect(issues.map(({ original }) => original)).toContain('recieve');
    for (const { start, end, original } of issues) {
      expect(text.content.slice(start, end)).toBe(original);
    }
  }, 120_000);
});
