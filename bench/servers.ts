import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '@document-service/embedded-postgres/free-port';
import type { PostgresServer } from './postgres.js';

export const PROJECT_FOLDER = fileURLToPath(new URL('..', import.meta.url));
export const TYPESCRIPT_LOADER = [
  '--conditions=document-service-source',
  '--import',
  '@swc-node/register/esm-register',
];

const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 10;
const STOP_TIMEOUT_MS = 15_000;

interface NodeProcessOptions {
  /** Arguments of `node`, relative to `folder`. */
  args: string[];
  /** The project folder if undefined. */
  folder?: string;
  /** The whole environment except PATH and HOME. PORT is added. */
  env: Record<string, string>;
  /** Standard output and error are appended to this file. */
  logFile: string;
}

/** A server in a separate process that is ready. */
export class NodeProcess {
  private static readonly running = new Set<NodeProcess>();

  private constructor(
    private readonly child: ChildProcess,
    readonly origin: string,
    private readonly logFile: string,
  ) {}

  /** Time from spawn to the first 200 from /health/ready. */
  readyAfterMs = NaN;

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Resolves at the first 200 from /health/ready. Otherwise, throws with the end of the log. */
  static async start(options: NodeProcessOptions): Promise<NodeProcess> {
    const { args, folder = PROJECT_FOLDER, env, logFile } = options;
    const port = await freePort();
    const log = openSync(logFile, 'a');
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...inheritedEnvironment(), ...env, PORT: String(port) },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    const origin = `http://127.0.0.1:${String(port)}`;
    const server = new NodeProcess(child, origin, logFile);
    NodeProcess.running.add(server);
    while (!(await isReady(origin))) {
      if (child.exitCode !== null || performance.now() - startedAt > READY_TIMEOUT_MS) {
        const words = `\`node ${args.join(' ')}\` did not become ready. The end of its log:`;
        throw new Error(`${words}\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
      }
      await pause(READY_POLL_MS);
    }
    server.readyAfterMs = performance.now() - startedAt;
    return server;
  }

  /** Ends all processes that are still running after a failure. */
  static async stopAll(): Promise<void> {
    await Promise.all([...NodeProcess.running].map((server) => server.stop()));
  }

  /** Prevents a long load from filling the disk with logs. */
  emptyLog(): void {
    truncateSync(this.logFile);
  }

  /** Sends SIGTERM, and SIGKILL if it has not ended within 15 seconds. */
  async stop(): Promise<void> {
    NodeProcess.running.delete(this);
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    this.child.kill('SIGTERM');
    await exited;
    clearTimeout(timer);
  }
}

/** Returns what a child needs to find programs, and nothing that could configure it by accident. */
export function inheritedEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

async function isReady(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/health/ready`);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** A server and an account of it. */
export interface Participant {
  key: string;
  server: NodeProcess;
}

/** Sends a GET (or POST, with a body) as the participant's account. Returns the status, headers and parsed envelope. */
export async function callApi(
  { key, server }: Participant,
  path: string,
  body?: object,
): Promise<{ status: number; headers: Headers; envelope: Envelope }> {
  const response = await fetch(server.origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const envelope = (await response.json()) as Envelope;
  return { status: response.status, headers: response.headers, envelope };
}

/** The parts of a response that the benchmark checks. */
export interface Envelope {
  data?: unknown;
  meta?: { requestId?: string; pagination?: { total?: number } };
}

const run = promisify(execFile);

const INDEX_POLL_MS = 100;

/** A build of the service with an environment. Each one is a side of its own, with its own database. */
export interface Variant {
  label: string;
  /** The folder with `main.js` and `cli.js`. */
  dist: string;
  env: Record<string, string>;
}

/** A migrated database and the means to start processes on it. */
export interface Service {
  databaseUrl: string;
  /** `name` is part of the name of the log file. */
  start(role: 'api' | 'worker' | 'all', name?: string): Promise<NodeProcess>;
  /** Resolves when a worker has indexed all changes of documents. */
  untilIndexed(): Promise<void>;
  /** Deletes the database. Its processes must have ended. */
  drop(): Promise<void>;
}

/** Creates a database of this name and migrates it with the variant's command line. */
export async function openService(
  postgres: PostgresServer,
  { dist, env: own }: Variant,
  database: string,
  logFolder: string,
): Promise<Service> {
  const databaseUrl = await postgres.createDatabase(database);
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WARM_UP: 'false',
    ...own,
  };
  await runCli(dist, ['migrate'], env);
  return {
    databaseUrl,
    start: (role, name = role) =>
      NodeProcess.start({
        args: [path.join(dist, 'main.js')],
        folder: path.dirname(dist),
        env: { ...env, PROCESS_ROLE: role },
        logFile: path.join(logFolder, `${database}-${name}.log`),
      }),
    untilIndexed: () => untilIndexed(databaseUrl),
    drop: () => postgres.dropDatabase(database),
  };
}

async function untilIndexed(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (;;) {
    const { rowCount } = await client.query('SELECT FROM search_changes LIMIT 1');
    if (rowCount === 0) break;
    await pause(INDEX_POLL_MS);
  }
  await client.end();
}

/** Runs a command of a build. Throws an Error with its output if it fails. */
export async function runCli(
  dist: string,
  args: string[],
  env: Record<string, string>,
): Promise<void> {
  try {
    await run(process.execPath, [path.join(dist, 'cli.js'), ...args], {
      cwd: path.dirname(dist),
      env: { ...inheritedEnvironment(), ...env },
    });
  } catch (cause) {
    const { stderr = '', stdout = '' } = cause as { stderr?: string; stdout?: string };
    throw new Error(`\`cli ${args.join(' ')}\` of ${dist} failed:\n${stderr || stdout}`, { cause });
  }
}
