import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/background/background-tasks.js';
import { parseMoment } from '../../../platform/basics/clock/moment.js';
import { invalidFields, type AppError } from '../../../platform/basics/errors/app-error.js';
import { HOUR_RETENTION_DAYS, MINUTE_RETENTION_HOURS } from '../totals/usage-totals.repository.js';

export const STEPS = ['minute', 'hour', 'day'] as const;
export type Step = (typeof STEPS)[number];

/** Maximum number of points in a response. */
export const MAX_POINTS = 1_000;

interface StepRule {
  lengthMs: number;
  /** Number of points if the request has no `from`. */
  defaultPoints: number;
  retentionMs: number;
  retention: string;
  /** The step to suggest if this one has too many points, or is not stored for long enough. */
  longer: Step | undefined;
}

const RULES: Readonly<Record<Step, StepRule>> = {
  minute: {
    lengthMs: MINUTE_MS,
    defaultPoints: 60,
    retentionMs: MINUTE_RETENTION_HOURS * HOUR_MS,
    retention: `${String(MINUTE_RETENTION_HOURS)} hours`,
    longer: 'hour',
  },
  hour: {
    lengthMs: HOUR_MS,
    defaultPoints: 24,
    retentionMs: HOUR_RETENTION_DAYS * DAY_MS,
    retention: `${String(HOUR_RETENTION_DAYS)} days`,
    longer: 'day',
  },
  day: {
    lengthMs: DAY_MS,
    defaultPoints: 30,
    retentionMs: HOUR_RETENTION_DAYS * DAY_MS,
    retention: `${String(HOUR_RETENTION_DAYS)} days`,
    longer: undefined,
  },
};

/** For clients that request exactly the retention time. Their clocks differ, and requests take time. */
const TOLERANCE_MS = 5 * MINUTE_MS;

/** Whole steps in UTC. Times are ms since 1970. */
interface SeriesRange {
  /** Start of the first point. */
  from: number;
  /** End of the last point. */
  to: number;
  stepMs: number;
}

/**
 * Returns the range of points from the one that contains `from` up to `to`. Throws `bad_request` if the range is empty,
 * has too many points, or begins before the retention time of the step.
 */
export function seriesRange(
  { step, from, to }: { step: Step; from?: string | undefined; to?: string | undefined },
  now: Date,
): SeriesRange {
  const { lengthMs: stepMs, defaultPoints, retentionMs, retention, longer } = RULES[step];
  // Without `to`, include the current step.
  const end = (to === undefined ? undefined : parseMoment(to)) ?? new Date(now.getTime() + 1);
  const last = Math.ceil(end.getTime() / stepMs) * stepMs;
  const begin = from === undefined ? undefined : parseMoment(from);
  const first = begin
    ? Math.floor(begin.getTime() / stepMs) * stepMs
    : last - defaultPoints * stepMs;
  const hint = longer === undefined ? '' : `, or step=${longer}`;
  if (begin && begin >= end) throw wrong('must be before to, which is now if not given');
  if ((last - first) / stepMs > MAX_POINTS) {
    throw wrong(
      `is ${String((last - first) / stepMs)} points before to, and a response has at most ${MAX_POINTS.toLocaleString('en')}; use a later time${hint}`,
    );
  }
  if (first < now.getTime() - retentionMs - stepMs - TOLERANCE_MS) {
    throw wrong(`is older than ${retention}, the retention of this step; use a later time${hint}`);
  }
  return { from: first, to: last, stepMs };
}

function wrong(issue: string): AppError {
  return invalidFields([{ field: 'from', issue }]);
}
