import { JobFailure } from '../../../jobs/worker/attempt-outcome.js';
import { AddressRefusedError } from '../../../../platform/network/guarded-connector.js';
import {
  AnswerTooLongError,
  RedirectRefusedError,
} from '../../../../platform/network/guarded-fetch.js';

/** Why a model gave no answer that can be used. The name is in the `details` of the job's error. */
export type ModelFailureReason =
  | 'address-refused'
  | 'redirect'
  | 'unreachable'
  | 'timed-out'
  | 'key-refused'
  | 'model-unknown'
  | 'request-refused'
  | 'busy'
  | 'server-failed'
  | 'broken-off'
  | 'answer-too-long'
  | 'answer-unusable';

/** Every sentence on one screen, for who asked and for the operator. Never what the server said: it may quote texts and keys. */
const SENTENCES: Readonly<Record<ModelFailureReason, (detail: string) => string>> = {
  'address-refused': (address) =>
    `The model's server leads to ${address}, which is not allowed, so nothing was sent. Have the operator open the network with AI_ALLOWED_NETWORKS, or correct AI_BASE_URL.`,
  redirect: (status) =>
    `The model's server answered ${status}, a redirect, which is never followed. Have the operator set AI_BASE_URL to where it leads.`,
  unreachable: (reason) =>
    `The model's server could not be reached (${reason}). Have the operator check AI_BASE_URL, and that the server runs.`,
  'timed-out': (seconds) =>
    `The model did not answer within ${seconds} s. Ask for it again, or have the operator raise AI_TIME_LIMIT_SECONDS or choose a faster model.`,
  'key-refused': (status) =>
    `The model's server answered ${status}: it refuses the key. Have the operator check AI_API_KEY.`,
  'model-unknown': () =>
    `The model's server answered 404. Have the operator check AI_MODEL and AI_BASE_URL.`,
  'request-refused': (status) =>
    `The model's server refused the request with ${status}. Have the operator check AI_MODEL and AI_BASE_URL; the server's log says why.`,
  busy: (status) =>
    `The model's server answered ${status} again and again: it is too busy, or its quota is used up. Ask for it again later.`,
  'server-failed': (status) =>
    `The model's server failed with ${status} again and again. Ask for it again later; its log says why.`,
  'broken-off': () =>
    `The model's server broke off in the middle of its answer, again and again. Ask for it again later; its log says why.`,
  'answer-too-long': () =>
    `The model's answer was longer than any that could be of use, and was ended. Have the operator choose another model.`,
  'answer-unusable': (problem) =>
    `The model's answer could not be used, also when it was asked again: ${problem}. Ask for it again, or have the operator choose another model.`,
};

const NOTHING_CHANGED = 'Nothing was changed.';

/** The model gave no usable answer. Ends the job with its sentence: what could be tried again was. */
export class ModelFailure extends JobFailure {
  override readonly name = 'ModelFailure';

  constructor(
    readonly reason: ModelFailureReason,
    detail = '',
    options?: { cause?: unknown },
  ) {
    super(
      `${SENTENCES[reason](detail)} ${NOTHING_CHANGED}`,
      { reason, provider: 'model' },
      options,
    );
  }
}

/** How one call failed. */
export interface CallProblem {
  failure: ModelFailure;
  /** Another attempt may overcome it. */
  isPassing: boolean;
  /** As the server wishes, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** The model did nothing for it: no tokens were used. */
  costNothing: boolean;
  /** What the server said about a request that it refused, to find out what it does not know. */
  refusal?: string | undefined;
}

/** How far an answer came. */
export interface Progress {
  /** The server answered with success. */
  hasBegun: boolean;
  /** Some of the text has arrived. */
  hasText: boolean;
}

/** The failure in what the AI SDK, undici or a stream threw. */
export function problemOf(error: unknown, { hasBegun, hasText }: Progress): CallProblem {
  const chain = causesOf(error);
  for (const one of chain) {
    if (one instanceof AddressRefusedError) return final('address-refused', one.address, error);
    if (one instanceof RedirectRefusedError) return final('redirect', String(one.status), error);
    if (one instanceof AnswerTooLongError)
      return { ...final('answer-too-long', '', error), costNothing: false };
  }
  const answered = chain.map(answerIn).find((one) => one !== undefined && one.status >= 400);
  if (answered) return statusProblem(answered, error);
  const code = chain.map(codeOf).find((one) => one !== undefined);
  if (hasBegun) {
    const isCut = hasText || code !== undefined || chain.some((one) => one instanceof TypeError);
    const failure = isCut
      ? new ModelFailure('broken-off', '', { cause: error })
      : new ModelFailure('answer-unusable', 'it is not what a server of a model answers', {
          cause: error,
        });
    return { failure, isPassing: true, costNothing: false };
  }
  const isLasting = /ENOTFOUND|CERT|TLS|SSL/.test(code ?? '');
  return {
    failure: new ModelFailure('unreachable', code ?? 'no connection', { cause: error }),
    isPassing: !isLasting,
    costNothing: true,
  };
}

function final(reason: ModelFailureReason, detail: string, cause: unknown): CallProblem {
  return {
    failure: new ModelFailure(reason, detail, { cause }),
    isPassing: false,
    costNothing: true,
  };
}

interface Answered {
  status: number;
  retryAfter: string | undefined;
  body: string;
}

function statusProblem({ status, retryAfter, body }: Answered, cause: unknown): CallProblem {
  const said = (reason: ModelFailureReason) => new ModelFailure(reason, String(status), { cause });
  const wait = { retryAfterMs: millisecondsOf(retryAfter), costNothing: true };
  if (status === 429 || status === 503 || status === 529)
    return { failure: said('busy'), isPassing: true, ...wait };
  if (status === 408 || status >= 500)
    return { failure: said('server-failed'), isPassing: true, ...wait };
  if (status === 401 || status === 403) return final('key-refused', String(status), cause);
  if (status === 404) return final('model-unknown', '', cause);
  return { ...final('request-refused', String(status), cause), refusal: body };
}

/** `Retry-After` in seconds or as a date. */
function millisecondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** The error and what caused it, outermost first. */
function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one !== undefined && one !== null && chain.length < 8;) {
    chain.push(one);
    const { cause, lastError } = one as { cause?: unknown; lastError?: unknown };
    one = cause ?? lastError;
  }
  return chain;
}

/** The answer in an `APICallError` of the AI SDK. */
function answerIn(error: unknown): Answered | undefined {
  const { statusCode, responseHeaders, responseBody } = error as {
    statusCode?: unknown;
    responseHeaders?: Record<string, string>;
    responseBody?: unknown;
  };
  if (typeof statusCode !== 'number') return undefined;
  const body = typeof responseBody === 'string' ? responseBody : '';
  return { status: statusCode, retryAfter: responseHeaders?.['retry-after'], body };
}

function codeOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
