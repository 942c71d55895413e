import { shouldKeepFullCopy } from './full-copies.js';

describe('keeping a full copy', () => {
  it.each([
    [100, { count: 3, bytes: 100 }, false],
    [100, { count: 3, bytes: 101 }, true],
    [1_000_000, { count: 2_000, bytes: 40_000 }, false],
    [1_000_000, { count: 2_001, bytes: 40_000 }, true],
    [0, { count: 1, bytes: 15 }, true],
  ])('of %i bytes beside deltas of %j: %s', (textBytes, deltas, expected) => {
    expect(shouldKeepFullCopy(textBytes, deltas)).toBe(expected);
  });
});
