import type { Command } from 'commander';
import { print, remark } from './output.js';
import type { CliSettings } from './settings.js';

export function addMigrateCommands(program: Command, settings: () => CliSettings): void {
  program
    .command('migrate')
    .description('run the migrations that the database lacks; safe beside running replicas')
    .action(async () => {
      const read = settings();
      const [{ withDatabase }, { migrate }] = await loadDatabase();
      const { dataDir, startTimeoutMs: limitMs } = read;
      const onWait = (reason: string) => {
        remark(`Waiting for PostgreSQL (${reason}).`);
      };
      const names = await withDatabase(read, (dataSource) => migrate(dataSource, { dataDir }), {
        limitMs,
        onWait,
      });
      if (names.length === 0) print('The database is up to date.');
      for (const name of names) print(`applied  ${name}`);
    });
  program
    .command('migrate:status')
    .description('show which migrations the database has')
    .action(async () => {
      const read = settings();
      const [{ withDatabase }, { foreignSchema, migrationStatus }] = await loadDatabase();
      const states = await withDatabase(read, migrationStatus);
      for (const { name, state } of states) print(`${state.padEnd(7)}  ${name}`);
      const problem = foreignSchema(states, read.dataDir);
      if (problem !== undefined) remark(problem);
    });
}

function loadDatabase() {
  return Promise.all([import('./database-session.js'), import('../database/migrations.js')]);
}
