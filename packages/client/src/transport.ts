import { apiErrorOf, ApiError, ConnectionError, TimeoutError, type Attempts } from './errors.js';

/** What may be said for one call. */
export interface RequestOptions {
  /** Ends the call, also while it waits for its next attempt; the call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For one attempt with its whole answer; 0 waits for ever. */
  timeoutMs?: number | undefined;
  /** Attempts after the first one. */
  maxRetries?: number | undefined;
  /** One for all attempts of a POST. Made by the client when it is left out. */
  idempotencyKey?: string | undefined;
  /** Only when this is the current version: its number, or the `ETag` of an answer. */
  ifMatch?: number | string | undefined;
  /** Only when this is no longer the current version. */
  ifNoneMatch?: number | string | undefined;
  headers?: Record<string, string> | undefined;
}

export interface TransportSettings {
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  maxRetries: number;
  /** Before the second attempt; twice as long before each further one. */
  retryDelayMs: number;
  /** A longer `Retry-After` is not waited for: the error tells it. */
  maxRetryDelayMs: number;
}

interface Attempt {
  signal: AbortSignal | undefined;
  timeoutMs: number;
  /** The answer is handed out while it still arrives. */
  isStream: boolean;
}

const LONGEST_DELAY_MS = 8_000;
/** Added at random to the time that the service says. */
const SPREAD_MS = 250;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Sends requests until the service has answered, with pauses in between. Resolves with successes and 304 only. */
export class Transport {
  constructor(private readonly settings: TransportSettings) {}

  async send(request: Request, options: RequestOptions, isStream = false): Promise<Response> {
    const { url, method, headers } = request;
    const body = await request.arrayBuffer();
    // A plain call, because a `fetch` of another library does not know this `Request`.
    const init = { method, headers, ...(body.byteLength > 0 && { body }) };
    const { maxRetries = this.settings.maxRetries, signal } = options;
    const attempt: Attempt = {
      signal,
      timeoutMs: options.timeoutMs ?? this.settings.timeoutMs,
      isStream,
    };
    let uncertain = false;
    for (let attempts = 1; ; attempts += 1) {
      signal?.throwIfAborted();
      const outcome = await this.once(url, init, attempt).catch((error: unknown) => {
        signal?.throwIfAborted();
        return connectionErrorOf(error, url, attempts);
      });
      uncertain ||= outcome instanceof Error || [502, 503, 504].includes(outcome.status);
      const result = await resultOf(outcome, { attempts, uncertain });
      if (!(result instanceof Error)) return result;
      const delayMs = delayBefore(this.settings.retryDelayMs, attempts, result);
      const isLast = attempts > maxRetries || delayMs > this.settings.maxRetryDelayMs;
      if (isLast || !isPassing(result)) throw result;
      await pause(delayMs, signal);
    }
  }

  /** One request and its answer, all within the time limit; of a stream the beginning of the answer. */
  private async once(url: string, init: RequestInit, attempt: Attempt): Promise<Response> {
    const { signal, timeoutMs, isStream } = attempt;
    const controller = new AbortController();
    const abort = () => {
      controller.abort(signal?.reason);
    };
    signal?.addEventListener('abort', abort);
    const timer =
      timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS
        ? setTimeout(() => {
            controller.abort(new TimeoutError(`No answer within ${String(timeoutMs)} ms.`));
          }, timeoutMs)
        : undefined;
    let isHandedOut = false;
    try {
      const response = await this.settings.fetch(url, { ...init, signal: controller.signal });
      isHandedOut = isStream && response.ok;
      if (isHandedOut) return response;
      const bytes = await response.arrayBuffer();
      return new Response(bytes.byteLength > 0 ? bytes : null, response);
    } catch (error) {
      controller.signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      if (!isHandedOut) signal?.removeEventListener('abort', abort);
    }
  }
}

async function resultOf(
  outcome: Response | ConnectionError,
  tries: Attempts,
): Promise<Response | ConnectionError | ApiError> {
  if (outcome instanceof Error || outcome.ok || outcome.status === 304) return outcome;
  return apiErrorOf(outcome, tries);
}

function connectionErrorOf(error: unknown, url: string, attempts: number): ConnectionError {
  if (error instanceof TimeoutError) return new TimeoutError(error.message, attempts);
  const { origin } = new URL(url);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConnectionError(`No answer from ${origin}: ${reason}`, attempts, error);
}

/**
 * Whether another attempt may fare better. Every request may be repeated: a POST carries its key, and a PATCH, a PUT or a
 * DELETE says what shall be, not what shall be done to it.
 */
function isPassing(failure: ApiError | ConnectionError): boolean {
  if (failure instanceof ConnectionError) return true;
  const { status, retryAfter } = failure;
  // A request with this idempotency key still runs, from an attempt whose answer was not waited for.
  if (status === 409) return retryAfter !== undefined;
  return status === 429 || status === 502 || status === 503 || status === 504;
}

/** Half of it at random, so that those who failed together do not come back together. */
function delayBefore(
  firstMs: number,
  attempts: number,
  failure: ApiError | ConnectionError,
): number {
  const told = failure instanceof ApiError ? failure.retryAfter : undefined;
  if (told !== undefined) return told * 1000 + Math.random() * SPREAD_MS;
  const longest = Math.min(firstMs * 2 ** (attempts - 1), LONGEST_DELAY_MS);
  return longest * (0.5 + Math.random() / 2);
}

/** Resolves after the time; rejects with the signal's reason when that comes first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
