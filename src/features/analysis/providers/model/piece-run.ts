import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { ModelFailure } from './model-failure.js';

/** Calls of one job that run at the same time. One at a time after a failure of the server, which may be busy. */
const AT_ONCE = 3;
/** Attempts per piece. Each attempt makes up to four calls. */
const MAX_TRIES = 2;
/** After this many failures without any result, the remaining pieces are not tried. */
const MOST_FIRST_FAILURES = AT_ONCE + 1;
/** The same for failures of the server in a row, after a result. */
const MOST_SERVER_FAILURES = 3;

/** A failure of a piece that leaves the results of the others usable: of the model, or because its daily tokens are used up. */
export type PieceFailure = ModelFailure | AppError;

export interface PieceRun<Result> {
  /** By piece. Undefined for failed pieces. */
  results: (Result | undefined)[];
  /** Pieces without a result, in order. */
  failed: { index: number; failure: PieceFailure }[];
}

interface Task {
  index: number;
  tries: number;
}

/**
 * Runs the calls for the pieces of a text, a few at the same time. Tries failed pieces again at the end. Rejects with the
 * first failure if no piece has a result, with the reason of `cancelled`, and with errors that are not about the model.
 */
export async function runPieces<Piece, Result>(
  pieces: readonly Piece[],
  call: (piece: Piece, index: number) => Promise<Result>,
  cancelled: AbortSignal,
): Promise<PieceRun<Result>> {
  const results = pieces.map((): Result | undefined => undefined);
  const failures = new Map<number, PieceFailure>();
  const queue = pieces.map((_, index): Task => ({ index, tries: 0 }));
  let limit = Math.min(AT_ONCE, pieces.length);
  let active = 0;
  let isAnyDone = false;
  let failuresInARow = 0;
  /** Set if the remaining pieces would fail too. */
  let last: PieceFailure | undefined;

  const fail = (task: Task, failure: PieceFailure, isAlone: boolean) => {
    if (failure instanceof AppError && active > 1) {
      // The calls in flight have reserved more tokens than they will use.
      limit = 1;
      task.tries -= 1;
      queue.unshift(task);
      return;
    }
    failures.set(task.index, failure);
    const isOfServer = failure instanceof ModelFailure && failure.isOfServer;
    if (!isAnyDone || (isOfServer && isAlone)) failuresInARow += 1;
    const most = isAnyDone ? MOST_SERVER_FAILURES : MOST_FIRST_FAILURES;
    if (failsAll(failure) || failuresInARow >= most) last ??= failure;
    if (isOfServer) limit = 1;
    if (task.tries < MAX_TRIES && pieces.length > 1) queue.push(task);
  };
  const work = async (): Promise<void> => {
    for (;;) {
      const task = active < limit && last === undefined ? queue.shift() : undefined;
      if (!task) return;
      const isAlone = limit === 1;
      active += 1;
      task.tries += 1;
      try {
        results[task.index] = await call(pieces[task.index] as Piece, task.index);
        failures.delete(task.index);
        isAnyDone = true;
        failuresInARow = 0;
      } catch (error) {
        cancelled.throwIfAborted();
        if (!isPieceFailure(error)) throw error;
        fail(task, error, isAlone);
      } finally {
        active -= 1;
      }
    }
  };

  await Promise.all(Array.from({ length: limit }, work));
  const failed = pieces.flatMap((_, index) => {
    if (results[index] !== undefined) return [];
    const failure = failures.get(index) ?? last;
    return failure ? [{ index, failure }] : [];
  });
  const [first] = failed;
  if (first && failed.length === pieces.length) throw last ?? first.failure;
  return { results, failed };
}

export function isPieceFailure(error: unknown): error is PieceFailure {
  return error instanceof ModelFailure || (error instanceof AppError && error.kind === 'forbidden');
}

/** True if the remaining pieces would fail in the same way. */
function failsAll(failure: PieceFailure): boolean {
  return failure instanceof AppError || failure.isForAll;
}

/** Returns the sentence about a failure that users see. */
export function sentenceOf(failure: PieceFailure): string {
  return failure instanceof ModelFailure ? failure.sentence : failure.message;
}
