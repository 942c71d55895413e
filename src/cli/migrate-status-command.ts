import type { Command } from 'commander';
import { foreignSchema, migrationStatus } from '../database/migrations.js';
import { withDatabase } from './database-session.js';
import { print, remark, show } from './output.js';
import { settings } from './settings.js';

export function define(command: Command): void {
  command.action(async () => {
    const read = settings();
    const states = await withDatabase(read, migrationStatus);
    show(states, () => {
      for (const { name, state } of states) print(`${state.padEnd(7)}  ${name}`);
    });
    const problem = foreignSchema(states, read.dataDir);
    if (problem !== undefined) remark(problem);
  });
}
