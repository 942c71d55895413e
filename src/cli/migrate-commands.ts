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
      const names = await withDatabase(read, migrate, {
        limitMs: read.startTimeoutMs,
        onWait: (reason) => {
          remark(`Waiting for PostgreSQL (${reason}).`);
        },
      });
      if (names.length === 0) print('The database is up to date.');
      for (const name of names) print(`applied  ${name}`);
    });
  program
    .command('migrate:status')
    .description('show which migrations the database has')
    .action(async () => {
      const read = settings();
      const [{ withDatabase }, { migrationStatus }] = await loadDatabase();
      for (const { name, applied } of await withDatabase(read, migrationStatus)) {
        print(`${applied ? 'applied' : 'pending'}  ${name}`);
      }
    });
}

function loadDatabase() {
  return Promise.all([import('./database-session.js'), import('../database/migrations.js')]);
}
