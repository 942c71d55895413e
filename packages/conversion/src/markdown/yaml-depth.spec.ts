import { nestsTooDeeply } from './yaml-depth.js';

const DEEP = 20_000;

describe('YAML that nests too deeply', () => {
  it.each([
    ['brackets', `a: ${'['.repeat(DEEP)}`],
    ['braces', `a: ${'{a: '.repeat(DEEP)}`],
    ['lists on one line', '- '.repeat(DEEP)],
    ['indentation', Array.from({ length: 500 }, (_, n) => `${' '.repeat(n)}a:\n`).join('')],
    ['explicit keys', '? '.repeat(DEEP)],
    ['closed brackets', `a: ${'['.repeat(DEEP)}${']'.repeat(DEEP)}`],
  ])('is found by its %s', (_, yaml) => {
    expect(nestsTooDeeply(yaml)).toBe(true);
  });

  it.each([
    ['a long list', '- a\n'.repeat(DEEP)],
    ['brackets in a string', `a: "${'['.repeat(DEEP)}"`],
    ['brackets in a block', `a: |\n  ${'['.repeat(DEEP)}\n`],
    ['many flat lists', '- [a, [b]]\n'.repeat(DEEP)],
  ])('is not %s', (_, yaml) => {
    expect(nestsTooDeeply(yaml)).toBe(false);
  });
});
