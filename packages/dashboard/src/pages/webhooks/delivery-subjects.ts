import { useQuery } from '@tanstack/react-query';
import { LARGEST_PAGE } from '../../api/all-pages.js';
import { bodyOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { documentIdOf } from '../events/event-subject.js';
import type { Delivery } from './webhook-queries.js';

/** Maximum number of pages of events to read for one page of deliveries. */
const MOST_PAGES = 3;

/**
 * Returns the IDs of the documents of some deliveries by event ID. Deliveries contain only the event, so this lists the
 * events of their types and times.
 */
export function useDeliverySubjects(
  deliveries: readonly Delivery[] | undefined,
): ReadonlyMap<string, string> {
  const { id: accountId, api, may } = useAccount();
  const wanted = (deliveries ?? []).filter(({ eventType }) => eventType.startsWith('document.'));
  const eventIds = [...new Set(wanted.map(({ eventId }) => eventId))].sort();
  const subjects = useQuery({
    queryKey: [accountId, 'events', 'subjects', eventIds],
    queryFn: async ({ signal }) => {
      const times = wanted.map(({ createdAt }) => Date.parse(createdAt));
      const query = {
        type: [...new Set(wanted.map(({ eventType }) => eventType))],
        since: new Date(Math.min(...times)).toISOString(),
        // The end is exclusive.
        until: new Date(Math.max(...times) + 1).toISOString(),
        limit: LARGEST_PAGE,
      };
      const found = new Map<string, string>();
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const params = { query: { ...query, ...(cursor !== undefined && { cursor }) } };
        const { data, meta } = await bodyOf(api.GET('/v1/events', { params, signal }));
        for (const event of data) found.set(event.id, documentIdOf(event) ?? '');
        cursor = meta.pagination.nextCursor ?? undefined;
        if (cursor === undefined || eventIds.every((id) => found.has(id))) break;
      }
      return found;
    },
    enabled: eventIds.length > 0 && may('events:read'),
    // Events do not change.
    staleTime: Infinity,
    placeholderData: (before) => before,
  });
  return subjects.data ?? NONE;
}

const NONE: ReadonlyMap<string, string> = new Map();
