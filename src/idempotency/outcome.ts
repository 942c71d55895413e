import { Answer, type AnswerExtras } from '../envelope/answer.js';
import { AppError, type ErrorDetails, type ErrorKind } from '../errors/app-error.js';

/** How a request ended, as it is kept for its retries: an answer, or a failure the client caused. */
export type Outcome =
  | { json: string; extras: AnswerExtras }
  | { kind: ErrorKind; message: string; details?: ErrorDetails | undefined };

/** Failures that say nothing about the request itself: a retry may well end otherwise. */
const NEVER_KEPT: ReadonlySet<ErrorKind> = new Set([
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal',
  'unavailable',
]);

/** The text to keep of an answer. */
export function describeAnswer({ json, extras }: Answer): string {
  return JSON.stringify({ json, extras } satisfies Outcome);
}

/** The text to keep of a failure; `undefined` for one that a retry may overcome. */
export function describeFailure(error: unknown): string | undefined {
  if (!(error instanceof AppError) || NEVER_KEPT.has(error.kind)) return undefined;
  const { kind, message, details } = error;
  return JSON.stringify({ kind, message, details } satisfies Outcome);
}

/** The answer once more; throws the failure once more. */
export function replay(text: string): Answer {
  const outcome = JSON.parse(text) as Outcome;
  if ('kind' in outcome) throw new AppError(outcome.kind, outcome.message, outcome.details);
  return new Answer(outcome.json, outcome.extras);
}
