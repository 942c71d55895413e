import { ConfigurationError } from './variables.js';
import { readEnvironment } from './config.js';

const scheduleOf = (WEBHOOK_RETRY_SCHEDULE: string) =>
  readEnvironment({ WEBHOOK_RETRY_SCHEDULE }).WEBHOOK_RETRY_SCHEDULE;

describe('WEBHOOK_RETRY_SCHEDULE', () => {
  it('is in seconds, with fractions if need be', () => {
    expect(scheduleOf('0,5,300')).toEqual([0, 5_000, 300_000]);
    expect(scheduleOf(' 0.25 , 1 ')).toEqual([250, 1_000]);
  });

  it('has ten attempts within 75 hours and 35 minutes where it is not set', () => {
    const schedule = scheduleOf('');
    expect(schedule).toHaveLength(10);
    expect(schedule.reduce((sum, wait) => sum + wait, 0)).toBe((75 * 60 + 35) * 60_000 + 5_000);
  });

  it.each(['0,,5', 'soon', '-1', '0;5', '1e3', '0,604801', Array(51).fill('1').join()])(
    'that is wrong ends the start with a sentence: %s',
    (text) => {
      expect(() => scheduleOf(text)).toThrow(ConfigurationError);
      expect(() => scheduleOf(text)).toThrow(
        /WEBHOOK_RETRY_SCHEDULE must be the seconds to wait before each attempt.*such as 0,5,300\./,
      );
    },
  );
});
