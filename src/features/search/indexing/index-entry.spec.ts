import { indexedText } from './index-entry.js';
import { askedLiterals, readSearch } from '../words/search-words.js';

describe('the index entry of a text', () => {
  it.each([
    ['Plain words, twice: words', ['plain words twice words'], []],
    ['Café Müller', ['cafe muller', 'café müller', 'cafe mueller'], []],
    ['東京都 a', ['東京 京都 都 a'], ['東', '京', '都']],
    ['alpha東京', ['alpha 東京 京'], ['東', '京']],
    ["don't AT&T C++", ['don t at t c'], ['don-t', 'at-t', 'c++']],
    ['za\u0301mok \ufb01', ['zamok fi', 'zámok fi'], []],
    ['', [''], []],
  ])('has for %j the words %j', (text, spellings, terms) => {
    const indexed = indexedText(text);
    expect([indexed.spellings, [...indexed.terms]]).toEqual([spellings, terms]);
  });

  it('stops after 30,000 different words, and is fast for a megabyte of marks', () => {
    const words = Array.from({ length: 40_000 }, (_, n) => `n${String(n)}`).join(' ');
    expect(indexedText(words).spellings[0]?.split(' ')).toHaveLength(30_000);
    const began = performance.now();
    indexedText(`z${'\u0301\u0327'.repeat(250_000)}`);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

describe('the query of a search', () => {
  it.each([
    ['東京都', { words: "'東京' <-> '京都'" }],
    ['東', { terms: "'東'" }],
    ['"東京 beta"', { words: "'東京' <-> '京' <-> 'beta'" }],
    ['"alpha 東"', { words: "'alpha'", ending: "'東':*" }],
    ['and/or', { words: "'and' & 'or'", joined: "'and-or'" }],
    ['-Müller', { negated: true, words: "'muller' | 'müller' | 'mueller'" }],
  ])('for %j requires %j', (q, expected) => {
    expect(askedLiterals(readSearch(q))).toMatchObject([[expected]]);
  });
});
