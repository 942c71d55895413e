import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LanguageModel, languageModel, UNKNOWN_WORD } from './language-model.js';

const WORDS = 30_000;

describe('the language model', () => {
  let model: LanguageModel;
  beforeAll(async () => {
    model = await languageModel();
  });

  const after = (word: string, ...context: string[]) => {
    const [previous, beforePrevious] = context.reverse().map((one) => model.idOf(one));
    return model.logProbability(model.idOf(word), previous, beforePrevious);
  };

  it.each([[[]], [['of']], [['<s>']], [['one', 'of']], [['in', 'the']], [['zebra', 'of']]])(
    'distributes a probability of 1 among the words after %j',
    (context) => {
      const [previous, beforePrevious] = [...context].reverse().map((one) => model.idOf(one));
      let sum = 0;
      for (let word = 0; word < WORDS; word += 1)
        sum += Math.exp(model.logProbability(word, previous, beforePrevious));
      // Rarer words, which the model does not contain, have the rest. Values are rounded to eight bits.
      expect(sum).toBeGreaterThan(0.97);
      expect(sum).toBeLessThan(1.02);
    },
  );

  it('prefers words that follow each other', () => {
    expect(after('the', 'one', 'of')).toBeGreaterThan(after('there', 'one', 'of') + 5);
    expect(after('than', 'more')).toBeGreaterThan(after('then', 'more') + 2);
    expect(after("don't", 'i')).toBeGreaterThan(after("don't"));
  });

  it('uses the second last word', () => {
    expect(after('york', 'in', 'new')).toBeGreaterThan(after('york', 'brand', 'new') + 1);
  });

  it('gives unknown words the lowest probability, and ignores unknown context', () => {
    expect(model.idOf('recieve')).toBe(UNKNOWN_WORD);
    expect(after('recieve')).toBeLessThan(after('audit'));
    expect(after('audit', 'recieve')).toBe(after('audit'));
    expect(after('of', 'recieve', 'end')).toBe(after('of', 'end'));
  });

  it('rejects a file that is no model', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'model-')), 'language-model.bin');
    writeFileSync(file, 'version https://example.com/pointer');
    await expect(LanguageModel.load(pathToFileURL(file))).rejects.toThrow(
      'language-model.bin is damaged',
    );
  });
});
