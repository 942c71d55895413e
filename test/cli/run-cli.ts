import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { compiledProgram } from '../support/compiled-program.js';

export interface CliRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the real program, as compiled from the sources, in an environment that names no database but the given one. */
export async function runCli(
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<CliRun> {
  const child = spawn(process.execPath, [compiledProgram('cli'), ...args], {
    env: { ...process.env, DATABASE_URL: '', SECRETS_KEY: '', ...environment },
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

/** A command that goes on until it is told to end. */
export interface RunningCli {
  child: ChildProcess;
  /** The next line of its output, or of its remarks. */
  line(from: 'stdout' | 'stderr'): Promise<string>;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | string | null>;
}

/** Starts the real program without waiting for its end. */
export function startCli(
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): RunningCli {
  const child = spawn(process.execPath, [compiledProgram('cli'), ...args], {
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

/** What the command printed as its one line of JSON; fails with its words when it failed. */
export function printed({ exitCode, stdout, stderr }: CliRun): unknown {
  if (exitCode !== 0) throw new Error(stderr);
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return JSON.parse(stdout) as unknown;
}

/** Checks that the command failed with nothing on its output and one sentence that a person can act on. */
export function expectRefusal(run: CliRun, sentence: RegExp): void {
  expect(run.stdout).toBe('');
  expect(run.stderr).toMatch(sentence);
  expect(run.stderr.trim().split('\n')).toHaveLength(1);
  expect(run.stderr).not.toMatch(/\n\s+at |node_modules|\.[jt]s:\d+/);
  expect(run.exitCode).toBe(1);
}
