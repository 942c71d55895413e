import { ConnectionError } from './errors.js';
import type { Schemas } from './types.js';

/** The rate-limit window with the fewest remaining requests. */
export interface RateLimit {
  limit: number;
  remaining: number;
  reset: Date;
}

/** Data of a response with its metadata. */
export interface ApiResponse<T> {
  data: T;
  meta: Partial<Schemas['ListMeta']>;
  status: number;
  headers: Headers;
  requestId: string | undefined;
  /** `undefined` if no limit applies or a proxy removed the headers. */
  rateLimit: RateLimit | undefined;
  etag: string | undefined;
}

/** A request in flight. Await it for the data, or call {@link withResponse} for the metadata too. */
export class Call<T> extends Promise<T> {
  /** `then` and `catch` return plain promises. */
  static override get [Symbol.species]() {
    return Promise;
  }

  constructor(private readonly response: Promise<ApiResponse<T>>) {
    // Never settles: callers wait through `then` below, so a failure is reported only once.
    super(() => undefined);
  }

  withResponse(): Promise<ApiResponse<T>> {
    return this.response;
  }

  override then<Result = T, Failed = never>(
    onfulfilled?: ((data: T) => Result | PromiseLike<Result>) | null,
    onrejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Result | Failed> {
    return this.response.then(({ data }) => data).then(onfulfilled, onrejected);
  }
}

export async function responseOf(response: Response): Promise<ApiResponse<unknown>> {
  const { status, headers } = response;
  const { data, meta } = await contentOf(response);
  return {
    data,
    meta,
    status,
    headers,
    requestId: headers.get('X-Request-Id') ?? meta.requestId,
    rateLimit: rateLimitOf(headers),
    etag: headers.get('ETag') ?? undefined,
  };
}

interface Content {
  data: unknown;
  meta: ApiResponse<unknown>['meta'];
}

/** Returns JSON without its envelope, text, or the bytes of a file. */
async function contentOf(response: Response): Promise<Content> {
  const { status, headers } = response;
  if (status === 304) return { data: undefined, meta: {} };
  const type = headers.get('Content-Type') ?? '';
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(type);
  const body = isJson ? jsonOf(await response.text()) : undefined;
  if (isEnvelope(body)) return { data: body.data, meta: body.meta ?? {} };
  if (!headers.has('X-Request-Id')) {
    throw new ConnectionError(
      `The response (${type || 'no content type'}) is not from the service. Check baseUrl.`,
    );
  }
  if (isJson) return { data: body, meta: {} };
  const data = type.startsWith('text/plain') ? await response.text() : await response.blob();
  return { data, meta: {} };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConnectionError('The response is not valid JSON.', 1, error);
  }
}

function isEnvelope(body: unknown): body is Partial<Content> {
  const { success, data } = (body ?? {}) as { success?: unknown; data?: unknown };
  return success === true && data !== undefined;
}

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) =>
    headers.get(`X-RateLimit-${name}`),
  );
  if (!limit || !remaining || !reset) return undefined;
  return {
    limit: Number(limit),
    remaining: Number(remaining),
    reset: new Date(Number(reset) * 1000),
  };
}
