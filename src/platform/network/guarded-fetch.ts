import { Agent, fetch as undiciFetch } from 'undici';
import { guardedConnector, type IsAllowed } from './guarded-connector.js';

/** The server sent somewhere else, which is not followed: it could be a network that is closed to us. */
export class RedirectRefusedError extends Error {
  override readonly name = 'RedirectRefusedError';

  constructor(readonly status: number) {
    super(`The answer ${String(status)} is a redirect, which is not followed.`);
  }
}

/** The answer is longer than anything that could be of use. */
export class AnswerTooLongError extends Error {
  override readonly name = 'AnswerTooLongError';

  constructor(readonly maxBytes: number) {
    super(`The answer is longer than ${String(maxBytes)} bytes.`);
  }
}

export interface GuardedFetchOptions {
  isAllowed: IsAllowed;
  connectTimeoutMs: number;
  /** Most bytes of an answer, unpacked. */
  maxAnswerBytes: number;
}

/**
 * `fetch` for libraries that are given one: it connects to allowed addresses only, follows no redirect, uses no proxy of
 * the environment, and ends an answer that is too long. It has no time limit but the caller's signal.
 */
export class GuardedFetch {
  private readonly agent: Agent;

  constructor(private readonly options: GuardedFetchOptions) {
    const { isAllowed, connectTimeoutMs } = options;
    this.agent = new Agent({
      connect: guardedConnector(isAllowed, connectTimeoutMs),
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Rejects as `fetch` does, with one of the errors above, or with an `AddressRefusedError` as the cause. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : input;
    // The types of undici and of Node's own fetch differ in names only.
    const answer = (await undiciFetch(url, {
      ...init,
      redirect: 'manual',
      dispatcher: this.agent,
    } as Parameters<typeof undiciFetch>[1])) as unknown as Response;
    const { status, headers, body } = answer;
    if (status >= 300 && status < 400) {
      await body?.cancel();
      throw new RedirectRefusedError(status);
    }
    if (body === null) return answer;
    return new Response(body.pipeThrough(endingAfter(this.options.maxAnswerBytes)), {
      status,
      headers: [...headers],
    });
  };

  /** Ends all connections. */
  close(): Promise<void> {
    return this.agent.destroy();
  }
}

function endingAfter(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new AnswerTooLongError(maxBytes);
      controller.enqueue(chunk);
    },
  });
}
