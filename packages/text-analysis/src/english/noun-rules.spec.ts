import { readingOf } from '../text/reading.js';
import { englishFrequencies } from '../spelling/english-frequencies.js';
import { languageModel } from './language-model.js';
import { NOUN_RULES } from './noun-rules.js';
import { PREPOSITION_RULES } from './preposition-rules.js';
import { wordKnowledge, type WordKnowledge } from './tagged-rule.js';
import { Tagger } from './tagger.js';

let tagger: Tagger;
let words: WordKnowledge;

beforeAll(async () => {
  tagger = await Tagger.load();
  words = wordKnowledge((await englishFrequencies()).frequencies, await languageModel());
});

/** Returns the text with the corrections of the rules. */
function corrected(text: string): string {
  const tokens = tagger.tokensOf(readingOf({ prose: text, masked: [] }));
  const mistakes = tokens.flatMap((_, at) =>
    [...NOUN_RULES, ...PREPOSITION_RULES].flatMap((rule) => rule.check(tokens, at, words) ?? []),
  );
  let result = text;
  for (const { from, to, replacements } of mistakes.reverse())
    result = `${result.slice(0, from.start)}${replacements[0] ?? ''}${result.slice(to.end)}`;
  return result;
}

describe('The rules about nouns and prepositions', () => {
  it.each([
    ['There are a lot of place to visit.', 'There are a lot of places to visit.'],
    ['They carry certain disease.', 'They carry certain diseases.'],
    ['The amount of people is large.', 'The number of people is large.'],
    ['I eat less candies now.', 'I eat fewer candies now.'],
    ['It was great idea.', 'It was a great idea.'],
    ['It was honest mistake.', 'It was an honest mistake.'],
    ['He had an eight year career.', 'He had an eight-year career.'],
    ['She signed a two year deal.', 'She signed a two-year deal.'],
    ['She met a five year old boy.', 'She met a five-year-old boy.'],
    ['He explained about the problem.', 'He explained the problem.'],
    ['You can contact with me by phone.', 'You can contact me by phone.'],
    ['They waited me for an hour.', 'They waited for me for an hour.'],
  ])('correct "%s"', (wrong, right) => {
    expect(corrected(wrong)).toBe(right);
    expect(corrected(right)).toBe(right);
  });

  it.each([
    'There is a lot of time and a lot of work.',
    'To a certain extent, this is a quite different story.',
    'The amount of money is small, and less water is better.',
    'It costs less than five dollars and takes less hours of work than a specific amount of rows.',
    'There was great concern, but it was little help and good news.',
    'The two years passed. In 40 minutes we leave, on the one hand.',
    'We entered into an agreement after a visit to the bank.',
    'A mention of the plan, an answer to the question and contact with the press are needed.',
    'Wait a minute and wait her turn.',
  ])('accept "%s"', (right) => {
    expect(corrected(right)).toBe(right);
  });
});
