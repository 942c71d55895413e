import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { SCHEMA } from '../../src/tables.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { startEmbeddedPostgres } from '@document-service/embedded-postgres/start-embedded-postgres';
import { migrate } from '../../src/platform/database/migrations.js';
import { databaseUrl, runOn } from './postgres.js';

/** What the process prints, as one line of JSON, once the tests can start. */
export interface TestServer {
  url: string;
  /** The migrated database that test databases are copied from. */
  template: string;
}

/** Starts the server of a test run: `TEST_DATABASE_URL`, or an embedded one in a temporary folder. */
async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const url = process.env['TEST_DATABASE_URL'];
  if (url !== undefined) return { url, stop: () => Promise.resolve() };
  const dataDir = await mkdtemp(join(tmpdir(), 'document-service-test-'));
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

async function makeTemplate(server: string): Promise<string> {
  const template = `template_${randomBytes(8).toString('hex')}`;
  await runOn(server, `CREATE DATABASE ${template}`);
  const dataSource = new DataSource(dataSourceOptions(databaseUrl(server, template), 2, SCHEMA));
  await dataSource.initialize();
  await migrate(dataSource).finally(() => dataSource.destroy());
  return template;
}

// Runs in a separate process, so that the server stops with the test run however that ends: our input is then closed.
const stillRunning = once(process.stdin.resume(), 'end');
const server = await startServer();
try {
  const template = await makeTemplate(server.url);
  process.stdout.write(`${JSON.stringify({ url: server.url, template } satisfies TestServer)}\n`);
  await stillRunning;
  await runOn(server.url, `DROP DATABASE ${template}`);
} finally {
  await server.stop();
}
