import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { bundledFile, bundledProgram } from '../support/compiled-program.js';

export interface CliRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/** The environment of a command. The only database is the given one. */
const variables = (environment: Environment) => ({
  ...process.env,
  DATABASE_URL: '',
  SECRETS_KEY: '',
  ...environment,
});

/**
 * Runs a command in a process that stays up for the other commands of this file, so only the first one waits for a start.
 */
export async function runCli(environment: Environment, ...args: string[]): Promise<CliRun> {
  warmCli ??= await WarmCli.start();
  return warmCli.run(variables(environment), args);
}

/** Runs a command in a new process, as an operator does. */
export async function runCliProcess(environment: Environment, ...args: string[]): Promise<CliRun> {
  const child = spawn(process.execPath, [bundledProgram('cli'), ...args], {
    env: variables(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, exitCode] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    exit,
  ]);
  return { exitCode, stdout, stderr };
}

let warmCli: WarmCli | undefined;
afterAll(async () => {
  await warmCli?.end();
  warmCli = undefined;
});

/** A process that runs commands, one after the other or concurrently. */
class WarmCli {
  private readonly waiting = new Map<number, (run: CliRun) => void>();
  private runs = 0;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', ({ id, ...run }: CliRun & { id: number }) => {
      this.waiting.get(id)?.(run);
      this.waiting.delete(id);
    });
    child.once('exit', (code) => {
      const stderr = `The process of the commands ended with ${String(code)}.`;
      for (const end of this.waiting.values()) end({ exitCode: code, stdout: '', stderr });
    });
  }

  static async start(): Promise<WarmCli> {
    const child = fork(
      'test/support/warm-cli.mjs',
      [bundledFile('entrypoints/cli/run-command.js')],
      {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    );
    await once(child, 'message');
    return new WarmCli(child);
  }

  run(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<CliRun> {
    this.runs += 1;
    const id = this.runs;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.child.send({ id, args, env });
    });
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.disconnect();
    await exited;
  }
}

/** A command that runs until it is told to end. */
export interface RunningCli {
  child: ChildProcess;
  /** Returns the next line of its standard output or standard error. */
  line(from: 'stdout' | 'stderr'): Promise<string>;
  /** Sends the signal and waits for the process to end. */
  end(signal: NodeJS.Signals): Promise<number | string | null>;
}

/** Starts the real program without waiting for its end. */
export function startCli(
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): RunningCli {
  const child = spawn(process.execPath, [bundledProgram('cli'), ...args], {
    env: { ...process.env, DATABASE_URL: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = {
    stdout: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    stderr: createInterface({ input: child.stderr })[Symbol.asyncIterator](),
  };
  return {
    child,
    line: async (from) => {
      const next = await lines[from].next();
      if (next.done) throw new Error('The command has ended.');
      return next.value;
    },
    end: async (signal) => {
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
      return child.exitCode ?? child.signalCode;
    },
  };
}

/** Parses the command's output, which is one line of JSON. Fails with its error message if it failed. */
export function printed({ exitCode, stdout, stderr }: CliRun): unknown {
  if (exitCode !== 0) throw new Error(stderr);
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return JSON.parse(stdout) as unknown;
}

/** Expects that the command failed with one useful sentence and no output. */
export function expectRefusal(run: CliRun, sentence: RegExp): void {
  expect(run.stdout).toBe('');
  expect(run.stderr).toMatch(sentence);
  expect(run.stderr.trim().split('\n')).toHaveLength(1);
  expect(run.stderr).not.toMatch(/\n\s+at |node_modules|\.[jt]s:\d+/);
  expect(run.exitCode).toBe(1);
}
