import createClient from 'openapi-fetch';
import { accessOf, type ApiKeySource } from './access.js';
import { responseOf, Call, type ApiResponse } from './call.js';
import { List, type PagePosition } from './list.js';
import { Transport, type RequestOptions } from './transport.js';
import type { Data, Method, OperationAt, Parts, PathOf, RequestParts } from './types.js';

export interface ClientOptions {
  /**
   * URL of the service, such as `https://documents.example.com`, with or without `/v1`. Defaults to the environment
   * variable `DOCUMENT_SERVICE_URL`.
   */
  baseUrl?: string | undefined;
  /**
   * `ds_live_…`, or a function that is called before every request. Defaults to the environment variable
   * `DOCUMENT_SERVICE_KEY`.
   */
  apiKey?: ApiKeySource | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  /** Timeout of an attempt, including its whole response. 0 means no timeout. Defaults to 60,000. */
  timeoutMs?: number | undefined;
  /** Maximum number of retries. Defaults to 3. */
  maxRetries?: number | undefined;
  /** Delay before the first retry. Doubles with each retry. Defaults to 500. */
  retryDelayMs?: number | undefined;
  /** Maximum `Retry-After` to wait for. Defaults to 60,000. */
  maxRetryDelayMs?: number | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
}

/** Parts of a request, already type-checked by the caller. */
interface AnyParts extends RequestOptions {
  path?: Record<string, string | number> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

interface UntypedClient {
  request(method: string, path: string, init: object): Promise<{ response: Response }>;
}

/** Sends any operation by method and path. {@link DocumentService} has a method for each. */
export class Api {
  private readonly client: UntypedClient;
  private readonly transport: Transport;
  /** A function, so that a printed client does not show the key. */
  private readonly baseHeaders: () => Promise<Record<string, string>>;

  constructor(options: ClientOptions = {}) {
    const { fetch, headers } = options;
    const { baseUrl, apiKey } = accessOf(options);
    this.baseHeaders = async () => ({
      ...headers,
      Authorization: `Bearer ${typeof apiKey === 'function' ? await apiKey() : apiKey}`,
    });
    this.client = createClient({
      baseUrl,
      querySerializer,
      bodySerializer: (body: unknown) => (isRaw(body) ? body : JSON.stringify(body)),
    }) as UntypedClient;
    this.transport = new Transport({
      // Call without `this`, as browsers require. Look up late, because tests may replace it.
      fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
      timeoutMs: options.timeoutMs ?? 60_000,
      maxRetries: options.maxRetries ?? 3,
      retryDelayMs: options.retryDelayMs ?? 500,
      maxRetryDelayMs: options.maxRetryDelayMs ?? 60_000,
    });
  }

  /** Sends any operation: `client.request('GET', '/v1/documents/{id}', { path: { id } })`. */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[parts]: Parts<OperationAt<M, P>>
  ): Call<Data<M, P>> {
    const response = this.send(method, path, parts ?? {}).then(responseOf);
    return new Call(response as Promise<ApiResponse<Data<M, P>>>);
  }

  /** Reads any list page by page. */
  list<P extends PathOf<'GET'>>(
    path: P,
    ...[parts]: Parts<OperationAt<'GET', P>>
  ): Data<'GET', P> extends (infer Item)[] ? List<Item> : never;
  list(path: string, parts: AnyParts = {}): List<unknown> {
    return new List((place) => {
      const query = { ...parts.query, ...positionIn(parts.query, place) };
      const response = this.send('GET', path, { ...parts, query }).then(responseOf);
      return new Call(response as Promise<ApiResponse<unknown[]>>);
    });
  }

  /** Sends any operation whose response is read as a stream. */
  stream<P extends PathOf<'GET'>>(
    path: P,
    parts: RequestParts<OperationAt<'GET', P>>,
  ): Promise<Response> {
    return this.send('GET', path, parts, true);
  }

  private async send(
    method: Method,
    path: string,
    { path: pathParameters, query, body, ...options }: AnyParts,
    isStream = false,
  ): Promise<Response> {
    checkPath(pathParameters);
    const headers = {
      ...(await this.baseHeaders()),
      'If-Match': entityTag(options.ifMatch),
      'If-None-Match': entityTag(options.ifNoneMatch),
      'Idempotency-Key': method === 'POST' ? (options.idempotencyKey ?? randomKey()) : undefined,
      ...options.headers,
    };
    const { response } = await this.client.request(method, path, {
      params: { path: pathParameters, query },
      body,
      headers,
      parseAs: 'stream',
      fetch: (request: Request) => this.transport.send(request, options, isStream),
    });
    return response;
  }
}

/** Refuses values that would address another resource. */
function checkPath(parameters: AnyParts['path'] = {}): void {
  for (const [name, value] of Object.entries<string | number | undefined>(parameters)) {
    const text = String(value ?? '');
    if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} must not be "${text}".`);
  }
}

/** A list that started with `after` continues with `after`. */
function positionIn(query: AnyParts['query'], place: PagePosition | undefined): object | undefined {
  return query?.['after'] === undefined || !place ? place : { after: place.cursor };
}

/** Converts a version number to an ETag. */
function entityTag(version: number | string | undefined): string | undefined {
  return typeof version === 'number' ? `"${String(version)}"` : version;
}

/** `crypto.randomUUID` is not available on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function isRaw(body: unknown): body is string | Blob | ArrayBuffer | FormData {
  return (
    typeof body === 'string' ||
    body instanceof FormData ||
    body instanceof Blob ||
    body instanceof ArrayBuffer
  );
}

/** Lists repeat the name. Members of objects are appended with a dot: `metadata.region=eu`. */
function querySerializer(query: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (value instanceof Date) parameters.append(name, value.toISOString());
    else if (Array.isArray(value)) for (const item of value) add(name, item);
    else if (typeof value === 'object') addMembers(`${name}.`, value ?? {});
    else if (typeof value === 'string') parameters.append(name, value);
    else if (value !== undefined) parameters.append(name, JSON.stringify(value));
  };
  const addMembers = (prefix: string, members: object): void => {
    for (const [name, value] of Object.entries(members)) add(prefix + name, value);
  };
  addMembers('', query);
  return parameters.toString();
}
