import { request } from 'undici';
import { formWith, type FormFile } from './form.js';

export interface ApiResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The parsed envelope. `undefined` if the response has no body. */

  body: any;
  /** The exact text of the response. */
  text: string;
  bytes: Buffer;
}

export interface RequestOptions {
  body?: unknown;
  /** Sent as is, instead of `body`. */
  rawBody?: string | Buffer;
  headers?: Record<string, string>;
}

type Query = Record<string, string | number | boolean | null | undefined>;

/**
 * Sends a request again while the response is 503, as a client does. On a busy machine, one of many concurrent changes of
 * the same rows waits too long for the others, and is then not applied.
 */
export async function whileBusy(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (;;) {
    const response = await send();
    if (response.status !== 503) return response;
  }
}

/** A client of the HTTP API, with a method per operation. */
export class ApiClient {
  constructor(
    private readonly origin: string,
    private readonly key: string | undefined,
  ) {}

  createDocument(body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.send('POST', '/v1/documents', { body, headers });
  }

  readDocument(id: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.send('GET', `/v1/documents/${id}`, { headers });
  }

  patchDocument(
    id: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.send('PATCH', `/v1/documents/${id}`, { body, headers });
  }

  replaceDocument(id: string, body: unknown): Promise<ApiResponse> {
    return this.send('PUT', `/v1/documents/${id}`, { body });
  }

  editDocument(id: string, edits: unknown): Promise<ApiResponse> {
    return this.send('POST', `/v1/documents/${id}/edits`, { body: { edits } });
  }

  deleteDocument(
    id: string,
    query: Query = {},
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.send('DELETE', `/v1/documents/${id}${searchOf(query)}`, { headers });
  }

  restoreDocument(id: string): Promise<ApiResponse> {
    return this.send('POST', `/v1/documents/${id}/restore`);
  }

  batchDocuments(body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.send('POST', '/v1/documents/batch', { body, headers });
  }

  importDocument(
    file: FormFile,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
    query = '',
  ): Promise<ApiResponse> {
    const { body, contentType } = formWith(file, fields);
    return this.send('POST', `/v1/documents/import${query}`, {
      rawBody: body,
      headers: { 'content-type': contentType, ...headers },
    });
  }

  exportDocument(
    id: string,
    format: string,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.send('GET', `/v1/documents/${id}/export?format=${format}`, { headers });
  }

  listDocuments(query: Query = {}): Promise<ApiResponse> {
    return this.list('/v1/documents', query);
  }

  analyzeDocument(id: string, body: unknown): Promise<ApiResponse> {
    return this.send('POST', `/v1/documents/${id}/analyze`, { body });
  }

  enhanceDocument(
    id: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.send('POST', `/v1/documents/${id}/enhance`, { body, headers });
  }

  listEnhancements(id: string, query: Query = {}): Promise<ApiResponse> {
    return this.list(`/v1/documents/${id}/enhancements`, query);
  }

  readEnhancement(id: string, enhancementId: string): Promise<ApiResponse> {
    return this.send('GET', `/v1/documents/${id}/enhancements/${enhancementId}`);
  }

  applySuggestions(
    id: string,
    enhancementId: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const path = `/v1/documents/${id}/enhancements/${enhancementId}/apply`;
    return this.send('POST', path, { body, headers });
  }

  acceptSuggestions(id: string, enhancementId: string, body: unknown): Promise<ApiResponse> {
    return this.send('POST', `/v1/documents/${id}/enhancements/${enhancementId}/accept`, { body });
  }

  rejectSuggestions(id: string, enhancementId: string, body: unknown): Promise<ApiResponse> {
    return this.send('POST', `/v1/documents/${id}/enhancements/${enhancementId}/reject`, { body });
  }

  readPresence(id: string): Promise<ApiResponse> {
    return this.send('GET', `/v1/documents/${id}/presence`);
  }

  holdPresence(id: string, state: unknown): Promise<ApiResponse> {
    return this.send('PUT', `/v1/documents/${id}/presence`, { body: { state } });
  }

  leaveDocument(id: string): Promise<ApiResponse> {
    return this.send('DELETE', `/v1/documents/${id}/presence`);
  }

  dismissIssues(id: string, body: unknown): Promise<ApiResponse> {
    return this.send('POST', `/v1/documents/${id}/dismissals`, { body });
  }

