import { MessageChannel } from 'node:worker_threads';
import type { OnApplicationShutdown } from '@nestjs/common';
import { TimeLimit } from '../../../platform/basics/clock/time-limit.js';
import type { Config } from '../../../platform/config/config.js';
import { NICENESS } from '../../../platform/threads/task-length.js';
import { ThreadPool, ThreadPoolError } from '../../../platform/threads/thread-pool.js';
import type { ThreadModule } from '../../../platform/threads/thread-task.js';
import type { JobKind } from '../queue/job-kind.js';
import type { JobRegistry } from '../queue/job-registry.js';
import type { Progress } from '../job.js';
import { JobCrash } from './attempt-outcome.js';
import type { CheckedJob } from './job-execution.js';
import type { JobTask, JobTaskResult } from './job-thread-task.js';

/** Heap limit of a thread. A job that exceeds it crashes only its thread. */
const MAX_OLD_SPACE_MB = 512;
/** Grace period for an aborted job. After that, its thread is terminated. */
export const GRACE_PERIOD_MS = 5_000;
/** Idle threads end after this time. */
const IDLE_MS = 60_000;

/** Runs jobs in threads, one job per thread, so they do not block this process's requests and leases. */
export class JobThreads implements OnApplicationShutdown {
  private pool: ThreadPool | undefined;

  constructor(
    /** The module that threads run. Without it, all jobs run on this thread. */
    private readonly module: ThreadModule | undefined,
    private readonly config: Config,
    private readonly registry: JobRegistry,
  ) {}

  runs({ runsIn }: JobKind): boolean {
    return this.module !== undefined && runsIn === 'thread';
  }

  /** Like {@link JobExecution.execute}. Rejects with a {@link JobCrash} if the job crashes its thread. */
  async execute(
    job: CheckedJob,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<void> {
    signal.throwIfAborted();
    const { port1, port2 } = new MessageChannel();
    port1.on('message', report);
    const hung = new AbortController();
    let ending: TimeLimit | undefined;
    const abort = () => {
      port1.postMessage('abort');
      ending = new TimeLimit(GRACE_PERIOD_MS, () => {
        hung.abort();
      });
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      const task: JobTask = { job, config: this.settings(), port: port2 };
      const options = { signal: hung.signal, transferList: [port2] };
      this.pool ??= this.start();
      const { error } = (await this.pool.run(job.accountId, task, options)) as JobTaskResult;
      if (error) throw Object.assign(new Error(error.message), { stack: error.stack });
    } catch (error) {
      throw error instanceof ThreadPoolError ? crashOf(error) : error;
    } finally {
      ending?.clear();
      signal.removeEventListener('abort', abort);
      port1.close();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.close();
  }

  /** Starts one thread per concurrent job, because jobs wait only in the database. */
  private start(): ThreadPool {
    if (!this.module) throw new Error('Job threads have no module.');
    const limits = this.registry.kinds.filter((kind) => this.runs(kind)).map((kind) => kind.limits);
    const threads = limits.reduce((sum, { concurrency }) => sum + concurrency, 0);
    const timeLimitMs = Math.max(...limits.map((limit) => limit.timeLimitMs)) + 2 * GRACE_PERIOD_MS;
    return new ThreadPool({
      ...this.module,
      threads,
      niceness: NICENESS.long,
      maxWaiting: threads,
      maxOfOwner: 2 * threads,
      timeLimitMs,
      waitLimitMs: timeLimitMs,
      idleMs: IDLE_MS,
      sharesEnvironment: true,
      resourceLimits: { maxOldGenerationSizeMb: MAX_OLD_SPACE_MB },
    });
  }

  /** Returns the settings without the secrets keys, because no job needs them. */
  private settings(): JobTask['config'] {
    const config: Partial<Config> = Object.assign({}, this.config);
    Reflect.deleteProperty(config, 'secretsKey');
    Reflect.deleteProperty(config, 'previousSecretsKeys');
    return config as Config;
  }
}

function crashOf(error: ThreadPoolError): Error {
  switch (error.failure) {
    case 'crashed':
      return new JobCrash('crashed its thread', { cause: error });
    case 'out of memory':
      return new JobCrash('exceeded the memory limit of a thread', { cause: error });
    default:
      return error;
  }
}
