import { Injectable } from '@nestjs/common';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import type { Access } from '../../auth/access/access.js';
import { DocumentPlaces } from '../../auth/access/document-places.js';
import type { Right } from '../../auth/access/rights.js';
import { requireScope } from '../../auth/guards/scope.guard.js';
import type { Principal } from '../../auth/principal.js';
import { PermittedPresence } from './permitted-presence.js';
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
  constructor(
    private readonly presence: PresenceRepository,
    private readonly permitted: PermittedPresence,
    private readonly places: DocumentPlaces,
  ) {}

  /** Returns who is in the document. Throws `not_found`. */
  async list(access: Access, id: string): Promise<DocumentPresence> {
    await this.require('viewer', access, id);
    const [found] = await this.permitted.list([documentOf(access, id)]);
    if (!found) throw notFound('document');
    return found;
  }

  /**
   * Counts the caller as viewing or editing for 60 s. Returns who is in the document then. Throws `not_found`, and
   * `forbidden` for editing without the scope `documents:write` or the right to edit.
   */
  async hold(
    access: Access,
    id: string,
    principal: Principal,
    state: PresenceState,
  ): Promise<DocumentPresence> {
    if (state === 'editing') requireScope(principal, 'documents:write');
    await this.require(state === 'editing' ? 'editor' : 'viewer', access, id);
    if (!(await this.presence.hold(documentOf(access, id), asPresent(principal), state))) {
      throw notFound('document');
    }
    return this.list(access, id);
  }

  /** Ends what {@link hold} began. Throws `not_found` for an unknown document. */
  async leave(access: Access, id: string, principal: Principal): Promise<void> {
    await this.require('viewer', access, id);
    if (!(await this.presence.leave(documentOf(access, id), asPresent(principal))))
      throw notFound('document');
  }

  /** Throws `not_found` for a document that the caller cannot see, and `forbidden` if their right is too little. */
  private async require(right: Right, access: Access, id: string): Promise<void> {
    if (access.isWhole && access.rights === null) return;
    const { documentId } = documentOf(access, id);
    const place = (await this.places.of(access, [documentId])).get(documentId);
    if (!place) throw notFound('document');
    access.requireRight(right, place.collectionId);
  }
}

function documentOf(access: Access, id: string): AccountDocument {
  return { accountId: access.accountId, documentId: uuidOf('document', id) };
}
