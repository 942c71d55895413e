import fc from 'fast-check';
import { countWords } from './word-count.js';

describe('counting words', () => {
  it.each([
    ['', 0],
    ['   \n\t ', 0],
    ['one', 1],
    ['state-of-the-art', 1],
    ['# Heading', 1],
    ['# - * — …', 0],
    ['a - b', 2],
    ["don't stop", 2],
    ['3.14 and 2²', 3],
    ['https://example.com/a?b=c d', 2],
    ['line one\r\nline\u00a0two\u2028three', 5],
    ['Привет, мир!', 2],
    ['한국어 단어 수', 3],
    ['مرحبا بالعالم', 2],
    ['👍 🎉', 0],
    ['我喜欢学习中文', 4],
    ['日本語のテキストです。', 4],
    ['コーヒーを飲む', 3],
    ['สวัสดีชาวโลก', 3],
    ['hello 世界 and ราคา100บาท', 6],
    ['𠮷野家', 2],
  ])('finds in %j %i words', (text, words) => {
    expect(countWords(text)).toBe(words);
  });

  it('counts any text between white space as the sum of its parts', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (parts) => {
        const sum = parts.reduce((words, part) => words + countWords(part), 0);
        expect(countWords(parts.join(' '))).toBe(sum);
      }),
    );
  });

  it('counts each half of a long text without spaces as well as the whole, within a word a cut', () => {
    const text = '我喜欢学习中文，今天天气很好。'.repeat(500);
    expect(
      Math.abs(countWords(text) - 500 * countWords('我喜欢学习中文，今天天气很好。')),
    ).toBeLessThanOrEqual(text.length / 512);
  });
});
