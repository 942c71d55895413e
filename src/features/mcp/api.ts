/** A request to the API. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Includes the query. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Aborts the request when the client disconnects. */
  signal: AbortSignal;
}

export interface ApiResponse {
  status: number;
  text: string;
}

/** Sends a request to the API with the client's key. Throws `Unreachable`. */
export type Send = (request: ApiRequest) => Promise<ApiResponse>;

/** The service does not respond. The message says what to do. */
export class Unreachable extends Error {}

/** An error response of the API. */
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

/** The fields of `meta.pagination` that tools use. */
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

/** A successful response. The API document describes `data` for each route. */
export interface Success<Data> {
  status: number;
  data: Data;
  meta: Meta;
}

/** A client of the API below `/v1`. Tools use only this client, so all rules of the API apply. */
export class Api {
  constructor(
    private readonly send: Send,
    /** Aborted when the client no longer waits. */
    readonly signal: AbortSignal,
  ) {}

  get<Data>(path: string, query: Query = {}): Promise<Success<Data>> {
    return this.call('GET', path + searchOf(query), {});
  }

  post<Data>(path: string, sent: Sent = {}): Promise<Success<Data>> {
    return this.call('POST', path, sent);
  }

  put<Data>(path: string, sent: Sent): Promise<Success<Data>> {
    return this.call('PUT', path, sent);
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

/** Returns the precondition that the document still has this version. */
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
      `The server that responded (status ${String(status)}) is not the Document Service. Check the address of the service and any proxy in between.`,
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

/** The tools that find ids, by the noun in the API's "not found" message. */
const FINDERS: readonly (readonly [noun: RegExp, advice: string])[] = [
  [/collection/i, 'Find its id with list_collections.'],
  [/schedule/i, 'check_publication shows the releases that contain it.'],
  [/template/i, 'Find its id with list_templates.'],
  [/version/i, 'List the versions with list_versions.'],
  [
    /enhancement/i,
    'Generate suggestions with suggest_improvements, or call list_suggestions without enhancementId.',
  ],
  [
    /document/i,
    'Find its id with search_documents or list_documents. If it was deleted, use restore_document.',
  ],
];

/** Returns sentences to append to an API error: the problems and the next step. `tool` is the called tool. */
export function adviceFor(failure: ApiFailure, tool: string): string {
  const { requestId } = failure;
  const advice = [problemsOf(failure), nearOf(failure), nextStep(failure, tool)];
  if (failure.status >= 500) advice.push(requestId && `The request id is ${requestId}.`);
  return advice
    .filter((sentence) => sentence !== undefined && sentence !== '')
    .map((sentence) => ` ${sentence ?? ''}`)
    .join('');
}

function nextStep({ status, message, details }: ApiFailure, tool: string): string | undefined {
  const repeat = `then call ${tool} again.`;
  switch (status) {
    case 400:
    case 413:
    case 422:
      return `Correct this, ${repeat}`;
    case 401:
      return 'Ask the user for a valid API key. The MCP server reads it from the header Authorization: Bearer (HTTP) or from DOCUMENT_SERVICE_KEY (stdio).';
    case 403:
      return scopesMissing(details);
    case 404:
      return FINDERS.find(([noun]) => noun.test(message))?.[1];
    case 409:
      return conflict(details, tool);
    case 412:
      return `Call read_document again to get version ${String(details['currentVersion'])}, make your change to that text, ${repeat}`;
    case 429:
      return `Wait ${seconds(details['retryAfter'])}, ${repeat}`;
    case 503:
      return `Wait a few seconds, ${repeat}`;
    default:
      return `Call ${tool} again. If the error persists, tell the user.`;
  }
}

function scopesMissing({ requiredScopes }: ApiFailure['details']): string | undefined {
  if (!Array.isArray(requiredScopes)) return undefined;
  return `Tell the user that this needs a key with the scope ${requiredScopes.join(', ')}. Tools that need other scopes still work.`;
}

function conflict({ allowed, reason }: ApiFailure['details'], tool: string): string | undefined {
  if (reason === 'checks')
    return 'analyze_document lists the issues, list_suggestions the open suggestions. Resolve them, then call publish_document.';
  if (!Array.isArray(allowed))
    return `Call read_document to see the current state, then decide whether to call ${tool} again.`;
  return `Allowed from here: ${allowed.join(', ') || 'nothing'}. Call ${tool} with one of them.`;
}

function seconds(retryAfter: unknown): string {
  return typeof retryAfter === 'number'
    ? `${String(retryAfter)} second${retryAfter === 1 ? '' : 's'}`
    : 'a minute';
}

/** Returns the text near quotes that a document does not contain. */
function nearOf({ details }: ApiFailure): string | undefined {
  const { near } = details as { near?: { field: string; text: string }[] };
  if (!near || near.length === 0) return undefined;
  return near
    .map(({ field, text }) => `The text near ${field} is: ${JSON.stringify(text)}.`)
    .join(' ');
}

interface Problem {
  field: string;
  issue: string;
}

/** Maximum number of reported problems. The message often names the first one, but never all of them. */
const MAX_PROBLEMS = 10;

function problemsOf({ details, message }: ApiFailure): string | undefined {
  const { problems, reason } = details as { problems?: Problem[]; reason?: string };
  // The message has all of them.
  if (reason === 'checks') return undefined;
  const listed = (problems ?? [])
    .map(({ field, issue }) => `${field} ${issue}`)
    .filter((problem) => !message.includes(problem))
    .slice(0, MAX_PROBLEMS);
  return listed.length > 0 ? `${listed.join('. ')}.` : undefined;
}
