import createClient from 'openapi-fetch';
import { answerOf, Call, type Answer } from './call.js';
import { List, type Place } from './list.js';
import { Transport, type RequestOptions } from './transport.js';
import type { Data, Method, OperationAt, Parts, PathOf, RequestParts } from './types.js';

export interface ClientOptions {
  /** Where the service is, such as `https://documents.example.com`; it may end in `/v1`. */
  baseUrl: string;
  /** `ds_live_…`; a function is asked before every call. */
  apiKey: string | (() => string | Promise<string>);
  fetch?: typeof globalThis.fetch | undefined;
  /** For one attempt with its whole answer, 60,000 unless said otherwise; 0 waits for ever. */
  timeoutMs?: number | undefined;
  /** Attempts after the first one, 3 unless said otherwise. */
  maxRetries?: number | undefined;
  /** Before the second attempt, 500 unless said otherwise; twice as long before each further one. */
  retryDelayMs?: number | undefined;
  /** Longest `Retry-After` that is waited for, 60,000 unless said otherwise. */
  maxRetryDelayMs?: number | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
}

/** The parts of a request whose types were checked by who calls. */
interface AnyParts extends RequestOptions {
  path?: Record<string, string | number> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

interface UntypedClient {
  request(method: string, path: string, init: object): Promise<{ response: Response }>;
}

/** Every operation of the API by its method and path; {@link DocumentService} has them by name. */
export class Api {
  private readonly client: UntypedClient;
  private readonly transport: Transport;

  constructor(private readonly options: ClientOptions) {
    const { baseUrl, fetch } = options;
    this.client = createClient({
      baseUrl: baseUrl.replace(/\/+$/, '').replace(/\/v1$/, ''),
      querySerializer,
      bodySerializer: (body: unknown) => (isRaw(body) ? body : JSON.stringify(body)),
    }) as UntypedClient;
    this.transport = new Transport({
      // Called without `this`, as browsers want it; looked up late, for those who replace it.
      fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
      timeoutMs: options.timeoutMs ?? 60_000,
      maxRetries: options.maxRetries ?? 3,
      retryDelayMs: options.retryDelayMs ?? 500,
      maxRetryDelayMs: options.maxRetryDelayMs ?? 60_000,
    });
  }

  /** Any operation: `client.request('GET', '/v1/documents/{id}', { path: { id } })`. */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[parts]: Parts<OperationAt<M, P>>
  ): Call<Data<M, P>> {
    const answer = this.send(method, path, parts ?? {}).then(answerOf);
    return new Call(answer as Promise<Answer<Data<M, P>>>);
  }

  /** Any list, page by page. */
  list<P extends PathOf<'GET'>>(
    path: P,
    ...[parts]: Parts<OperationAt<'GET', P>>
  ): Data<'GET', P> extends (infer Item)[] ? List<Item> : never;
  list(path: string, parts: AnyParts = {}): List<unknown> {
    return new List((place) => {
      const query = { ...parts.query, ...placeIn(parts.query, place) };
      const answer = this.send('GET', path, { ...parts, query }).then(answerOf);
      return new Call(answer as Promise<Answer<unknown[]>>);
    });
  }

  /** Any operation whose answer is read while it arrives. */
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
    const { apiKey } = this.options;
    const headers = {
      ...this.options.headers,
      Authorization: `Bearer ${typeof apiKey === 'function' ? await apiKey() : apiKey}`,
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

/** A list that was begun with `after` goes on with it. */
function placeIn(query: AnyParts['query'], place: Place | undefined): object | undefined {
  return query?.['after'] === undefined || !place ? place : { after: place.cursor };
}

/** A number of a version is written as the service writes it. */
function entityTag(version: number | string | undefined): string | undefined {
  return typeof version === 'number' ? `"${String(version)}"` : version;
}

/** `crypto.randomUUID` is missing on pages without TLS. */
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

/** Lists repeat their name, and members of an object follow it after a dot: `metadata.region=eu`. */
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
