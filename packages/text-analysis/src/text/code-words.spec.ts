import { paragraphsOf } from '../paragraphs.js';
import { codeWords } from './code-words.js';

const wordsOf = (text: string) => [...codeWords(text, paragraphsOf(text, 'markdown'))].sort();

describe('Words of the code', () => {
  it('come from code, identifiers, HTML and addresses, and are in lower case', () => {
    const text =
      'Call `parseTokn` or run_serverr.\n\n```js\nconst Frobber = 1;\n```\n\n[x](pages/install.html#instalation)';
    const words = wordsOf(text);
    for (const word of ['parsetokn', 'parse', 'tokn', 'serverr', 'frobber', 'install'])
      expect(words).toContain(word);
  });

  it('do not come from prose and anchors', () => {
    expect(wordsOf('Some prose with [a link](#instalation).')).toEqual([]);
  });
});
