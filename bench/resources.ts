import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** Linux reports process times in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** Interval in ms. */
const MEMORY_SAMPLE_MS = 200;

/** Returns the CPU seconds that a process has used, or NaN if there is no /proc. */
export function processorSeconds(pid: number): number {
  return statOf(pid)?.own ?? NaN;
}

/**
 * Starts measuring a PostgreSQL server on this machine. The returned function returns the CPU seconds used since then by
 * the sessions of one database and by processes that belong to none. Sessions of other databases do not count, because
 * the services that are not under load poll there.
 */
export async function meterPostgres(
  client: pg.Client,
  database: string,
): Promise<() => Promise<number>> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const postmaster = statOf(rows[0]?.pid ?? 0)?.parent ?? NaN;
  const before = timesOf(postmaster);
  return async () => {
    const others = await client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname <> $1',
      [database],
    );
    const after = timesOf(postmaster);
    let used = sum(after.values()) - sum(before.values());
    for (const { pid } of others.rows) used -= (after.get(pid) ?? 0) - (before.get(pid) ?? 0);
    return used;
  };
}

/** Returns CPU seconds by process id, of a process (including its children that have ended) and its children. */
function timesOf(parent: number): Map<number, number> {
  const times = new Map<number, number>();
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    const stat = statOf(pid);
    if (pid === parent) times.set(pid, (stat?.own ?? NaN) + (stat?.ended ?? NaN));
    else if (stat?.parent === parent) times.set(pid, stat.own);
  }
  return times;
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Returns the parent, and the CPU seconds of the process itself and of its children that have ended. */
function statOf(pid: number): { parent: number; own: number; ended: number } | undefined {
  try {
    // The program name, in parentheses, may contain anything.
    const [, rest = ''] =
      /^.*\) (.*)$/s.exec(readFileSync(`/proc/${String(pid)}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ').map(Number);
    const seconds = (first: number): number =>
      ((fields[first] ?? NaN) + (fields[first + 1] ?? NaN)) / TICKS_PER_SECOND;
    return { parent: fields[1] ?? NaN, own: seconds(11), ended: seconds(13) };
  } catch {
    return undefined;
  }
}

/** Runs `work`. Returns its result with the peak resident memory of `pid` meanwhile, in MB (0 if there is no /proc). */
export async function withPeakMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; peak: number }> {
  let peak = 0;
  const sample = (): void => {
    peak = Math.max(peak, residentMemory(pid));
  };
  const timer = setInterval(sample, MEMORY_SAMPLE_MS);
  try {
    return { result: await work(), peak };
  } finally {
    clearInterval(timer);
  }
}

function residentMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
