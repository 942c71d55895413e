import { JobFailure } from '../../../jobs/worker/attempt-outcome.js';
import { AddressRefusedError } from '../../../../platform/network/guarded-connector.js';
import { ResponseLimitError } from '../../../../platform/network/response-limits.js';
import {
  ResponseTooLongError,
  RedirectRefusedError,
} from '../../../../platform/network/guarded-fetch.js';

/** Why a model gave no usable response. The `details` of the job's error contain it. */
type ModelFailureReason =
  | 'address-refused'
  | 'redirect'
  | 'unreachable'
  | 'timed-out'
  | 'too-slow'
  | 'key-refused'
  | 'model-unknown'
  | 'request-refused'
  | 'busy'
  | 'server-failed'
  | 'broken-off'
  | 'answer-too-long'
  | 'answer-unusable';

/** Messages for the user and the operator. They never quote the server's response, which can contain texts and keys. */
const SENTENCES: Readonly<Record<ModelFailureReason, (detail: string) => string>> = {
  'address-refused': (address) =>
    `The model's server resolves to ${address}, which is not allowed, so nothing was sent. Ask the operator to allow the network with AI_ALLOWED_NETWORKS, or to correct AI_BASE_URL.`,
  redirect: (status) =>
    `The model's server responded with ${status}, a redirect, which the service never follows. Ask the operator to set AI_BASE_URL to the redirect's target.`,
  unreachable: (reason) =>
    `Could not connect to the model's server (${reason}). Ask the operator to check AI_BASE_URL and whether the server is running.`,
  'timed-out': (seconds) =>
    `The model did not respond within ${seconds} s. Try again, or ask the operator to raise AI_TIME_LIMIT_SECONDS or choose a faster model.`,
  'too-slow': (minutes) =>
    `The model did not finish the document within ${minutes} minutes. Try again with a shorter document, or ask the operator to choose a faster model.`,
  'key-refused': (status) =>
    `The model's server responded with ${status}: it rejects the key. Ask the operator to check AI_API_KEY.`,
  'model-unknown': () =>
    `The model's server responded with 404. Ask the operator to check AI_MODEL and AI_BASE_URL.`,
  'request-refused': (status) =>
    `The model's server refused the request with ${status}. Ask the operator to check AI_MODEL, AI_BASE_URL and the log of the model's server.`,
  busy: (status) =>
    `The model's server repeatedly responded with ${status}: it is too busy, or its quota is used up. Try again later.`,
  'server-failed': (status) =>
    `The model's server repeatedly failed with ${status}. Try again later, or ask the operator to check its log.`,
  'broken-off': () =>
    `The model's server repeatedly closed the connection in the middle of its response. Try again later, or ask the operator to check its log.`,
  'answer-too-long': () =>
    `The model's response was too long and was cut off. Ask the operator to choose another model.`,
  'answer-unusable': (problem) =>
    `The model's response could not be used, even after a second request: ${problem}. Try again, or ask the operator to choose another model.`,
};

const NOTHING_CHANGED = 'Nothing was changed.';

const SERVER_FAILURES: readonly ModelFailureReason[] = [
  'unreachable',
  'timed-out',
  'busy',
  'server-failed',
  'broken-off',
];

const FAILS_ALL: readonly ModelFailureReason[] = [
  'address-refused',
  'redirect',
  'key-refused',
  'model-unknown',
  'too-slow',
];

/** Thrown if the model gave no usable response. Fails the job without a retry, because `ModelCalls` has already retried. */
export class ModelFailure extends JobFailure {
  override readonly name = 'ModelFailure';

  /** What went wrong and what to do, for a warning about a part of the text. */
  readonly sentence: string;

  constructor(
    readonly reason: ModelFailureReason,
    detail = '',
    options?: { cause?: unknown },
  ) {
    const sentence = SENTENCES[reason](detail);
    super(`${sentence} ${NOTHING_CHANGED}`, { reason, provider: 'model' }, options);
    this.sentence = sentence;
  }

