// Fails when the entities say another schema than the migrations make. Needs nothing running: starts a PostgreSQL of its own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { startEmbeddedPostgres } from '../src/database/embedded/start-embedded-postgres.js';
import { migrate } from '../src/database/migrations.js';

const folder = await mkdtemp(join(tmpdir(), 'check-migrations-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder });
const dataSource = new DataSource(dataSourceOptions(postgres.url, 2));
try {
  await dataSource.initialize();
  await migrate(dataSource);
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  for (const { query } of upQueries) console.error(`  ${query}`);
  if (upQueries.length > 0) {
    console.error(
      'Entities and migrations differ by the statements above. Write a migration (see docs/guides/change-the-schema.md).',
    );
    process.exitCode = 1;
  } else {
    console.log('Entities and migrations agree.');
  }
} finally {
  await dataSource.destroy();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
