/** A request to the API as text. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Ends the request when the client has gone. */
  signal: AbortSignal;
}

export interface ApiResponse {
  status: number;
  text: string;
}

/** How a request reaches the API, with the key of the client. Throws `Unreachable` where it does not. */
export type Send = (request: ApiRequest) => Promise<ApiResponse>;

/** The service does not answer; the message says what to do. */
export class Unreachable extends Error {}

/** A failure as the API tells it. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Readonly<Record<string, unknown>>,
    readonly requestId: string | undefined,
  ) {
    super(message);
  }
}

type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>;

interface Sent {
  body?: unknown;
  headers?: Record<string, string> | undefined;
}

/** What the tools need of a list's `meta.pagination`. */
interface Pagination {
  total: number;
  hasMore: boolean;
  nextCursor: string | null;
  totalIsLowerBound?: true;
}

interface Meta {
  pagination?: Pagination;
  warnings?: { field: string; issue: string }[];
}

/** A successful answer: what `data` holds is what the API document says of its route. */
export interface Success<Data> {
  status: number;
  data: Data;
  meta: Meta;
}

/** The API under `/v1`, as the tools use it. All that they do goes through here, so that it has the rules of the API. */
export class Api {
  constructor(
    private readonly send: Send,
    /** Aborted when nobody waits for the answer any more. */
    readonly signal: AbortSignal,
  ) {}

  get<Data>(path: string, query: Query = {}): Promise<Success<Data>> {
    return this.call('GET', path + searchOf(query), {});
  }

  post<Data>(path: string, sent: Sent = {}): Promise<Success<Data>> {
    return this.call('POST', path, sent);
  }

  patch<Data>(path: string, sent: Sent): Promise<Success<Data>> {
    return this.call('PATCH', path, sent);
  }

  delete<Data>(path: string, sent: Sent = {}): Promise<Success<Data>> {
    return this.call('DELETE', path, sent);
  }

  private async call<Data>(
    method: ApiRequest['method'],
    path: string,
    { body, headers = {} }: Sent,
  ): Promise<Success<Data>> {
    const withType =
      body === undefined ? headers : { 'content-type': 'application/json', ...headers };
    const { status, text } = await this.send({
      method,
      path: `/v1${path}`,
      headers: withType,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: this.signal,
    });
    return successOf<Data>(status, text);
  }
}

/** The precondition that a document is still at the version that was seen. */
export function ifMatch(version: number | undefined): Record<string, string> | undefined {
  return version === undefined ? undefined : { 'if-match': `"${String(version)}"` };
}

interface Envelope<Data> {
  success?: boolean;
  data?: Data;
  error?: { code: string; message: string; details?: Record<string, unknown> };
  meta?: Meta & { requestId?: string };
}

function successOf<Data>(status: number, text: string): Success<Data> {
  const { success, data, error, meta } = parse<Data>(text) ?? {};
  if (success === true && data !== undefined) return { status, data, meta: meta ?? {} };
  if (!error) {
    throw new Unreachable(
      `What answers there (${String(status)}) is not the Document Service. Check the address of the service, and a proxy in between.`,
    );
  }
  throw new ApiFailure(status, error.code, error.message, error.details ?? {}, meta?.requestId);
}

function parse<Data>(text: string): Envelope<Data> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function searchOf(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? (value as readonly string[]) : [value];
    for (const each of values) {
      if (each !== undefined && each !== null) parameters.append(name, String(each));
    }
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
