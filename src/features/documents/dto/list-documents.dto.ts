import { Field } from '../../../platform/openapi/field.js';
import { Filter } from '../../../platform/openapi/filter.js';
import { IntersectionType } from '@nestjs/swagger';
import { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { DOCUMENT_SORTS, type DocumentSort } from '../lists/document-lists.repository.js';
import {
  LISTED_FIELDS,
  READ_FIELDS,
  type ListedField,
  type ReadField,
} from '../document.presenter.js';
import { DocumentFiltersDto } from './document-filters.dto.js';

/** The query of `GET /v1/documents`. */
export class ListDocumentsDto extends IntersectionType(DocumentFiltersDto, PageQueryDto) {
  @Filter.sort(DOCUMENT_SORTS, {
    description:
      'Field to sort by. `relevance` is only available with `q`, and `published_at`, the time of the first publication, only for published versions.',
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
  @Field.constant('published', {
    optional: true,
    description:
      'Returns the published version, with `publishedAt` and `firstPublishedAt`, and people without email addresses. 404 if there is none. Keys that only have the scope `documents:read_published` always get it.',
  })
  version?: 'published';

  @Filter.members(READ_FIELDS)
  fields?: ReadField[];
}
