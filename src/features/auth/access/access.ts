import { AppError } from '../../../platform/basics/errors/app-error.js';
import type { DocumentSelection, Principal } from '../principal.js';
import { includesRight, type CollectionRights, type Right } from './rights.js';

/** The parts of a document that decide what an access permits. */
export interface PlacedDocument {
  /** UUID. */
  id: string;
  /** UUID. */
  collectionId: string;
  /** JSON text. */
  metadata: string;
}

/**
 * The account whose documents a request can use, and what it may do with them. Functions that read documents take it
 * instead of an account ID, so none of them can forget it (docs/adr/0041-reach-and-browser-tokens.md). A collection that
 * the caller has no right in does not exist for them.
 */
export class Access {
  private constructor(
    /** UUID. */
    readonly accountId: string,
    /** `null` for all documents that the rights include. */
    readonly only: DocumentSelection | null,
    /** `null` for who manages all collections. */
    readonly rights: CollectionRights | null,
  ) {}

  /** Only for {@link AccessFactory}. `rights` are those of the principal. */
  static ofPrincipal(principal: Principal, rights: CollectionRights | null): Access {
    const documents = principal.kind === 'key' ? principal.token?.documents : undefined;
    return new Access(principal.accountId, documents ?? null, rights);
  }

  /** For work that no request asked for, such as jobs and commands of the operator. */
  static ofService(accountId: string): Access {
    return new Access(accountId, null, null);
  }

  /** True if every document of the account is included. Filters and look-ups are skipped then. */
  get isWhole(): boolean {
    return this.only === null && (this.rights === null || this.rights.hidden.length === 0);
  }

  /** Returns the right in a collection or at the root; null for none, or for a collection that does not exist. */
  rightIn(collectionId: string): Right | null {
    return this.rights === null ? 'manager' : (this.rights.of(collectionId) ?? null);
  }

  includes({ id, collectionId, metadata }: PlacedDocument): boolean {
    if (this.rights !== null && this.rightIn(collectionId) === null) return false;
    if (this.only === null) return true;
    if ('ids' in this.only) return this.only.ids.includes(id);
    const { tags = [] } = JSON.parse(metadata) as { tags?: readonly string[] };
    return this.only.tags.some((tag) => tags.includes(tag));
  }

  /**
   * Throws `forbidden` if the right in a collection that the caller can see is too little. Check first that the access
   * includes the document or collection: without any right, the response is the one for an unknown ID.
   */
  requireRight(required: Right, collectionId: string): void {
    const right = this.rightIn(collectionId);
    if (!includesRight(right, required)) throw insufficientRight(required, right);
  }

  /**
   * Returns the UUID of the account. For functions that do not filter documents: throws for an access that is limited to
   * some, so that opening their route to one fails instead of showing the others.
   */
  wholeAccount(): string {
    if (!this.isWhole) throw new Error('This function cannot be limited to some documents.');
    return this.accountId;
  }
}

const NEEDED: Readonly<Record<Right, string>> = {
  viewer: 'view',
  editor: 'edit',
  manager: 'manage',
};

/**
 * Returns the error for a right in a collection that is too little. The right is null only if somebody moves a collection
 * that is below one in which they have none.
 */
export function insufficientRight(required: Right, right: Right | null): AppError {
  const needed = `This needs the right to ${NEEDED[required]}`;
  const message =
    right === null
      ? `${needed} in the place that contains this collection, and you have no right there. Ask an owner or admin of the account.`
      : `${needed} in this collection. Ask somebody who manages it.`;
  return new AppError('forbidden', message, { requiredRight: required, right });
}
