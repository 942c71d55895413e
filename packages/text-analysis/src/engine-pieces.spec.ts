import fc from 'fast-check';
import { CHECKS, type Check, type StyleRule } from './analysis.js';
import { Engine, type TextToAnalyze } from './engine.js';
import { Harper, type HarperWork, type IndexedLints } from './english/harper.js';

const RUNS = 12;
/** Loading the engine and analyzing texts takes long on a busy machine. */
const PATIENCE_MS = 240_000;

const engine = new Engine(undefined);
let harper: Harper;
beforeAll(async () => {
  harper = await Harper.load();
}, PATIENCE_MS);

const SENTENCES = [
  'We recieve the the results on Monday.',
  'An “unpaired quotation was wrote by the comittee, and it was decided.',
  'She said "it is an good idea.',
  'Its a frobnicator, and the frobnicator is frobnicated by Frobnicator.',
  'In order to utilize the colour gray, you should of read it.',
  'Der Hund geht in die Schule, und ich habe das Haus gesehen dass er gekauft hat.',
  'Elle a mangé une pomme.',
  'Run `npm install` at https://example.com/a?b=c, 😀 then don’t stop.',
  'i am here. he are there',
  'x',
  'aaaaaaaaaa'.repeat(30),
];
const SEPARATORS = [
  ' ',
  ' ',
  '\n',
  '\n\n',
  '\r\n\r\n',
  '\n- ',
  '\n1. ',
  '\n\n```\nfrobnicator\n```\n\n',
  '\n| a | b |\n',
];
const RULES: StyleRule[] = [
  { id: 'words', kind: 'accepted', severity: 'warning', message: null, words: ['comittee'] },
  {
    id: 'hounds',
    kind: 'occurrence',
    severity: 'warning',
    message: null,
    pattern: '\\bthe\\b',
    max: 2,
    scope: 'paragraph',
  },
  { id: 'plain', kind: 'banned', severity: 'error', message: null, phrases: ['good idea', 'Hund'] },
];

const content = fc
  .array(fc.tuple(fc.constantFrom(...SENTENCES), fc.constantFrom(...SEPARATORS)), {
    minLength: 1,
    maxLength: 150,
    size: 'max',
  })
  .map((parts) => parts.flat().join(''));
const text: fc.Arbitrary<TextToAnalyze> = fc.record({
  content: fc.oneof(
    content,
    content.map((one) => one.replaceAll('\n', ' ')),
  ),
  format: fc.constantFrom('plain' as const, 'markdown' as const),
  settings: fc.record({
    checks: fc.constant<Check[]>([...CHECKS]),
    language: fc.constantFrom('auto', 'en-GB', 'de-DE'),
    suggestionLevel: fc.constantFrom('medium' as const, 'high' as const),
  }),
  rules: fc.constantFrom(
    { words: [], styleRules: [] },
    { words: ['recieve'], styleRules: RULES, disabledRules: ['repetition.word'] },
  ),
  dismissed: fc.constant([]),
  kept: fc.constant(null),
});

/** Analyzes a text in pieces of at most `length` units, and Harper's passages in any order. */
async function inPieces(of: TextToAnalyze, length: number) {
  const { pieces, overview } = await engine.plan(of, length);
  const found = new Array<string>(pieces.length);
  let calls = 0;
  for (const [index, { paragraphs, english }] of [...pieces.entries()].reverse()) {
    const lints = new Array<string>(english.length);
    for (const [at, work] of [...english.entries()].reverse())
      lints[at] = JSON.stringify(await harper.lintsIn(JSON.parse(work) as HarperWork));
    calls += english.length;
    found[index] = await engine.check(paragraphs, lints);
  }
  return { outcome: await engine.assemble(of, overview, found), pieces: pieces.length, calls };
}

/** Analyzes a text as one piece, whose paragraphs Harper reads in one go each. */
async function inOneGo(of: TextToAnalyze) {
  const { pieces, overview } = await engine.plan(of, Infinity);
  expect(pieces.length).toBeLessThanOrEqual(1);
  const found: string[] = [];
  for (const { paragraphs, english } of pieces) {
    const all = english.flatMap((work) => JSON.parse(work) as HarperWork);
    const lints: IndexedLints = await harper.lintsIn(all);
    found.push(await engine.check(paragraphs, [JSON.stringify(lints)]));
  }
  return engine.assemble(of, overview, found);
}

describe('An analysis in pieces', () => {
  it(
    'finds the same as one of the whole text in one go',
    async () => {
      let most = 0;
      await fc.assert(
        fc.asyncProperty(text, fc.integer({ min: 1, max: 2_000 }), async (of, length) => {
          const { outcome, pieces } = await inPieces(of, length);
          most = Math.max(most, pieces);
          expect(outcome).toEqual(await inOneGo(of));
        }),
        { numRuns: RUNS },
      );
      expect(most).toBeGreaterThan(5);
    },
    PATIENCE_MS,
  );

  it(
    'has short turns, also for a text of one paragraph',
    async () => {
      const one = `${SENTENCES[0] ?? ''} `.repeat(1_600);
      const request = {
        checks: [...CHECKS],
        language: 'en-US',
        suggestionLevel: 'medium' as const,
      };
      const rules = { words: [], styleRules: [] };
      const of: TextToAnalyze = { content: one, format: 'plain', settings: request, rules, dismissed: [], kept: null }; // prettier-ignore
      const { pieces } = await engine.plan(of);
      const turns = pieces.flatMap(({ english }) => english.map((work) => JSON.parse(work) as HarperWork)); // prettier-ignore
      const lengths = turns.map((turn) => turn.flat().reduce((sum, { text: { length } }) => sum + length, 0)); // prettier-ignore
      expect(turns.length).toBeGreaterThan(15);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(3_000);
    },
    PATIENCE_MS,
  );

  it(
    'does not repeat large rules in many pieces',
    async () => {
      const words = Array.from({ length: 20_000 }, (_, n) => `word${String(n)}`.padEnd(100, 'x'));
      const content = Array.from({ length: 400 }, () => 'We see it, and they see us there. '.repeat(5)).join('\n\n'); // prettier-ignore
      const settings = { checks: [...CHECKS], language: 'fr', suggestionLevel: 'low' as const };
      const rules = { words, styleRules: [] };
      const { pieces } = await engine.plan({ content, format: 'plain', settings, rules, dismissed: [], kept: null }); // prettier-ignore
      const units = pieces.reduce((sum, { paragraphs }) => sum + paragraphs.length, 0);
      expect(pieces.length).toBeGreaterThan(1);
      expect(units).toBeLessThan(25_000_000);
    },
    PATIENCE_MS,
  );
});
