import { readFileSync } from 'node:fs';
import { Client, type Dispatcher } from 'undici';
import { findFault } from '../ordinary/check-answer.js';
import { Draw } from '../ordinary/texts.js';
import type { Tenant, TrafficRequest } from '../ordinary/traffic.js';
import { Traffic } from '../ordinary/traffic.js';
import { Latencies } from './latencies.js';
import type { VariedJob, VariedResult } from './messages.js';

/** One of this many responses is parsed. */
const PARSED_ONE_OF = 50;
const FAULTS_KEPT = 5;
const SECONDS_PER_MICROSECOND = 1e-6;

/** Each connection sends a new random request after each response. */
export async function runVariedLoad(job: VariedJob): Promise<VariedResult> {
  const tenants = JSON.parse(readFileSync(job.tenants, 'utf8')) as Tenant[];
  const run = new VariedRun(job, tenants);
  const usedBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: job.connections }, () => run.connect()));
  const seconds = (performance.now() - startedAt) / 1_000;
  const used = process.cpuUsage(usedBefore);
  const processorSeconds = (used.user + used.system) * SECONDS_PER_MICROSECOND;
  const { faults, writes } = run;
  const p99OfSmall = run.small.summarize(seconds).p99;
  return { ...run.all.summarize(seconds), p99OfSmall, faults, writes, processorSeconds };
}

class VariedRun {
  readonly all = new Latencies();
  /** Those of all accounts but the first tenth. */
  readonly small = new Latencies();
  readonly faults: string[] = [];
  writes = 0;
  private readonly traffic: Traffic;
  private readonly smallTenants: Set<Tenant>;
  private readonly endsAt: number;
  private answers = 0;

  constructor(
    private readonly job: VariedJob,
    tenants: Tenant[],
  ) {
    this.traffic = new Traffic(tenants, new Draw(job.seed), job.choice);
    this.smallTenants = new Set(tenants.slice(Math.ceil(tenants.length / 10)));
    this.endsAt = performance.now() + job.seconds * 1_000;
  }

  /** Resolves when the time is over and the last response has arrived. */
  async connect(): Promise<void> {
    const client = new Client(this.job.origin);
    await new Promise<void>((resolve) => {
      const sendNext = (): void => {
        if (performance.now() < this.endsAt) this.send(client, sendNext);
        else resolve();
      };
      sendNext();
    });
    await client.close();
  }

  private send(client: Client, done: () => void): void {
    const request = this.traffic.next(this.job.line);
    const { method, path, tenant, body } = request;
    const headers = {
      authorization: `Bearer ${tenant.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const sentAt = performance.now();
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
        const milliseconds = performance.now() - sentAt;
        this.all.answered(status, milliseconds);
        if (this.smallTenants.has(tenant)) this.small.answered(status, milliseconds);
        this.check(request, status, chunks);
        done();
      },
      onResponseError: (_controller, error) => {
        this.all.failed();
        this.note(request, error.message);
        done();
      },
    };
    client.dispatch({ method, path, headers, body }, handler);
  }

  private check(request: TrafficRequest, status: number, chunks: Buffer[]): void {
    const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    const whole = this.answers++ % PARSED_ONE_OF === 0;
    const isGrowing = this.job.line === 'mix';
    const fault = findFault(status, body, request.expected, { whole, isGrowing });
    if (fault !== undefined) this.note(request, fault);
    else if (request.method !== 'GET') this.writes += 1;
  }

  private note({ method, path }: TrafficRequest, fault: string): void {
    if (this.faults.length < FAULTS_KEPT) this.faults.push(`${method} ${path}: ${fault}`);
  }
}
