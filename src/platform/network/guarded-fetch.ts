import { Agent, fetch as undiciFetch, type Dispatcher } from 'undici';
import { guardedConnector, type IsAllowed } from './guarded-connector.js';
import { limitHeaders, MAX_HEADER_BYTES } from './response-limits.js';

/** The server responded with a redirect. Redirects are not followed, because they can point to a closed network. */
export class RedirectRefusedError extends Error {
  override readonly name = 'RedirectRefusedError';

  constructor(readonly status: number) {
    super(`The server responded with ${String(status)}, a redirect. Redirects are not followed.`);
  }
}

/** The response exceeds the limit. */
export class ResponseTooLongError extends Error {
  override readonly name = 'ResponseTooLongError';

  constructor(readonly maxBytes: number) {
    super(`The response is longer than ${String(maxBytes)} bytes.`);
  }
}

interface GuardedFetchOptions {
  isAllowed: IsAllowed;
  connectTimeoutMs: number;
  /** Maximum bytes of a response after decompression. */
  maxResponseBytes: number;
}

/**
 * A `fetch` for libraries that accept one. Connects to allowed addresses only, follows no redirects, ignores proxies from
 * the environment, and aborts responses that are too long. The caller's signal is the only time limit.
 */
export class GuardedFetch {
  private readonly agent: Dispatcher;

  constructor(private readonly options: GuardedFetchOptions) {
    const { isAllowed, connectTimeoutMs: timeoutMs, maxResponseBytes } = options;
    // Chunks of a few bytes double the size of a body.
    const maxBytes = 2 * (maxResponseBytes + MAX_HEADER_BYTES);
    this.agent = new Agent({
      connect: guardedConnector({ isAllowed, timeoutMs, maxBytes }),
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    }).compose(limitHeaders);
  }

  /**
   * Rejects like `fetch`, with one of the errors above, or with an `AddressRefusedError` or a `ResponseLimitError` as the
   * cause.
   */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : input;
    // The types of undici and of Node's fetch differ only in their names.
    const response = (await undiciFetch(url, {
      ...init,
      redirect: 'manual',
      dispatcher: this.agent,
    } as Parameters<typeof undiciFetch>[1])) as unknown as Response;
    const { status, headers, body } = response;
    if (status >= 300 && status < 400) {
      await body?.cancel();
      throw new RedirectRefusedError(status);
    }
    if (body === null) return response;
    return new Response(body.pipeThrough(endingAfter(this.options.maxResponseBytes)), {
      status,
      headers: [...headers],
    });
  };

  /** Closes all connections. */
  close(): Promise<void> {
    return this.agent.destroy();
  }
}

function endingAfter(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new ResponseTooLongError(maxBytes);
      controller.enqueue(chunk);
    },
  });
}
