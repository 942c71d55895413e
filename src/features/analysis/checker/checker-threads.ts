import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { NICENESS } from '../../../platform/threads/task-length.js';
import { unavailableIfBusy, ThreadPool } from '../../../platform/threads/thread-pool.js';
import { threadModule } from '../../../platform/threads/thread-task.js';
import { STEPS, type CheckerTask, type Steps } from './check-steps.js';

/** Steps with larger inputs run in a thread. On the event loop, an input of this size takes at most a few ms. */
const LARGE_INPUT = 32 * 1024;

const BUSY = 'Too many long texts are being checked at once. Try again shortly.';

/** Runs the steps of checks around the analysis, in a thread if their input is large. */
@Injectable()
export class CheckerThreads implements OnApplicationShutdown {
  private readonly pool = new ThreadPool({
    ...threadModule(import.meta.url, 'checker-thread'),
    threads: 1,
    niceness: NICENESS.short,
    maxWaiting: 256,
    maxOfOwner: 32,
    timeLimitMs: 20_000,
    waitLimitMs: 20_000,
    idleMs: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });

  /** Runs a step. `size` is the size of its input, in bytes or UTF-16 units. Owners share the thread fairly. */
  async run<Step extends keyof Steps>(
    step: Step,
    { owner, size }: { owner: string; size: number },
    ...args: Parameters<Steps[Step]>
  ): Promise<ReturnType<Steps[Step]>> {
    type Result = ReturnType<Steps[Step]>;
    if (size <= LARGE_INPUT) {
      const work: (...given: never[]) => unknown = STEPS[step];
      return work(...(args as unknown[] as never[])) as Result;
    }
    const task: CheckerTask = { step, args };
    try {
      return (await this.pool.run(owner, task)) as Result;
    } catch (error) {
      throw unavailableIfBusy(error, BUSY);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}
