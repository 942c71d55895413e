import fc from 'fast-check';
import { indexedText } from '../indexing/index-entry.js';
import { askedLiterals, readSearch } from './search-words.js';

const word = (text: string, negated = false) => ({ text, phrase: false, negated });
const phrase = (text: string, negated = false) => ({ text, phrase: true, negated });

describe('reading a search', () => {
  it.each([
    ['quick fox', [[word('quick'), word('fox')]]],
    ['"quick fox" -lazy', [[phrase('quick fox'), word('lazy', true)]]],
    ['-"quick fox"', [[phrase('quick fox', true)]]],
    ['a or b OR c d', [[word('a')], [word('b')], [word('c'), word('d')]]],
    ['"or" a', [[phrase('or'), word('a')]]],
    ['or a or', [[word('a')]]],
    ['"open end', [[word('open'), word('end')]]],
    ['a"b c"d', [[word('a'), phrase('b c'), word('d')]]],
    ['state-of-the-art', [[word('state-of-the-art')]]],
    ['or', []],
  ])('understands %j', (text, expected) => {
    expect(readSearch(text)).toEqual(expected);
  });

  it('keeps every character except whitespace, quotes, leading signs and or', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[^\s"-][^\s"]*$/u), { minLength: 1 }), (words) => {
        const kept = words.filter((one) => one.toLowerCase() !== 'or');
        expect(readSearch(words.join(' ')).flat()).toEqual(kept.map((one) => word(one)));
      }),
    );
  });
});

/** Every assigned Unicode character except the quotation mark. */
const ASSIGNED = Array.from({ length: 0x10ffff }, (_, index) =>
  String.fromCodePoint(index + 1),
).filter((character) => !/[\p{Cn}\p{Co}\p{Cs}"]/u.test(character));

/** Returns texts of 256 characters each, which together contain every assigned Unicode character that matches. */
function textsOf(wanted: RegExp, between: string): string[] {
  const found = ASSIGNED.filter((character) => wanted.test(character));
  return Array.from({ length: Math.ceil(found.length / 256) }, (_, index) =>
    found.slice(index * 256, (index + 1) * 256).join(between),
  );
}

describe('the terms of a text', () => {
  it.each([
    ['of any character', /./su, ' '],
    ['of marks and signs next to each other', /[^\p{Lo}\p{So}]/u, ''],
    ['of marks and signs behind a letter', /[^\p{Lo}\p{So}]/u, ' x'],
    ['of marks and signs behind a mark', /[^\p{Lo}\p{So}]/u, ' \u0301'],
    ['of marks and signs behind a joining sign', /[^\p{Lo}\p{So}]/u, "x'"],
  ])('are never empty: %s', (_, wanted, between) => {
    for (const text of textsOf(wanted, between)) {
      const asked = askedLiterals([...readSearch(text), ...readSearch(`"${text}"`)]);
      expect(JSON.stringify(asked)).not.toContain("''");
      const { terms, spellings } = indexedText(text);
      expect(terms.has('')).toBe(false);
      expect(spellings.filter((spelling) => /^ | {2}| $/.test(spelling))).toEqual([]);
    }
  });
});
