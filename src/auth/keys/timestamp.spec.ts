import { parseTimestamp } from './timestamp.js';

describe('parseTimestamp', () => {
  it.each([
    ['2027-01-31T00:00:00Z', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T00:00Z', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T00:00:00.123456Z', '2027-01-31T00:00:00.123Z'],
    ['2027-01-31T00:00:00+02:00', '2027-01-30T22:00:00.000Z'],
    ['2028-02-29T12:00:00Z', '2028-02-29T12:00:00.000Z'],
  ])('reads %s', (text, time) => {
    expect(parseTimestamp(text)?.toISOString()).toBe(time);
  });

  it.each([
    '',
    'tomorrow',
    '2027-01-31',
    '2027-01-31T00:00:00',
    '2027-02-29T00:00:00Z',
    '2027-02-31T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-01-31T25:00:00Z',
    '2027-01-31 00:00:00Z',
    '1798675200',
  ])('refuses %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});
