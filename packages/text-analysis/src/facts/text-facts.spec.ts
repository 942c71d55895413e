import { type Finding } from '../analysis.js';
import { paragraphsOf } from '../paragraphs.js';
import { textFacts } from './text-facts.js';

const factsOf = (text: string, language = 'en', findings: Finding[] = []) =>
  textFacts(text, paragraphsOf(text, 'markdown'), findings, language);

const ARTICLE = `---
title: Front matter
---
# Keeping \`backups\` of a database

A database backup is a copy of the data at one moment. Good teams test every database backup once a month.

- a list item that says something about a database backup

The migration adds two columns to the table, and it rebuilds an index. Nobody noticed. It took **about a minute**
for a million rows, which is a wonderful result for such a small machine.

\`\`\`sh
pg_dump --format=custom > backup.dump
\`\`\`

## Next steps

Run the restore in a second database before you trust it:
`;

describe('facts of a text', () => {
  const finding = (category: Finding['category'], severity: Finding['severity']): Finding => ({
    ruleId: 'test.rule',
    category,
    severity,
    message: '',
    explanation: '',
    start: 0,
    end: 1,
    original: '',
    replacements: [],
  });

  it('give the published value of Flesch for the published example, with the source', () => {
    const { readability } = factsOf('The cat sat on the mat.');
    expect(readability?.fleschReadingEase.value).toBe(116.15);
    expect(readability?.fleschKincaidGrade.value).toBe(-1.45);
    expect(readability?.gunningFog.value).toBe(2.4);
    expect(readability?.fleschReadingEase.source).toContain('Flesch');
  });

  it('have no readability, sentiment or scores where nothing is measured', () => {
    expect(factsOf('Der Hund schläft den ganzen Tag.', 'de')).toMatchObject({
      readability: null,
      sentiment: null,
    });
    expect(factsOf('Stop it.').readability).toBeNull();
    expect(factsOf('')).toEqual({
      statistics: { words: 0, sentences: 0, paragraphs: 0, characters: 0, readingTimeSeconds: 0 },
      readability: null,
      scores: null,
      keywords: [],
      summary: [],
      outline: [],
      sentiment: null,
    });
  });

  it('count words as a document does, and sentences of prose only', () => {
    const { statistics } = factsOf('# Head\n\nOne two. Three four five! 😀\n\n`code` is here.');
    expect(statistics).toEqual({
      words: 9,
      sentences: 3,
      paragraphs: 2,
      characters: 52,
      readingTimeSeconds: 3,
    });
  });

  it('list headings with level, text, range and line, code included', () => {
    const { outline } = factsOf(ARTICLE);
    expect(outline.map(({ level, text, line }) => [level, text, line])).toEqual([
      [1, 'Keeping backups of a database', 4],
      [2, 'Next steps', 17],
    ]);
    for (const { start, end } of outline) expect(ARTICLE.slice(start, end)).not.toContain('\n');
  });

  it('find the terms of a text, phrases before their words', () => {
    const terms = factsOf(ARTICLE).keywords.map(({ term }) => term);
    expect(terms[0]).toBe('database backup');
    expect(terms).not.toContain('the');
  });

  it('summarise in sentences that stand in the text, without headings, lists and code', () => {
    const { summary } = factsOf(ARTICLE);
    expect(summary.length).toBeGreaterThan(0);
    for (const { text, start, end } of summary) {
      expect(ARTICLE.slice(start, end)).toBe(text);
      expect(text).not.toMatch(/pg_dump|list item|Next steps|^#/);
    }
  });

  it.each([
    ['I love this wonderful editor, and the support is excellent.', 'positive'],
    ['This is not good. The app is slow and terribly frustrating.', 'negative'],
    ['The table has two columns and an index.', 'neutral'],
    ['The code looks like a list as well as a tree.', 'neutral'],
  ])('judge the mood: %s', (text, label) => {
    const { sentiment } = factsOf(text);
    expect(sentiment?.label).toBe(label);
    expect(Math.abs(sentiment?.score ?? 2)).toBeLessThanOrEqual(1);
  });

  it('turn negated praise, and weigh what follows but', () => {
    const score = (text: string) => factsOf(text).sentiment?.score ?? NaN;
    expect(score('The result is very good.')).toBeGreaterThan(score('The result is good.'));
    expect(score('The result is not good.')).toBeLessThan(0);
    expect(score('The view is nice, but the food is awful.')).toBeLessThan(0);
  });

  it('score fewer points for each finding, and only in what it is about', () => {
    const text =
      'The service keeps every version. Each change makes a new one, and nothing is lost in between.';
    const clean = factsOf(text).scores;
    const misspelled = factsOf(text, 'en', [finding('spelling', 'error')]).scores;
    const wordy = factsOf(text, 'en', [finding('wordiness', 'style')]).scores;
    expect(clean?.correctness).toBe(100);
    expect(misspelled?.correctness).toBeLessThan(100);
    expect(misspelled?.clarity).toBe(clean?.clarity);
    expect(wordy?.clarity).toBeLessThan(clean?.clarity ?? 0);
    expect(wordy?.correctness).toBe(100);
  });

  it.each([
    'a'.repeat(200_000),
    'a. '.repeat(60_000),
    '# '.repeat(50_000),
    '日本語'.repeat(30_000),
    '\u0301'.repeat(100_000),
    '* '.repeat(50_000),
    '\ud800'.repeat(10_000),
  ])('are finite numbers in linear time for hostile text %#', (text) => {
    const started = performance.now();
    const facts = factsOf(text);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(JSON.stringify(facts)).not.toMatch(/NaN|Infinity/);
    expect(factsOf(text)).toEqual(facts);
  });
});
