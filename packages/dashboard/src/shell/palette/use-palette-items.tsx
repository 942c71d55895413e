import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { usePublishing } from '../../api/publishing.js';
import type { CurrentAccount } from '../../api/session.js';
import { Time } from '../../components/time.js';
import { statusName } from '../../pages/documents/document-types.js';
import { itemOf, prefixOf } from './pasted-id.js';
import type { PaletteItem } from './palette-item.js';
import { pagesAndActions } from './pages-and-actions.js';

/** Pause after a keystroke before documents are searched, in ms. */
const TYPING_PAUSE = 200;
const DOCUMENTS_SHOWN = 8;
const RECENT_SHOWN = 5;
/** Shorter texts match every document. */
const SHORTEST_SEARCH = 2;

/**
 * Returns the entries for a text: the page of an ID, or pages, actions and documents. Without a text, the documents that
 * were edited last come first.
 */
export function usePaletteItems(typed: string, account: CurrentAccount) {
  const text = typed.trim();
  const publishes = usePublishing().data?.enabled;
  const isId = prefixOf(text) !== undefined;
  const [asked] = useDebouncedValue(text, TYPING_PAUSE);
  const pasted = useQuery({
    queryKey: [account.id, 'palette', 'id', text],
    queryFn: () => itemOf(text, account),
    enabled: isId,
    staleTime: 30_000,
  });
  const recent = useQuery({
    queryKey: [account.id, 'palette', 'recent'],
    queryFn: () => recentDocuments(account),
    enabled: text === '' && account.may('documents:read'),
    staleTime: 30_000,
  });
  const documents = useQuery({
    queryKey: [account.id, 'palette', 'documents', asked],
    queryFn: () => findDocuments(asked, account),
    enabled: !isId && asked.length >= SHORTEST_SEARCH && account.may('documents:read'),
    staleTime: 30_000,
  });
  const isAsking = text !== asked || pasted.isFetching || documents.isFetching;
  if (isId) return { items: pasted.data ? [pasted.data] : [], isAsking, error: pasted.error };
  if (text === '') {
    return {
      items: [...(recent.data ?? []), ...pagesAndActions('', account, publishes)],
      isAsking: false,
      error: recent.error,
    };
  }
  const found = text.length >= SHORTEST_SEARCH ? (documents.data ?? []) : [];
  return {
    items: [...pagesAndActions(text, account, publishes), ...found],
    isAsking,
    error: documents.error,
  };
}

async function findDocuments(q: string, { api }: CurrentAccount): Promise<PaletteItem[]> {
  const query = { q, limit: DOCUMENTS_SHOWN };
  const documents = await dataOf(api.GET('/v1/documents', { params: { query } }));
  return documents.map(({ id, title, status }) => ({
    id,
    group: 'Documents',
    icon: 'documents',
    name: title,
    hint: statusName(status),
    href: `documents/${id}`,
  }));
}

async function recentDocuments({ api }: CurrentAccount): Promise<PaletteItem[]> {
  const query = { sort: 'updatedAt', order: 'desc', limit: RECENT_SHOWN } as const;
  const documents = await dataOf(api.GET('/v1/documents', { params: { query } }));
  return documents.map(({ id, title, updatedAt }) => ({
    id,
    group: 'Recent documents',
    icon: 'documents',
    name: title,
    hint: <Time at={updatedAt} />,
    href: `documents/${id}`,
  }));
}
