import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../auth/request-context.js';
import { JobQueue, type JobOrder, type Reuse } from '../../jobs/queue/job-queue.js';
import type { JobKind } from '../../jobs/queue/job-kind.js';
import type { Job } from '../../jobs/job.js';
import { StoredFilesRepository } from '../../jobs/stored-files.repository.js';
import { taskLengthOf } from '../../../platform/threads/task-length.js';
import { QuotasService } from '../../usage/quotas/quotas.service.js';
import { ANALYZE_TEXT, type AnalyzeTextInput } from './analysis-jobs.js';

/** Requests wait for the analysis of texts up to this size (UTF-8 bytes). */
const MAX_AWAITED_BYTES = 64 * 1024;

/** How to order an analysis. */
interface OrderOptions extends Reuse {
  /** False to return the job at once. */
  waits?: boolean;
}

/** Queues analyses. Each one counts against the plan's daily quota. */
@Injectable()
export class AnalysisOrdersService {
  /** Longer than the first analysis of a process takes, which loads the dictionaries (about 2 s on an idle machine). */
  waitMs = 5_000;

  constructor(
    private readonly jobs: JobQueue,
    private readonly quotas: QuotasService,
    private readonly files: StoredFilesRepository,
  ) {}

  /**
   * Queues a job for a text of `bytes` and waits for it if the text is short. Throws `forbidden` if the plan's daily quota
   * is used up, and `conflict` if too many of the account's jobs are unfinished.
   */
  async order<Kind extends JobKind>(
    order: Omit<JobOrder<Kind>, 'admit' | 'isLong'>,
    bytes: number,
    context: RequestContext,
    { waits = true, ...reuse }: OrderOptions = {},
  ): Promise<Job> {
    const admit = () => this.quotas.countToday(context.principal, 'analysesPerDay', 1);
    const isLong = taskLengthOf(bytes) === 'long';
    const jobOrder = { ...order, isLong, admit } as JobOrder<Kind>;
    const job =
      order.inputFileId === undefined
        ? await this.jobs.addOnce(jobOrder, context, reuse)
        : await this.jobs.add(jobOrder, context);
    return waits ? this.waitForShort(job, bytes) : job;
  }

  /** Waits for the job of a short text. Returns an unfinished job after 5 s, or immediately for a long text. */
  waitForShort(job: Job, bytes: number): Promise<Job> {
    return bytes > MAX_AWAITED_BYTES
      ? Promise.resolve(job)
      : this.jobs.waitForEnd(job, this.waitMs);
  }

  /** Queues the analysis of a text that is not a document. The text is stored until its job ends. */
  async orderText(content: string, input: AnalyzeTextInput, context: RequestContext): Promise<Job> {
    const bytes = Buffer.from(content);
    const pieces = async function* () {
      yield await Promise.resolve(bytes);
    };
    const file = await this.files.write(context.principal.accountId, pieces());
    try {
      const order = { kind: ANALYZE_TEXT, input, inputFileId: file.id };
      return await this.order(order, bytes.length, context);
    } catch (error) {
      await this.files.drop(file.id);
      throw error;
    }
  }
}
