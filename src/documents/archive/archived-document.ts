import { isPerson, presentPerson, readPerson, type Person } from '../../auth/person.js';
import {
  isId,
  isOneOf,
  isSomeOf,
  isWholeNumber,
  RecordFields,
  sourceMembers,
} from '../../envelope/record-fields.js';
import { decodeId, encodeId } from '../../identifiers/identifiers.js';
import {
  fieldOf,
  VERSIONED_FIELDS,
  ARCHIVED_FIELDS,
  PATCHABLE_FIELDS,
  type ArchivedField,
  type Document,
  type PatchableField,
  type VersionedField,
} from '../document-fields.js';

const MAX_VERSION = 2_147_483_647;
/** What an archive says of a document beside what it says of each of its versions. */
const OF_DOCUMENT = ARCHIVED_FIELDS.filter(
  (name): name is Exclude<ArchivedField, VersionedField> => fieldOf(name).versioned === false,
);

/** How a version came about. */
interface VersionOrigin {
  /** Fields in which it differs from the version before; empty for the first. */
  changes: readonly PatchableField[];
  author: Person;
}

/** A document as an archive holds it, with its current version; those before follow it, the newest first. */
export interface ArchivedDocument extends Pick<Document, ArchivedField>, VersionOrigin {
  /** When it went into the trash. */
  deletedAt: Date | null;
}

/** A version that a later one has replaced. */
export interface ArchivedVersion extends Pick<Document, VersionedField>, VersionOrigin {
  documentId: string;
  number: number;
  createdAt: Date;
}

/** The line of a document: one JSON object without line breaks. */
export function documentLine(document: ArchivedDocument): string {
  return (
    `{"record":"document",${members(OF_DOCUMENT, document)},` +
    `"deletedAt":${JSON.stringify(document.deletedAt)},${stateMembers(document)}}`
  );
}

/** The line of a version. */
export function versionLine(version: ArchivedVersion): string {
  const head = JSON.stringify({
    record: 'version',
    documentId: encodeId('document', version.documentId),
    number: version.number,
    createdAt: version.createdAt,
  });
  return `${head.slice(0, -1)},${stateMembers(version)}}`;
}

/** The document of a parsed line, judged like one that a client creates. Throws `bad_request` naming every problem. */
export function readDocument(value: Record<string, unknown>, latest: Date): ArchivedDocument {
  const line = new RecordFields(value);
  line.take('record', isOneOf(['document']));
  const document = {
    ...taken(line, OF_DOCUMENT, latest),
    deletedAt: line.takeTimeOrNull('deletedAt', latest),
    ...takeState(line, latest),
  };
  const { createdAt, updatedAt, deletedAt } = document;
  line.require(updatedAt >= createdAt, 'updatedAt', 'must not be before createdAt');
  line.require(
    deletedAt === null || deletedAt >= createdAt,
    'deletedAt',
    'must not be before createdAt',
  );
  line.end();
  return { ...document, author: readPerson(document.author) };
}

/** The version of a parsed line, likewise. */
export function readVersion(value: Record<string, unknown>, latest: Date): ArchivedVersion {
  const line = new RecordFields(value);
  line.take('record', isOneOf(['version']));
  const documentId = line.take('documentId', isId('document'));
  const version = {
    number: line.take('number', isWholeNumber(1, MAX_VERSION)),
    createdAt: line.takeTime('createdAt', latest),
    ...takeState(line, latest),
  };
  line.end();
  return {
    ...version,
    author: readPerson(version.author),
    documentId: decodeId('document', documentId) ?? documentId,
  };
}

function stateMembers(state: Pick<Document, VersionedField> & VersionOrigin): string {
  const origin = JSON.stringify({ changes: state.changes, author: presentPerson(state.author) });
  return `${members(VERSIONED_FIELDS, state)},${origin.slice(1, -1)}`;
}

function takeState(
  line: RecordFields,
  latest: Date,
): Pick<Document, VersionedField> & VersionOrigin {
  const state = taken(line, VERSIONED_FIELDS, latest);
  const changes = line.take('changes', isSomeOf(PATCHABLE_FIELDS));
  const author = line.take('author', isPerson);
  const { content, wordCount } = state;
  const most = typeof content === 'string' ? content.length : 0;
  line.require(wordCount <= most, 'wordCount', `must be a whole number from 0 to ${String(most)}`);
  return { ...state, changes, author };
}

function members<Name extends keyof Document>(
  names: readonly Name[],
  values: Pick<Document, Name>,
): string {
  return names
    .map((name) => {
      const { type, shown } = fieldOf(name);
      const value = values[name] as never;
      return type === 'json' ? sourceMembers(name, value) : `"${name}":${shown?.(value) ?? 'null'}`;
    })
    .join(',');
}

function taken<Name extends ArchivedField>(
  line: RecordFields,
  names: readonly Name[],
  latest: Date,
): Pick<Document, Name> {
  const values = names.map((name) => {
    const { archived } = fieldOf(name);
    return [name, archived && archived(line, name, latest)];
  });
  return Object.fromEntries(values) as Pick<Document, Name>;
}
