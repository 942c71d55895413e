/** The load process. Takes one job at a time from the runner and replies with its result. */
import { readFileSync } from 'node:fs';
import { Client, type Dispatcher } from 'undici';
import { findFault } from '../ordinary/check-response.js';
import { Draw } from '../ordinary/texts.js';
import type { Tenant, TrafficRequest } from '../ordinary/traffic.js';
import { Traffic } from '../ordinary/traffic.js';
import { percentile } from '../statistics.js';
import type { LoadJob, LoadReply, LoadResult } from './load-process.js';

/** One of this many responses is parsed. */
const PARSED_ONE_OF = 50;
const FAULTS_KEPT = 5;

class LoadRun {
  /** Milliseconds of all responses. */
  private readonly all: number[] = [];
  private readonly faults: string[] = [];
  private writes = 0;
  private readonly traffic: Traffic;
  private readonly startedAt: number;
  private readonly endsAt: number;

  constructor(private readonly job: LoadJob) {
    const tenants = JSON.parse(readFileSync(job.tenants, 'utf8')) as Tenant[];
    this.traffic = new Traffic(tenants, new Draw(job.seed));
    this.startedAt = performance.now();
    this.endsAt = this.startedAt + job.seconds * 1_000;
  }

  async run(): Promise<LoadResult> {
    await Promise.all(Array.from({ length: this.job.connections }, () => this.connect()));
    const seconds = (performance.now() - this.startedAt) / 1_000;
    const sorted = Float64Array.from(this.all).sort();
    return {
      requests: sorted.length,
      requestsPerSecond: sorted.length / seconds,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      faults: this.faults,
      writes: this.writes,
    };
  }

  /** Resolves when the time is over and the last response has arrived. */
  private async connect(): Promise<void> {
    const client = new Client(this.job.origin);
    await new Promise<void>((resolve) => {
      const sendNext = (): void => {
        if (performance.now() >= this.endsAt) resolve();
        else this.send(client, sendNext);
      };
      sendNext();
    });
    await client.close();
  }

  private send(client: Client, done: () => void): void {
    const sentAt = performance.now();
    const request = this.traffic.next(this.job.line);
    const { method, path, tenant, body } = request;
    const headers = {
      authorization: `Bearer ${tenant.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const chunks: Buffer[] = [];
    let status = 0;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode) => {
        status = statusCode;
      },
      onResponseData: (_controller, chunk) => {
        chunks.push(chunk);
      },
      onResponseEnd: () => {
        this.all.push(performance.now() - sentAt);
        this.check(request, status, chunks);
        done();
      },
      onResponseError: (_controller, error) => {
        this.note(request, error.message);
        done();
      },
    };
    client.dispatch({ method, path, headers, body }, handler);
  }

  private check(request: TrafficRequest, status: number, chunks: Buffer[]): void {
    const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    const whole = this.all.length % PARSED_ONE_OF === 0;
    const isGrowing = this.job.line === 'mix';
    const fault = findFault(status, body, request.expected, { whole, isGrowing });
    if (fault !== undefined) this.note(request, fault);
    else if (request.method !== 'GET') this.writes += 1;
  }

  private note({ method, path }: TrafficRequest, fault: string): void {
    if (this.faults.length < FAULTS_KEPT) this.faults.push(`${method} ${path}: ${fault}`);
  }
}

process.on('message', (job: LoadJob) => {
  void reply(job);
});
process.once('disconnect', () => process.exit());

async function reply(job: LoadJob): Promise<void> {
  let message: LoadReply;
  try {
    message = { result: await new LoadRun(job).run() };
  } catch (reason) {
    message = { failure: String(reason) };
  }
  process.send?.(message);
}
