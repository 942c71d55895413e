import type { Command } from 'commander';
import { migrate } from '../../platform/database/migrations.js';
import { withDatabase } from './database-session.js';
import { print, remark, show } from './output.js';
import { settings } from './settings.js';

export function define(command: Command): void {
  command.action(async () => {
    const read = settings();
    const { dataDir, startTimeoutMs: limitMs } = read;
    const onWait = (reason: string) => {
      remark(`Waiting for PostgreSQL (${reason}).`);
    };
    const applied = await withDatabase(read, (dataSource) => migrate(dataSource, { dataDir }), {
      patience: { limitMs, onWait },
    });
    show({ applied }, () => {
      if (applied.length === 0) print('The database is up to date.');
      for (const name of applied) print(`applied  ${name}`);
    });
  });
}
