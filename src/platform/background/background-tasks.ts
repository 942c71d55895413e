import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ModulesContainer, Reflector } from '@nestjs/core';
import { Log } from '../operation/log.js';
import { Poller } from './poller.js';

export const MINUTE_MS = 60 * 1000;
export const HOUR_MS = 60 * MINUTE_MS;

/** Something that workers do over and over. Several workers may do it at once. */
export interface BackgroundTask {
  /** Does one bounded batch; whether there may be more to do at once. */
  runBatch(): Promise<boolean>;
}

interface TaskSchedule {
  /** What it does, to continue "… failed" in the log, such as "The removal of old events". */
  name: string;
  everyMs: number;
}

/**
 * Has the worker run the class, which is a {@link BackgroundTask} and a provider of a module of the worker, at its start
 * and every so often, until there is no more to do.
 */
export const RunsInBackground = Reflector.createDecorator<TaskSchedule>();

/** Runs every task that {@link RunsInBackground} marks, each by itself: a slow one delays no other. */
@Injectable()
export class BackgroundTasks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private pollers: Poller[] = [];

  constructor(
    private readonly modules: ModulesContainer,
    private readonly reflector: Reflector,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.pollers = this.tasks().map(({ task, schedule: { name, everyMs } }) => {
      const onFailure = (error: unknown) => {
        this.log.warn({ err: error }, `${name} failed; it is tried again.`);
      };
      return new Poller({ everyMs, work: () => task.runBatch(), onFailure });
    });
    for (const poller of this.pollers) poller.start();
  }

  /** The batches in flight are finished while the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pollers.map((poller) => poller.stop()));
  }

  /** Does now what is due of every task. */
  async runAll(): Promise<void> {
    for (const { task } of this.tasks()) while (await task.runBatch());
  }

  private tasks(): { task: BackgroundTask; schedule: TaskSchedule }[] {
    const providers = [...this.modules.values()].flatMap((one) => [...one.providers.values()]);
    return providers.flatMap(({ metatype, instance }) => {
      const schedule = metatype && this.reflector.get(RunsInBackground, metatype);
      return schedule ? [{ task: instance as BackgroundTask, schedule }] : [];
    });
  }
}
