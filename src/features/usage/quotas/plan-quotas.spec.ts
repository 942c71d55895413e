import { PLAN_QUOTAS, QUOTAS } from './plan-quotas.js';

describe('The quotas of plans', () => {
  it.each(QUOTAS)('are larger in each larger plan: %s', (quota) => {
    const { free, plus, pro, enterprise } = PLAN_QUOTAS;
    const limits = [free, plus, pro, enterprise].map((plan) => plan[quota] ?? Infinity);
    expect(limits).toEqual([...new Set(limits)].sort((one, other) => one - other));
    expect(limits).toHaveLength(4);
  });

  it('never allow more than 100 webhooks', () => {
    expect(PLAN_QUOTAS.enterprise.webhooks).toBe(100);
  });
});
