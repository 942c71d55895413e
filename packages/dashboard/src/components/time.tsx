import { useEffect, useState } from 'react';

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Seconds per unit, largest first. */
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Returns "3 hours ago", "in 5 minutes" or "just now". */
function relativeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1_000;
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  if (!unit) return seconds > 0 ? 'in a moment' : 'just now';
  return RELATIVE.format(Math.trunc(seconds / unit[1]), unit[0]);
}

/** Returns local time, followed by UTC. */
export function exactTime(at: Date): string {
  return `${EXACT.format(at)} (${at.toISOString().replace('T', ' ').slice(0, 19)} UTC)`;
}

/** Returns the current time, updated every 30 seconds. */
export function useNow(everyMs = 30_000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(new Date());
    }, everyMs);
    return () => {
      clearInterval(timer);
    };
  }, [everyMs]);
  return now;
}

interface TimeProps {
  /** ISO 8601. */
  at: string;
  /** `relative` shows "3 hours ago", `day` shows the day. The title has the exact time. */
  format?: 'relative' | 'day';
}

export function Time({ at, format = 'relative' }: TimeProps) {
  const now = useNow();
  const time = new Date(at);
  const text = format === 'day' ? DAY.format(time) : relativeTime(time, now);
  return (
    <time dateTime={at} title={exactTime(time)}>
      {text}
    </time>
  );
}
