import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { resourceOf } from './audit-actions.js';
import type { AuditEntry } from './audit.repository.js';
import type { AuditEntryDto } from './dto/audit.dto.js';

/** Returns the public fields of an entry. */
export function presentEntry(entry: AuditEntry): AuditEntryDto {
  const type = resourceOf(entry.action);
  return {
    id: encodeId('audit', entry.id),
    action: entry.action,
    resource: { type, id: entry.resourceId === null ? null : encodeId(type, entry.resourceId) },
    actor: actorOf(entry),
    requestId: entry.requestId,
    clientAddress: entry.clientAddress,
    userAgent: entry.userAgent,
    createdAt: entry.createdAt.toISOString(),
    details: entry.details as Record<string, unknown>,
  };
}

function actorOf({ userId, userName, keyId }: AuditEntry): AuditEntryDto['actor'] {
  if (userId === null) return null;
  return {
    userId: encodeId('user', userId),
    userName,
    keyId: keyId === null ? null : encodeId('key', keyId),
  };
}
