import fc from 'fast-check';
import { readSearch } from './search-words.js';

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

  it('keeps every character but white space, quotes, signs in front and or', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[^\s"-][^\s"]*$/u), { minLength: 1 }), (words) => {
        const kept = words.filter((one) => one.toLowerCase() !== 'or');
        expect(readSearch(words.join(' ')).flat()).toEqual(kept.map((one) => word(one)));
      }),
    );
  });
});
