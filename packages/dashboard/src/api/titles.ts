import { useQuery } from '@tanstack/react-query';
import { LARGEST_PAGE } from './all-pages.js';
import { dataOf, type V1Client } from './client.js';
import { useAccount } from './session.js';

/** Documents whose titles one request will load. */
interface Batch {
  ids: Set<string>;
  titles: Promise<ReadonlyMap<string, string>>;
}

/** The batch that has not been sent yet, for each account. */
const batches = new WeakMap<V1Client, Batch>();

/**
 * Returns the title of a document, also of one in the trash. Null if it was deleted permanently, undefined while it
 * loads. Components that are rendered together share one request.
 */
export function useDocumentTitle(documentId: string | undefined): string | null | undefined {
  const { id: accountId, api, may } = useAccount();
  const title = useQuery({
    queryKey: [accountId, 'documents', 'title', documentId],
    queryFn: async () => {
      const id = documentId ?? '';
      return (await titlesWith(api, id)).get(id) ?? null;
    },
    enabled: documentId !== undefined && may('documents:read'),
    staleTime: 30_000,
  });
  return title.data;
}

/** Adds a document to the batch. */
async function titlesWith(api: V1Client, id: string): Promise<ReadonlyMap<string, string>> {
  let batch = batches.get(api);
  if (!batch || batch.ids.size >= LARGEST_PAGE) {
    const ids = new Set<string>();
    batch = { ids, titles: loadSoon(api, ids) };
    batches.set(api, batch);
  }
  batch.ids.add(id);
  return batch.titles;
}

async function loadSoon(api: V1Client, ids: ReadonlySet<string>) {
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  if (batches.get(api)?.ids === ids) batches.delete(api);
  const titles = new Map(await listTitles(api, [...ids], false));
  const missing = [...ids].filter((id) => !titles.has(id));
  if (missing.length === 0) return titles;
  return new Map([...titles, ...(await listTitles(api, missing, true))]);
}

async function listTitles(api: V1Client, ids: string[], deleted: boolean) {
  const query = { ids, deleted, fields: ['title' as const], limit: LARGEST_PAGE };
  const documents = await dataOf(api.GET('/v1/documents', { params: { query } }));
  return documents.map(({ id, title }) => [id, title] as const);
}
