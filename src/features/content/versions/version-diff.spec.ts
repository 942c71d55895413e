import { memberChanges } from './version-diff.js';

describe('a diff of two versions', () => {
  it('tells changes of an object by key, in the spelling that was sent', () => {
    const changes = memberChanges(
      '{"a":1.0,"gone":[1, 2],"same":{"x":"\\u00e9"},"n":12345678901234567890}',
      '{"same":{ "x": "é" },"a":1.00,"__proto__":{"b":1e2},"n":12345678901234567891}',
    );
    expect(changes).toBe(
      '{"added":{"__proto__":{"b":1e2}},"removed":{"gone":[1, 2]},"changed":{"a":{"from":1.0,"to":1.00},"n":{"from":12345678901234567890,"to":12345678901234567891}}}',
    );
  });
});
