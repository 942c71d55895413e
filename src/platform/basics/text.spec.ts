import { isBlank } from './text.js';

describe('a blank text', () => {
  it.each([
    ['nothing', ''],
    ['white space', ' \t\n\u{a0}\u{3000}'],
    ['zero-width characters', '\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}'],
    ['a soft hyphen', '\u{ad}'],
    ['a Mongolian vowel separator', '\u{180e}'],
    ['Hangul fillers', '\u{3164}\u{115f}\u{1160}\u{ffa0}'],
    ['empty Braille', '\u{2800}'],
    ['tags', '\u{e0001}\u{e0041}\u{e007f}'],
    ['marks of direction', '\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}\u{61c}'],
    ['combining marks alone', '\u{301}\u{308}\u{20dd}\u{fe0f}'],
  ])('can consist of %s', (_, text) => {
    expect(isBlank(text)).toBe(true);
  });

  it.each([
    'a',
    '\u{200b}a',
    '.',
    '-',
    '\u{1f600}',
    '\u{663c}',
    'e\u{301}',
    '\u{1f468}\u{200d}\u{1f469}',
  ])('is not %s', (text) => {
    expect(isBlank(text)).toBe(false);
  });
});
