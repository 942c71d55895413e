import type { Change } from '../../versions/version-diff.js';
import type { DocumentField } from '../document-change.js';
import type { DocumentStatus } from '../document-status.js';
import type { DocumentType } from '../document-type.js';

/** A version as lists show it: what it was, and who made it when. Ids are UUIDs. */
export interface Version {
  number: number;
  title: string;
  type: DocumentType;
  status: DocumentStatus;
  wordCount: number;
  /** Fields in which it differs from the version before; empty for the first. */
  changes: readonly DocumentField[];
  author: { id: string; name: string; email: string };
  createdAt: Date;
}

/** A version with all that the document was. `metadata` and `aiSettings` are the JSON text that was sent. */
export interface WholeVersion extends Version {
  content: string;
  metadata: string;
  aiSettings: string;
}

/** How a version became another; a field that is the same in both is left out. */
export interface VersionDiff {
  title?: Change<string>;
  type?: Change<DocumentType>;
  status?: Change<DocumentStatus>;
  /** JSON text of a `ContentDiff`. */
  content: string;
  /** JSON text, see `memberChanges`. */
  metadata: string;
  /** JSON text, see `memberChanges`. */
  aiSettings: string;
}
