import { TextInput } from '@mantine/core';
import type { ApiKey } from '../../api/keys.js';
import { formatCount } from '../../components/numbers.js';
import classes from './keys.module.css';

const WINDOWS = ['minute', 'hour', 'day'] as const;

/** The limits of a key as typed text. Empty is no limit. */
export type TypedLimits = Readonly<Record<(typeof WINDOWS)[number], string>>;

type Limits = ApiKey['limits'];

const NO_LIMITS: Limits = { minute: null, hour: null, day: null };

export function typedLimits(limits: Limits = NO_LIMITS): TypedLimits {
  const textOf = (limit: number | null) => (limit === null ? '' : String(limit));
  return {
    minute: textOf(limits.minute),
    hour: textOf(limits.hour),
    day: textOf(limits.day),
  };
}

/** Returns the limits for the API. Text that is no number is sent as NaN, so check {@link areLimits} before. */
export function limitsOf({ minute, hour, day }: TypedLimits): Limits {
  return { minute: numberOf(minute), hour: numberOf(hour), day: numberOf(day) };
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}

const isLimit = (text: string) => text.trim() === '' || /^\s*[1-9][0-9]*\s*$/.test(text);

/** True if each limit is empty or a whole number of 1 or more. */
export function areLimits(typed: TypedLimits): boolean {
  return WINDOWS.every((window) => isLimit(typed[window]));
}

/** Lists the limits of a key: "60 per minute, 1,000 per day". */
export function limitsText(limits: Limits): string {
  const set = WINDOWS.flatMap((window) => {
    const limit = limits[window];
    return limit === null ? [] : [`${formatCount(limit)} per ${window}`];
  });
  return set.length === 0 ? 'Only those of the account' : set.join(', ');
}

interface LimitsFieldProps {
  value: TypedLimits;
  onChange: (limits: TypedLimits) => void;
  /** Returns the service's message about a field. */
  problemOf: (field: string) => string | undefined;
}

/** The maximum numbers of requests of a key. */
export function LimitsField({ value, onChange, problemOf }: LimitsFieldProps) {
  return (
    <fieldset className={classes.scopes}>
      <legend>Request limits</legend>
      <p className={classes.hint}>
        In addition to the limits of the account. Leave empty for no limit.
      </p>
      <div className={classes.limits}>
        {WINDOWS.map((window) => (
          <TextInput
            key={window}
            label={`Per ${window}`}
            inputMode="numeric"
            maxLength={10}
            value={value[window]}
            error={
              isLimit(value[window])
                ? problemOf(`limits.${window}`)
                : 'Enter a whole number of 1 or more.'
            }
            onChange={({ currentTarget }) => {
              onChange({ ...value, [window]: currentTarget.value });
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}
