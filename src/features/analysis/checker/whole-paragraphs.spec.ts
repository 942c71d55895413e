import { wholeParagraphs } from './whole-paragraphs.js';

const TEXT = 'one\ntwo\n\nthree\n \n\nfour';

describe('The paragraphs of ranges', () => {
  const partsOf = (...ranges: [number, number][]) =>
    wholeParagraphs(
      TEXT,
      ranges.map(([start, end]) => ({ start, end })),
    ).map(({ start, end }) => TEXT.slice(start, end).trim());

  it.each([
    ['a part of a line', [[5, 6]], ['one\ntwo']],
    ['the last paragraph', [[TEXT.length - 1, TEXT.length]], ['four']],
    ['neighbors, which are joined', [[0, 1], [9, 10]], ['one\ntwo\n\nthree']], // prettier-ignore
    ['ranges that overlap and are not in order', [[19, 20], [1, 3], [0, 2]], ['one\ntwo', 'four']], // prettier-ignore
    ['a range over all', [[0, 100]], [TEXT]],
    ['a range after the end', [[100, 200]], []],
  ] as const)('The paragraphs of ranges are whole: %s', (_, ranges, parts) => {
    expect(partsOf(...ranges.map(([start, end]): [number, number] => [start, end]))).toEqual(parts);
  });
});
