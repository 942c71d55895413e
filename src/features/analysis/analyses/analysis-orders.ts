import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/auth/request-context.js';
import { JobQueue, type JobOrder } from '../../jobs/job-queue.js';
import type { JobKind } from '../../jobs/job-kind.js';
import type { Job } from '../../jobs/job.js';
import { StoredFiles } from '../../jobs/stored-files.js';
import { laneOf } from '../../../platform/threads/lanes.js';
import { Quotas } from '../../usage/quotas.js';
import { ANALYZE_TEXT, type AnalyzeTextInput } from './analysis-jobs.js';

/** UTF-8 bytes up to which a request waits for its analysis, and how long. */
const MAX_AWAITED_BYTES = 64 * 1024;
const WAIT_MS = 1_800;

/** Orders analyses: each new one counts against the plan's analyses of the day. */
@Injectable()
export class AnalysisOrders {
  constructor(
    private readonly jobs: JobQueue,
    private readonly quotas: Quotas,
    private readonly files: StoredFiles,
  ) {}

  /**
   * The job, which has ended if the text of `bytes` is short and a worker is free. Throws `forbidden` when the plan allows
   * no more today, and `conflict` when too many of the account's jobs wait.
   */
  async order<Kind extends JobKind>(
    order: Omit<JobOrder<Kind>, 'admit' | 'isLong'>,
    bytes: number,
    context: RequestContext,
  ): Promise<Job> {
    const admit = () => this.quotas.countToday(context.principal, 'analysesPerDay', 1);
    const isLong = laneOf(bytes) === 'long';
    const wanted = { ...order, isLong, admit } as JobOrder<Kind>;
    const job =
      order.inputFileId === undefined
        ? await this.jobs.addOnce(wanted, context)
        : await this.jobs.add(wanted, context);
    return this.waitedFor(job, bytes);
  }

  /** The job when it has ended, or as it is when that takes too long, as it will for a text of many `bytes`. */
  waitedFor(job: Job, bytes: number): Promise<Job> {
    return bytes > MAX_AWAITED_BYTES ? Promise.resolve(job) : this.jobs.ended(job, WAIT_MS);
  }

  /** The same of a text that is not stored: it is kept until its job has ended. */
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
