import fc from 'fast-check';
import { firstLineOf } from '../../packages/dashboard/src/pages/documents/editor/first-line.js';

describe('the title of a text', () => {
  it.each([
    ['Meeting notes\nMore', 'Meeting notes'],
    ['\n\n  # Plan for **May** #\n', 'Plan for May'],
    ['> - [x] call `Ada`', 'call Ada'],
    ['3. [The site](https://example.com) and ![a map](m.png)', 'The site and a map'],
    ['---\n***\n![](x.png)\nAt last', 'At last'],
    ['```js\nrun();', 'run();'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['__init__ of \\*stars\\*', 'init of *stars*'],
    ['#hashtag', '#hashtag'],
    ['1) one', 'one'],
    ['\u05e9\u05dc\u05d5\u05dd', '\u05e9\u05dc\u05d5\u05dd'],
    ['', ''],
    ['***\n---', ''],
  ])('the title of a text of %j is %j', (markdown, title) => {
    expect(firstLineOf(markdown)).toBe(title);
  });

  it('the title of a text ends with a whole word', () => {
    expect(firstLineOf(`${'word '.repeat(15)}lengthy end`)).toBe('word '.repeat(15).trim());
    expect(firstLineOf('x'.repeat(100))).toBe('x'.repeat(80));
  });

  it('the title of a text has at most 80 characters on one line, whatever the text', () => {
    const marks = fc.constantFrom(
      '#',
      '*',
      '_',
      '`',
      '[',
      ']',
      '(',
      ')',
      '>',
      '\\',
      '\n',
      ' ',
      'a',
      '\u{1f600}',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: marks, maxLength: 200 }),
    );
    fc.assert(
      fc.property(text, (markdown) => {
        const title = firstLineOf(markdown);
        expect(Array.from(title).length).toBeLessThanOrEqual(80);
        expect(title).not.toMatch(/[\r\n]/);
        expect(title).toBe(title.trim());
      }),
    );
  });
});
