import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { Person } from '../../auth/person.js';
import { timeOf } from '../../content/versioning/field-map.js';
import { DOCUMENT_FIELDS } from '../model/document-fields.js';

/** Readers get no email addresses. */
const reader = {
  shown: ({ id, name }: Person) => JSON.stringify({ id: encodeId('user', id), name }),
};

/** How readers see the fields of documents. */
export const READER_FIELDS = {
  ...DOCUMENT_FIELDS,
  createdBy: reader,
  updatedBy: reader,
  publishedAt: { shown: timeOf },
  firstPublishedAt: { shown: timeOf },
};
