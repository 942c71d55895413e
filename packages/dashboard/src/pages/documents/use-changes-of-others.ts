import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { v1Base } from '../../api/client.js';
import { useAccount, useUser } from '../../api/session.js';
import { subscribe } from '../../stream/subscribe.js';
import { documentIdOf, type Event } from '../events/event-subject.js';
import type { DocumentSession } from './editor/document-session.js';
import type { PresenceFrame } from './presence.js';

/**
 * Follows an open document: merges versions of others, and reports its deletion to the session. Returns who has it
 * open.
 */
export function useChangesOfOthers(
  session: DocumentSession,
  documentId: string | undefined,
): PresenceFrame | undefined {
  const { id: accountId } = useAccount();
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const [presence, setPresence] = useState<PresenceFrame>();
  useEffect(() => {
    if (documentId === undefined) return undefined;
    const url = `${v1Base(accountId)}/v1/events/stream`;
    return subscribe({ url, userId, documentId }, (message) => {
      if ('presence' in message) {
        const frame = JSON.parse(message.presence) as PresenceFrame;
        if (frame.documentId === documentId) setPresence(frame);
      } else if ('event' in message) {
        const event = JSON.parse(message.event) as Event;
        if (documentIdOf(event) === documentId) session.hearOf(versionOf(event));
        if (event.type.startsWith('proposal.')) {
          void queryClient.invalidateQueries({ queryKey: [accountId, 'proposals'] });
        }
      } else if (message.connection === 'live') {
        // The stream does not contain changes from before it started.
        session.hearOf(undefined);
      }
    });
  }, [accountId, documentId, queryClient, session, userId]);
  return presence?.documentId === documentId ? presence : undefined;
}

/** Returns the version that an event created, if any. A publication may create none. */
function versionOf({ type, data }: Event): number | undefined {
  if (/deleted|restored|published/.test(type)) return undefined;
  const { version } = (data['document'] ?? {}) as { version?: unknown };
  return typeof version === 'number' ? version : undefined;
}
