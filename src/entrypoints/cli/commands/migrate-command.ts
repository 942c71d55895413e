import type { Command } from 'commander';
import { OperatorError } from '../../../platform/basics/errors/app-error.js';
import { migrate, migrationStatus, schemaProblem } from '../../../platform/database/migrations.js';
import { withDatabase } from '../database-session.js';
import { print, remark, show } from '../output.js';
import { settings } from '../settings.js';

export function define(command: Command): void {
  command.action(async () => {
    const read = settings();
    const { dataDir, startTimeoutMs: limitMs } = read;
    const onWait = (reason: string) => {
      remark(`Waiting for PostgreSQL (${reason}).`);
    };
    const applied = await withDatabase(read, (dataSource) => migrate(dataSource, { dataDir }), {
      retry: { limitMs, onWait },
    });
    show({ applied }, () => {
      if (applied.length === 0) print('The database is up to date.');
      for (const name of applied) print(`applied  ${name}`);
    });
  });
}

export function defineStatus(command: Command): void {
  command.action(async () => {
    const read = settings();
    const states = await withDatabase(read, migrationStatus);
    show(states, () => {
      for (const { name, state } of states) print(`${state.padEnd(7)}  ${name}`);
    });
    const problem = schemaProblem(states, read.dataDir);
    if (problem !== undefined) throw new OperatorError(problem);
  });
}
