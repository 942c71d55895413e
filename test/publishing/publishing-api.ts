import type { ApiClient } from '../support/api-client.js';
import type { TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';

export interface PublishedDocument {
  id: string;
  title: string;
  content: string;
  status: string;
  version: number;
  published?: { version: number; changed: boolean };
}

/** An event about a publication. */
export interface PublicationEvent {
  data: {
    document: { content: string; version: number };
    published: { version: number; number: number; releaseId: string | null };
  };
}

/** Creates an account that publishes. */
export async function publishingAccount(app: TestApp, settings: object = {}) {
  const account = await app.account();
  await putPublishing(account.api, { enabled: true, ...settings });
  return account;
}

export async function putPublishing(api: ApiClient, body: object): Promise<object> {
  return expectSuccess(await api.send('PUT', '/v1/publishing', { body })) as object;
}

export async function newDocument(api: ApiClient, body: object): Promise<PublishedDocument> {
  return expectSuccess(await api.createDocument(body), 201) as PublishedDocument;
}

export async function patched(
  api: ApiClient,
  { id }: Pick<PublishedDocument, 'id'>,
  body: object,
): Promise<PublishedDocument> {
  return expectSuccess(await api.patchDocument(id, body)) as PublishedDocument;
}

export const act = (
  api: ApiClient,
  { id }: Pick<PublishedDocument, 'id'>,
  action: 'publish' | 'unpublish' | 'discard',
  body?: object,
  headers: Record<string, string> = {},
) => api.send('POST', `/v1/documents/${id}/${action}`, { body, headers });

export async function acted(...request: Parameters<typeof act>): Promise<PublishedDocument> {
  return expectSuccess(await act(...request)) as PublishedDocument;
}

/** Returns the events of a document, oldest first, with their bodies. */
export async function eventsOf(
  api: ApiClient,
  { id }: Pick<PublishedDocument, 'id'>,
  type: string,
): Promise<PublicationEvent[]> {
  const query = `documentId=${id}&type=${type}&order=asc&limit=100`;
  const listed = expectSuccess(await api.send('GET', `/v1/events?${query}`)) as { id: string }[];
  return Promise.all(
    listed.map(
      async (event) =>
        expectSuccess(await api.send('GET', `/v1/events/${event.id}`)) as PublicationEvent,
    ),
  );
}
