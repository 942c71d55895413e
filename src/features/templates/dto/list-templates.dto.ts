import { maxLength } from 'class-validator';
import { Field } from '../../../platform/openapi/field.js';
import { Filter } from '../../../platform/openapi/filter.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { SHOWN_FIELDS, type ShownField } from '../template-fields.js';
import { LISTED_FIELDS } from '../template.presenter.js';

const TEMPLATE_SORTS = ['created_at', 'updated_at', 'name'] as const;
export type TemplateSort = (typeof TEMPLATE_SORTS)[number];

const MAX_QUERY_CHARACTERS = 200;

function queryIssue(q: unknown): string | undefined {
  if (typeof q !== 'string') return 'must be given once';
  if (q.includes('\0')) return 'must not contain U+0000';
  return maxLength(q, MAX_QUERY_CHARACTERS)
    ? undefined
    : `must not be longer than ${String(MAX_QUERY_CHARACTERS)} characters`;
}

/** The query of `GET /v1/templates`. */
export class ListTemplatesDto extends PageQueryDto {
  @Filter.sort(TEMPLATE_SORTS, {
    description: 'Field to sort by.',
    example: 'name',
    default: 'created_at',
  })
  sort: TemplateSort = 'created_at';

  @Filter.several(DOCUMENT_TYPES, {
    description: 'Only templates of this type. Repeat it for several: any of them.',
    example: ['report'],
  })
  type?: DocumentType[];

  @Field.text({
    optional: true,
    max: MAX_QUERY_CHARACTERS,
    description: 'Only templates with each of these words, in any case, in name or description.',
    example: 'status report',
    check: queryIssue,
  })
  q?: string;

  @Filter.members(LISTED_FIELDS)
  fields?: (typeof LISTED_FIELDS)[number][];
}

/** The query of `GET /v1/templates/{id}`. */
export class ReadTemplateDto {
  @Filter.members(SHOWN_FIELDS)
  fields?: ShownField[];
}
