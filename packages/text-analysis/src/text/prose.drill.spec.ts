import { paragraphsOf } from '../paragraphs.js';
import { readingOf } from './reading.js';

describe('prose', () => {
  it.each([
    '[',
    '*',
    '<',
    '`',
    '\\',
    '> ',
    '1. ',
    'a*',
    '*a_',
    '[a](',
    '{{',
    '$a',
    '\n\n>a',
    'a@',
    '- - ',
    '- a\n',
    '> a\n\n',
    '> a\nb\n',
    '> - a\n',
    '{a{',
    'export const a = {\n\n',
    'import {a\n\n',
    '{/*\n\n',
    '---\na:\n',
    'a="',
    '%(a',
    '\\(',
    '\\\\(',
    '\\[\n\n',
    '$$a\n\n',
    '\\begin{a}\n\n',
    '[a b="c" ',
  ])('a hostile text of %j takes linear time', (sign) => {
    const size = 64 * 1024;
    const started = process.cpuUsage();
    paragraphsOf(sign.repeat(size / sign.length), 'markdown').map((paragraph) =>
      readingOf(paragraph),
    );
    // Measures CPU time, because other processes may be busy.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(15_000);
  });
});
