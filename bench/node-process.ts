import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@document-service/embedded-postgres/free-port';

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

  readLog(): string {
    return readFileSync(this.logFile, 'utf8');
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
