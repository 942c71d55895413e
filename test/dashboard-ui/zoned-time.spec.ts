import fc from 'fast-check';
import { shortTime } from '../../packages/dashboard/src/pages/releases/releases.js';
import {
  allZones,
  isZone,
  localTimeAt,
  occurrencesOf,
  offsetName,
  timeInZone,
} from '../../packages/dashboard/src/pages/releases/zoned-time.js';

const found = (local: string, zone: string) => {
  const { instants = [], isSkipped } = occurrencesOf(local, zone) ?? {};
  return { utc: instants.map((at) => at.toISOString().slice(0, 16)), isSkipped };
};
const once = (utc: string) => ({ utc: [utc], isSkipped: false });
const twice = (...utc: string[]) => ({ utc, isSkipped: false });
const skipped = (utc: string) => ({ utc: [utc], isSkipped: true });

describe('A local time', () => {
  it.each([
    ['2026-11-28T09:00', 'Europe/Berlin', once('2026-11-28T08:00')],
    ['2026-07-01T09:00', 'Europe/Berlin', once('2026-07-01T07:00')],
    ['2026-03-29T01:59', 'Europe/Berlin', once('2026-03-29T00:59')],
    ['2026-03-29T02:00', 'Europe/Berlin', skipped('2026-03-29T01:00')],
    ['2026-03-29T02:30', 'Europe/Berlin', skipped('2026-03-29T01:30')],
    ['2026-03-29T03:00', 'Europe/Berlin', once('2026-03-29T01:00')],
    ['2026-10-25T01:59', 'Europe/Berlin', once('2026-10-24T23:59')],
    ['2026-10-25T02:30', 'Europe/Berlin', twice('2026-10-25T00:30', '2026-10-25T01:30')],
    ['2026-10-25T03:00', 'Europe/Berlin', once('2026-10-25T02:00')],
    // Venezuela moved its clocks half an hour forward, once.
    ['2016-05-01T02:15', 'America/Caracas', once('2016-05-01T06:45')],
    ['2016-05-01T02:45', 'America/Caracas', skipped('2016-05-01T07:15')],
    ['2016-05-01T03:00', 'America/Caracas', once('2016-05-01T07:00')],
    ['2027-01-01T00:00', 'America/Caracas', once('2027-01-01T04:00')],
    ['2026-11-28T09:00', 'Asia/Kathmandu', once('2026-11-28T03:15')],
    // Summer time is half an hour.
    ['2026-10-04T02:15', 'Australia/Lord_Howe', skipped('2026-10-03T15:45')],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', twice('2026-04-04T14:45', '2026-04-04T15:15')],
    ['2026-04-05T02:00', 'Australia/Lord_Howe', once('2026-04-04T15:30')],
    // A whole day was skipped.
    ['2011-12-30T12:00', 'Pacific/Apia', skipped('2011-12-30T22:00')],
    ['2026-11-28T09:00', 'UTC', once('2026-11-28T09:00')],
  ])('The local time %s in %s is found', (local, zone, expected) => {
    expect(found(local, zone)).toEqual(expected);
  });

  it('A skipped time moves forward by as much as the clocks skip', () => {
    const [at = new Date(0)] = occurrencesOf('2026-03-29T02:30', 'Europe/Berlin')?.instants ?? [];
    expect(localTimeAt(at, 'Europe/Berlin')).toBe('2026-03-29T03:30');
    expect(timeInZone(at, 'Europe/Berlin')).toBe('29 Mar 2026, 03:30 (Europe/Berlin)');
  });

  it('Texts that are no local time have no instants', () => {
    for (const text of ['', '2026-02', '2026-13-01T10:00', '2026-01-31T25:00', 'tomorrow'])
      expect(occurrencesOf(text, 'Europe/Berlin')).toBeUndefined();
  });

  it('Every instant is among those of its local time, in every time zone', () => {
    const minutes = fc.integer({
      min: Date.UTC(2000, 0, 1) / 60_000,
      max: Date.UTC(2060, 0, 1) / 60_000,
    });
    const zones = fc.constantFrom(...allZones());
    fc.assert(
      fc.property(minutes, zones, (minute, zone) => {
        const at = new Date(minute * 60_000);
        const { instants = [], isSkipped } = occurrencesOf(localTimeAt(at, zone), zone) ?? {};
        expect(isSkipped).toBe(false);
        expect(instants.map((one) => one.getTime())).toContain(at.getTime());
        for (const one of instants) expect(localTimeAt(one, zone)).toBe(localTimeAt(at, zone));
      }),
      { numRuns: 3_000 },
    );
  });

  it('Each hour of a year survives the round trip, with both changes of the clocks', () => {
    const hours = Array.from({ length: 24 * 366 }, (_, hour) => Date.UTC(2027, 0, 1, hour));
    for (const zone of ['Europe/Berlin', 'Australia/Lord_Howe'])
      for (const time of hours) {
        const at = new Date(time);
        const { instants = [] } = occurrencesOf(localTimeAt(at, zone), zone) ?? {};
        expect(instants.map((one) => one.getTime())).toContain(time);
      }
  });
});

describe('Time zones', () => {
  it('All zones of the browser can be chosen, and names that it does not list', () => {
    const zones = allZones();
    expect(zones.length).toBeGreaterThan(400);
    expect(new Set(zones).size).toBe(zones.length);
    expect(zones.indexOf('UTC')).toBeLessThan(2);
    for (const zone of [...zones, 'Asia/Kathmandu', 'Asia/Katmandu', 'europe/berlin'])
      expect([zone, isZone(zone)]).toEqual([zone, true]);
    for (const text of ['', 'Berlin', '+01:00', 'Europe/Nowhere'])
      expect([text, isZone(text)]).toEqual([text, false]);
  });

  it('Offsets are shown as differences to UTC', () => {
    const winter = new Date('2026-11-28T08:00Z');
    expect(offsetName(winter, 'Asia/Kathmandu')).toBe('UTC+05:45');
    expect(offsetName(winter, 'America/Caracas')).toBe('UTC-04:00');
    expect(offsetName(winter, 'UTC')).toBe('UTC+00:00');
  });

  it('Times of the next days have a weekday, later ones a date', () => {
    const now = new Date(2026, 10, 26, 12, 0);
    expect(shortTime(new Date(2026, 10, 27, 9, 0), now)).toBe('Fri 09:00');
    expect(shortTime(new Date(2026, 11, 12, 9, 0), now)).toBe('12 Dec, 09:00');
  });
});
