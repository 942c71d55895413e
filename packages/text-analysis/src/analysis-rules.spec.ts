import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS, SEVERITIES } from './analysis.js';
import { ANALYSIS_RULES } from './analysis-rules.js';

const CATEGORIES = CHECKS.filter((check) => check !== 'house-style');

/** Returns the ids that the sources of the rules contain. */
function idsInSources(): string[] {
  const id = `(?:${[...CATEGORIES, 'consistency', 'simplify'].join('|')})\\.[a-z][a-z-]*[a-z]`;
  return (readdirSync(__dirname, { recursive: true }) as string[])
    .filter((file) => /\.ts$|(?:phrase-rules|wordings)\.txt$/.test(file))
    .filter((file) => !file.endsWith('.spec.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(__dirname, file), 'utf8');
      const pattern = new RegExp(`(?:'|^rule: |^\\[)(${id})(?:'|$|\\])`, 'gm');
      return [...text.matchAll(pattern)].map(([, found = '']) => found);
    });
}

describe('The list of analysis rules', () => {
  it('contains every rule of the engine', () => {
    const listed = new Set(ANALYSIS_RULES.map(({ id }) => id));
    const ids = idsInSources();
    expect(ids).toEqual(expect.arrayContaining(['grammar.plain-verb', 'casing.pronoun-i']));
    expect(ids.filter((id) => !listed.has(id) && !id.endsWith('.txt'))).toEqual([]);
  });

  it('has each id once, in order', () => {
    const ids = ANALYSIS_RULES.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it('says for each rule what it reports, in which languages', () => {
    for (const rule of ANALYSIS_RULES) {
      expect(CATEGORIES).toContain(rule.category);
      expect(rule.id).toMatch(/^[a-z-]+\.[a-z0-9-]+$/);
      expect(SEVERITIES).toContain(rule.severity);
      expect(rule.description.length).toBeGreaterThan(10);
      expect(rule.example?.wrong).not.toBe(rule.example?.right ?? '');
    }
  });

  it('has an example for every rule', () => {
    expect(ANALYSIS_RULES.filter(({ example }) => example === null)).toEqual([]);
  });
});
