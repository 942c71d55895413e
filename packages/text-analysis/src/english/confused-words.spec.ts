import { readingOf } from '../text/reading.js';
import { confusedWords } from './confused-words.js';
import { type LanguageModel, languageModel, UNKNOWN_WORD } from './language-model.js';
import { WordSequence } from './word-sequence.js';

const WRONG = `
They left {there=>their} coats in the hall.
We sat over {their=>there} and waited.
This is better {then=>than} before.
I got an email {form=>from} my bank.
He wants {too=>to} go home now.
Prices rose more quickly {then=>than} expected.
I do not {no=>know} what to say.
She could {here=>hear} the music.
We will meet next {weak=>week}.
I want to thank {you're=>your} sister.
They walked {threw=>through} the park.
He took a deep {breathe=>breath} and began.
`;

const RIGHT = `
Two threads meet there and one waits.
Each form validates itself, and this form is from the tax office.
He passed the exam, then passed the ball past the keeper.
The passed arguments override the defaults.
It is too late to go to bed too early. We went from few to many.
The switch goes from on to off and of course back again.
We lead the field; lead is a heavy metal and led by example.
The write path is slower than the read path, so wait for the write to finish.
A weak reference keeps no object alive.
They said no now or know the cost.
Cloths are made of clothes, and the causal link is not casual.
The trail of the trial, and a desert island with a dessert.
Rather than wait, run it; other than that, fine.
If x is greater than y then swap.
The then president was older than the now president.
A chain is only as strong as its weakest link in most cases.
Its easy use is a plus, and its owner knows its limits.
The tires wear out; wear and tear.
Gone were the days; here were the files.
Set the default to no or to yes.
The clouds do not lose their force, so cut it loose.
He spoke too softly, and she came to in the hospital.
`;

describe('confused words', () => {
  let model: LanguageModel;
  beforeAll(async () => {
    model = await languageModel();
  });

  const correctionsOf = (text: string) => {
    const sequence = new WordSequence(readingOf({ prose: text, masked: [] }), model);
    return [...confusedWords(text, sequence)].map(
      ({ start, end, replacements }) =>
        `${text.slice(0, start)}{${text.slice(start, end)}=>${replacements[0]?.value ?? ''}}${text.slice(end)}`,
    );
  };
  const lines = (text: string) => text.trim().split('\n');

  it.each(lines(WRONG))('are found in %j', (line) => {
    expect(correctionsOf(line.replace(/\{(.*?)=>.*?\}/, '$1'))).toEqual([line]);
  });

  it.each(lines(RIGHT))('are not found in %j', (line) => {
    expect(correctionsOf(line)).toEqual([]);
  });

  it('keep the apostrophe of the text', () => {
    expect(correctionsOf('Then I want to thank you’re sister.')).toEqual([
      'Then I want to thank {you’re=>your} sister.',
    ]);
    expect(correctionsOf('I want to thank YOU’RE sister.')).toEqual([]);
  });

  it('are not judged by code beside them', () => {
    const prose = 'Set the default to no if it is empty.';
    const at = prose.indexOf('empty');
    const reading = readingOf({ prose, masked: [{ start: at, end: at + 5, reads: 'JSON' }] });
    const { words } = new WordSequence(reading, model);
    expect(words.find(({ lower }) => lower === 'json')?.id).toBe(UNKNOWN_WORD);
  });
});
