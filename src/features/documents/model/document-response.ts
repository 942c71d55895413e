import {
  ApiResponse,
  type ApiResponseExtras,
  type StoredText,
} from '../../../platform/http/envelope/api-response.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { aiSettingsWarnings } from '../../content/suggestion-level.js';
import type { PresentedDocument } from './document-events.js';
import { selectFields } from '../../../platform/openapi/filter.js';
import { partialTag } from '../../../platform/http/envelope/preconditions.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { Document } from './document-fields.js';
import {
  documentETag,
  presentDocument,
  presentFields,
  READ_FIELDS,
  wholeOf,
} from '../document.presenter.js';
import type { ReadDocumentDto } from '../dto/list-documents.dto.js';

/** Returns the response to a request that created or changed the document. */
export function documentResponse(
  { document, json }: PresentedDocument,
  extras: Pick<ApiResponseExtras, 'location' | 'warnings'> = {},
): ApiResponse {
  const storedTexts = [contentReference(document)];
  const warnings = [...(extras.warnings ?? []), ...aiSettingsWarnings(document.aiSettings)];
  const etag = documentETag(document);
  return new ApiResponse(wholeOf(json), { ...extras, warnings, etag, storedTexts });
}

/** Returns the response to a request that created the document. */
export function createdResponse(
  created: PresentedDocument,
  warnings: readonly FieldProblem[] = [],
): ApiResponse {
  return documentResponse(created, { location: documentPath(created.document), warnings });
}

/** Returns the response to a request that reads the document or some of its fields. */
export function readResponse(document: Document, { fields }: ReadDocumentDto): ApiResponse {
  const etag = documentETag(document);
  if (!fields) return new ApiResponse(presentDocument(document), { etag });
  const asked = selectFields(READ_FIELDS, fields);
  return new ApiResponse(presentFields(document, asked), { etag: partialTag(etag, asked) });
}

export function documentPath({ id }: Pick<Document, 'id'>): string {
  return `/v1/documents/${encodeId('document', id)}`;
}

/** Returns a reference to stored content, so that idempotency records need not copy it. */
export function contentReference({
  id,
  content,
  version,
}: PresentedDocument['document']): StoredText {
  return { text: content, documentId: id, version };
}
