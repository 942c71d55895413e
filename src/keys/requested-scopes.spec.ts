import { scopeProblems } from './requested-scopes.js';

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

  it('lists the known scopes where none is near', () => {
    const [problem] = scopeProblems(['everything please']);
    expect(problem?.issue).toMatch(/known scopes are documents:read, .*\*$/);
  });
});
