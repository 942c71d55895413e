import { Command, CommanderError } from 'commander';
import { AppError, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import { explain } from '../../platform/basics/errors/explain.js';
import { withinRun, type CommandOutput, type CommandRun } from './command-run.js';
import { print, printFailure, show } from './output.js';

/** The file of a command. Loaded only when the command is used, so that help and usage errors appear immediately. */
interface CommandFile {
  define(command: Command): void;
}

/** The commands in the order of the help, with their descriptions and files. */
const COMMANDS: Readonly<Record<string, readonly [string, () => Promise<CommandFile>]>> = {
  accounts: ['manage accounts and their plans', () => import('./commands/accounts-commands.js')],
  members: ['manage the members of an account', () => import('./commands/members-commands.js')],
  keys: ['manage the API keys of all accounts', () => import('./commands/keys-commands.js')],
  users: ['manage the users of the dashboard', () => import('./commands/users-commands.js')],
  webhooks: [
    'list the webhooks of all accounts, or receive deliveries locally',
    () => import('./commands/webhooks-commands.js'),
  ],
  secrets: [
    'manage the key that encrypts stored secrets',
    () => import('./commands/secrets-commands.js'),
  ],
  doctor: [
    'check the configuration, the database and their surroundings, and suggest fixes',
    () => import('./commands/doctor-command.js'),
  ],
  migrate: [
    'run pending migrations; safe while replicas run',
    () => import('./commands/migrate-command.js'),
  ],
  'migrate:status': [
    'show the state of each migration',
    async () => ({ define: (await import('./commands/migrate-command.js')).defineStatus }),
  ],
  backup: [
    'back up the database to a file; safe while the service runs',
    () => import('./backup/backup-command.js'),
  ],
  restore: [
    'restore a backup into an empty database, completely or not at all',
    () => import('./backup/restore-command.js'),
  ],
  demo: [
    'create an account with realistic documents, two webhooks and their deliveries',
    () => import('./demo/demo-command.js'),
  ],
  mcp: [
    'serve tools for language models on standard input and output (MCP)',
    () => import('./commands/mcp-command.js'),
  ],
};

/**
 * Runs a command line, such as `['keys', 'list', '--json']`, and returns its exit code. Settings come from `env`, and
 * all output goes to `out`. Commands that run until a signal, and `mcp`, still use the process itself.
 */
export async function runCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  out: CommandOutput,
): Promise<number> {
  const run: CommandRun = { argv, env, out, exitCode: 0 };
  await withinRun(run, () => execute(run));
  return run.exitCode;
}

async function execute(run: CommandRun): Promise<void> {
  let running: Command | undefined;
  try {
    await parse(run, (command) => {
      running = command;
    });
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) {
      run.exitCode = error.exitCode;
      return;
    }
    run.exitCode = 1;
    const problems = error instanceof AppError ? problemsOf(error, running) : undefined;
    const message = problems
      ? `${problems.map(({ field, issue }) => `${field} ${issue}`).join('; ')}.`
      : explain(error, 'The command failed');
    printFailure({ message, ...(problems && { problems }) });
  }
}

async function parse({ argv, out }: CommandRun, begin: (command: Command) => void): Promise<void> {
  if (argv[0] === '--version' || argv[0] === '-V') {
    const { SERVICE_VERSION } = await import('../../platform/config/project.js');
    show({ version: SERVICE_VERSION, node: process.versions.node }, () => {
      print(SERVICE_VERSION);
    });
    return;
  }
  const program = new Command('npm run -s cli --')
    .description("The Document Service's command line. Works whether or not the service is running")
    .option('--version', 'print the version')
    .exitOverride()
    .hook('preAction', (_, command) => {
      begin(command);
    })
    .configureOutput({
      writeOut: (text) => out.stdout.write(text),
      writeErr: (text) => out.stderr.write(text),
      // Commander puts its suggestion on a second line.
      outputError: (text) => {
        printFailure({
          message: text
            .trim()
            .replace(/\s*\n\s*/g, ' ')
            .replace(/^error: /, ''),
        });
      },
    });
  for (const [name, [description, load]] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(description);
    if (argv.includes(name)) {
      (await load()).define(command);
      for (const leaf of leavesOf(command)) addJsonOption(leaf);
    }
  }
  await program.parseAsync(argv, { from: 'user' });
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** Adds `--json` to a command that does not define it. */
function addJsonOption(command: Command): void {
  if (command.options.some(({ long }) => long === '--json')) return;
  command.option('--json', 'print one line of JSON, including errors');
}

/** Returns the invalid fields with their names on the command line. */
function problemsOf(
  { details }: AppError,
  running: Command | undefined,
): FieldProblem[] | undefined {
  const problems = details?.['problems'];
  if (!Array.isArray(problems)) return undefined;
  return (problems as FieldProblem[]).map(({ field, issue }) => ({
    field: optionFor(field, running),
    issue,
  }));
}

/** Options whose names differ from the fields of the API. */
const OPTION_NAMES: Readonly<Record<string, string>> = { expiresAt: 'expires' };

/** Returns `--name` for `name` or `<plan>` for `plan` if the running command has it, otherwise the field unchanged. */
function optionFor(field: string, running: Command | undefined): string {
  const [first = field] = field.split(/[.[]/);
  const name = OPTION_NAMES[first] ?? first;
  const option = running?.options.find((one) => one.attributeName() === name);
  if (option?.long) return option.long;
  const argument = running?.registeredArguments.find((one) => one.name() === name);
  return argument ? `<${argument.name()}>` : field;
}
