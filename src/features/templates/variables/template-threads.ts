import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ThreadPool, unavailableIfBusy } from '../../../platform/threads/thread-pool.js';
import { threadModule } from '../../../platform/threads/thread-task.js';
import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import type { TemplateFields } from '../template-fields.js';
import type { Filled } from './fill-template.js';
import {
  TEMPLATE_WORK,
  type FillTask,
  type TemplateMessage,
  type TemplateTask,
  type TemplateWork,
} from './template-thread.js';

const BUSY = 'Too many long templates are being processed. Try again shortly.';

/**
 * Length of texts above which work runs in a thread, in UTF-16 code units. Filling takes up to 40 ns a unit, and a
 * message to a thread about 0.3 ms (docs/adr/0004-no-request-blocks-the-event-loop.md).
 */
const LONG = 16 * 1024;

/**
 * Fills and checks templates, long ones in a thread. Throws `unavailable` if the queue is full. `accountId` owns the work,
 * so that one account cannot use all threads.
 */
@Injectable()
export class TemplateThreads implements OnApplicationShutdown {
  private readonly pool = new ThreadPool({
    ...threadModule(import.meta.url, 'template-thread'),
    threads: 2,
    maxWaiting: 256,
    maxOfOwner: 128,
    timeLimitMs: 30_000,
    waitLimitMs: 20_000,
    idleMs: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });

  fill(accountId: string, task: FillTask): Promise<Filled> {
    return this.run(accountId, 'fill', task, textUnits(task.template) + task.inputs.length);
  }

  /** Returns the fields of a template unchanged. Throws `bad_request` if their combination is invalid. */
  async valid(accountId: string, fields: TemplateFields): Promise<TemplateFields> {
    const [first, ...rest] = await this.run(accountId, 'problems', fields, textUnits(fields));
    if (first) throw invalidFields([first, ...rest]);
    return fields;
  }

  /** Returns warnings for accepted input that is probably a mistake. */
  warnings(accountId: string, fields: TemplateFields): Promise<FieldProblem[]> {
    return this.run(accountId, 'warnings', fields, textUnits(fields));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async run<Kind extends keyof TemplateWork>(
    accountId: string,
    kind: Kind,
    task: TemplateTask<Kind>,
    units: number,
  ): Promise<ReturnType<TemplateWork[Kind]>> {
    type Result = ReturnType<TemplateWork[Kind]>;
    if (units <= LONG) return TEMPLATE_WORK[kind](task as never) as Result;
    try {
      const message: TemplateMessage = { kind, task };
      return (await this.pool.run(accountId, message)) as Result;
    } catch (error) {
      throw unavailableIfBusy(error, BUSY);
    }
  }
}

/** Returns the length of the texts that can contain placeholders. */
function textUnits({ title, content, metadata }: TemplateFields): number {
  return (title?.length ?? 0) + content.length + metadata.length;
}
