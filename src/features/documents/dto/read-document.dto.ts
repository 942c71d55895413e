import { AskedFields } from '../../../platform/http/envelope/asked-fields.js';
import { SHOWN_FIELDS, type ShownField } from '../document-fields.js';

/** The query of `GET /v1/documents/{id}`. */
export class ReadDocumentDto {
  @AskedFields(SHOWN_FIELDS)
  fields?: ShownField[];
}
