import { readingOf } from '../text/reading.js';
import { COMMA_RULES } from './comma-rules.js';
import { Tagger } from './tagger.js';

let tagger: Tagger;

beforeAll(async () => {
  tagger = await Tagger.load();
});

/** Returns the text with the commas that the rules miss. */
function withCommas(text: string): string {
  const tokens = tagger.tokensOf(readingOf({ prose: text, masked: [] }));
  const ends = tokens.flatMap((_, at) =>
    COMMA_RULES.flatMap(
      (rule) =>
        rule.check(tokens, at, { frequency: () => 1000, logProbability: () => -1 })?.to.end ?? [],
    ),
  );
  let result = text;
  for (const end of ends.sort((a, b) => b - a))
    result = `${result.slice(0, end)},${result.slice(end)}`;
  return result;
}

describe('A comma', () => {
  it.each([
    ['Also I have a dog.', 'Also, I have a dog.'],
    ['Nowadays public transport is cheap.', 'Nowadays, public transport is cheap.'],
    ['However in some cases it is bad.', 'However, in some cases it is bad.'],
    ['In my country there are many rivers.', 'In my country, there are many rivers.'],
    ['At the moment I have two jobs.', 'At the moment, I have two jobs.'],
  ])('is missing after an introduction: %s', (wrong, right) => {
    expect(withCommas(wrong)).toBe(right);
    expect(withCommas(right)).toBe(right);
  });

  it.each([
    ['When I was young I played football.', 'When I was young, I played football.'],
    ['If the weather is nice we will go out.', 'If the weather is nice, we will go out.'],
    ['Although it was late she called us.', 'Although it was late, she called us.'],
    ['If you want I can help with it.', 'If you want, I can help with it.'],
  ])('is missing before a main clause: %s', (wrong, right) => {
    expect(withCommas(wrong)).toBe(right);
    expect(withCommas(right)).toBe(right);
  });

  it.each([
    [
      'My teachers are good at their job so I hope to learn a lot.',
      'My teachers are good at their job, so I hope to learn a lot.',
    ],
    [
      'The rich people buy a car but the poor people always need a bus.',
      'The rich people buy a car, but the poor people always need a bus.',
    ],
  ])('is missing between clauses: %s', (wrong, right) => {
    expect(withCommas(wrong)).toBe(right);
    expect(withCommas(right)).toBe(right);
  });

  it.each([
    'However hard you try, it fails.',
    'Also in this issue: a new editor.',
    'If you see the book I lost, tell me.',
    'When I think we should stop, I say so.',
    'If you know who I am, say it.',
    'I took a map so that we would find the way.',
    'It was not the price but the way she said it.',
    'He is so tired and so he sleeps a lot.',
    'I save money so I can buy a car next year.',
    'They knew but they did not say.',
    'When did you say I could come?',
  ])('is not missing in "%s"', (right) => {
    expect(withCommas(right)).toBe(right);
  });
});
