import { AppError } from '../errors/app-error.js';
import type { Scope } from '../auth/scopes.js';
import { requireGrantable, scopeProblems } from './requested-scopes.js';

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

describe('requireGrantable', () => {
  const refusal = (requested: Scope[], granted: Scope[]): AppError | undefined => {
    try {
      requireGrantable(requested, granted);
      return undefined;
    } catch (error) {
      return error as AppError;
    }
  };

  it('lets a key hand on what it has, and * everything', () => {
    expect(refusal(['documents:read'], ['documents:read', 'keys:write'])).toBeUndefined();
    expect(refusal(['documents:read', '*'], ['*'])).toBeUndefined();
  });

  it('lets nobody hand on more, not even every scope there is as *', () => {
    expect(refusal(['documents:read', 'keys:write'], ['keys:write'])).toMatchObject({
      kind: 'forbidden',
      details: { requiredScopes: ['documents:read', 'keys:write'], grantedScopes: ['keys:write'] },
    });
    expect(refusal(['*'], ['documents:read', 'keys:write'])?.kind).toBe('forbidden');
  });
});
