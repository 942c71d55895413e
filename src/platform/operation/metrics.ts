import { Global, Injectable, Module } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Config } from '../config/config.js';
import { SERVICE_VERSION } from '../config/project.js';
import { Database } from '../database/database.js';
import { ThreadPool } from '../threads/thread-pool.js';

interface ReadGauge<Value> {
  name: string;
  help: string;
  /** A rejection makes all metrics unreadable. */
  read: () => Value | Promise<Value>;
}

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
    this.gaugeBy('state', {
      name: 'database_pool_connections',
      help: 'Connections to PostgreSQL by state.',
      read: () => database.poolState(),
    });
    this.gauge({
      name: 'database_transactions_waiting',
      help: 'Transactions that wait for others to end.',
      read: () => database.waitingTransactions,
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
    this.gaugeBy('state', {
      name: 'thread_tasks',
      help: 'Tasks in threads of this process (conversions, long texts, analyses and jobs) by state.',
      read: () => ThreadPool.tasks(),
    });
  }

  /** Adds a gauge that is read whenever Prometheus reads the metrics. */
  gauge({ name, help, read }: ReadGauge<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        this.set(await read());
      },
    });
  }

  /** Adds a gauge with one number for each value of a label. */
  gaugeBy(label: string, { name, help, read }: ReadGauge<Readonly<Record<string, number>>>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      async collect() {
        for (const [value, number] of Object.entries(await read()))
          this.set({ [label]: value }, number);
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
