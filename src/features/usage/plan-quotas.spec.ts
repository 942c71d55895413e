import { PLAN_QUOTAS, QUOTAS } from './plan-quotas.js';

describe('the quotas of plans', () => {
  it.each(QUOTAS)('grow with the plan: %s', (quota) => {
    const { free, plus, pro, enterprise } = PLAN_QUOTAS;
    const limits = [free, plus, pro, enterprise].map((plan) => plan[quota] ?? Infinity);
    expect(limits).toEqual([...new Set(limits)].sort((one, other) => one - other));
    expect(limits).toHaveLength(4);
  });

  it('allow 100 webhooks at most', () => {
    expect(PLAN_QUOTAS.enterprise.webhooks).toBe(100);
  });
});
