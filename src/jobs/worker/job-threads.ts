import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import { TimeLimit } from '../../clock/time-limit.js';
import type { Config } from '../../config/config.js';
import type { ClaimedJob, Progress } from '../job-runner.js';
import { JobExecution } from './job-execution.js';
import { errorOf, type ToldError } from './told-error.js';

/** What a thread is given. */
export interface ThreadData {
  job: ClaimedJob;
  /** All settings but the key of the secrets, which no job needs. */
  config: Omit<Config, 'secretsKey'>;
}

/** What a thread says. */
export type ThreadMessage = { progress: Progress } | { ended: 'succeeded' | ToldError };

/** Most memory of a thread's old objects: a job that needs more fails alone, not the process. */
const MAX_OLD_SPACE_MB = 512;
/** How long a job may take to end when it is cut. */
const END_WITHIN_MS = 5_000;

/** Does each job in a thread of its own, so that none holds up the requests and leases of this process. */
@Injectable()
export class JobThreads extends JobExecution {
  constructor(
    /** The program of a thread. */
    private readonly program: URL,
    private readonly config: Config,
  ) {
    super();
  }

  async execute(
    job: ClaimedJob,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<void> {
    signal.throwIfAborted();
    const config: Partial<Config> = Object.assign({}, this.config);
    Reflect.deleteProperty(config, 'secretsKey');
    const thread = new Worker(this.program, {
      workerData: { job, config: config as Config } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_OLD_SPACE_MB },
    });
    let ending: TimeLimit | undefined;
    const cut = () => {
      thread.postMessage('cut');
      ending = new TimeLimit(END_WITHIN_MS, () => void thread.terminate());
    };
    signal.addEventListener('abort', cut);
    try {
      await new Promise<void>((resolve, reject) => {
        let ended: 'succeeded' | ToldError | undefined;
        thread.on('message', (message: ThreadMessage) => {
          if ('progress' in message) report(message.progress);
          else ended = message.ended;
        });
        thread.on('error', reject);
        // Only when it has gone: until then it has connections and may write.
        thread.on('exit', (code) => {
          if (ended === 'succeeded') resolve();
          else reject(ended ? errorOf(ended) : new Error(`The thread ended with ${String(code)}.`));
        });
      });
    } finally {
      ending?.clear();
      signal.removeEventListener('abort', cut);
    }
  }
}
