import { MessageChannel } from 'node:worker_threads';
import type { OnApplicationShutdown } from '@nestjs/common';
import { TimeLimit } from '../../../platform/basics/clock/time-limit.js';
import type { Config } from '../../../platform/config/config.js';
import { LANE_NICENESS } from '../../../platform/threads/lanes.js';
import { ThreadPool, ThreadPoolError } from '../../../platform/threads/thread-pool.js';
import type { ThreadModule } from '../../../platform/threads/thread-task.js';
import type { JobKind } from '../job-kind.js';
import type { JobRegistry } from '../job-registry.js';
import type { Progress } from '../job.js';
import { JobCrash } from './attempt-outcome.js';
import type { CheckedJob } from './job-execution.js';
import type { JobTask, JobTaskResult } from './job-thread-task.js';
import { deserializeError } from './serialized-error.js';

/** Most memory of a thread's old objects: a job that needs more fails alone, not the process. */
const MAX_OLD_SPACE_MB = 512;
/** How long a job may take to end when it is cut; then its thread is ended. */
export const END_WITHIN_MS = 5_000;
/** A thread without a job ends after it. */
const IDLE_MS = 60_000;

/** Does jobs in threads that serve one job after the other, so that none holds up the requests and leases of this process. */
export class JobThreads implements OnApplicationShutdown {
  private pool: ThreadPool | undefined;

  constructor(
    /** What threads run; without it all jobs are done on this thread. */
    private readonly module: ThreadModule | undefined,
    private readonly config: Config,
    private readonly registry: JobRegistry,
  ) {}

  runs({ runsIn }: JobKind): boolean {
    return this.module !== undefined && runsIn === 'thread';
  }

  /** As {@link JobExecution.execute}; rejects with a {@link JobCrash} when the job has ended its thread. */
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
    const cut = () => {
      port1.postMessage('cut');
      ending = new TimeLimit(END_WITHIN_MS, () => {
        hung.abort();
      });
    };
    signal.addEventListener('abort', cut, { once: true });
    try {
      const task: JobTask = { job, config: this.settings(), port: port2 };
      const options = { signal: hung.signal, transferList: [port2] };
      this.pool ??= this.start();
      const { error } = (await this.pool.run(job.accountId, task, options)) as JobTaskResult;
      if (error) throw deserializeError(error);
    } catch (error) {
      throw error instanceof ThreadPoolError ? crashOf(error) : error;
    } finally {
      ending?.clear();
      signal.removeEventListener('abort', cut);
      port1.close();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.close();
  }

  /** A thread for each job that may run at once: jobs wait in the database only. */
  private start(): ThreadPool {
    if (!this.module) throw new Error('Jobs have no module for their threads.');
    const limits = this.registry.kinds.filter((kind) => this.runs(kind)).map((kind) => kind.limits);
    const threads = limits.reduce((sum, { atOnce }) => sum + atOnce, 0);
    const timeLimitMs = Math.max(...limits.map((limit) => limit.timeLimitMs)) + 2 * END_WITHIN_MS;
    return new ThreadPool({
      ...this.module,
      threads,
      niceness: LANE_NICENESS.long,
      maxWaiting: threads,
      maxOfOwner: 2 * threads,
      timeLimitMs,
      waitLimitMs: timeLimitMs,
      idleMs: IDLE_MS,
      sharesEnvironment: true,
      resourceLimits: { maxOldGenerationSizeMb: MAX_OLD_SPACE_MB },
    });
  }

  /** All settings but the key of the secrets, which no job needs. */
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
      return new JobCrash('ended its thread', { cause: error });
    case 'out of memory':
      return new JobCrash('needed more memory than a thread may have', { cause: error });
    default:
      return error;
  }
}
