import { Answer, type AnswerExtras, type KeptText } from '../envelope/answer.js';
import { AppError, type ErrorDetails, type ErrorKind } from '../errors/app-error.js';

/** Where a text was taken out of an answer, and what it was. */
export type Omission = Omit<KeptText, 'text'> & {
  /** Place in what is left of the answer's JSON. */
  at: number;
};

/** How a request ended, as it is kept for its retries: an answer, or a failure the client caused. */
export type Outcome =
  | { json: string; omissions: Omission[]; extras: Omit<AnswerExtras, 'keptTexts'> }
  | { kind: ErrorKind; message: string; details?: ErrorDetails | undefined };

/** Failures that say nothing about the request itself: a retry may well end otherwise. */
const NEVER_KEPT: ReadonlySet<ErrorKind> = new Set([
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal',
  'unavailable',
]);

/** UTF-16 units of a text that is worth reading again rather than keeping twice. */
const LONG = 4_096;

/**
 * What to keep of an answer. Long texts that are kept anyway are left out: a small edit of a long document must not cost
 * a copy of it.
 */
export function outcomeOfAnswer({ json, extras }: Answer): Outcome {
  const { keptTexts = [], ...rest } = extras;
  const omissions: Omission[] = [];
  let left = '';
  let place = 0;
  for (const { text, ...kept } of keptTexts) {
    const written = text.length < LONG ? '' : JSON.stringify(text);
    const start = written === '' ? -1 : json.indexOf(written, place);
    if (start === -1) continue;
    left += json.slice(place, start);
    omissions.push({ ...kept, at: left.length });
    place = start + written.length;
  }
  return { json: left + json.slice(place), omissions, extras: rest };
}

/** What to keep of a failure; `undefined` for one that a retry may overcome. */
export function outcomeOfFailure(error: unknown): Outcome | undefined {
  if (!(error instanceof AppError) || NEVER_KEPT.has(error.kind)) return undefined;
  const { kind, message, details } = error;
  return { kind, message, details };
}

/** The answer once more; throws the failure once more. `textOf` reads again what was left out, or throws. */
export async function answerAgain(
  outcome: Outcome,
  textOf: (omission: Omission) => Promise<string>,
): Promise<Answer> {
  if ('kind' in outcome) throw new AppError(outcome.kind, outcome.message, outcome.details);
  const { json, omissions, extras } = outcome;
  const parts: string[] = [];
  let place = 0;
  for (const omission of omissions) {
    parts.push(json.slice(place, omission.at), JSON.stringify(await textOf(omission)));
    place = omission.at;
  }
  return new Answer(parts.join('') + json.slice(place), extras);
}
