import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { partialTag } from '../../../platform/http/envelope/preconditions.js';
import { selectFields } from '../../../platform/openapi/filter.js';
import { memberWriter } from '../../content/versioning/field-map.js';
import { documentETag } from '../document.presenter.js';
import type { ReadDocumentDto } from '../dto/list-documents.dto.js';
import { SHOWN_FIELDS } from '../model/document-fields.js';
import { cacheControlOf } from './perspective.js';
import { READER_FIELDS } from './reader-fields.js';
import type { Publication, ReadPublication } from './publications.repository.js';

const WHOLE = [
  ...SHOWN_FIELDS.filter((name) => name !== 'excerpt'),
  'publishedAt',
  'firstPublishedAt',
] as const;
const SELECTABLE = [...SHOWN_FIELDS, 'publishedAt', 'firstPublishedAt'] as const;
const writeWhole = memberWriter(READER_FIELDS, WHOLE);

/** Returns the strong entity tag of a publication. As a precondition, it names the version. */
export function publicationETag({ document, number }: Publication): string {
  return partialTag(documentETag(document), [`p${String(number)}`]);
}

/** Returns the response to a request that reads the published version or some of its fields. */
export function publishedResponse(
  publication: ReadPublication,
  { fields }: Pick<ReadDocumentDto, 'fields'>,
): ApiResponse {
  const { document, publishedAt, firstPublishedAt } = publication;
  const values = { ...document, publishedAt, firstPublishedAt };
  const etag = publicationETag(publication);
  const cacheControl = cacheControlOf(publication);
  if (!fields) return new ApiResponse(`{${writeWhole(values)}}`, { etag, cacheControl });
  const asked = selectFields(SELECTABLE, fields);
  const json = `{${memberWriter(READER_FIELDS, asked)(values)}}`;
  return new ApiResponse(json, { etag: partialTag(etag, asked), cacheControl });
}
