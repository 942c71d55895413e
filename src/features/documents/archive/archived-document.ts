import type { RecordFields } from '../../../platform/http/envelope/record-fields.js';
import { ArchivedLines } from '../../content/versions/archived-lines.js';
import type { SupersededVersion } from '../../content/versions/version-store.js';
import type { VersionHistory } from '../../content/versions/versioned-resource.js';
import {
  DOCUMENTS,
  PATCHABLE_FIELDS,
  type ArchivedField,
  type Document,
} from '../document-fields.js';
import type { DocumentState } from '../versions/document-versions.js';

/** A document as an archive holds it, with its current version; those before follow it, the newest first. */
export interface ArchivedDocument extends Pick<Document, ArchivedField>, VersionHistory {
  /** When it went into the trash. */
  deletedAt: Date | null;
}

export type ArchivedVersion = SupersededVersion<DocumentState>;

const LINES = new ArchivedLines<DocumentState, Omit<ArchivedDocument, 'deletedAt'>>({
  resource: DOCUMENTS,
  records: ['document', 'version'],
  owner: 'documentId',
  changeable: PATCHABLE_FIELDS,
  mayLackAuthor: false,
  require: requireWordCount,
});

/** The line of a document. */
export function documentLine(document: ArchivedDocument): string {
  return LINES.line(document, [`"deletedAt":${JSON.stringify(document.deletedAt)}`]);
}

/** The line of a version. */
export const versionLine = (version: ArchivedVersion): string => LINES.versionLine(version);

/** The document of a parsed line. Throws `bad_request` naming every problem. */
export function readDocument(value: Record<string, unknown>, latest: Date): ArchivedDocument {
  return LINES.read(value, latest, {
    take: (line) => ({ deletedAt: line.takeTimeOrNull('deletedAt', latest) }),
    require: (line, { deletedAt, createdAt }) => {
      line.require(
        deletedAt === null || deletedAt >= createdAt,
        'deletedAt',
        'must not be before createdAt',
      );
    },
  });
}

/** The version of a parsed line, likewise. */
export const readVersion = (value: Record<string, unknown>, latest: Date): ArchivedVersion =>
  LINES.readVersion(value, latest);

function requireWordCount(line: RecordFields, { content, wordCount }: DocumentState): void {
  const most = typeof content === 'string' ? content.length : 0;
  line.require(wordCount <= most, 'wordCount', `must be a whole number from 0 to ${String(most)}`);
}
