import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';

type Resource = components['schemas']['AuditedResource'];

/** Shows the resource of an entry, as a link if it has a page. */
export function ResourceLink({ type, id }: Resource) {
  if (id === null) return type;
  switch (type) {
    case 'document':
      return (
        <AppLink to="/{-$accountId}/documents/$documentId" params={{ documentId: id }}>
          {id}
        </AppLink>
      );
    case 'template':
      return (
        <AppLink to="/{-$accountId}/templates/$templateId" params={{ templateId: id }}>
          {id}
        </AppLink>
      );
    case 'webhook':
      return (
        <AppLink to="/{-$accountId}/webhooks/$webhookId" params={{ webhookId: id }}>
          {id}
        </AppLink>
      );
    case 'key':
      return (
        <AppLink to="/{-$accountId}/keys" search={{ open: id } as never}>
          {id}
        </AppLink>
      );
    case 'job':
      return (
        <AppLink to="/{-$accountId}/jobs" search={{ open: id } as never}>
          {id}
        </AppLink>
      );
    default:
      return id;
  }
}
