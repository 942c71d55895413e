import type { StyleRule } from '@document-service/text-analysis/analysis';
import { checkPatterns } from './check-patterns.js';

const rule = (pattern: string): StyleRule => ({
  id: 'a',
  kind: 'pattern',
  severity: 'warning',
  message: null,
  pattern,
  replacement: null,
});

/** Returns the problem that refuses a pattern. */
function problemOf(pattern: string): string {
  try {
    checkPatterns([rule(pattern)]);
  } catch (error) {
    return (error as { message: string }).message;
  }
  return 'none';
}

describe('A pattern of style rules', () => {
  it.each([
    ['(\\pL|x){900}'.repeat(80)],
    ['((((\\pL{10}){10}){10}){9})'.repeat(30)],
    [`(?:${Array.from({ length: 200 }, (_, n) => `w${n.toString(36)}`).join('|')}){900}`],
    ['(?i)(straße|ſ|K){900}'.repeat(40)],
    ['(a?){1000}'.repeat(99)],
  ])('is refused by an estimate of its size before it is compiled: %s', (pattern) => {
    expect(problemOf(pattern)).toMatch(
      /is too large: it compiles to about [\d,]+ instructions, and a pattern can have at most 5,000\./,
    );
  });

  it('is refused by its size if that is near the limit', () => {
    expect(problemOf('\\pL{1000}'.repeat(6))).toContain('it compiles to 6,002 instructions');
  });

  it.each(['(\\pL|x){1000}', '\\pL{1000}'.repeat(4), '(?:colou?r|gr[ae]y){1,300}\\b'])(
    'is accepted within the limit: %s',
    (pattern) => {
      expect(problemOf(pattern)).toBe('none');
    },
  );
});
