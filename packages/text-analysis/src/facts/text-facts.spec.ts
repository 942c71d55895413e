import { type Check, CHECKS, type Finding } from '../analysis.js';
import { type LanguageModel, languageModel } from '../english/language-model.js';
import { wordOrderOf } from '../english/word-order.js';
import { paragraphsOf } from '../paragraphs.js';
import { englishFrequencies, type EnglishFrequencies } from '../spelling/english-frequencies.js';
import type { WordOrder } from './english-form.js';
import { textFacts, type TextFactsContext } from './text-facts.js';

let english: EnglishFrequencies;
let model: LanguageModel;
beforeAll(async () => {
  english = await englishFrequencies();
  model = await languageModel();
});

const wordOrder: WordOrder = (sentences) => wordOrderOf(sentences, model);

const covering = (checks: readonly Check[], share = 1) =>
  new Map(checks.map((check) => [check, share]));

const factsOf = (
  text: string,
  language = 'en',
  findings: Finding[] = [],
  context: Partial<TextFactsContext> = {},
) =>
  textFacts(text, paragraphsOf(text, 'markdown'), findings, {
    language,
    coverage: covering(language === 'en' ? CHECKS : ['spelling']),
    wordOrder: language === 'en' ? wordOrder : null,
    frequency: language === 'en' ? (word) => english.frequencies.get(word) ?? 0 : null,
    ...context,
  });

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
      scores: {
        overall: null,
        correctness: null,
        clarity: null,
        engagement: null,
        basis: { correctness: 'none', clarity: 'none', engagement: 'none' },
      },
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

  it('treat acronyms and words in mixed case as names, also beside pronouns of the same letters', () => {
    const { keywords } = factsOf(
      'The SRE team asked us about gRPC. It said that gRPC in the US is slow, and that IT knows. The APIs of gRPC are fine.',
    );
    const terms = keywords.map(({ term, count }) => `${term} ${String(count)}`);
    expect(terms).toEqual(expect.arrayContaining(['gRPC 3', 'SRE 1', 'US 1', 'IT 1', 'APIs 1']));
  });

  it('drop words of any subject, unless a text uses them far more often than others', () => {
    const { keywords } = factsOf(
      'Suddenly the people left the harbor. The people at work were basically fine, but people suddenly talk about the family.',
    );
    const terms = keywords.map(({ term }) => term.toLowerCase());
    expect(terms).toContain('harbor');
    expect(terms.filter((term) => /people|suddenly|basically|work$/.test(term))).toEqual([]);
    const cars = 'A car needs an engine. The car has a door. My car is red, and your car is blue.';
    expect(factsOf(cars).keywords[0]?.term).toBe('car');
  });

  it('summarise in long list items if paragraphs have no sentence to quote', () => {
    const items =
      '# Notes\n\nThe steps:\n\n- Restart the server after each change of the certificate\n- Tell the team\n';
    expect(factsOf(items).summary.map(({ text }) => text)).toEqual([
      'Restart the server after each change of the certificate',
    ]);
    const both = `${items}\nThe certificate of the server is renewed every month.\n`;
    expect(factsOf(both).summary.map(({ text }) => text)).toEqual([
      'The certificate of the server is renewed every month.',
    ]);
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
    expect(clean.correctness).toBe(100);
    expect(misspelled.correctness).toBeLessThan(100);
    expect(misspelled.clarity).toBe(clean.clarity);
    expect(wordy.clarity).toBeLessThan(clean.clarity ?? 0);
    expect(wordy.correctness).toBe(100);
  });

  describe('scores', () => {
    const TEXT =
      'The old harbor bridge is closed for the rest of the year. An engineer found a crack in one of the main supports. ' +
      'The bridge carries nine thousand cars a day. Shops near the harbor fear that the customers stay away. ' +
      'The city runs a ferry for people on foot, and it leaves every twenty minutes from the northern pier.';
    const scores = (text: string, language = 'en', context: Partial<TextFactsContext> = {}) => {
      const { overall, correctness, clarity, engagement, basis } = factsOf(
        text,
        language,
        [],
        context,
      ).scores;
      const numbers = [overall, correctness, clarity, engagement].map((score) => score ?? NaN);
      const [all = NaN, correct = NaN, clear = NaN, varied = NaN] = numbers;
      return { overall: all, correctness: correct, clarity: clear, engagement: varied, basis };
    };
    const before = () => scores(TEXT);
    const withoutArticles = (text: string) => text.replace(/\b(?:the|an?) /gi, '');
    const inReverseOrder = (text: string) =>
      text
        .split('. ')
        .map((one) => one.split(' ').reverse().join(' '))
        .join('. ');

    it('of a good text are high, and full', () => {
      expect(before().correctness).toBe(100);
      expect(before().overall).toBeGreaterThan(90);
      expect(before().basis).toEqual({ correctness: 'full', clarity: 'full', engagement: 'full' });
    });

    it.each<[string, 'correctness' | 'clarity' | 'engagement', (text: string) => string]>([
      ['deleted articles', 'correctness', withoutArticles],
      ['words in reverse order', 'correctness', inReverseOrder],
      ['joined sentences', 'clarity', (text) => text.replaceAll('. ', ' and ')],
      ['joined sentences', 'engagement', (text) => text.replaceAll('. ', ', ')],
      ['a repeated sentence', 'engagement', (text) => `${text} ${text.slice(0, 57)}`],
    ])('fall for %s: %s and overall', (_, score, spoil) => {
      const after = scores(spoil(TEXT));
      expect(after[score]).toBeLessThan(before()[score]);
      expect(after.overall).toBeLessThan(before().overall);
    });

    it.each([
      ['deleted articles', withoutArticles],
      ['words in reverse order', inReverseOrder],
    ])('fall for %s in one half of a text', (_, spoil) => {
      const other =
        'Last winter the council asked a company from the capital to look at every bridge in the region. The company sent ' +
        'two engineers, who worked in the cold for a month. They wrote a report that nobody in the council had time to ' +
        'read. In March a driver saw that the road was not level any more and called the police. The mayor then found the ' +
        'report on a shelf behind the door of his office. A lawyer now wants to know who is to blame for the delay, and ' +
        'the newspaper prints a new letter about it each day.';
      const whole = scores(`${TEXT}\n\n${other}`);
      expect(whole.correctness).toBe(100);
      const spoiled = scores(`${TEXT}\n\n${spoil(other)}`);
      expect(spoiled.correctness).toBeLessThan(90);
      expect(spoiled.overall).toBeLessThan(whole.overall);
    });

    it('accept letters without articles, short notes in lists, and abbreviations after articles', () => {
      const letter =
        'Thanks for your message! I will be in Berlin on Monday and Tuesday. Could we meet on Wednesday instead? ' +
        'I am free from ten until two. Please let me know what works for you. I have not heard from Julia yet. ' +
        'Do you know if she is coming? We should ask Peter, because he knows our customers.';
      expect(scores(letter).correctness).toBe(100);
      const notes = ['Fix crash in parser when input is empty', 'Use streams for large files'];
      const list = Array.from({ length: 20 }, (_, index) => `- ${notes[index % 2] ?? ''}`);
      expect(scores(list.join('\n')).correctness).toBe(100);
      expect(scores(TEXT.replace(/the city/i, 'The US, the IT and the UN')).correctness).toBe(100);
    });

    it('fall with the word order, at most to 30', () => {
      expect(scores(TEXT, 'en', { wordOrder: () => 0 }).correctness).toBe(100);
      expect(scores(TEXT, 'en', { wordOrder: () => -0.5 }).correctness).toBe(50);
      expect(scores(TEXT, 'en', { wordOrder: () => -1 }).correctness).toBe(30);
    });

    it('count sentences that differ only in code as different', () => {
      const text = (name: string) => `Set \`${name}\` to turn the check of the text off.`;
      const one = scores(`The options are here. ${text('a')} And the end of the list is here.`);
      const two = scores(`The options are here. ${text('a')} ${text('b')} And the end is here.`);
      expect(two.engagement).toBeGreaterThan(one.engagement * 0.7);
    });

    it.each<[string, readonly Check[], number | null, string]>([
      ['only spelling', ['spelling'], 90, 'spelling'],
      ['some checks', ['spelling', 'grammar'], 95, 'partial'],
      ['no check for mistakes', ['passive', 'house-style'], null, 'none'],
    ])('limit correctness to what %s can tell', (_, checks, correctness, basis) => {
      for (const language of ['en', 'de']) {
        const { scores: found } = factsOf(TEXT, language, [], { coverage: covering(checks) });
        expect(found).toMatchObject({ correctness, basis: { correctness: basis } });
        expect(found.overall === null).toBe(correctness === null);
      }
    });

    it('outside English are no more than 15 above correctness, by sentence length only', () => {
      const text =
        'Der Hund schlaft den ganzen Tag. Die Katze auch, aber nur im Schatten der Mauer.';
      const slips = Array.from({ length: 8 }, () => finding('spelling', 'error'));
      const { overall, correctness, basis } = factsOf(text, 'de', slips).scores;
      expect(correctness).toBeLessThan(50);
      expect(overall).toBe((correctness ?? NaN) + 15);
      expect(basis).toEqual({
        correctness: 'spelling',
        clarity: 'sentence length',
        engagement: 'partial',
      });
    });

    it('need a check in most of the text', () => {
      const coverage = new Map([...covering(CHECKS), ['grammar', 0.7] as const]);
      expect(scores(TEXT, 'en', { coverage }).basis?.correctness).toBe('partial');
      expect(scores(TEXT, 'en', { coverage: covering(CHECKS, 0.9) }).basis?.correctness).toBe(
        'full',
      );
      expect(scores(TEXT, 'en', { coverage: covering(CHECKS, 0.1) }).basis?.correctness).toBe(
        'none',
      );
    });
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
