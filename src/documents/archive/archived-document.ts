import { presentPerson, type Person } from '../../auth/person.js';
import { sourceMembers } from '../../envelope/record-fields.js';
import { encodeId } from '../../identifiers/identifiers.js';
import type { DocumentField } from '../document-change.js';
import type { Document } from '../document.js';

/** What a document was at one of its versions. `metadata` and `aiSettings` are the JSON text that was sent. */
export type ArchivedState = Pick<
  Document,
  'title' | 'type' | 'content' | 'metadata' | 'aiSettings' | 'status' | 'wordCount'
> & {
  /** Fields in which it differs from the version before; empty for the first. */
  changes: readonly DocumentField[];
  /** Who made this version. */
  author: Person;
};

/** A document as an archive holds it, with its current version; those before follow it, the newest first. */
export interface ArchivedDocument extends ArchivedState {
  id: string;
  templateId: string | null;
  version: number;
  createdBy: Person;
  createdAt: Date;
  updatedAt: Date;
  /** When it went into the trash. */
  deletedAt: Date | null;
}

/** A version that a later one has replaced. */
export interface ArchivedVersion extends ArchivedState {
  documentId: string;
  number: number;
  createdAt: Date;
}

/** The line of a document: one JSON object without line breaks. */
export function documentLine(document: ArchivedDocument): string {
  const { templateId, deletedAt } = document;
  const head = JSON.stringify({
    record: 'document',
    id: encodeId('document', document.id),
    version: document.version,
    createdBy: presentPerson(document.createdBy),
    createdAt: document.createdAt.toISOString(),
    updatedAt: document.updatedAt.toISOString(),
    deletedAt: deletedAt?.toISOString() ?? null,
    templateId: templateId === null ? null : encodeId('template', templateId),
  });
  return withState(head, document);
}

/** The line of a version. */
export function versionLine(version: ArchivedVersion): string {
  const head = JSON.stringify({
    record: 'version',
    documentId: encodeId('document', version.documentId),
    number: version.number,
    createdAt: version.createdAt.toISOString(),
  });
  return withState(head, version);
}

function withState(head: string, state: ArchivedState): string {
  const { title, type, status, wordCount, changes, author, content } = state;
  const rest = JSON.stringify({
    title,
    type,
    status,
    wordCount,
    changes,
    author: presentPerson(author),
    content,
  });
  return (
    `${head.slice(0, -1)},${rest.slice(1, -1)},` +
    `${sourceMembers('metadata', state.metadata)},${sourceMembers('aiSettings', state.aiSettings)}}`
  );
}
