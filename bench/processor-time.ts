import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports process times in hundredths of a second. */
const TICKS_PER_SECOND = 100;

interface ProcessStat {
  parent: number;
  /** CPU seconds of the process itself and of its children that have ended. */
  own: number;
  ended: number;
}

/** Returns the CPU seconds that a process has used, or NaN if there is no /proc. */
export function processorSeconds(pid: number): number {
  return statOf(pid)?.own ?? NaN;
}

/**
 * Returns the same for the parent of `pid` and all its children, including those that have ended: a whole PostgreSQL,
 * from one backend.
 */
export function siblingsSeconds(pid: number): number {
  const parent = statOf(pid)?.parent;
  if (parent === undefined) return NaN;
  let seconds = 0;
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    if (stat === undefined) continue;
    if (Number(name) === parent) seconds += stat.own + stat.ended;
    else if (stat.parent === parent) seconds += stat.own;
  }
  return seconds;
}

function statOf(pid: number): ProcessStat | undefined {
  try {
    // The program name, in parentheses, may contain anything.
    const [, rest = ''] =
      /^.*\) (.*)$/s.exec(readFileSync(`/proc/${String(pid)}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ').map(Number);
    const sum = (first: number): number =>
      ((fields[first] ?? NaN) + (fields[first + 1] ?? NaN)) / TICKS_PER_SECOND;
    return { parent: fields[1] ?? NaN, own: sum(11), ended: sum(13) };
  } catch {
    return undefined;
  }
}
