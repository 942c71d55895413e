import { Injectable } from '@nestjs/common';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import type { Access } from '../../auth/access/access.js';
import { requireScope } from '../../auth/guards/scope.guard.js';
import type { Principal } from '../../auth/principal.js';
import { asPresent } from './presence-principal.js';
import type { PresenceState } from './presence.entity.js';
import {
  PresenceRepository,
  type AccountDocument,
  type DocumentPresence,
} from './presence.repository.js';

/** Records and lists who views and edits documents (docs/adr/0030-presence.md). */
@Injectable()
export class PresenceService {
  constructor(private readonly presence: PresenceRepository) {}

  /** Returns who is in the document. Throws `not_found`. */
  async list(access: Access, id: string): Promise<DocumentPresence> {
    const [found] = await this.presence.list([documentOf(access, id)]);
    if (!found) throw notFound('document');
    return found;
  }

  /**
   * Counts the caller as viewing or editing for 60 s. Returns who is in the document then. Throws `not_found`, and
   * `forbidden` for editing without the scope `documents:write`.
   */
  async hold(
    access: Access,
    id: string,
    principal: Principal,
    state: PresenceState,
  ): Promise<DocumentPresence> {
    if (state === 'editing') requireScope(principal, 'documents:write');
    if (!(await this.presence.hold(documentOf(access, id), asPresent(principal), state))) {
      throw notFound('document');
    }
    return this.list(access, id);
  }

  /** Ends what {@link hold} began. Throws `not_found` for an unknown document. */
  async leave(access: Access, id: string, principal: Principal): Promise<void> {
    if (!(await this.presence.leave(documentOf(access, id), asPresent(principal))))
      throw notFound('document');
  }
}

function documentOf(access: Access, id: string): AccountDocument {
  return { accountId: access.wholeAccount(), documentId: uuidOf('document', id) };
}