  /** True if other parts of the text would fail in the same way. */
  get isForAll(): boolean {
    return FAILS_ALL.includes(this.reason);
  }

  /** True if the server failed, rather than the response for this part of the text. */
  get isOfServer(): boolean {
    return SERVER_FAILURES.includes(this.reason);
  }
}

/** Failure of one call. */
export interface CallProblem {
  failure: ModelFailure;
  /** True if another attempt could succeed. */
  isTransient: boolean;
  /** How long the server asks to wait. */
  retryAfterMs?: number | undefined;
  /** True if the call used no tokens. */
  isFree: boolean;
  /** Response body of a refused request, used to find the feature that the server does not support. */
  refusal?: string | undefined;
}

/** Progress of a response before it failed. */
export interface Progress {
  /** The server responded with a success status. */
  hasBegun: boolean;
  /** Some of the text has arrived. */
  hasText: boolean;
}

/** Classifies an error of the AI SDK, undici or a stream. */
export function problemOf(error: unknown, { hasBegun, hasText }: Progress): CallProblem {
  const chain = causesOf(error);
  for (const one of chain) {
    if (one instanceof AddressRefusedError) return final('address-refused', one.address, error);
    if (one instanceof RedirectRefusedError) return final('redirect', String(one.status), error);
    if (one instanceof ResponseTooLongError || one instanceof ResponseLimitError)
      return { ...final('answer-too-long', '', error), isFree: false };
  }
  const failed = chain.map(errorResponseIn).find((one) => one !== undefined && one.status >= 400);
  if (failed) return statusProblem(failed, error);
  const code = chain.map(codeOf).find((one) => one !== undefined);
  if (hasBegun) {
    const isCut = hasText || code !== undefined || chain.some((one) => one instanceof TypeError);
    const failure = isCut
      ? new ModelFailure('broken-off', '', { cause: error })
      : new ModelFailure('answer-unusable', 'it is not a valid response of a model server', {
          cause: error,
        });
    return { failure, isTransient: true, isFree: false };
  }
  const isPermanent = /ENOTFOUND|CERT|TLS|SSL/.test(code ?? '');
  return {
    failure: new ModelFailure('unreachable', code ?? 'no connection', { cause: error }),
    isTransient: !isPermanent,
    isFree: true,
  };
}

function final(reason: ModelFailureReason, detail: string, cause: unknown): CallProblem {
  return {
    failure: new ModelFailure(reason, detail, { cause }),
    isTransient: false,
    isFree: true,
  };
}

interface ErrorResponse {
  status: number;
  retryAfter: string | undefined;
  body: string;
}

function statusProblem({ status, retryAfter, body }: ErrorResponse, cause: unknown): CallProblem {
  const failure = (reason: ModelFailureReason) =>
    new ModelFailure(reason, String(status), { cause });
  const wait = { retryAfterMs: millisecondsOf(retryAfter), isFree: true };
  if (status === 429 || status === 503 || status === 529)
    return { failure: failure('busy'), isTransient: true, ...wait };
  if (status === 408 || status >= 500)
    return { failure: failure('server-failed'), isTransient: true, ...wait };
  if (status === 401 || status === 403) return final('key-refused', String(status), cause);
  if (status === 404) return final('model-unknown', '', cause);
  return { ...final('request-refused', String(status), cause), refusal: body };
}

/** Parses `Retry-After`, which contains seconds or a date. */
function millisecondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** Returns the error and its causes, outermost first. */
function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one !== undefined && one !== null && chain.length < 8;) {
    chain.push(one);
    const { cause, lastError } = one as { cause?: unknown; lastError?: unknown };
    one = cause ?? lastError;
  }
  return chain;
}

/** Returns the HTTP response of an `APICallError` of the AI SDK. */
function errorResponseIn(error: unknown): ErrorResponse | undefined {
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
