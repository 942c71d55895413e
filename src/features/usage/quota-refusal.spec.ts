import { quotaExceeded } from './quota-refusal.js';

describe('The refusal of what is over a quota', () => {
  it('says what the plan allows, what the account has, and what to do', () => {
    const full = { quota: 'documents', limit: 1_000, used: 1_002, plan: 'free' } as const;
    const error = quotaExceeded({ ...full, requested: 1 });
    expect(error.kind).toBe('forbidden');
    expect(error.message).toBe(
      'The plan Free allows 1,000 documents, those in the trash included; this account has 1,002. ' +
        'Delete some for good (permanent=true empties the trash too), or move to a larger plan.',
    );
    expect(error.details).toEqual({ ...full, requested: 1 });
  });

  it('says how much more was asked for, where that is more than one', () => {
    const full = { quota: 'storageBytes', limit: 2_000, used: 0, plan: 'free' } as const;
    expect(quotaExceeded({ ...full, requested: 2_001 }).message).toContain(
      'this account has 0, and this needs 2,001 more. Shorten some',
    );
  });

  it('promises no larger plan to the largest', () => {
    const { message } = quotaExceeded({
      quota: 'webhooks',
      limit: 100,
      used: 100,
      plan: 'enterprise',
      requested: 1,
    });
    expect(message).toMatch(/this account has 100\. Delete one that is not needed any more\.$/);
  });
});
