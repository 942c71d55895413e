import { MAX_RANGES, rangeProblems, scopeProblems } from './key-fields.js';

describe('scopeProblems', () => {
  it('accepts every known scope', () => {
    expect(scopeProblems(['documents:read', '*'])).toEqual([]);
  });

  it('names each unknown scope with the nearest known one', () => {
    expect(scopeProblems(['documents:read', 'document:write', 7])).toEqual([
      { field: 'scopes[1]', issue: "is not a scope; did you mean 'documents:write'?" },
      { field: 'scopes[2]', issue: 'must be a string' },
    ]);
  });

  it('lists the known scopes if none is near', () => {
    const [problem] = scopeProblems(['everything please']);
    expect(problem?.issue).toMatch(/known scopes are documents:read, .*\*$/);
  });
});

describe('rangeProblems', () => {
  it('names each entry that is not an address', () => {
    const fields = rangeProblems(['10.0.0.0/8', 'home', 7]).map(({ field }) => field);
    expect(fields).toEqual(['allowedIps[1]', 'allowedIps[2]']);
  });

  it('ignores lists that are refused as a whole', () => {
    expect(rangeProblems('10.0.0.0/8')).toEqual([]);
    expect(rangeProblems(Array.from({ length: MAX_RANGES + 1 }, () => 'home'))).toEqual([]);
  });
});
