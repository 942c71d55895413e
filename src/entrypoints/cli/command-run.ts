import { AsyncLocalStorage } from 'node:async_hooks';

/** The outputs of a command, such as `process`. */
export interface CommandOutput {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

export interface CommandRun {
  /** The words after the program's name. */
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  out: CommandOutput;
  exitCode: number;
}

const runs = new AsyncLocalStorage<CommandRun>();

const PROCESS_RUN: CommandRun = {
  argv: process.argv.slice(2),
  env: process.env,
  out: process,
  exitCode: 0,
};

/** Returns the caller's run, or the process's own run outside `withinRun`. */
export function currentRun(): CommandRun {
  return runs.getStore() ?? PROCESS_RUN;
}

/** Calls `work`. Within it, `currentRun()` returns `run`. */
export function withinRun<Result>(run: CommandRun, work: () => Result): Result {
  return runs.run(run, work);
}
