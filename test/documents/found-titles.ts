import type { ApiClient } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';

/** Returns the titles of the results, sorted or in the order of the response. */
export async function found(api: ApiClient, q: string, inOrder = false): Promise<string[]> {
  const response = await api.listDocuments({ q, limit: 100 });
  const titles = (expectSuccess(response) as { title: string }[]).map(({ title }) => title);
  expect(response.body.meta.pagination.total).toBe(titles.length);
  return inOrder ? titles : titles.sort();
}
