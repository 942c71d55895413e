import { quotaExceeded } from './quota-refusal.js';

describe('The message of an exceeded quota', () => {
  it('contains the limit, the current use and a remedy', () => {
    const full = { quota: 'documents', limit: 1_000, used: 1_002, plan: 'free' } as const;
    const error = quotaExceeded({ ...full, requested: 1 });
    expect(error.kind).toBe('forbidden');
    expect(error.message).toBe(
      'The Free plan allows 1,000 documents, including those in the trash; this account has 1,002. ' +
        'Permanently delete some (permanent=true also empties the trash), or move to a larger plan.',
    );
    expect(error.details).toEqual({ ...full, requested: 1 });
  });

  it('contains the requested amount if it is more than one', () => {
    const full = { quota: 'storageBytes', limit: 2_000, used: 0, plan: 'free' } as const;
    expect(quotaExceeded({ ...full, requested: 2_001 }).message).toContain(
      'this account has 0, and this request needs 2,001 more. Shorten some',
    );
  });

  it('suggests no larger plan for Enterprise', () => {
    const { message } = quotaExceeded({
      quota: 'webhooks',
      limit: 100,
      used: 100,
      plan: 'enterprise',
      requested: 1,
    });
    expect(message).toMatch(/this account has 100\. Delete one that you no longer need\.$/);
  });
});
