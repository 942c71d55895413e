import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Latencies } from './latencies.js';
import type { LoadResult, PacedJob } from './messages.js';

type PacedRequest = PacedJob['requests'][number];

const TIMEOUT_MS = 10_000;

/**
 * Sends GETs at fixed times. Latency counts from the time when a request was due, so a stalling server cannot hide the
 * requests that had to wait.
 */
export async function runPacedLoad(job: PacedJob): Promise<LoadResult> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: job.connections });
  const latencies = new Latencies();
  const total = Math.round(job.perSecond * job.seconds);
  const startedAt = performance.now();
  const pending: Promise<void>[] = [];
  for (let sent = 0; sent < total;) {
    const dueCount = Math.min(
      total,
      Math.floor(((performance.now() - startedAt) / 1_000) * job.perSecond) + 1,
    );
    for (; sent < dueCount; sent += 1) {
      const dueAt = startedAt + (sent / job.perSecond) * 1_000;
      const request = job.requests[sent % job.requests.length] as PacedRequest;
      pending.push(send(job, request, agent, dueAt, latencies));
    }
    await pause(1);
  }
  await Promise.all(pending);
  const seconds = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  return latencies.summarize(seconds);
}

function send(
  job: PacedJob,
  { path, key }: PacedRequest,
  agent: http.Agent,
  dueAt: number,
  latencies: Latencies,
): Promise<void> {
  return new Promise((resolve) => {
    const request = http.request(
      new URL(path, job.origin),
      { agent, headers: { authorization: `Bearer ${key}` }, timeout: TIMEOUT_MS },
      (response) => {
        response.resume();
        response.once('end', () => {
          latencies.answered(response.statusCode ?? 0, performance.now() - dueAt);
          resolve();
        });
        response.once('error', fail);
      },
    );
    function fail(): void {
      latencies.failed();
      resolve();
    }
    request.once('timeout', () => request.destroy());
    request.once('error', fail);
    request.end();
  });
}
