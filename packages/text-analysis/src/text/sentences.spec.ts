import { sentencesOf, wordsOf } from './sentences.js';

const sentences = (text: string, language?: string) =>
  sentencesOf(text, language).map(({ start, end }) => text.slice(start, end));
const words = (text: string) => wordsOf(text).map(({ start, end }) => text.slice(start, end));

describe('sentences', () => {
  it.each([
    ['two sentences', 'One is here. Two is there.', ['One is here.', 'Two is there.']],
    [
      'abbreviations',
      'Mr. Smith, e.g. here, saw it. He left.',
      ['Mr. Smith, e.g. here, saw it.', 'He left.'],
    ],
    ['initials and numbers', 'J. Doe paid 3.50 today. Good.', ['J. Doe paid 3.50 today.', 'Good.']],
    [
      'questions in quotes',
      '“Why?” she asked. “So!” He left.',
      ['“Why?” she asked.', '“So!”', 'He left.'],
    ],
    ['an ellipsis', 'Well... maybe. Yes.', ['Well... maybe.', 'Yes.']],
    ['Chinese', '你好。再见！', ['你好。', '再见！']],
    ['no end', 'no end', ['no end']],
    [
      'chat without capitals',
      'its late, e.g. here. we left! v. tired... ok? see p.s. below',
      ['its late, e.g. here.', 'we left!', 'v. tired... ok?', 'see p.s. below'],
    ],
    [
      'a lower-case start',
      'the v1.2 is out. it works, says Yahoo! now. Good.',
      ['the v1.2 is out. it works, says Yahoo! now.', 'Good.'],
    ],
  ])('%s', (_, text, expected) => {
    expect(sentences(text)).toEqual(expected);
  });

  it('a German ordinal ends no sentence', () => {
    expect(sentences('Am 3. Mai kam er. Gut.', 'de')).toEqual(['Am 3. Mai kam er.', 'Gut.']);
  });

  it('a sentence without an end is cut, never within a character', () => {
    const text = '😀'.repeat(3_000);
    const cut = sentencesOf(text);
    expect(cut.length).toBeGreaterThan(2);
    for (const { start } of cut) expect(text.codePointAt(start)).toBe(0x1f600);
  });

  it('words keep their apostrophes, hyphens and marks', () => {
    expect(words("Don't re-use l’eau, cafe\u0301 3rd 日本語")).toEqual(
      expect.arrayContaining(["Don't", 're-use', 'l’eau', 'cafe\u0301', '3rd']),
    );
  });

  it('a long passage without spaces is cut, never within a character', () => {
    const text = `日${'𠀀'.repeat(3_000)}`;
    const found = words(text);
    expect(found.join('')).toBe(text);
    expect(found.length).toBeGreaterThan(5);
    for (const word of found) expect(word.isWellFormed()).toBe(true);
  });
});
