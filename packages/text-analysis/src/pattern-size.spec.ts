import fc from 'fast-check';
import { RE2JS } from 're2js';
import { patternSize } from './pattern-size.js';

const ATOMS = [
  ...[
    'a',
    'Z',
    'é',
    '🙂',
    '\\pL',
    '\\p{Greek}',
    '\\PL',
    '[a-c]',
    '[^\\pL\\d]',
    '[]x]',
    '[[:alpha:]]',
  ],
  ...['.', '^', '\\b', '\\d', '\\.', '\\{', '{,3}', 'x{', '\\x{41}', '\\x41', '\\Qa{9}\\E'],
];
const REPETITIONS = ['*', '+', '?', '*?', '{3}', '{2,5}', '{4,}', '{0,7}', '{20}', '{1}'];

const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...ATOMS),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
    tie('pattern').map((one) => `(${one})`),
    tie('pattern').map((one) => `(?i:${one})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom(...REPETITIONS))
      .map(([one, repetition]) => `(?:${one})${repetition}`),
  ),
}));

/** Returns the number of instructions, or undefined for an invalid pattern. */
function compiledSize(source: string): number | undefined {
  try {
    return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE).programSize();
  } catch {
    return undefined;
  }
}

describe('The estimated size of a pattern', () => {
  it('is not less than two thirds of its compiled size, whatever is nested', () => {
    fc.assert(
      fc.property(pattern, (source) => {
        const size = compiledSize(source);
        fc.pre(size !== undefined);
        expect(patternSize(source) * 1.5).toBeGreaterThanOrEqual(size);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['(\\pL|x){1000}', 3_002],
    ['(\\pL?){1000}', 4_002],
    ['((a?){30}){30}', 3_662],
    ['(((a*)*)*){300}', 3_602],
    ['\\b(?:colou?r|gr[ae]y)s?\\b', 18],
    ['a'.repeat(999), 1_001],
  ])('is at most twice that of %s', (source, size) => {
    expect(compiledSize(source)).toBe(size);
    expect(patternSize(source)).toBeLessThanOrEqual(2 * size);
  });

  it.each([
    ['(\\pL|x){900}'.repeat(80)],
    ['((((){10}){10}){10}){1}'.repeat(40)],
    ['(a?){1000}'.repeat(99)],
  ])('is large for %s, without compiling it', (source) => {
    expect(patternSize(source)).toBeGreaterThan(80_000);
  });

  it.each(['(', '[', '[^', '\\Q', '\\p{', '[[:', '{1', '(?', '(?P<', '\\', '[\\', ')', '{2}', '*'])(
    'is a number for %j without its end, which is no pattern',
    (part) => {
      expect(patternSize(part.repeat(300))).toBeGreaterThan(0);
    },
  );
});
