import { setPriority } from 'node:os';
import { AppError, type ErrorDetails, type ErrorKind } from '../errors/app-error.js';

/** What a thread answers. An error loses its class and kind on the way between threads, so refusals go as data. */
export type TaskOutcome =
  | { result: unknown }
  | { refused: { kind: ErrorKind; message: string; details?: ErrorDetails | undefined } };

/** The default export of a module that threads run: does `work` for each task and answers with its outcome. */
export function threadTask<Task>(
  work: (task: Task) => unknown,
): (task: Task) => Promise<TaskOutcome> {
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

/** How nice a thread is that computes: it gets a third of what a request gets where both want the processor. */
const NICE = 5;

/** Has the processor serve whoever waits for an answer first. Linux has priorities for threads, others for the process only. */
export function giveWayToRequests(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(NICE);
  } catch {
    // A sandbox may forbid it: then all threads are equal.
  }
}

/** How threads are told to run a module. */
export interface ThreadModule {
  filename: string;
  execArgv: string[];
}

/**
 * The module `name` beside the module at `base`, which is its `import.meta.url`. Threads run what this process runs: the
 * compiled module, or the source in tests and scripts.
 */
export function threadModule(base: string, name: string): ThreadModule {
  const isSource = base.endsWith('.ts');
  return {
    filename: new URL(`./${name}.${isSource ? 'ts' : 'js'}`, base).href,
    execArgv: isSource ? ['--import', '@swc-node/register/esm-register'] : [],
  };
}
