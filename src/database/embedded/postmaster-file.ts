import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './cluster.js';
import { runProgram } from './run-program.js';

/** What a server says about itself in `postmaster.pid`; the file stays when the server is killed. */
export interface PostmasterFile {
  pid: number;
  /** Connections are accepted (PostgreSQL's PM_STATUS_READY, which pg_ctl waits for as well). */
  ready: boolean;
}

const STATUS_LINE = 7;

export async function readPostmasterFile(folder: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => undefined);
  const lines = text?.split('\n') ?? [];
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return pid > 0 ? { pid, ready: lines[STATUS_LINE]?.trim() === 'ready' } : undefined;
}

/** Whether process `pid` is a PostgreSQL server working on this cluster: after a crash the number may be anybody's. */
export async function isServerOf(
  { folder }: Pick<Cluster, 'folder'>,
  pid: number,
): Promise<boolean> {
  try {
    if (process.platform !== 'linux') {
      return /postgres$/.test((await runProgram('ps', ['-o', 'comm=', '-p', String(pid)])).trim());
    }
    const name = await readFile(`/proc/${String(pid)}/comm`, 'utf8');
    const [works, cluster] = await Promise.all([stat(`/proc/${String(pid)}/cwd`), stat(folder)]);
    return name.trim() === 'postgres' && works.dev === cluster.dev && works.ino === cluster.ino;
  } catch {
    return false;
  }
}
