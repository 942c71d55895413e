import { Command } from 'commander';
import { addAccountsCommands } from './cli/accounts-commands.js';
import { addKeysCommands } from './cli/keys-commands.js';
import { addMigrateCommands } from './cli/migrate-commands.js';
import { servicesOn } from './cli/services.js';
import { readSettings } from './cli/settings.js';
import { addUsersCommands } from './cli/users-commands.js';
import { addWebhooksCommands } from './cli/webhooks-commands.js';
import { AppError, type FieldProblem } from './errors/app-error.js';
import { explain as explainFailure } from './errors/explain.js';

/** The operator's command line: `npm run -s cli -- <command>`. Works beside a running service and without one. */
const settings = () => readSettings(process.env);
const withServices = servicesOn(settings);

const program = new Command('npm run -s cli --')
  .description('Accounts, users, API keys, migrations and webhooks of the Document Service')
  .configureOutput({
    // Commander puts what one probably meant on a second line.
    outputError: (text, write) => {
      write(`${text.trim().replace(/\s*\n\s*/g, ' ')}\n`);
    },
  });
addKeysCommands(program, withServices);
addAccountsCommands(program, withServices);
addUsersCommands(program, withServices, settings);
addMigrateCommands(program, settings);
addWebhooksCommands(program);

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});

/** The one sentence an operator reads when a command fails. Never a stack trace. */
function explain(error: unknown): string {
  if (error instanceof AppError && Array.isArray(error.details?.['problems'])) {
    const problems = error.details['problems'] as FieldProblem[];
    return `${problems.map(({ field, issue }) => `${field} ${issue}`).join('; ')}.`;
  }
  return explainFailure(error, 'The command failed');
}
