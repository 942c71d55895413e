import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RequestKind } from '../ordinary/traffic.js';
import { TYPESCRIPT_LOADER } from '../servers.js';

/** Each connection sends a different request after each response. */
export interface Load {
  line: RequestKind;
  connections: number;
}

export interface LoadJob extends Load {
  /** For example http://127.0.0.1:3000 */
  origin: string;
  /** Path of a JSON file with the accounts. */
  tenants: string;
  seed: number;
  seconds: number;
}

/** The result of a job. Latencies are in milliseconds, over all responses whatever their status. */
export interface LoadResult {
  requests: number;
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** The first wrong or missing responses. */
  faults: string[];
  /** Creates and changes with correct responses. */
  writes: number;
}

/** The worker's reply over the process channel. */
export type LoadReply = { result: LoadResult } | { failure: string };

/** A running load worker. Its work never uses the event loop of the runner or of a server. */
export class LoadProcess {
  private readonly worker: ChildProcess = fork(
    fileURLToPath(new URL('./worker.ts', import.meta.url)),
    { execArgv: TYPESCRIPT_LOADER },
  );
  private readonly exited = once(this.worker, 'exit');

  /** Runs one job at a time. Throws if the worker could not run it. */
  async run(job: LoadJob): Promise<LoadResult> {
    this.worker.send(job);
    const replies = await Promise.race([once(this.worker, 'message'), this.failWhenExited()]);
    const [reply] = replies as [LoadReply];
    if ('failure' in reply) throw new Error(`The load failed: ${reply.failure}`);
    return reply.result;
  }

  async stop(): Promise<void> {
    if (this.worker.connected) this.worker.disconnect();
    await this.exited;
  }

  private async failWhenExited(): Promise<never> {
    await this.exited;
    throw new Error('The load process ended before it had a result.');
  }
}
