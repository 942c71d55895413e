import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { bodyOf, v1Base } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { EventFeed, type ListEvents } from './event-feed.js';

const PAGE = 100;

function watchVisibility(listener: () => void) {
  document.addEventListener('visibilitychange', listener);
  return () => {
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Whether somebody can see this tab. */
export function useIsVisible(): boolean {
  return useSyncExternalStore(watchVisibility, () => document.visibilityState === 'visible');
}

/** The events of the account as they happen while `isOn` and the tab is visible. */
export function useEventFeed(isOn: boolean) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const isVisible = useIsVisible();
  const [feed] = useState(() => {
    const list: ListEvents = async (cursor) => {
      // Through the cache of queries, which hears when the session has ended.
      const { data, meta } = await queryClient.query({
        queryKey: [accountId, 'events', 'list', cursor],
        queryFn: () => {
          const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
          return bodyOf(api.GET('/v1/events', { params: { query } }));
        },
        staleTime: 0,
        gcTime: 0,
      });
      return { events: data, nextCursor: meta.pagination.nextCursor };
    };
    return new EventFeed(`${v1Base(accountId)}/v1/events/stream`, list);
  });
  useEffect(() => {
    if (!isOn || !isVisible) return;
    feed.open();
    return feed.close;
  }, [feed, isOn, isVisible]);
  const snapshot = useSyncExternalStore(feed.subscribe, feed.read);
  return { ...snapshot, isVisible, loadOlder: feed.loadOlder, retry: feed.fillIn };
}