  listDismissals(id: string, query: Query = {}): Promise<ApiResponse> {
    return this.list(`/v1/documents/${id}/dismissals`, query);
  }

  removeDismissal(id: string, issueId: string): Promise<ApiResponse> {
    return this.send('DELETE', `/v1/documents/${id}/dismissals/${issueId}`);
  }

  listQuality(id: string, query: Query = {}): Promise<ApiResponse> {
    return this.list(`/v1/documents/${id}/quality`, query);
  }

  createTemplate(body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.send('POST', '/v1/templates', { body, headers });
  }

  readTemplate(id: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.send('GET', `/v1/templates/${id}`, { headers });
  }

  listTemplates(query: Query = {}): Promise<ApiResponse> {
    return this.list('/v1/templates', query);
  }

  patchTemplate(
    id: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.send('PATCH', `/v1/templates/${id}`, { body, headers });
  }

  replaceTemplate(
    id: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.send('PUT', `/v1/templates/${id}`, { body, headers });
  }

  deleteTemplate(id: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.send('DELETE', `/v1/templates/${id}`, { headers });
  }

  previewTemplate(id: string, templateVariables?: unknown): Promise<ApiResponse> {
    return this.send('POST', `/v1/templates/${id}/preview`, { body: { templateVariables } });
  }

  registerWebhook(body: unknown): Promise<ApiResponse> {
    return this.send('POST', '/v1/webhooks', { body });
  }

  listWebhooks(query: Query = {}): Promise<ApiResponse> {
    return this.list('/v1/webhooks', query);
  }

  readWebhook(id: string): Promise<ApiResponse> {
    return this.send('GET', `/v1/webhooks/${id}`);
  }

  deleteWebhook(id: string): Promise<ApiResponse> {
    return this.send('DELETE', `/v1/webhooks/${id}`);
  }

  patchWebhook(id: string, body: unknown): Promise<ApiResponse> {
    return this.send('PATCH', `/v1/webhooks/${id}`, { body });
  }

  testWebhook(id: string): Promise<ApiResponse> {
    return this.send('POST', `/v1/webhooks/${id}/test`);
  }

  rotateSecret(id: string, body: unknown = {}): Promise<ApiResponse> {
    return this.send('POST', `/v1/webhooks/${id}/rotate-secret`, { body });
  }

  listDeliveries(webhookId: string, query: Query = {}): Promise<ApiResponse> {
    return this.list(`/v1/webhooks/${webhookId}/deliveries`, query);
  }

  readDelivery(webhookId: string, id: string): Promise<ApiResponse> {
    return this.send('GET', `/v1/webhooks/${webhookId}/deliveries/${id}`);
  }

  redeliver(webhookId: string, id: string): Promise<ApiResponse> {
    return this.send('POST', `/v1/webhooks/${webhookId}/deliveries/${id}/redeliver`);
  }

  recover(webhookId: string, body: unknown): Promise<ApiResponse> {
    return this.send('POST', `/v1/webhooks/${webhookId}/recover`, { body });
  }

  exportAccount(headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.send('POST', '/v1/account/export', { headers });
  }

  importAccount(
    archive: string | Buffer,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.send('POST', '/v1/account/import', {
      rawBody: archive,
      headers: { 'content-type': 'application/x-ndjson', ...headers },
    });
  }

  listJobs(query: Query = {}): Promise<ApiResponse> {
    return this.list('/v1/jobs', query);
  }

  readJob(id: string): Promise<ApiResponse> {
    return this.send('GET', `/v1/jobs/${id}`);
  }

  readJobResult(id: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.send('GET', `/v1/jobs/${id}/result`, { headers });
  }

  cancelJob(id: string): Promise<ApiResponse> {
    return this.send('DELETE', `/v1/jobs/${id}`);
  }

  listEvents(query: Query = {}): Promise<ApiResponse> {
    return this.list('/v1/events', query);
  }

  readEvent(id: string): Promise<ApiResponse> {
    return this.send('GET', `/v1/events/${id}`);
  }

  list(path: string, query: Query): Promise<ApiResponse> {
    return this.send('GET', path + searchOf(query));
  }

  async send(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    const payload =
      options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const response = await request(this.origin + path, {
      method: method,
      headers: {
        ...(this.key === undefined ? {} : { authorization: `Bearer ${this.key}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const text = bytes.toString('utf8');
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      bytes,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
  }
}

function searchOf(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return search === '' ? '' : `?${search}`;
}
