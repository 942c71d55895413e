import { parentPort } from 'node:worker_threads';
import { AppError, type ErrorDetails, type ErrorKind } from '../errors/app-error.js';

/** What a thread answers: errors lose their kind on the way between threads, so refusals go as data. */
export type ThreadAnswer<Result> =
  | { result: Result }
  | { refused: { kind: ErrorKind; message: string; details?: ErrorDetails | undefined } };

/**
 * Lets this thread do the jobs it is sent. What was not foreseen ends the thread, whose state nobody knows then; the pool
 * starts another one.
 */
export function answerJobs(work: (job: never) => unknown): void {
  parentPort?.on('message', (job: unknown) => {
    void answerOf(work, job).then((answer) => {
      parentPort?.postMessage(answer);
    });
  });
}

/** The result in an answer; throws the refusal as the thread did. */
export function resultOf<Result>(answer: ThreadAnswer<Result>): Result {
  if ('result' in answer) return answer.result;
  const { kind, message, details } = answer.refused;
  throw new AppError(kind, message, details);
}

/** What a thread is sent is what its pool was given, which the types of the pool's owner see to. */
async function answerOf(
  work: (job: never) => unknown,
  job: unknown,
): Promise<ThreadAnswer<unknown>> {
  try {
    return { result: await work(job as never) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { kind, message, details } = error;
    return { refused: { kind, message, details } };
  }
}
