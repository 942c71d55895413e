import { isUnlimited } from '../auth/plan.js';
import { limitsOf } from './plan-limits.js';

describe('Limits of a plan', () => {
  const own = { minute: 5, hour: null, day: 0 };

  it.each([
    ['free', { minute: 10, hour: 100, day: 1_000 }],
    ['plus', { minute: 60, hour: 1_000, day: 10_000 }],
    ['pro', { minute: 300, hour: 5_000, day: 50_000 }],
  ] as const)(
    '%s has the limits of the specification, regardless of the account',
    (plan, limits) => {
      expect(limitsOf(plan, null)).toEqual(limits);
      expect(limitsOf(plan, own)).toEqual(limits);
    },
  );

  it('Enterprise has the limits of the account', () => {
    expect(limitsOf('enterprise', own)).toEqual(own);
    expect(isUnlimited(own)).toBe(false);
  });

  it('Enterprise without limits is unlimited', () => {
    expect(isUnlimited(limitsOf('enterprise', null))).toBe(true);
  });
});
