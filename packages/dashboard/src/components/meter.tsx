import { formatCount } from './numbers.js';
import classes from './meter.module.css';

interface MeterProps {
  /** What is measured, such as "Requests this minute". */
  name: string;
  /** `null` if it is not counted. */
  used: number | null;
  /** `null` is unlimited. */
  limit: number | null;
  format?: (amount: number) => string;
}

/** Share of a limit from which the bar is red. */
const NEARLY_FULL = 0.9;

/** A bar that shows the used share of a limit. */
export function Meter({ name, used, limit, format = formatCount }: MeterProps) {
  const share = limit === null ? 0 : limit === 0 ? 1 : Math.min(1, (used ?? 0) / limit);
  return (
    <svg
      className={classes.track}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="meter"
      aria-label={name}
      aria-valuenow={used ?? 0}
      aria-valuemin={0}
      aria-valuemax={limit ?? Math.max(used ?? 0, 1)}
      aria-valuetext={textOf(used, limit, format)}
    >
      <rect width="100" height="6" />
      <rect
        className={share >= NEARLY_FULL ? classes.full : classes.used}
        width={share * 100}
        height="6"
      />
    </svg>
  );
}

function textOf(used: number | null, limit: number | null, format: (amount: number) => string) {
  if (used === null) return 'No limit';
  return limit === null ? `${format(used)}, no limit` : `${format(used)} of ${format(limit)}`;
}
