import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsIn, registerDecorator, type ValidationArguments } from 'class-validator';
import { AskedFields } from '../../../platform/http/envelope/asked-fields.js';
import { IfSent } from '../../../platform/http/envelope/field-decorators.js';
import { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { IsSort } from '../../../platform/http/pagination/sort.js';
import { DOCUMENT_SORTS, type DocumentSort } from '../lists/document-lists.repository.js';
import { LISTED_FIELDS, type ListedField } from '../document.presenter.js';
import { DocumentFiltersDto } from './document-filters.dto.js';

/** The query of `GET /v1/documents`. */
export class ListDocumentsDto extends IntersectionType(DocumentFiltersDto, PageQueryDto) {
  @IsSort(DOCUMENT_SORTS, {
    description: 'Field to sort by: `created_at`, and with `q` `relevance`, which needs it.',
    example: 'updated_at',
  })
  @IfSent()
  @NeedsSearch()
  sort?: DocumentSort;

  @ApiPropertyOptional({
    enum: ['content'],
    description: 'Adds the content to each item while the page stays under 8 MiB.',
    example: 'content',
  })
  @IfSent()
  @IsIn(['content'], { message: 'must be content' })
  include?: 'content';

  @AskedFields(LISTED_FIELDS)
  fields?: ListedField[];

  static readonly openName = DocumentFiltersDto.openName;
}

/** Only what was searched for can be more or less relevant. */
function NeedsSearch(): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'needsSearch',
      target: target.constructor,
      propertyName: property as string,
      validator: {
        validate: (sort: unknown, validation?: ValidationArguments) =>
          sort !== 'relevance' || (validation?.object as ListDocumentsDto).q !== undefined,
        defaultMessage: () => 'relevance needs q, the words to search for',
      },
    });
  };
}
