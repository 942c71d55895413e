import 'reflect-metadata';
import { extname } from 'node:path';
import { collectNow, collectSooner, keepYoungGenerationSmall } from './boot/memory.js';
import { banner } from './boot/banner.js';
import { prepareDatabase } from './boot/prepare-database.js';
import { RunningService } from './boot/running-service.js';
import { loadOrCreateSecretsKey } from './boot/secrets-key.js';
import { Config, readEnvironment } from './config/config.js';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from './database/embedded/start-embedded-postgres.js';
import { explain } from './errors/explain.js';
import { createLog, flushLog } from './log/log.js';

/** Beside this file, and compiled or not like it. */
const JOB_THREAD = new URL(`./job-thread${extname(import.meta.url)}`, import.meta.url);

/** Starts this process in its role; resolves when it listens, with what stops it again. */
async function start(): Promise<() => Promise<void>> {
  const environment = readEnvironment(process.env);
  const log = createLog(environment.LOG_LEVEL);
  let embedded: EmbeddedPostgres | undefined;
  try {
    if (environment.DATABASE_URL === undefined) {
      embedded = await startEmbeddedPostgres({
        dataDir: environment.DATA_DIR,
        log: (level, line) => {
          log[level]({ context: 'PostgreSQL' }, line);
        },
      });
    }
    const config = new Config(
      environment,
      environment.DATABASE_URL ?? embedded?.url ?? '',
      environment.SECRETS_KEY ?? (await loadOrCreateSecretsKey(environment.DATA_DIR)),
    );
    await prepareDatabase(config, log);
    const service = await RunningService.start(config, log, JOB_THREAD);
    collectNow();
    if (config.role === 'worker') keepYoungGenerationSmall();
    if (embedded && !config.production && config.role !== 'worker') {
      // Only here: the output of a service in production, or on a shared database, goes to places that must never hold a
      // key. And only now: a start that fails must not have made a key that nobody saw.
      const firstKey = await service.ensureFirstAccount();
      process.stdout.write(banner(service.origin, firstKey));
    }
    return async () => {
      await service.stop();
      await embedded?.stop();
      await flushLog(log);
    };
  } catch (error) {
    await embedded?.stop();
    log.debug({ err: error }, 'the service could not start');
    await flushLog(log);
    throw error;
  }
}

async function main(): Promise<void> {
  collectSooner();
  // A signal during the start waits for it, so that nothing half-started stays behind; a second one ends at once.
  let signalled: () => void = () => undefined;
  const signal = new Promise<void>((resolve) => (signalled = resolve));
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    let seen = false;
    process.on(name, () => {
      if (seen) process.exit(1);
      seen = true;
      signalled();
    });
  }
  try {
    const stop = await start();
    await signal;
    await stop();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${explain(error, 'The service could not start')}\n`);
    process.exit(1);
  }
}

void main();
