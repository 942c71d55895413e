import { Failure } from '../../api/failure.js';
import { dataOf, type V1Client } from '../../api/client.js';
import type { components } from '../../api/v1-schema.js';

export type Job = components['schemas']['Job'];

/** Interval for polling a job, in ms. */
const LOOK_EVERY = 1_000;

/** Returns true if a response is a job, not the result. */
export function isJob(result: object): result is Job {
  return 'progress' in result && 'kind' in result;
}

/** Waits until the job has succeeded. Throws its error if it failed. */
export async function followJob(api: V1Client, id: string): Promise<Job> {
  for (;;) {
    const job = await dataOf(api.GET('/v1/jobs/{id}', { params: { path: { id } } }));
    if (job.status === 'succeeded') return job;
    if (job.status === 'failed') throw new Failure(job.error?.message ?? 'The job failed.', 500);
    if (job.status === 'cancelled') throw new Failure('The job was cancelled.', 409);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
}
