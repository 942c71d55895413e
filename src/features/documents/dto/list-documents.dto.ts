import { Field } from '../../../platform/openapi/field.js';
import { Filter } from '../../../platform/openapi/filter.js';
import { IntersectionType } from '@nestjs/swagger';
import { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { DOCUMENT_SORTS, type DocumentSort } from '../lists/document-lists.repository.js';
import { LISTED_FIELDS, type ListedField } from '../document.presenter.js';
import { DocumentFiltersDto } from './document-filters.dto.js';
import { SHOWN_FIELDS, type ShownField } from '../model/document-fields.js';

/** The query of `GET /v1/documents`. */
export class ListDocumentsDto extends IntersectionType(DocumentFiltersDto, PageQueryDto) {
  @Filter.sort(DOCUMENT_SORTS, {
    description: 'Field to sort by. `relevance` is only available with `q`.',
    example: 'updated_at',
    check: needsSearch,
  })
  sort?: DocumentSort;

  @Field.constant('content', {
    optional: true,
    description: 'Includes the content of each item until the page reaches 8 MiB.',
  })
  include?: 'content';

  @Filter.members(LISTED_FIELDS)
  fields?: ListedField[];

  static readonly openName = DocumentFiltersDto.openName;
}

/** Requires `q` for sorting by relevance. */
function needsSearch(sort: unknown, dto: object): string | undefined {
  return sort === 'relevance' && (dto as ListDocumentsDto).q === undefined
    ? 'relevance requires q, the words to search for'
    : undefined;
}

/** The query of `GET /v1/documents/{id}`. */
export class ReadDocumentDto {
  @Filter.members(SHOWN_FIELDS)
  fields?: ShownField[];
}
