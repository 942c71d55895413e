import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { bodyOf, v1Base } from '../../api/client.js';
import { useAccount, useUser } from '../../api/session.js';
import { subscribe } from '../../stream/subscribe.js';
import { EventFeed, type ListEvents } from './event-feed.js';

const PAGE = 100;

/** Returns the newest events of the account, and adds new ones while `isOn`. */
export function useEventFeed(isOn: boolean) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const { id: userId } = useUser();
  const [feed] = useState(() => {
    const list: ListEvents = async (cursor) => {
      // Uses the query cache, which learns when the session has ended.
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
    const url = `${v1Base(accountId)}/v1/events/stream`;
    return new EventFeed((onMessage) => subscribe({ url, userId }, onMessage), list);
  });
  useEffect(() => {
    if (!isOn) return;
    feed.open();
    return feed.close;
  }, [feed, isOn]);
  const snapshot = useSyncExternalStore(feed.subscribe, feed.read);
  return { ...snapshot, loadOlder: feed.loadOlder, retry: feed.fillIn };
}
