import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';
import { dataOf, type ShownEnhancement } from '../analysis/shown.js';

export interface Proposal extends ShownEnhancement {
  dropped: Record<string, number>;
  fieldChanges: { id: string; field: string; from: unknown; to: unknown; status: string }[];
  proposal: { message: string | null; key: { id: string } | null } | null;
}

export async function newDocument(
  api: ApiClient,
  content: string,
  more: object = {},
): Promise<string> {
  return dataOf<{ id: string }>(await api.createDocument({ title: 'Text', content, ...more })).id;
}

export const readDocument = async (api: ApiClient, id: string) =>
  dataOf<{ content: string; title: string; version: number }>(await api.readDocument(id));

export const textOf = async (api: ApiClient, id: string) => (await readDocument(api, id)).content;

export function propose(api: ApiClient, id: string, body: object): Promise<ApiResponse> {
  return api.send('POST', `/v1/documents/${id}/proposals`, { body });
}

/** Returns a new proposal. */
export async function proposed(api: ApiClient, id: string, body: object): Promise<Proposal> {
  return expectSuccess(await propose(api, id, body), 201) as Proposal;
}

/** Returns the `proposal` of all events of a type, oldest first. */
export async function eventsOf(api: ApiClient, type: string): Promise<object[]> {
  const response = await api.send('GET', `/v1/events?type=${type}&limit=100`);
  const events = expectSuccess(response) as { data: { proposal: object } }[];
  return events.map(({ data }) => data.proposal).reverse();
}

/** Returns the page of an inbox, with its pagination. */
export async function inboxOf(api: ApiClient, query = '') {
  const { body } = await api.send('GET', `/v1/proposals${query}`);
  return body as {
    data: Proposal[];
    meta: { pagination: { total: number; hasMore: boolean; nextCursor: string | null } };
  };
}
