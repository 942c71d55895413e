import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ModulesContainer, Reflector } from '@nestjs/core';
import { Log } from '../operation/log.js';
import { BackgroundWork } from './background-work.js';
import { Poller } from './poller.js';

export const MINUTE_MS = 60 * 1000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Periodic work of workers. Several workers may run it at once. */
export interface BackgroundTask {
  /** Runs one bounded batch. Returns true if there may be more to do. */
  runBatch(): Promise<boolean>;
}

interface TaskSchedule {
  /** Name for the log, which appends "failed and will be retried", such as "The removal of old events". */
  name: string;
  everyMs: number;
}

/**
 * Makes a worker run the class, a {@link BackgroundTask} and provider of a worker module, once it listens and periodically.
 */
export const RunsInBackground = Reflector.createDecorator<TaskSchedule>();

/** Runs every task with {@link RunsInBackground} independently, so a slow task does not delay the others. */
@Injectable()
export class BackgroundTasks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private pollers: Poller[] = [];

  constructor(
    private readonly modules: ModulesContainer,
    private readonly reflector: Reflector,
    private readonly log: Log,
    private readonly work: BackgroundWork,
  ) {}

  onApplicationBootstrap(): void {
    this.pollers = this.tasks().map(({ task, schedule: { name, everyMs } }) => {
      const onFailure = (error: unknown) => {
        this.log.warn({ err: error }, `${name} failed and will be retried.`);
      };
      return new Poller({ everyMs, work: () => task.runBatch(), onFailure });
    });
    this.work.run(
      () => {
        for (const poller of this.pollers) poller.start();
      },
      () => this.stop(),
    );
  }

  /** Waits for batches in flight while the database is still connected. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Runs everything that is due. */
  async runAll(): Promise<void> {
    for (const { task } of this.tasks()) while (await task.runBatch());
  }

  private async stop(): Promise<void> {
    await Promise.all(this.pollers.map((poller) => poller.stop()));
  }

  private tasks(): { task: BackgroundTask; schedule: TaskSchedule }[] {
    const providers = [...this.modules.values()].flatMap((one) => [...one.providers.values()]);
    return providers.flatMap(({ metatype, instance }) => {
      const schedule = metatype && this.reflector.get(RunsInBackground, metatype);
      return schedule ? [{ task: instance as BackgroundTask, schedule }] : [];
    });
  }
}
