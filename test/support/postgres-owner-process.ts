import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { eventually } from './eventually.js';

/** What the process prints, as one line of JSON, once its database runs or has failed. */
type OwnerReport = { url: string; owned: boolean } | { failure: string };

const started = new Set<ChildProcess>();
const folders = new Set<string>();

/** A process that runs the embedded database, as the service or a command does. */
export class OwnerProcess {
  private constructor(
    readonly child: ChildProcess,
    readonly report: OwnerReport,
  ) {}

  /**
   * Starts it and waits for its report. `checkout` is the folder of the packages that it runs, as built by global-setup.
   */
  static async start(
    dataDir: string,
    part: 'service' | 'command' = 'service',
    checkout = '.',
  ): Promise<OwnerProcess> {
    const child = spawn(
      process.execPath,
      [join(checkout, 'test/support/postgres-owner.mjs'), dataDir, part],
      // A separate process group, like that of a command in a terminal.
      { stdio: ['pipe', 'pipe', 'inherit'], detached: true },
    );
    started.add(child);
    for await (const line of createInterface({ input: child.stdout })) {
      return new OwnerProcess(child, JSON.parse(line) as OwnerReport);
    }
    throw new Error('The process that runs the database ended without a word');
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Connection string of its database. Fails the test if there is none. */
  get url(): string {
    if ('failure' in this.report) throw new Error(this.report.failure);
    return this.report.url;
  }

  get failure(): string | undefined {
    return 'failure' in this.report ? this.report.failure : undefined;
  }

  /** Lets it stop as at the end of its work, and waits for that. */
  end(): Promise<void> {
    return end(this.child);
  }

  /** Kills only Node, as the system does when memory runs out. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  query<Row extends object>(sql: string): Promise<Row[]> {
    return query<Row>(this.url, sql);
  }
}

/** Returns the rows of one statement, on a separate connection. */
export async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Creates an empty data folder. {@link cleanUp} removes it. */
export async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-database-'));
  folders.add(folder);
  return folder;
}

/** Returns the process ID of the server on a data folder, as recorded there. */
export async function serverPid(dataDir: string): Promise<number> {
  const record = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number.parseInt(record, 10);
}

/** True if a process runs. False for one that has ended but has not been reaped by its parent. */
export function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)])
      .toString()
      .startsWith('Z');
  } catch {
    return false;
  }
}

/** Ends the processes of a test, so that its data folder is free for the next one. */
export async function endAll(): Promise<void> {
  await Promise.all([...started].map((child) => end(child)));
  started.clear();
}

async function end(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Removes everything that the tests of a file have left behind: processes, servers without an owner, folders. */
export async function cleanUp(): Promise<void> {
  for (const child of started) child.kill('SIGKILL');
  for (const folder of folders) {
    const pid = await serverPid(folder).catch(() => 0);
    if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGQUIT');
    await eventually(() => pid === 0 || !isAlive(pid));
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
  started.clear();
  folders.clear();
}
