import { localTime, timeIn } from '../../packages/dashboard/src/components/typed-time.js';

describe('A typed time', () => {
  it('A typed time is read in local time, and shown as it was typed', () => {
    expect(timeIn('2026-01-31 14:05')).toBe(new Date(2026, 0, 31, 14, 5).toISOString());
    expect(timeIn(' 2026-01-31T9:05 ')).toBe(new Date(2026, 0, 31, 9, 5).toISOString());
    expect(timeIn('2026-01-31')).toBe(new Date(2026, 0, 31).toISOString());
    expect(localTime(timeIn('2026-07-31 14:05'))).toBe('2026-07-31 14:05');
  });

  it('A typed time that is none is refused', () => {
    for (const text of ['', 'yesterday', '31.01.2026', '2026-13-01', '2026-01-31 25:00']) {
      expect(timeIn(text)).toBeUndefined();
    }
    expect([localTime(undefined), localTime(null), localTime('never')]).toEqual(['', '', '']);
  });
});
