// Fails if a released migration was edited, or if the entities and the migrations describe different schemas. Starts its
// own PostgreSQL. With --add, adds the checksums of new migrations instead.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { SCHEMA } from '../src/tables.js';
import { dataSourceOptions } from '../src/platform/database/pools.js';
import { startEmbeddedPostgres } from '@document-service/embedded-postgres/start-embedded-postgres';
import { migrate } from '../src/platform/database/migrations.js';
import { addChecksums, checksumProblems } from './migration-checksums.js';

const GUIDE = 'docs/contribute/change-the-schema.md';

/** TypeORM reads tables with several concurrent queries, which pg 9 clients refuse. Runs them one after another. */
function queryInTurn(dataSource: DataSource): void {
  const create = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    const runner = create(mode);
    const query = runner.query.bind(runner) as (...given: unknown[]) => Promise<unknown>;
    let last: Promise<unknown> = Promise.resolve();
    runner.query = (async (...given: unknown[]) => {
      const next = last.then(() => query(...given));
      last = next.catch(() => undefined);
      return next;
    }) as typeof runner.query;
    return runner;
  };
}

/** Returns the statements that would turn the migrated schema into that of the entities. */
async function schemaProblems(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'check-migrations-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const dataSource = new DataSource(dataSourceOptions(postgres.url, 2, SCHEMA));
  queryInTurn(dataSource);
  try {
    await dataSource.initialize();
    await migrate(dataSource);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    if (upQueries.length === 0) return [];
    return [
      ...upQueries.map(({ query }) => `  ${query}`),
      `The entities and migrations differ: see the statements above. Write a migration (see ${GUIDE}).`,
    ];
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const migrations = SCHEMA.migrations.map((Migration) => new Migration());
if (process.argv.includes('--add')) {
  const { added, problems } = await addChecksums(migrations);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else
    console.log(added.length === 0 ? 'There are no new migrations.' : `Added: ${added.join(', ')}`);
} else {
  const problems = [...(await checksumProblems(migrations)), ...(await schemaProblems())];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log('The migrations are unchanged, and the entities match them.');
}
