import { Injectable } from '@nestjs/common';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { requireScope } from '../../auth/guards/scope.guard.js';
import type { Principal } from '../../auth/principal.js';
import { asPresent } from './presence-principal.js';
import type { PresenceState } from './presence.entity.js';
import { PresenceRepository, type DocumentPresence } from './presence.repository.js';

/** Records and lists who views and edits documents (docs/adr/0030-presence.md). */
@Injectable()
export class PresenceService {
  constructor(private readonly presence: PresenceRepository) {}

  /** Returns who is in the document. Throws `not_found`. */
  async list(accountId: string, id: string): Promise<DocumentPresence> {
    const [found] = await this.presence.list([{ accountId, documentId: uuidOf('document', id) }]);
    if (!found) throw notFound('document');
    return found;
  }

  /**
   * Counts the caller as viewing or editing for 60 s. Returns who is in the document then. Throws `not_found`, and
   * `forbidden` for editing without the scope `documents:write`.
   */
  async hold(principal: Principal, id: string, state: PresenceState): Promise<DocumentPresence> {
    if (state === 'editing') requireScope(principal, 'documents:write');
    const { accountId } = principal;
    const document = { accountId, documentId: uuidOf('document', id) };
    if (!(await this.presence.hold(document, asPresent(principal), state))) {
      throw notFound('document');
    }
    return this.list(accountId, id);
  }

  /** Ends what {@link hold} began. Throws `not_found` for an unknown document. */
  async leave(principal: Principal, id: string): Promise<void> {
    const document = { accountId: principal.accountId, documentId: uuidOf('document', id) };
    if (!(await this.presence.leave(document, asPresent(principal)))) throw notFound('document');
  }
}
