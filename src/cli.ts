import { Command } from 'commander';
import { accountsCommand } from './cli/accounts-commands.js';
import { explain } from './cli/failure.js';
import { keysCommand } from './cli/keys-commands.js';
import { migrateCommand, migrateStatusCommand } from './cli/migrate-commands.js';
import { servicesOn } from './cli/services.js';
import { readSettings } from './cli/settings.js';

/** The operator's command line: `npm run -s cli -- <command>`. Works beside a running service and without one. */
const settings = () => readSettings(process.env);
const withServices = servicesOn(settings);

const program = new Command('npm run -s cli --')
  .description('Accounts, API keys and migrations of the Document Service')
  .addCommand(keysCommand(withServices))
  .addCommand(accountsCommand(withServices))
  .addCommand(migrateCommand(settings))
  .addCommand(migrateStatusCommand(settings));

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});
