import { encodeId } from '../identifiers/identifiers.js';
import { resourceOf } from './audit-entry.js';
import type { StoredEntry } from './audit-log.js';

/** The one list of an entry's public fields, as JSON text: its details go out as they were written. */
export function presentEntry(entry: StoredEntry): string {
  const type = resourceOf(entry.action);
  const head = {
    id: encodeId('audit', entry.id),
    action: entry.action,
    resource: { type, id: entry.resource_id === null ? null : encodeId(type, entry.resource_id) },
    actor: actorOf(entry),
    requestId: entry.request_id,
    clientAddress: entry.client_address,
    userAgent: entry.user_agent,
    createdAt: entry.created_at.toISOString(),
  };
  return `${JSON.stringify(head).slice(0, -1)},"details":${entry.details}}`;
}

function actorOf({ user_id, user_name, key_id }: StoredEntry) {
  if (user_id === null) return null;
  return {
    userId: encodeId('user', user_id),
    userName: user_name,
    keyId: key_id === null ? null : encodeId('key', key_id),
  };
}
