import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { processOptions, type Cluster } from './cluster.js';
import { reasonIn, runProgram } from './run-program.js';
import { waitWhile } from './wait-while.js';

const POLL_MS = 10;
/** Number of last output lines to search for the reason of a failed start. */
const MAX_OUTPUT_LINES = 50;
/** Signals of PostgreSQL's fast and immediate shutdown, then kill. Each has a time limit in ms. */
const STOP_SIGNALS: readonly [NodeJS.Signals, number][] = [
  ['SIGINT', 8_000],
  ['SIGQUIT', 4_000],
  ['SIGKILL', 4_000],
];

type ServerSettings = Readonly<Record<string, string>>;

/** Settings for a small service on one machine. Commits are durable. */
const SETTINGS: ServerSettings = {
  listen_addresses: '127.0.0.1',
  // Socket paths are limited to 107 bytes, and no folder works for every user. TCP always works.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  random_page_cost: '1.1',
  // The service only runs short statements, for which compilation costs more than it saves.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  // The service reports failed statements itself. PostgreSQL would log the values that clients sent.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** For tests: many small pools, and speed for data that does not have to survive a crash. */
const NOT_DURABLE: ServerSettings = {
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** Returns arguments of `postgres` for a server on `port`. */
export function serverArguments(port: number, durable: boolean): string[] {
  const settings = { ...SETTINGS, ...(durable ? {} : NOT_DURABLE), port: String(port) };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** A server that accepts connections. */
export interface ServerProcess {
  pid: number;
  /** Resolves when the server has ended for any reason, with a description such as `SIGKILL` or `exit code 1`. */
  ended: Promise<string>;
}

/**
 * Starts a server and waits until it accepts connections, even through crash recovery. The server has its own process
 * group, so Ctrl-C reaches the service first. It ends when Node.js exits, at the latest. Rejects with PostgreSQL's reason
 * if it ends before it is ready.
 */
export async function launchServer(
  cluster: Cluster,
  args: readonly string[],
  log: (line: string) => void,
): Promise<ServerProcess> {
  const file = await readPostmasterFile(cluster.folder);
  const stale = file && !(await isServerOf(cluster, file.pid)) ? file : undefined;
  const { env, ...options } = processOptions(cluster);
  const child = spawn(cluster.programs.postgres, args, {
    ...options,
    // The process id of a killed server may belong to another process now. With this variable of pg_ctl, PostgreSQL
    // ignores the id but still looks for processes that use the shared memory of the killed server.
    env: { ...env, ...(stale && { PG_GRANDPARENT_PID: String(stale.pid) }) },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  endWithNode(child);
  const output = followOutput(child, log);
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(signal ?? `exit code ${String(code)}`);
    });
  });
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  child.once(
    'close',
    () => (failure ??= new Error(reasonIn(output.join('\n')) ?? 'it ended immediately')),
  );
  while (failure === undefined) {
    const file = await readPostmasterFile(cluster.folder);
    if (file?.ready === true && file.pid === child.pid) return { pid: file.pid, ended };
    await delay(POLL_MS);
  }
  throw failure;
}

/** Ends the server when Node.js exits, even while it starts. `process.exit` cannot wait for it. */
function endWithNode(child: ChildProcess): void {
  const end = () => {
    if (child.pid !== undefined) sendSignal(child.pid, 'SIGINT');
  };
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}

/** Passes each line to `log` and returns the last ones. Neither the output nor the process keeps Node.js running. */
function followOutput(
  child: ChildProcessByStdio<null, null, Readable>,
  log: (line: string) => void,
): string[] {
  const output: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    log(line);
    output.push(line);
    if (output.length > MAX_OUTPUT_LINES) output.shift();
  });
  child.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
  return output;
}

/** Stops the server of this cluster, even if another process started it. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const file = await readPostmasterFile(cluster.folder);
  if (file) await endServer(file.pid, () => isServerOf(cluster, file.pid));
}

/** Sends signals to server `pid` until it no longer `runs`. Committed data survives all of them. */
export async function endServer(
  pid: number,
  runs: () => boolean | Promise<boolean>,
): Promise<void> {
  for (const [signal, limitMs] of STOP_SIGNALS) {
    if (!(await runs())) return;
    sendSignal(pid, signal);
    await waitWhile(runs, limitMs, POLL_MS);
  }
}

/** Sends a signal to a process that may have ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Contents of `postmaster.pid`. The file remains if the server is killed. */
interface PostmasterFile {
  pid: number;
  /** True if the server accepts connections (PM_STATUS_READY, which pg_ctl also waits for). */
  ready: boolean;
}

/** Zero-based line of postmaster.pid. */
const STATUS_LINE = 7;

async function readPostmasterFile(folder: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => undefined);
  const lines = text?.split('\n') ?? [];
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return pid > 0 ? { pid, ready: lines[STATUS_LINE]?.trim() === 'ready' } : undefined;
}

/** Returns true if process `pid` is a PostgreSQL server on this cluster. After a crash, another process may have the id. */
async function isServerOf({ folder }: Pick<Cluster, 'folder'>, pid: number): Promise<boolean> {
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
