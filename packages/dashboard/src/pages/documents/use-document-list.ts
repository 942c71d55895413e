import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { bodyOf } from '../../api/client.js';
import { useCollections } from '../../api/collections.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { PAGE_SIZE, pageOf } from '../../components/pager.js';
import { useSearchState } from '../../search-state.js';
import { foldersOf, hasRight, ROOT } from '../folders/folders.js';
import { filtersOf, isFiltered, queryOf, sortOf } from './list-query.js';

/** Interval for reloading a visible list, in ms. */
const READ_EVERY = 30_000;

/** Loads the folders, and returns the one in the URL. */
export function useOpenFolder() {
  const collections = useCollections();
  const folders = useMemo(() => foldersOf(collections.data ?? []), [collections.data]);
  const [{ folder: place }] = useSearchState();
  const folder = folders.byId.get(place ?? '');
  return {
    collections,
    folders,
    /** The value in the URL: an ID, `root`, or undefined for the documents of all folders. */
    place,
    folder,
    /** True if the person cannot see the folder. */
    isMissing:
      collections.data !== undefined &&
      place !== undefined &&
      place !== ROOT &&
      folder === undefined,
    /** True if the person can only view the folder. */
    isReadOnly: folder !== undefined && !hasRight(folder, 'editor'),
  };
}

/** Loads the documents that the URL asks for. */
export function useDocumentList() {
  const { id: accountId, api } = useAccount();
  const [state] = useSearchState();
  const filters = filtersOf(state);
  const { sort, order } = sortOf(state, filters);
  const page = pageOf(state);
  const query = { ...queryOf(filters), sort, order, page, limit: PAGE_SIZE };
  const documents = useQuery({
    queryKey: [accountId, 'documents', 'list', query],
    queryFn: ({ signal }) => bodyOf(api.GET('/v1/documents', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: every(READ_EVERY) as never,
  });
  const inTrash = filters.deleted === true;
  return {
    filters,
    inTrash,
    documents,
    /** Identifies the list: its filters, order and page. */
    key: JSON.stringify(query),
    /** True if the place has no documents at all. */
    isEmpty:
      documents.data?.meta.pagination.total === 0 && !isFiltered(filters) && !inTrash && page === 1,
  };
}
