import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { TYPESCRIPT_LOADER } from '../node-process.js';
import type { LoadJob, LoadReply, LoadResult } from './messages.js';

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
