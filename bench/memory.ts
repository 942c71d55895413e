import { readFile } from 'node:fs/promises';

const SAMPLE_INTERVAL_MS = 200;

/** Returns resident memory in MB (Linux: VmRSS in /proc), or undefined if there is no /proc. */
export async function residentMemory(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
}

/** Runs `work`. Returns its result with the peak resident memory of `pid` meanwhile, in MB. */
export async function withPeakMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; peak: number }> {
  let peak = 0;
  const sample = async (): Promise<void> => {
    peak = Math.max(peak, (await residentMemory(pid)) ?? 0);
  };
  const timer = setInterval(() => void sample(), SAMPLE_INTERVAL_MS);
  try {
    const result = await work();
    await sample();
    return { result, peak };
  } finally {
    clearInterval(timer);
  }
}
