import type { Call } from '../call.js';
import { JobFailedError, TimeoutError } from '../errors.js';
import type { List } from '../list.js';
import { pause, type RequestOptions } from '../transport.js';
import type { Job, Query, Schemas } from '../types.js';
import { Resource } from './resource.js';

const FIRST_POLL_MS = 200;
const MAX_POLL_MS = 5_000;

export interface WaitOptions extends RequestOptions {
  /** Maximum time to wait for the job in ms. Then throws `TimeoutError`; the job continues. Unlimited by default. */
  maxWaitMs?: number | undefined;
}

export class Jobs extends Resource {
  list(query?: Query<'listJobs'>, options?: RequestOptions): List<Job> {
    return this.api.list('/v1/jobs', { query, ...options });
  }

  get(id: string, options?: RequestOptions): Call<Job> {
    return this.api.request('GET', '/v1/jobs/{id}', { path: { id }, ...options });
  }

  cancel(id: string, options?: RequestOptions): Call<Schemas['CancelledJob']> {
    return this.api.request('DELETE', '/v1/jobs/{id}', { path: { id }, ...options });
  }

  /** Returns the result file. */
  result(id: string, options?: RequestOptions): Call<Blob> {
    return this.api.request('GET', '/v1/jobs/{id}/result', { path: { id }, ...options });
  }

  /**
   * Waits until the job succeeds. Throws `JobFailedError` if it fails or is cancelled. The signal and `maxWaitMs` end the
   * wait, not the job.
   */
  async wait(id: string, { maxWaitMs = Infinity, ...options }: WaitOptions = {}): Promise<Job> {
    const end = Date.now() + maxWaitMs;
    for (let ms = FIRST_POLL_MS; ; ms = Math.min(ms * 1.5, MAX_POLL_MS)) {
      const job = await this.get(id, options);
      if (job.status === 'succeeded') return job;
      if (job.status === 'failed' || job.status === 'cancelled') throw new JobFailedError(job);
      const left = end - Date.now();
      if (left <= 0) throw stillRunning(job, maxWaitMs);
      await pause(Math.min(ms, left), options.signal);
    }
  }
}

function stillRunning({ id, status }: Job, maxWaitMs: number): TimeoutError {
  return new TimeoutError(
    `The job ${id} is still ${status} after ${String(maxWaitMs)} ms. To wait longer, call jobs.wait('${id}').`,
  );
}
