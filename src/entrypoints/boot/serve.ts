import 'reflect-metadata';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { collectSooner, keepYoungGenerationSmall, handleUncaughtErrors } from './runtime.js';
import { banner } from './banner.js';
import { createApp } from './configure-app.js';
import { listening, requireFreePort } from './listen.js';
import { prepareDatabase } from './prepare-database.js';
import { secretsKeysOf } from './secrets-key.js';
import { ServedDocument } from '../api-document/serve/api-document.controller.js';
import { ensureFirstAccount } from '../../features/auth/accounts/accounts.repository.js';
import { OneTimeLinksRepository } from '../../features/people/sessions/links/one-time-links.repository.js';
import { linkUrl } from '../../features/people/sessions/secret-token.js';
import { firstRunLink } from '../../features/people/sessions/users/operator-users.js';
import { UsersRepository } from '../../features/people/sessions/users/users.repository.js';
import { runningTime } from '../../platform/basics/clock/time-limit.js';
import { Config, readEnvironment } from '../../platform/config/config.js';
import type { Environment, LogFormat } from '../../platform/config/environment.js';
import { removedVariables } from '../../platform/config/removed-variables.js';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '@document-service/embedded-postgres/start-embedded-postgres';
import { explain } from '../../platform/basics/errors/explain.js';
import { Database } from '../../platform/database/database.js';
import type { TransactionalDataSource } from '../../platform/database/transactional-data-source.js';
import { localOrigin } from '../../platform/http/public-origin.js';
import { Drain } from '../../platform/http/server/drain.js';
import { createLog, flushLog, type Log } from '../../platform/operation/log.js';
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
    const app = await startApp(config, log, signal);
    const server: Server = app.getHttpServer();
    const localUrl = localOrigin(config.host, (server.address() as AddressInfo).port);
    const publicUrl = config.publicUrl ?? localUrl;
    log.info({ role: config.role, url: localUrl, pid: process.pid }, 'listening');
    embedded?.announce({ localUrl, publicUrl });
    if (config.role === 'worker') keepYoungGenerationSmall();
    if (embedded && !config.production && config.role !== 'worker') {
      await printBanner(app, log, { localUrl, publicUrl, dataDir: environment.DATA_DIR });
    }
    return async () => {
      log.info({}, 'shutting down');
      await app.get(Drain).run(server, config.shutdownDelayMs);
      await app.close();
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

/**
 * Starts the application. Background work starts once it listens. Throws an `OperatorError` if it cannot listen on the
 * port, and the reason of `signal` if that is aborted first.
 */
async function startApp(
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<NestExpressApplication> {
  const app = await createApp(config, log, JOB_THREAD);
  try {
    // Build it before the first request, because it blocks the event loop for about 200 ms.
    if (config.role !== 'worker') await app.get(ServedDocument).read();
    signal.throwIfAborted();
    // Not `app.listen()`, which also logs the failure.
    const host = app.get(HttpAdapterHost);
    await listening(host.httpAdapter.listen(config.port, config.host) as Server, config);
    host.listening = true;
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/**
 * Prints how to use the service, with the first key and a link to the dashboard if they are new. Only for an embedded
 * database outside production: the output of others goes to places that must never contain a key. Call it after the start
 * has succeeded, so that someone sees the key.
 */
async function printBanner(
  app: NestExpressApplication,
  log: Parameters<typeof flushLog>[0],
  { localUrl, publicUrl, dataDir }: { localUrl: string; publicUrl: string; dataDir: string },
): Promise<void> {
  const firstKey = await ensureFirstAccount(app.get<TransactionalDataSource>(DataSource));
  const links = app.get(OneTimeLinksRepository, { strict: false });
  const users = app.get(UsersRepository, { strict: false });
  const link = await firstRunLink(app.get(Database), users, links);
  const dashboard = link && linkUrl(publicUrl, 'first-run', link.token);
  // Lines that were logged before belong above it.
  await flushLog(log);
  process.stdout.write(banner(localUrl, { firstKey, dashboard, dataDir }));
}

/** A person at a terminal reads text; everything else, and production, gets JSON. */
function logFormat({ LOG_FORMAT, NODE_ENV }: Environment): LogFormat {
  return LOG_FORMAT ?? (process.stdout.isTTY && NODE_ENV !== 'production' ? 'text' : 'json');
}

/** Ctrl-C, the end that a platform requests, a closed terminal, and Ctrl-\. */
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Signals within this time belong to the first one: a terminal signals all its programs, and npm and `node --watch` pass
 * their signal on, so one Ctrl-C arrives several times. In ms of running time.
 */
const SAME_REQUEST_MS = 2_000;

/**
 * Aborts `ending` on the first signal that asks this process to end. A further one after two seconds ends it immediately,
 * with exit code 1.
 */
function endOnSignals(ending: AbortController): void {
  let firstAt: number | undefined;
  const handle = (signal: NodeJS.Signals) => {
    firstAt ??= runningTime();
    if (!ending.signal.aborted) {
      ending.abort();
    } else if (runningTime() - firstAt >= SAME_REQUEST_MS) {
      process.stderr.write(`Ended at once by another ${signal}; requests in flight were cut.\n`);
      process.exit(1);
    }
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, handle);
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
