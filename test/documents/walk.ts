import type { ApiClient } from '../support/api-client.js';

/** The fields of a list item that tests check. */
export interface Listed {
  id: string;
  title: string;
  wordCount: number;
  createdAt: string;
  updatedAt: string;
}

/** How to read a list. */
export interface Walk {
  sort: string;
  order: string;
  limit: number;
}

/** Returns the ids of all documents, page by page. */
export async function walkPages(api: ApiClient, walk: Walk): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const response = await api.listDocuments({ ...walk, page });
    ids.push(...(response.body.data as Listed[]).map(({ id }) => id));
    if (!response.body.meta.pagination.hasMore) return ids;
  }
}

/** Returns the ids of all documents, following cursors. */
export async function walkCursors(api: ApiClient, walk: Walk): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const response = await api.listDocuments({ ...walk, cursor });
    ids.push(...(response.body.data as Listed[]).map(({ id }) => id));
    cursor = (response.body.meta.pagination.nextCursor as string | null) ?? undefined;
  } while (cursor !== undefined);
  return ids;
}
