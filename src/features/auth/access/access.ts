import type { DocumentSelection, Principal } from '../principal.js';

/** The parts of a document that decide whether an access includes it. */
export interface PlacedDocument {
  /** UUID. */
  id: string;
  /** JSON text. */
  metadata: string;
}

/**
 * The account whose documents a request can read, and which of them. Functions that read documents take it instead of an
 * account ID, so none of them can forget it (docs/adr/0041-reach-and-browser-tokens.md).
 */
export class Access {
  private constructor(
    /** UUID. */
    readonly accountId: string,
    /** `null` for all documents of the account. */
    readonly only: DocumentSelection | null,
  ) {}

  /** Only for `ReachGuard`. */
  static ofPrincipal(principal: Principal): Access {
    const documents = principal.kind === 'key' ? principal.token?.documents : undefined;
    return new Access(principal.accountId, documents ?? null);
  }

  /** For work that no request asked for, such as jobs and commands of the operator. */
  static ofService(accountId: string): Access {
    return new Access(accountId, null);
  }

  includes({ id, metadata }: PlacedDocument): boolean {
    if (this.only === null) return true;
    if ('ids' in this.only) return this.only.ids.includes(id);
    const { tags = [] } = JSON.parse(metadata) as { tags?: readonly string[] };
    return this.only.tags.some((tag) => tags.includes(tag));
  }

  /**
   * Returns the UUID of the account. For functions that do not filter documents: throws for an access that is limited to
   * some, so that opening their route to one fails instead of showing the others.
   */
  wholeAccount(): string {
    if (this.only !== null) throw new Error('This function cannot be limited to some documents.');
    return this.accountId;
  }
}
