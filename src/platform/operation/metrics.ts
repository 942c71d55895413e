import { Global, Injectable, Module } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Config } from '../config/config.js';
import { SERVICE_VERSION } from '../config/project.js';
import { Database } from '../database/database.js';
import { ThreadPool } from '../threads/thread-pool.js';

/** The metrics that Prometheus reads at `GET /metrics`. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.registry],
  });

  private readonly limited = new Counter({
    name: 'http_requests_rate_limited_total',
    help: 'Requests refused with 429.',
    registers: [this.registry],
  });

  constructor(database: Database, { role }: Config) {
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'document_service_build_info',
      help: 'Always 1; the labels describe the running release.',
      labelNames: ['version', 'node', 'role'],
      registers: [this.registry],
    }).set({ version: SERVICE_VERSION, node: process.version, role }, 1);
    new Gauge({
      name: 'database_pool_connections',
      help: 'Connections to PostgreSQL by state.',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        const { total, idle, waiting } = database.poolState();
        this.set({ state: 'total' }, total);
        this.set({ state: 'idle' }, idle);
        this.set({ state: 'waiting' }, waiting);
      },
    });
    new Gauge({
      name: 'database_transactions_waiting',
      help: 'Transactions that wait for others to end.',
      registers: [this.registry],
      collect() {
        this.set(database.waitingTransactions);
      },
    });
    new Counter({
      name: 'database_replica_reads_total',
      help: 'Lists, searches and counts that the replica of DATABASE_READ_URL answered.',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(database.replicaReads);
      },
    });
    new Gauge({
      name: 'thread_tasks',
      help: 'Tasks in threads of this process (conversions, long texts, analyses and jobs) by state.',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        const { running, waiting } = ThreadPool.tasks();
        this.set({ state: 'running' }, running);
        this.set({ state: 'waiting' }, waiting);
      },
    });
  }

  /** Records a finished request. `route` is the pattern; `seconds` is the total time. */
  requestFinished(method: string, route: string, status: number, seconds: number): void {
    this.durations.observe({ method, route, status }, seconds);
    if (status === 429) this.limited.inc();
  }
}

@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}

/** How long a measured value is repeated, in ms. */
const FRESH_MS = 5_000;

/** Measures at most once in {@link FRESH_MS}. Returns the last value, at first `initial`, while the database is unavailable. */
export function cached<Value>(measure: () => Promise<Value>, initial: Value): () => Promise<Value> {
  let value = initial;
  let measuredAt = -Infinity;
  let measuring: Promise<Value> | undefined;
  return async () => {
    if (performance.now() - measuredAt < FRESH_MS) return value;
    measuring ??= measure()
      .then((measured) => {
        measuredAt = performance.now();
        return (value = measured);
      })
      .catch(() => value)
      .finally(() => (measuring = undefined));
    return measuring;
  };
}
