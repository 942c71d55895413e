import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { PresenceDto } from './dto/presence.dto.js';
import type { DocumentPresence } from './presence.repository.js';

/** `id` is the public id of the document. */
export function presentPresence(id: string, { entries, total }: DocumentPresence): PresenceDto {
  return {
    documentId: id,
    total,
    entries: entries.map(({ userId, keyId, name, state, since }) => ({
      userId: encodeId('user', userId),
      keyId: keyId === null ? null : encodeId('key', keyId),
      name,
      state,
      since: since.toISOString(),
    })),
  };
}
