import {
  ApiResponse,
  type ApiResponseExtras,
  type KeptText,
} from '../../platform/http/envelope/api-response.js';
import type { PresentedDocument } from './document-events.js';
import { askedOf } from '../../platform/openapi/filter.js';
import { partialTag } from '../../platform/http/envelope/entity-tags.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { SHOWN_FIELDS, type Document } from './document-fields.js';
import { documentETag, presentDocument, presentFields, wholeOf } from './document.presenter.js';
import type { ReadDocumentDto } from './dto/list-documents.dto.js';

/** A document as the response to a request that made or changed it. */
export function documentResponse(
  { document, json }: PresentedDocument,
  extras: Pick<ApiResponseExtras, 'location' | 'warnings'> = {},
): ApiResponse {
  const keptTexts = [keptContent(document)];
  return new ApiResponse(wholeOf(json), { ...extras, etag: documentETag(document), keptTexts });
}

/** A document as the response to a request that reads it, or the fields of it that are asked for. */
export function readResponse(document: Document, { fields }: ReadDocumentDto): ApiResponse {
  const etag = documentETag(document);
  if (!fields) return new ApiResponse(presentDocument(document), { etag });
  const asked = askedOf(SHOWN_FIELDS, fields);
  return new ApiResponse(presentFields(document, asked), { etag: partialTag(etag, asked) });
}

export function documentPath({ id }: Pick<Document, 'id'>): string {
  return `/v1/documents/${encodeId('document', id)}`;
}

/** Its content, which the document or one of its versions keeps. */
export function keptContent({ id, content, version }: PresentedDocument['document']): KeptText {
  return { text: content, documentId: id, version };
}
