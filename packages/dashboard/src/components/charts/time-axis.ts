/** Length of a step of a chart. Days start at midnight UTC, as in the service. */
export type Step = 'minute' | 'hour' | 'day';

/** A label below a chart. */
export interface Tick {
  /** Index of the step that it names. */
  index: number;
  text: string;
}

const DAY_MS = 86_400_000;
/** Maximum number of labels below a chart. */
const MOST_TICKS = 6;

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const DATE = { day: 'numeric', month: 'short' } as const;
const UTC = { timeZone: 'UTC' } as const;

const clock = new Intl.DateTimeFormat('en-GB', CLOCK);
const date = new Intl.DateTimeFormat('en-GB', DATE);
const utcDate = new Intl.DateTimeFormat('en-GB', { ...DATE, ...UTC });
const dateAndClock = new Intl.DateTimeFormat('en-GB', { weekday: 'short', ...DATE, ...CLOCK });
const utcDateAndDay = new Intl.DateTimeFormat('en-GB', { weekday: 'short', ...DATE, ...UTC });

/** Returns the full name of a step: its date, and its time in local time unless it is a day. */
export function stepName(start: string, step: Step): string {
  const time = new Date(start);
  return step === 'day' ? utcDateAndDay.format(time) : dateAndClock.format(time);
}

/** Returns the labels below a chart: whole hours and days at even distances. At least one of them has a date. */
export function ticksOf(starts: readonly string[], step: Step): Tick[] {
  const times = starts.map((start) => new Date(start));
  const chosen = evenly(times, step).map((index) => ({ index, time: times[index] ?? new Date() }));
  if (step === 'day')
    return chosen.map(({ index, time }) => ({ index, text: utcDate.format(time) }));
  const hasMidnight = chosen.some(({ time }) => isMidnight(time));
  return chosen.map(({ index, time }, place) => {
    if (isMidnight(time)) return { index, text: date.format(time) };
    const isDated = place === 0 && !hasMidnight;
    return { index, text: `${isDated ? `${date.format(time)}, ` : ''}${clock.format(time)}` };
  });
}

function isMidnight(time: Date): boolean {
  return time.getHours() === 0 && time.getMinutes() === 0;
}

/** Distances between labels, in ms. */
const DISTANCES: Readonly<Record<Step, readonly number[]>> = {
  minute: [15 * 60_000],
  hour: [6 * 3_600_000, DAY_MS, 2 * DAY_MS, 7 * DAY_MS],
  day: [DAY_MS, 2 * DAY_MS, 7 * DAY_MS, 14 * DAY_MS],
};

/** Returns the indexes of the steps at the smallest distance that gives few enough labels. */
function evenly(times: readonly Date[], step: Step): number[] {
  const found = DISTANCES[step].map((distance) => {
    return times.flatMap((time, index) => (localMs(time, step) % distance === 0 ? [index] : []));
  });
  return (
    found.find(({ length }) => length <= MOST_TICKS) ?? found.at(-1)?.slice(0, MOST_TICKS) ?? []
  );
}

/** Returns the ms since 1970 that a clock at this place would have counted. */
function localMs(time: Date, step: Step): number {
  return time.getTime() - (step === 'day' ? 0 : time.getTimezoneOffset() * 60_000);
}
