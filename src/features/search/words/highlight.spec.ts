import fc from 'fast-check';
import { highlight } from './highlight.js';

describe('a highlight', () => {
  it('marks words without surrounding punctuation, and character sequences within others', () => {
    const words = ['(Reports),'];
    expect(highlight({ text: 'see (Reports), or reportsx', words, stretches: [] })).toBe(
      'see (<mark>Reports</mark>), or reportsx',
    );
    expect(highlight({ text: '東京都の都', words: [], stretches: ['京都', '都'] })).toBe(
      '東<mark>京都</mark>の<mark>都</mark>',
    );
  });

  it.each([
    ['किताबें,', '<mark>किताबें</mark>,'],
    ['“cafe\u0301”', '“<mark>cafe\u0301</mark>”'],
    ['(C++),', '(<mark>C++</mark>),'],
  ])('marks %s with all combining marks of its letters', (word, html) => {
    expect(highlight({ text: word, words: [word], stretches: [] })).toBe(html);
  });

  it('contains no markup except its own, and loses only whitespace', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, fc.array(text), (all, stretches) => {
        const words = all.split(/\s+/).slice(0, 2);
        const wanted = stretches.filter((one) => one !== '');
        const html = highlight({ text: all, words, stretches: wanted });
        const bare = html.replaceAll(/<\/?mark>/g, '');
        expect(bare).not.toMatch(/[<>"]/);
        const back = bare
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&amp;', '&');
        expect(back).toBe(all.split(/\s+/).join(' ').trim());
      }),
    );
  });
});
