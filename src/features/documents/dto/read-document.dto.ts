import { Filter } from '../../../platform/openapi/filter.js';
import { SHOWN_FIELDS, type ShownField } from '../document-fields.js';

/** The query of `GET /v1/documents/{id}`. */
export class ReadDocumentDto {
  @Filter.members(SHOWN_FIELDS)
  fields?: ShownField[];
}
