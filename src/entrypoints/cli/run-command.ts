import { Command, CommanderError } from 'commander';
import { AppError, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import { explain } from '../../platform/basics/errors/explain.js';
import { withinRun, type CommandOutput, type CommandRun } from './command-run.js';
import { print, printFailure, show } from './output.js';

/** The file of a command: loaded when the command is named, so that help and mistakes answer at once. */
interface CommandFile {
  define(command: Command): void;
}

/** The commands in the order of the help, each with its file. */
const COMMANDS: Readonly<Record<string, readonly [string, () => Promise<CommandFile>]>> = {
  accounts: ['accounts and their plans', () => import('./commands/accounts-commands.js')],
  members: ['people of an account', () => import('./commands/members-commands.js')],
  keys: ['API keys of all accounts', () => import('./commands/keys-commands.js')],
  users: ['people who sign in to the dashboard', () => import('./commands/users-commands.js')],
  webhooks: [
    'webhooks of all accounts, and while developing',
    () => import('./commands/webhooks-commands.js'),
  ],
  secrets: ['the key that encrypts stored secrets', () => import('./commands/secrets-commands.js')],
  doctor: [
    'check configuration, database and all around them, and say what to do',
    () => import('./commands/doctor-command.js'),
  ],
  migrate: [
    'run the migrations that the database lacks; safe beside running replicas',
    () => import('./commands/migrate-command.js'),
  ],
  'migrate:status': [
    'show which migrations the database has',
    async () => ({ define: (await import('./commands/migrate-command.js')).defineStatus }),
  ],
  backup: [
    'write everything in the database into a file; safe beside a running service',
    () => import('./backup/backup-command.js'),
  ],
  restore: [
    'fill an empty database from a backup, all of it or nothing',
    () => import('./backup/restore-command.js'),
  ],
  demo: [
    'make an account with documents that look real, two webhooks and their deliveries',
    () => import('./demo/demo-command.js'),
  ],
  mcp: [
    'the tools of the service for language models, on standard input and output (MCP)',
    () => import('./commands/mcp-command.js'),
  ],
};

/**
 * Runs one command line, such as `['keys', 'list', '--json']`, and returns its exit code. Settings come from `env`, and
 * everything printed goes to `out`. Commands that run until a signal ends them, and `mcp`, still use the process itself.
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
    // Commander has printed why, or the help that was asked for.
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
    .description("The Document Service's command line, beside a running service or without one")
    .option('--version', 'print the version')
    .exitOverride()
    .hook('preAction', (_, command) => {
      begin(command);
    })
    .configureOutput({
      writeOut: (text) => out.stdout.write(text),
      writeErr: (text) => out.stderr.write(text),
      // Commander puts what one probably meant on a second line.
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
      for (const leaf of leavesOf(command)) takeJson(leaf);
    }
  }
  await program.parseAsync(argv, { from: 'user' });
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** Every command has the option, and says here what it prints. */
function takeJson(command: Command): void {
  if (command.options.some(({ long }) => long === '--json')) return;
  command.option('--json', 'print one line of JSON, failures too');
}

/** The wrong fields, by the names that they have on the command line. */
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

/** Options that are called otherwise than the fields of the API. */
const CALLED_OTHERWISE: Readonly<Record<string, string>> = { expiresAt: 'expires' };

/** `--name` for `name`, `<plan>` for `plan`, of the running command; a field that it has not stays as it is. */
function optionFor(field: string, running: Command | undefined): string {
  const [first = field] = field.split(/[.[]/);
  const name = CALLED_OTHERWISE[first] ?? first;
  const option = running?.options.find((one) => one.attributeName() === name);
  if (option?.long) return option.long;
  const argument = running?.registeredArguments.find((one) => one.name() === name);
  return argument ? `<${argument.name()}>` : field;
}
