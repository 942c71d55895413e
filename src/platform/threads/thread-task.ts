import { setPriority } from 'node:os';
import { isMainThread, workerData } from 'node:worker_threads';
import { AppError, type ErrorDetails, type ErrorKind } from '../basics/errors/app-error.js';

/** What a thread answers. An error loses its class and kind on the way between threads, so refusals go as data. */
export type TaskOutcome =
  | { result: unknown }
  | { refused: { kind: ErrorKind; message: string; details?: ErrorDetails | undefined } };

/** What a `ThreadPool` tells its threads when they start. */
export interface ThreadSettings {
  niceness: number;
}

/**
 * Returns the default export of a module that threads run: it does `work` for each task and answers with the outcome. Call
 * it once, when the module is loaded: it also sets the priority of the thread.
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

/** The result in an outcome; throws the refusal as the thread did. */
export function resultOf(outcome: TaskOutcome): unknown {
  if ('result' in outcome) return outcome.result;
  const { kind, message, details } = outcome.refused;
  throw new AppError(kind, message, details);
}

/** Lowers the priority of this thread as its pool says. Only Linux has priorities for threads; others have them for processes. */
function lowerPriority(): void {
  if (isMainThread || process.platform !== 'linux') return;
  const { niceness } = (workerData ?? {}) as Partial<ThreadSettings>;
  if (niceness === undefined || niceness === 0) return;
  try {
    setPriority(niceness);
  } catch {
    // A sandbox may forbid it: then all threads are equal.
  }
}

/** How threads are told to run a module. */
export interface ThreadModule {
  filename: string;
  execArgv: string[];
}

/** Packages of this repository are loaded from their sources, too: their compiled files may be missing or older. */
const SOURCE_LOADER = [
  '--conditions=document-service-source',
  '--import',
  '@swc-node/register/esm-register',
];

/**
 * The module `name` beside the module at `base`, which is its `import.meta.url`. Threads run what this process runs: the
 * compiled module, or the source in tests and scripts.
 */
export function threadModule(base: string, name: string): ThreadModule {
  const isSource = base.endsWith('.ts');
  return {
    filename: new URL(`./${name}.${isSource ? 'ts' : 'js'}`, base).href,
    execArgv: isSource ? SOURCE_LOADER : [],
  };
}
