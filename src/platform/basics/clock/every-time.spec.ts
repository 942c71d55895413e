import fc from 'fast-check';
import { time } from '../../../features/content/versioning/archive-schemas.js';
import { parseMoment, parseTimestamp } from './moment.js';

/** Every source of times: query parameters, bodies, and lines of an archive. */
const READERS: Readonly<Record<string, (text: string) => Date | undefined>> = {
  'a query parameter': parseMoment,
  'a field of a body': parseTimestamp,
  'a line of an archive': (text) => time.safeParse(text).data,
};

const day = fc
  .date({
    min: new Date('1970-01-01'),
    max: new Date('9990-12-31'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10));

const nextDay = (date: string) => new Date(Date.parse(`${date}T00:00:00.000Z`) + 86_400_000);

describe.each(Object.entries(READERS))('A time in %s', (_, read) => {
  it('can be 24:00:00, the end of its day', () => {
    fc.assert(
      fc.property(day, fc.constantFrom('24:00:00Z', '24:00:00.000Z', '24:00Z'), (date, time) => {
        expect(read(`${date}T${time}`)).toEqual(nextDay(date));
      }),
    );
  });

  it('can be a leap second in any zone, which counts as the following second', () => {
    const zone = fc.integer({ min: -23 * 60, max: 23 * 60 });
    fc.assert(
      fc.property(day, zone, (date, minutes) => {
        const local = new Date(Date.parse(`${date}T23:59:00.000Z`) + minutes * 60_000);
        const [hour, minute] = [Math.abs(minutes) / 60, Math.abs(minutes) % 60].map((part) =>
          String(Math.floor(part)).padStart(2, '0'),
        );
        const sign = minutes < 0 ? '-' : '+';
        const text = `${local.toISOString().slice(0, 16)}:60${sign}${String(hour)}:${String(minute)}`;
        expect(read(text)).toEqual(nextDay(date));
      }),
    );
  });

  it.each([
    '2026-11-20T24:00:01Z',
    '2026-11-20T24:01:00Z',
    '2026-11-20T24:00:00.001Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T12:00:60Z',
    '2026-11-20T23:59:60+02:00',
    '2026-11-20T23:59:61Z',
    '2026-02-30T00:00:00Z',
  ])('is never %s', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('accepts the format of Date', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0001-01-01'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        }),
        (date) => {
          expect(read(date.toISOString())).toEqual(date);
        },
      ),
    );
  });
});
