import { MAX_RANGES, rangeProblems } from './address-range.js';

describe('rangeProblems', () => {
  it('names each entry that is no address', () => {
    const fields = rangeProblems(['10.0.0.0/8', 'home', 7]).map(({ field }) => field);
    expect(fields).toEqual(['allowedIps[1]', 'allowedIps[2]']);
  });

  it('leaves lists that are refused as a whole alone', () => {
    expect(rangeProblems('10.0.0.0/8')).toEqual([]);
    expect(rangeProblems(Array.from({ length: MAX_RANGES + 1 }, () => 'home'))).toEqual([]);
  });
});
