import {
  axisEnd,
  barPaths,
  HEIGHT,
  linePath,
  stackHeights,
  WIDTH,
} from '../../packages/dashboard/src/components/charts/geometry.js';
import { stepName, ticksOf } from '../../packages/dashboard/src/components/charts/time-axis.js';
import { beginOf, rangeNamed } from '../../packages/dashboard/src/pages/overview/time-ranges.js';
import { countdown } from '../../packages/dashboard/src/pages/overview/countdown.js';

const NOW = new Date('2026-11-22T12:34:56.789Z');

describe('A chart of the dashboard', () => {
  it('A chart of the dashboard has an axis that ends at the next 1, 2 or 5 of a power of ten', () => {
    expect(axisEnd([])).toBe(1);
    expect(axisEnd([0, null])).toBe(1);
    expect(axisEnd([3, 2])).toBe(5);
    expect(axisEnd([100])).toBe(100);
    expect(axisEnd([101])).toBe(200);
    expect(axisEnd([0.4])).toBe(1);
    expect(axisEnd([999_999])).toBe(1_000_000);
  });

  it('A chart of the dashboard stacks bars, with the highest stack reaching the top', () => {
    const stack = [
      [1, 0],
      [3, 2],
    ];
    expect(stackHeights(stack)).toEqual([4, 2]);
    const [below, above] = barPaths(stack, 4);
    const left = (WIDTH / 2) * 0.09;
    const width = (WIDTH / 2) * 0.82;
    const bar = (x: number, bottom: number, height: number) =>
      `M${String(x)} ${String(bottom)}v${String(-height)}h${String(width)}v${String(height)}z`;
    expect(below).toBe(bar(left, HEIGHT, 25));
    expect(above).toBe(bar(left, 75, 75) + bar(left + WIDTH / 2, HEIGHT, 50));
  });

  it('A chart of the dashboard breaks a line at missing values, and shows a single value as a dash', () => {
    expect(linePath([null, null], 10)).toBe('');
    expect(linePath([5, 10, null, 0], 10)).toBe('M125 50L375 0M800 100h150');
  });

  it('A chart of the dashboard draws a year of hours and nothing at all', () => {
    expect(barPaths([[]], 1)).toEqual(['']);
    const [year] = barPaths([Array.from({ length: 8_760 }, () => 1)], 1);
    expect(year?.match(/M/g)).toHaveLength(8_760);
    expect(year).not.toMatch(/NaN|Infinity/);
  });

  it('A chart of the dashboard starts its ranges at a whole step, with the current step last', () => {
    expect(beginOf(rangeNamed('24h'), NOW)).toBe('2026-11-21T13:00:00.000Z');
    expect(beginOf(rangeNamed('7d'), NOW)).toBe('2026-11-15T13:00:00.000Z');
    expect(beginOf(rangeNamed('30d'), NOW)).toBe('2026-10-24T00:00:00.000Z');
    expect(rangeNamed('never heard of').name).toBe('24h');
  });

  it('A chart of the dashboard labels whole hours and days, with a date', () => {
    const starts = (first: string, count: number, stepMs: number) =>
      Array.from({ length: count }, (_, index) =>
        new Date(Date.parse(first) + index * stepMs).toISOString(),
      );
    const local = (day: number, hours = 0) => new Date(2026, 10, day, hours).toISOString();
    const hours = ticksOf(starts(local(21, 14), 24, 3_600_000), 'hour');
    expect(hours).toEqual([
      { index: 4, text: '18:00' },
      { index: 10, text: '22 Nov' },
      { index: 16, text: '06:00' },
      { index: 22, text: '12:00' },
    ]);
    expect(ticksOf(starts(local(21, 14), 60, 60_000), 'minute')[0]?.text).toBe('21 Nov, 14:00');
    const week = ticksOf(starts(local(15, 13), 7 * 24, 3_600_000), 'hour');
    expect(week.length).toBeLessThanOrEqual(6);
    for (const { text } of week) expect(text).toMatch(/^\d+ Nov$/);
    const month = ticksOf(starts('2026-10-24T00:00:00.000Z', 30, 86_400_000), 'day');
    expect(month.length).toBeGreaterThanOrEqual(4);
    expect(month.length).toBeLessThanOrEqual(6);
    expect(ticksOf([], 'hour')).toEqual([]);
    expect(stepName('2026-11-22T00:00:00.000Z', 'day')).toMatch(/^Sun,? 22 Nov$/);
    expect(stepName(local(22, 9), 'hour')).toMatch(/^Sun,? 22 Nov.*09:00$/);
  });

  it('A chart of the dashboard counts down to the start of the next window', () => {
    const after = (ms: number) => countdown(new Date(NOW.getTime() + ms), NOW);
    expect(after(41_000)).toBe('0:41');
    expect(after(40_001)).toBe('0:41');
    expect(after(12 * 60_000 + 5_000)).toBe('12:05');
    expect(after(3 * 3_600_000 + 12 * 60_000 + 5_000)).toBe('3:12:05');
    expect(after(-5_000)).toBe('0:00');
  });
});
