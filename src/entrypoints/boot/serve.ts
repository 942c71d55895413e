import 'reflect-metadata';
import { once } from 'node:events';
import { collectSooner, keepYoungGenerationSmall, handleUncaughtErrors } from './runtime.js';
import { banner } from './banner.js';
import { endOnSignals } from './ending-signals.js';
import { requireFreePort } from './listen.js';
import { prepareDatabase } from './prepare-database.js';
import { RunningService } from './running-service.js';
import { secretsKeysOf } from './secrets-key.js';
import { Config, readEnvironment } from '../../platform/config/config.js';
import type { Environment, LogFormat } from '../../platform/config/environment.js';
import { removedVariables } from '../../platform/config/removed-variables.js';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '@document-service/embedded-postgres/start-embedded-postgres';
import { explain } from '../../platform/basics/errors/explain.js';
import { createLog, flushLog } from '../../platform/operation/log.js';
import { threadModule } from '../../platform/threads/thread-task.js';

const JOB_THREAD = threadModule(import.meta.url, '../../job-thread');

/**
 * Maximum time for a shutdown after an unexpected error. The error may have stopped something that the shutdown waits for.
 */
const END_WITHIN_MS = 20_000;

/**
 * Starts this process in its role. Once it listens, resolves with a function that stops it. If `signal` is aborted first,
 * stops what has started and rejects with its reason. Calls `fail` if the process must end.
 */
async function start(signal: AbortSignal, fail: () => void): Promise<() => Promise<void>> {
  const environment = readEnvironment(process.env);
  const log = createLog(environment.LOG_LEVEL, logFormat(environment));
  handleUncaughtErrors(log, fail);
  for (const warning of removedVariables(process.env)) log.warn({}, warning);
  let embedded: EmbeddedPostgres | undefined;
  let endTracing = (): Promise<void> => Promise.resolve();
  try {
    if (environment.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
      // Load lazily: tracing uses memory even when no collector is set.
      const { startTracing } = await import('../../platform/operation/opentelemetry-tracer.js');
      endTracing = startTracing(log, { 'document_service.role': environment.PROCESS_ROLE });
    }
    if (environment.DATABASE_URL === undefined) {
      embedded = await startEmbeddedPostgres({
        dataDir: environment.DATA_DIR,
        log: (level, line) => {
          log[level]({ context: 'PostgreSQL' }, line);
        },
      });
    }
    const { key, previous } = await secretsKeysOf(environment);
    const url = environment.DATABASE_URL ?? embedded?.url ?? '';
    const config = new Config(environment, url, key, previous);
    signal.throwIfAborted();
    await requireFreePort(config);
    await prepareDatabase(config, log, signal);
    const service = await RunningService.start(config, log, JOB_THREAD, signal);
    embedded?.announce(service.addresses);
    if (config.role === 'worker') keepYoungGenerationSmall();
    if (embedded && !config.production && config.role !== 'worker') {
      // Create no key in production or with a shared database, because their output goes to places that must never
      // contain a key. Create it only after startup has succeeded, so that someone sees it.
      const firstKey = await service.ensureFirstAccount();
      const dashboard = await service.firstRunLink();
      // Lines that were logged before belong above it.
      await flushLog(log);
      const { DATA_DIR: dataDir } = environment;
      process.stdout.write(banner(service.origin, { firstKey, dashboard, dataDir }));
    }
    return async () => {
      await service.stop();
      await embedded?.stop();
      await endTracing();
      await flushLog(log);
    };
  } catch (error) {
    await embedded?.stop();
    log.debug({ err: error }, 'the service could not start');
    await flushLog(log);
    throw error;
  }
}

/** A person at a terminal reads text; everything else, and production, gets JSON. */
function logFormat({ LOG_FORMAT, NODE_ENV }: Environment): LogFormat {
  return LOG_FORMAT ?? (process.stdout.isTTY && NODE_ENV !== 'production' ? 'text' : 'json');
}

async function main(): Promise<void> {
  collectSooner();
  const ending = new AbortController();
  const aborted = once(ending.signal, 'abort');
  endOnSignals(ending);
  // A closed terminal or pipe must not end the process before requests in flight have finished.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  let exitCode = 0;
  const fail = () => {
    exitCode = 1;
    ending.abort();
    setTimeout(() => process.exit(exitCode), END_WITHIN_MS).unref();
  };
  try {
    const stop = await start(ending.signal, fail);
    await aborted;
    await stop();
    process.exit(exitCode);
  } catch (error) {
    if (error === ending.signal.reason) process.exit(exitCode);
    process.stderr.write(`${explain(error, 'The service could not start')}\n`);
    process.exit(1);
  }
}

void main();
