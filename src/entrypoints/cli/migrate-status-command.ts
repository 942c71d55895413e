import type { Command } from 'commander';
import { migrationStatus, schemaProblem } from '../../platform/database/migrations.js';
import { OperatorError } from '../../platform/basics/errors/operator-error.js';
import { withDatabase } from './database-session.js';
import { print, show } from './output.js';
import { settings } from './settings.js';

export function define(command: Command): void {
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
