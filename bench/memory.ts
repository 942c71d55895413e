import { readFileSync } from 'node:fs';

const SAMPLE_INTERVAL_MS = 200;

/** Runs `work`. Returns its result with the peak resident memory of `pid` meanwhile, in MB (0 if there is no /proc). */
export async function withPeakMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; peak: number }> {
  let peak = 0;
  const sample = (): void => {
    peak = Math.max(peak, residentMemory(pid));
  };
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
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
