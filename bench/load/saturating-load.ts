import autocannon from 'autocannon';
import { Latencies } from './latencies.js';
import type { LoadRequest, LoadResult, SaturatingJob } from './messages.js';

const REQUESTS_PER_CONNECTION = 400;
const SAMPLE_INTERVAL_MS = 100;

/** Warms up and then measures with autocannon. Runs in the load worker, never in the process of a server. */
export async function runSaturatingLoad(job: SaturatingJob): Promise<LoadResult> {
  if (job.warmUpSeconds > 0) await shoot(job, job.warmUpSeconds);
  return shoot(job, job.seconds);
}

async function shoot(job: SaturatingJob, seconds: number): Promise<LoadResult> {
  const latencies = new Latencies();
  const startedAt = performance.now();
  await new Promise<void>((resolve, reject) => {
    const run = autocannon(
      {
        url: job.origin,
        headers: job.headers,
        connections: job.connections,
        duration: seconds,
        sampleInt: SAMPLE_INTERVAL_MS,
        setupClient: (client) => {
          client.setRequests(drawRequests(job.requests, job.headers));
        },
      },
      (error: Error | null) => {
        if (error) reject(error);
        else resolve();
      },
    );
    run.on('response', (_client, status, _bytes, milliseconds) => {
      latencies.answered(status, milliseconds);
    });
    run.on('reqError', () => {
      latencies.failed();
    });
  });
  return latencies.summarize((performance.now() - startedAt) / 1_000);
}

/** Each connection gets a different order, so no two request the same things in step. */
function drawRequests(from: LoadRequest[], headers: Record<string, string>): autocannon.Request[] {
  const count = from.length === 1 ? 1 : REQUESTS_PER_CONNECTION;
  return Array.from({ length: count }, () => {
    const request = from[Math.floor(Math.random() * from.length)] as LoadRequest;
    return { ...request, headers: { ...headers, ...request.headers } };
  });
}
