import { readdirSync, readFileSync } from 'node:fs';

/** Linux shows times to processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;

interface ProcessStat {
  parent: number;
  /** Seconds of a processor, of itself and of its children that have ended. */
  own: number;
  ended: number;
}

/** Seconds of a processor that a process has used; NaN where there is no /proc. */
export function processorSeconds(pid: number): number {
  return statOf(pid)?.own ?? NaN;
}

/** The same of the parent of `pid` and all its children, those that have ended too: of a PostgreSQL by one backend. */
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
    // The name of the program, in brackets, may hold anything.
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
