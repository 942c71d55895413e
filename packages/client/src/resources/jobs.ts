import type { Call } from '../call.js';
import { DocumentServiceError } from '../errors.js';
import type { List } from '../list.js';
import { pause, type RequestOptions } from '../transport.js';
import type { Job, Query, Schemas } from '../types.js';
import { Resource } from './resource.js';

const FIRST_LOOK_MS = 200;
const LONGEST_LOOK_MS = 5_000;

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

  /** Waits until the job succeeds. Throws if it fails or is cancelled. The signal ends the wait, not the job. */
  async wait(id: string, options: RequestOptions = {}): Promise<Job> {
    for (let ms = FIRST_LOOK_MS; ; ms = Math.min(ms * 1.5, LONGEST_LOOK_MS)) {
      const job = await this.get(id, options);
      if (job.status === 'succeeded') return job;
      if (job.status === 'failed' || job.status === 'cancelled') {
        const reason = job.error ? `: ${job.error.message}` : '.';
        throw new DocumentServiceError(`The job ${id} was ${job.status}${reason}`);
      }
      await pause(ms, options.signal);
    }
  }
}
