import type { Paragraph } from '../text/prose.js';
import { paragraphsOf } from '../paragraphs.js';
import { readingOf } from '../text/reading.js';
import { capitalsAfterCommas, smallSentenceStarts, smallStarts } from './sentence-case.js';

/** Words that are common in the tests. */
const isCommon = (word: string) => word !== 'npm';

function capitalized(text: string, kind: Paragraph['kind'] = 'paragraph'): string[] {
  const [paragraph] = paragraphsOf(text, 'plain');
  if (!paragraph) throw new Error('The text has no prose.');
  const reading = readingOf(paragraph);
  const starts = smallStarts(reading, kind);
  return [...smallSentenceStarts(reading.text, starts, isCommon)].map(
    ({ replacements }) => replacements[0]?.value ?? '',
  );
}

const afterCommas = (text: string) =>
  [...capitalsAfterCommas(text)].map(({ replacements }) => replacements[0]?.value);

describe('The capital letter of a sentence', () => {
  it.each([
    ['they did not get the idea.', ['They']],
    ["it's time to take a rest.", ["It's"]],
    ['for example, we teach math in the club.', ['For']],
    ['We came home late. then we slept.', ['Then']],
    ['i like it here. we stay until Monday. the food is good.', ['I', 'We', 'The']],
  ])('is missing in %j', (text, words) => {
    expect(capitalized(text)).toEqual(words);
  });

  it.each([
    'npm installs all of them.',
    'where the first value is the size.',
    'and the second one is the name.',
    'just a label',
    'so short.',
    'The old forms, e.g. the first two, stay as they are.',
    'We use approx. the same number of them.',
    'Use get.the value of the header.',
    'He asked why? and left the room.',
  ])('is not missing in %j', (text) => {
    expect(capitalized(text)).toEqual([]);
  });

  it('is not missing in a list item', () => {
    expect(capitalized('they did not get the idea.', 'list-item')).toEqual([]);
  });
});

describe('A capital after a comma', () => {
  it.each([
    ['When it rains, We stay at home.', ['we']],
    ['Even if we failed, We tried, But nothing came of it.', ['we', 'but']],
  ])('is a mistake in %j', (text, words) => {
    expect(afterCommas(text)).toEqual(words);
  });

  it.each([
    'Dear Ms Smith, We are sorry.',
    'Hello everybody, This is the new version.',
    'In the end, Mary came.',
    'She sang Hey Jude, Yesterday, and Help.',
    'In 1990, The Simpsons was new.',
  ])('is none in %j', (text) => {
    expect(afterCommas(text)).toEqual([]);
  });
});
