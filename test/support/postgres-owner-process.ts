import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { eventually } from './eventually.js';

/** What the process writes, in one line of JSON, when its database runs or cannot. */
type OwnerReport = { url: string; owned: boolean } | { failure: string };

const started = new Set<ChildProcess>();
const folders = new Set<string>();

/** A process that runs the embedded database as the service, or a command, does. */
export class OwnerProcess {
  private constructor(
    readonly child: ChildProcess,
    readonly report: OwnerReport,
  ) {}

  /** Starts it and waits for its report. `checkout` is the folder of the packages that it runs, as global-setup built them. */
  static async start(
    dataDir: string,
    part: 'service' | 'command' = 'service',
    checkout = '.',
  ): Promise<OwnerProcess> {
    const child = spawn(
      process.execPath,
      [join(checkout, 'test/support/postgres-owner.mjs'), dataDir, part],
      // A process group of its own, as a terminal gives to what is started in it.
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

  /** Connection string of its database; fails the test when it has none. */
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

  /** Kills Node alone, as the system does when memory runs out. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  query<Row extends object>(sql: string): Promise<Row[]> {
    return query<Row>(this.url, sql);
  }
}

/** Rows of one statement on a connection of its own. */
export async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** An empty data folder, removed by {@link cleanUp}. */
export async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-database-'));
  folders.add(folder);
  return folder;
}

/** Process id of the server on a data folder, by its own record. */
export async function serverPid(dataDir: string): Promise<number> {
  const record = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number.parseInt(record, 10);
}

/** Whether a process runs; one that has ended and waits for its parent to notice does not. */
export function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)])
      .toString()
      .startsWith('Z');
  } catch {
    return false;
  }
}

/** Ends the processes of a test, so that the next one finds its data folder free. */
export async function endAll(): Promise<void> {
  await Promise.all([...started].map((child) => end(child)));
  started.clear();
}

async function end(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Ends what the tests of a file have left: processes, servers without one, folders. */
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
