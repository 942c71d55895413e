import { wordsOf } from './line-breaks.js';

const split = (text: string) =>
  Array.from(wordsOf(text), ({ start, end }) => text.slice(start, end));
const partsOf = (text: string) =>
  Array.from(wordsOf(text), ({ parts }) => parts.map(({ start, end }) => text.slice(start, end)));

describe('the words that a line holds as a whole', () => {
  it.each([
    '299',
    '1,299.00',
    '-1.299,00',
    "1'299.00",
    '1\u00a0299,00\u00a0€',
    '2026-11-21T10:30:00Z',
    '10–20',
    'AB-CD-EF',
    'and/or',
    'a|b',
    '0f8fad5b-d9cb-469f-a165-70867728950e',
    'https://example.com/a/b?c=d-e',
    'user@example.com',
    'snake_case_name',
    'don’t',
  ])('%s is one', (word) => {
    expect(split(`so ${word} is`)).toEqual(['so ', `${word} `, 'is']);
  });

  it('end at white space and where the author lets them end', () => {
    expect(split('one two\u200bthree\tfour')).toEqual(['one ', 'two\u200b', 'three\t', 'four']);
  });

  it('are characters where a script puts no spaces between words', () => {
    expect(split('漢字、かな')).toEqual(['漢', '字、', 'か', 'な']);
  });

  it('are parted after hyphens and slashes where they must be', () => {
    expect(partsOf('https://example.com/well-known')).toEqual([
      ['https://', 'example.com/', 'well-', 'known'],
    ]);
  });
});
