import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { v1Base } from '../../api/client.js';
import { useAccount, useUser } from '../../api/session.js';
import { subscribe } from '../../stream/subscribe.js';
import type { Event } from '../events/event-subject.js';

/** Time to wait for more events before the lists are loaded again, in ms. */
const GATHER = 250;

/** Deleting and restoring a document removes and returns its proposals. */
const CHANGES_INBOX = /^(?:proposal\.|document\.(?:deleted|restored)$)/;

/** Loads proposals again when one is sent or decided. */
export function useProposalNews(): void {
  const { id: accountId } = useAccount();
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reload = () => {
      timer = undefined;
      void queryClient.invalidateQueries({ queryKey: [accountId, 'proposals'] });
    };
    const url = `${v1Base(accountId)}/v1/events/stream`;
    const unsubscribe = subscribe({ url, userId }, (message) => {
      const isNews =
        'event' in message
          ? CHANGES_INBOX.test((JSON.parse(message.event) as Event).type)
          : // The stream does not contain events from before it started.
            'connection' in message && message.connection === 'live';
      if (isNews) timer ??= setTimeout(reload, GATHER);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [accountId, queryClient, userId]);
}
