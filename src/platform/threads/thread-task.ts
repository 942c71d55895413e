import { setPriority } from 'node:os';
import { isMainThread, workerData } from 'node:worker_threads';
import { AppError, type ErrorDetails, type ErrorKind } from '../basics/errors/app-error.js';

/** The outcome of a task. Errors lose their class and kind between threads, so refusals travel as data. */
export type TaskOutcome =
  | { result: unknown }
  | { refused: { kind: ErrorKind; message: string; details?: ErrorDetails | undefined } };

/** Settings that a `ThreadPool` passes to its threads. */
export interface ThreadSettings {
  niceness: number;
}

/**
 * Returns the default export of a thread module: a function that runs `work` for each task and returns the outcome.
 * Call it once when the module is loaded, because it also sets the priority of the thread.
 */
export function threadTask<Task>(
  work: (task: Task) => unknown,
): (task: Task) => Promise<TaskOutcome> {
  lowerPriority();
  return async (task) => {
    try {
      return { result: await work(task) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { kind, message, details } = error;
      return { refused: { kind, message, details } };
    }
  };
}

/** Returns the result in an outcome, or throws its refusal. */
export function resultOf(outcome: TaskOutcome): unknown {
  if ('result' in outcome) return outcome.result;
  const { kind, message, details } = outcome.refused;
  throw new AppError(kind, message, details);
}

/** Sets the priority of this thread. Only Linux has priorities for threads; other systems have them only for processes. */
function lowerPriority(): void {
  if (isMainThread || process.platform !== 'linux') return;
  const { niceness } = (workerData ?? {}) as Partial<ThreadSettings>;
  if (niceness === undefined || niceness === 0) return;
  try {
    setPriority(niceness);
  } catch {
    // A sandbox may forbid this. All threads then have the same priority.
  }
}

/** A module that threads run, with the Node options it needs. */
export interface ThreadModule {
  filename: string;
  execArgv: string[];
}

/** Loads this repository's packages from source, because their compiled files may be missing or outdated. */
const SOURCE_LOADER = [
  '--conditions=document-service-source',
  '--import',
  '@swc-node/register/esm-register',
];

/**
 * Returns the module `name` next to the module at `base`, an `import.meta.url`. Threads run the same form as this
 * process: the compiled module, or the source in tests and scripts.
 */
export function threadModule(base: string, name: string): ThreadModule {
  const isSource = base.endsWith('.ts');
  return {
    filename: new URL(`./${name}.${isSource ? 'ts' : 'js'}`, base).href,
    execArgv: isSource ? SOURCE_LOADER : [],
  };
}
