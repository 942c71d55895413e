import { useKeys } from '../../api/keys.js';
import { useMemberNames } from '../../api/members.js';
import { AppLink } from '../../components/app-link.js';
import { DocumentLink } from '../../components/document-link.js';
import { shortId } from '../../components/short-id.js';
import { WebhookLink } from '../webhooks/webhook-link.js';
import type { Event, EventRow } from './event-subject.js';

/** Shows what an event is about: a document or webhook by its name, or a limit. */
export function EventSubject({ row }: { row: EventRow }) {
  const { documentId, webhookId, title, usage } = row;
  if (documentId !== undefined) return <DocumentLink documentId={documentId} title={title} />;
  return webhookId === undefined ? usage : <WebhookLink webhookId={webhookId} />;
}

/** Shows the actor: a key, a person, or the service. */
export function EventActor({ actor }: { actor: Event['actor'] }) {
  if (!actor) return 'System';
  const { keyId, userId } = actor;
  return keyId === null ? <Person userId={userId} /> : <Key keyId={keyId} />;
}

function Person({ userId }: { userId: string }) {
  const name = useMemberNames().get(userId);
  return (
    <AppLink to="/{-$accountId}/members" search={{ open: userId } as never} title={userId}>
      {name ?? shortId(userId)}
    </AppLink>
  );
}

function Key({ keyId }: { keyId: string }) {
  const name = useKeys().data?.find(({ id }) => id === keyId)?.name;
  return (
    <AppLink to="/{-$accountId}/keys" search={{ open: keyId } as never} title={keyId}>
      {name ?? shortId(keyId)}
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
