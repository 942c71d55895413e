import { AppLink } from '../../components/app-link.js';
import type { Event, EventRow } from './event-subject.js';

/** Number of characters to show of an ID after its prefix. The end distinguishes IDs of the same time. */
const SHOWN = 6;

/** Returns `doc_…9q4w7z`. */
function shortId(id: string): string {
  return `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-SHOWN)}`;
}

/** Shows the subject of an event. */
export function EventSubject({ row }: { row: EventRow }) {
  const { documentId, webhookId, title } = row;
  if (documentId !== undefined) {
    return (
      <AppLink
        to="/{-$accountId}/documents/$documentId"
        params={{ documentId }}
        search={{}}
        title={documentId}
      >
        {title ?? shortId(documentId)}
      </AppLink>
    );
  }
  if (webhookId === undefined) return null;
  return (
    <AppLink
      to="/{-$accountId}/webhooks/$webhookId"
      params={{ webhookId }}
      search={{}}
      title={webhookId}
    >
      {shortId(webhookId)}
    </AppLink>
  );
}

/** Shows the actor: a key, a person, or the service. */
export function EventActor({ actor }: { actor: Event['actor'] }) {
  if (!actor) return 'System';
  const { keyId, userId } = actor;
  if (keyId === null) {
    return (
      <AppLink to="/{-$accountId}/members" search={{ open: userId } as never} title={userId}>
        {shortId(userId)}
      </AppLink>
    );
  }
  return (
    <AppLink to="/{-$accountId}/keys" search={{ open: keyId } as never} title={keyId}>
      {shortId(keyId)}
    </AppLink>
  );
}

export function EventRequest({ requestId }: { requestId: string | null }) {
  if (requestId === null) return null;
  return (
    <AppLink
      to="/{-$accountId}/requests/$requestId"
      params={{ requestId }}
      search={{}}
      title={requestId}
    >
      {shortId(requestId)}
    </AppLink>
  );
}
