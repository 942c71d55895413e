import { quotaExceeded } from './quota-refusal.js';

describe('The refusal of what is over a quota', () => {
  it('says what the plan allows, what the account has, and what to do', () => {
    const error = quotaExceeded({ quota: 'documents', limit: 1_000, used: 1_002, plan: 'free' });
    expect(error.kind).toBe('forbidden');
    expect(error.message).toBe(
      'The plan Free allows 1,000 documents, those in the trash included; this account has 1,002. ' +
        'Delete some for good (permanent=true empties the trash too), or move to a larger plan.',
    );
    expect(error.details).toEqual({
      quota: 'documents',
      limit: 1_000,
      used: 1_002,
      plan: 'free',
    });
  });

  it('promises no larger plan to the largest', () => {
    const { message } = quotaExceeded({
      quota: 'webhooks',
      limit: 100,
      used: 100,
      plan: 'enterprise',
    });
    expect(message).toMatch(/this account has 100\. Delete one that is not needed any more\.$/);
  });
});
