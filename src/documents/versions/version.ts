import type { Person } from '../../auth/person.js';
import type { CopiedField, Document, PatchableField, VersionedField } from '../document-fields.js';

/** A version as lists show it: what it was, and who made it when. */
export interface Version extends Pick<Document, CopiedField> {
  number: number;
  /** Fields in which it differs from the version before; empty for the first. */
  changes: readonly PatchableField[];
  author: Person;
  /** JSON text of a `VersionOrigin`; null for a person's own change. */
  origin: string | null;
  createdAt: Date;
}

/** A version with all that the document was. */
export interface WholeVersion extends Version, Pick<Document, VersionedField> {}
