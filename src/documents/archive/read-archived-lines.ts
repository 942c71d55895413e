import { isPerson, readPerson } from '../../auth/person.js';
import {
  isId,
  isOneOf,
  isSomeOf,
  isWholeNumber,
  orNull,
  RecordFields,
} from '../../envelope/record-fields.js';
import { decodeId, type IdKind } from '../../identifiers/identifiers.js';
import type { DocumentField } from '../document-change.js';
import { DOCUMENT_STATUSES } from '../document-status.js';
import { DOCUMENT_TYPES } from '../document-type.js';
import { contentProblem, titleProblem } from '../dto/text-fields.js';
import { aiSettingsProblems, metadataProblems } from '../free-form.js';
import type { ArchivedDocument, ArchivedState, ArchivedVersion } from './archived-document.js';

const MAX_VERSION = 2_147_483_647;
const FIELDS: readonly DocumentField[] = [
  'title',
  'type',
  'content',
  'metadata',
  'aiSettings',
  'status',
];

/** The document of a parsed line, judged like one that a client creates. Throws `bad_request` naming every problem. */
export function readDocument(value: Record<string, unknown>, latest: Date): ArchivedDocument {
  const fields = new RecordFields(value);
  fields.take('record', isOneOf(['document']));
  const id = fields.take('id', isId('document'));
  const version = fields.take('version', isWholeNumber(1, MAX_VERSION));
  const createdBy = fields.take('createdBy', isPerson);
  const createdAt = fields.takeTime('createdAt', latest);
  const updatedAt = fields.takeTime('updatedAt', latest);
  const deletedAt = fields.takeTimeOrNull('deletedAt', latest);
  const templateId = fields.take('templateId', orNull(isId('template')));
  const state = takeState(fields);
  fields.require(updatedAt >= createdAt, 'updatedAt', 'must not be before createdAt');
  fields.require(
    deletedAt === null || deletedAt >= createdAt,
    'deletedAt',
    'must not be before createdAt',
  );
  fields.end();
  return {
    ...state,
    author: readPerson(state.author),
    id: uuid('document', id),
    version,
    createdBy: readPerson(createdBy),
    createdAt,
    updatedAt,
    deletedAt,
    templateId: templateId === null ? null : uuid('template', templateId),
  };
}

/** The version of a parsed line, likewise. */
export function readVersion(value: Record<string, unknown>, latest: Date): ArchivedVersion {
  const fields = new RecordFields(value);
  fields.take('record', isOneOf(['version']));
  const documentId = fields.take('documentId', isId('document'));
  const number = fields.take('number', isWholeNumber(1, MAX_VERSION));
  const createdAt = fields.takeTime('createdAt', latest);
  const state = takeState(fields);
  fields.end();
  return {
    ...state,
    author: readPerson(state.author),
    documentId: uuid('document', documentId),
    number,
    createdAt,
  };
}

function takeState(fields: RecordFields): ArchivedState {
  const title = fields.take<string>('title', titleProblem);
  const type = fields.take('type', isOneOf(DOCUMENT_TYPES));
  const status = fields.take('status', isOneOf(DOCUMENT_STATUSES));
  const content = fields.take<string>('content', contentProblem);
  const words = typeof content === 'string' ? content.length : 0;
  const wordCount = fields.take('wordCount', isWholeNumber(0, words));
  const changes = fields.take('changes', isSomeOf(FIELDS));
  const author = fields.take('author', isPerson);
  const metadata = fields.takeSource('metadata', metadataProblems);
  const aiSettings = fields.takeSource('aiSettings', aiSettingsProblems);
  return {
    title,
    type,
    status,
    content,
    wordCount,
    changes,
    author,
    metadata,
    aiSettings,
  };
}

function uuid(kind: IdKind, id: string): string {
  return decodeId(kind, id) ?? id;
}
