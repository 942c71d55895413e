import { isoOf } from './columns.js';

describe('A time in the text format of PostgreSQL', () => {
  it.each([
    ['2026-11-22 18:10:00.123', '2026-11-22T18:10:00.123Z'],
    ['2026-11-22 18:10:00.12', '2026-11-22T18:10:00.120Z'],
    ['2026-11-22 18:10:00', '2026-11-22T18:10:00.000Z'],
    ['0001-01-01 00:00:00.001', '0001-01-01T00:00:00.001Z'],
  ])('%s is converted to %s', (text, iso) => {
    expect(isoOf(text)).toBe(iso);
  });
});
