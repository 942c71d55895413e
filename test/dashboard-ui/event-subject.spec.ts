import { rowOf, type Event } from '../../packages/dashboard/src/pages/events/event-subject.js';

const reached = (data: Record<string, unknown>) =>
  rowOf({ type: 'usage.threshold_reached', data } as unknown as Event).usage;

describe('The subject of an event', () => {
  it('the subject of usage.threshold_reached is the limit and its key in words', () => {
    const key = { id: 'key_01kaj9w2s6fq3r8h5d0m7x1yzb', name: 'Build server' };
    expect(reached({ limit: 'requests', window: 'day', threshold: 80, of: 1_000, key })).toBe(
      'Requests per day: 80% of 1,000, key Build server',
    );
    const quota = { window: null, threshold: 100, key: null };
    expect(reached({ ...quota, limit: 'documents', of: 50 })).toBe('Documents: 100% of 50');
    expect(reached({ ...quota, limit: 'storageBytes', of: 10_485_760 })).toBe(
      'Storage: 100% of 10.0 MB',
    );
  });
});
