import { useQuery, useQueryClient } from '@tanstack/react-query';
import { allPages, LARGEST_PAGE } from '../../api/all-pages.js';
import { bodyOf, dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { useDocumentTitle } from '../../api/titles.js';
import type { components } from '../../api/v1-schema.js';
import { capitalized } from '../../components/words.js';
import { versionTag } from '../documents/document-types.js';

export type Release = components['schemas']['Release'];
export type ReleaseItem = components['schemas']['ReleaseItemInput'];

/** Interval for reloading releases, in ms. */
export const READ_EVERY = 15_000;
const PENDING: Release['status'][] = ['open', 'scheduled'];
/** Weekdays alone are clear within six days. */
const SOON_MS = 6 * 86_400_000;
/** Open and scheduled releases of an account. */
const MAX_PENDING = 500;

export function isPending({ status }: Pick<Release, 'status'>): boolean {
  return PENDING.includes(status);
}

/** Returns the open and scheduled releases of a document, or of the account; the next one first. */
export function usePendingReleases(documentId?: string) {
  const { id: accountId, api } = useAccount();
  const query = {
    status: PENDING,
    sort: 'publishAt' as const,
    order: 'asc' as const,
    limit: LARGEST_PAGE,
    ...(documentId !== undefined && { documentId }),
  };
  return useQuery({
    queryKey: [accountId, 'releases', 'pending', documentId],
    queryFn: () =>
      allPages(
        (cursor) =>
          bodyOf(
            api.GET('/v1/releases', {
              params: { query: { ...query, ...(cursor !== undefined && { cursor }) } },
            }),
          ),
        { most: MAX_PENDING },
      ),
    refetchInterval: every(READ_EVERY) as never,
  });
}

/** Loads a release by ID, because the visible page may not contain it. */
export function useRelease(id: string | undefined) {
  const { id: accountId, api } = useAccount();
  return useQuery({
    queryKey: [accountId, 'releases', id],
    queryFn: () => dataOf(api.GET('/v1/releases/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
    refetchInterval: every(READ_EVERY) as never,
  });
}

/** Returns a function that loads all releases again. */
export function useReleasesRefresh() {
  const { id: accountId } = useAccount();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: [accountId, 'releases'] });
}

/** Returns the title of a release. That of a schedule names its document. */
export function useReleaseName(release: Release | undefined): string {
  const [item] = release?.title === null ? release.items : [];
  const title = useDocumentTitle(item?.id);
  return item ? `${capitalized(item.action)} ${title ?? ''}` : (release?.title ?? 'Release');
}

/** Returns the parameters of a request that changes a release only if it is as on the screen. */
export function changeOf({ id, version }: Release) {
  return { path: { id }, header: { 'If-Match': versionTag(version) } };
}

/** Returns the items of a release as requests have them. */
export function requestedItems({ items }: Release): ReleaseItem[] {
  return items.map(({ id, action, version }) => ({ id, action, version }));
}

/** Returns "Fri 09:00" in the zone of the browser, or "12 Dec, 09:00" if that is not within six days. */
export function shortTime(at: Date, now: Date): string {
  const isSoon = Math.abs(at.getTime() - now.getTime()) < SOON_MS;
  return (isSoon ? WEEKDAY : DAY).format(at);
}

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', ...CLOCK });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...CLOCK });
