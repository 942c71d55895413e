import { HOUR_MS, MINUTE_MS } from '../../../platform/background/background-tasks.js';
import { parseMoment } from '../../../platform/basics/clock/moment.js';
import { invalidFields, type AppError } from '../../../platform/basics/errors/app-error.js';
import { HOURS_KEPT_DAYS, MINUTES_KEPT_HOURS } from '../totals/totals-retention.js';

const DAY_MS = 24 * HOUR_MS;

export const STEPS = ['minute', 'hour', 'day'] as const;
export type Step = (typeof STEPS)[number];

/** Most points of an answer. */
export const MAX_POINTS = 1_000;

interface StepRule {
  lengthMs: number;
  /** How many points there are where the request does not say from when. */
  usual: number;
  keptMs: number;
  kept: string;
  /** What to take where there are no points of this length any more, or too many. */
  longer: Step | undefined;
}

const RULES: Readonly<Record<Step, StepRule>> = {
  minute: {
    lengthMs: MINUTE_MS,
    usual: 60,
    keptMs: MINUTES_KEPT_HOURS * HOUR_MS,
    kept: `${String(MINUTES_KEPT_HOURS)} hours`,
    longer: 'hour',
  },
  hour: {
    lengthMs: HOUR_MS,
    usual: 24,
    keptMs: HOURS_KEPT_DAYS * DAY_MS,
    kept: `${String(HOURS_KEPT_DAYS)} days`,
    longer: 'day',
  },
  day: {
    lengthMs: DAY_MS,
    usual: 30,
    keptMs: HOURS_KEPT_DAYS * DAY_MS,
    kept: `${String(HOURS_KEPT_DAYS)} days`,
    longer: undefined,
  },
};

/** A client asks for "the last 48 hours" by its own clock, and a little ago. */
const TOLERANCE_MS = 5 * MINUTE_MS;

/** Whole steps in UTC: all times in milliseconds since 1970. */
export interface SeriesRange {
  /** Where the first point begins. */
  from: number;
  /** Where the last point ends. */
  to: number;
  stepMs: number;
}

/**
 * The points that are asked for: the one that holds `from` and all up to `to`. Throws `bad_request` for a range that ends
 * before it begins, has too many points, or begins when totals of this step are not kept any more.
 */
export function seriesRange(
  { step, from, to }: { step: Step; from?: string | undefined; to?: string | undefined },
  now: Date,
): SeriesRange {
  const { lengthMs: stepMs, usual, keptMs, kept, longer } = RULES[step];
  // Without an end the step that has just begun is the last one.
  const end = (to === undefined ? undefined : parseMoment(to)) ?? new Date(now.getTime() + 1);
  const last = Math.ceil(end.getTime() / stepMs) * stepMs;
  const begin = from === undefined ? undefined : parseMoment(from);
  const first = begin ? Math.floor(begin.getTime() / stepMs) * stepMs : last - usual * stepMs;
  const hint = longer === undefined ? '' : `, or take step=${longer}`;
  if (begin && begin >= end) throw wrong('must be before to; to is now where it is not given');
  if ((last - first) / stepMs > MAX_POINTS) {
    throw wrong(
      `is ${String((last - first) / stepMs)} points before to, and an answer has at most ${MAX_POINTS.toLocaleString('en')}; take a later one${hint}`,
    );
  }
  if (first < now.getTime() - keptMs - stepMs - TOLERANCE_MS) {
    throw wrong(`is older than ${kept}, the retention of this step; use a later time${hint}`);
  }
  return { from: first, to: last, stepMs };
}

function wrong(issue: string): AppError {
  return invalidFields([{ field: 'from', issue }]);
}
