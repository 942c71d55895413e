import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';
import { CheckedBy, IfSent } from '../../envelope/field-decorators.js';
import { IsFilterId, IsMoment } from '../../envelope/filter-decorators.js';
import { ApiIdFilter, ApiMoment, KEPT_TEXT } from '../../openapi/property-decorators.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from '../document-status.js';
import { DOCUMENT_TYPES, type DocumentType } from '../document-type.js';
import {
  IsFilterText,
  IsFilterTexts,
  IsSearch,
  MAX_SEARCH_CHARACTERS,
  MAX_VALUES,
  metadataFilterProblems,
} from './filter-fields.js';
import { MAX_METADATA_BYTES } from './open-objects.js';

const ApiFilter = (description: string, example: string) =>
  ApiPropertyOptional({
    type: String,
    maxLength: MAX_METADATA_BYTES,
    pattern: KEPT_TEXT,
    description,
    example,
  });

/** Any keys, each with a value. */
const METADATA_FILTER = {
  type: 'object',
  style: 'deepObject',
  explode: true,
  maxProperties: MAX_VALUES,
  additionalProperties: { type: 'string', maxLength: MAX_METADATA_BYTES, pattern: KEPT_TEXT },
} as ApiPropertyOptions;

/** Which documents are meant. All conditions must hold. */
export class DocumentFiltersDto {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: MAX_SEARCH_CHARACTERS,
    pattern: KEPT_TEXT,
    description:
      'Words that title and content together must have, in any form that the stemmer of the document’s language takes for the same. `"a phrase"` keeps words together, `-word` excludes, `or` between words makes alternatives. Chinese, Japanese, Korean and Thai are found by any part of them. At most 50 words.',
    example: '"quarterly report" revenue -draft',
  })
  @IfSent()
  @IsSearch()
  q?: string;

  @ApiPropertyOptional({ enum: DOCUMENT_TYPES, description: 'Of this type.', example: 'report' })
  @IfSent()
  @IsIn(DOCUMENT_TYPES, { message: `must be one of ${DOCUMENT_TYPES.join(', ')}` })
  type?: DocumentType;

  @ApiPropertyOptional({
    enum: DOCUMENT_STATUSES,
    description: 'In this status.',
    example: 'draft',
  })
  @IfSent()
  @IsIn(DOCUMENT_STATUSES, { message: `must be one of ${DOCUMENT_STATUSES.join(', ')}` })
  status?: DocumentStatus;

  @ApiPropertyOptional({
    type: 'array',
    maxItems: MAX_VALUES,
    items: { type: 'string', maxLength: MAX_METADATA_BYTES, pattern: KEPT_TEXT },
    description: 'With this tag in `metadata.tags`. Repeat it for several tags: all must be there.',
    example: ['finance'],
  })
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value : [value]) as unknown)
  @IfSent()
  @IsFilterTexts()
  tag?: string[];

  @ApiFilter('With exactly this `metadata.department`.', 'Sales')
  @IfSent()
  @IsFilterText()
  department?: string;

  @ApiFilter('With exactly this `metadata.project`.', 'Apollo')
  @IfSent()
  @IsFilterText()
  project?: string;

  /** Pairs of what follows `metadata.` and the value, a list when it is repeated. */
  @ApiPropertyOptional({
    ...METADATA_FILTER,
    description:
      'With this value under the key: `metadata[region]=eu`, or `metadata.region=eu`. A dot goes into an object, or is part of the key: `metadata[client.name]=Acme`. Texts, numbers and booleans are compared as they were sent, in lists each item. At most 20; repeated ones must all hold.',
    example: { region: 'eu' },
  })
  @IsOptional()
  @CheckedBy(metadataFilterProblems)
  metadata?: [string, string | string[]][];

  @ApiIdFilter('user', 'Created by this user.')
  @IfSent()
  @IsFilterId('user')
  createdBy?: string;

  @ApiIdFilter('template', 'Created from this template.')
  @IfSent()
  @IsFilterId('template')
  templateId?: string;

  @ApiMoment('Created at this time or later')
  @IfSent()
  @IsMoment()
  createdAfter?: string;

  @ApiMoment('Created before this time')
  @IfSent()
  @IsMoment()
  createdBefore?: string;

  @ApiMoment('Changed at this time or later')
  @IfSent()
  @IsMoment()
  updatedAfter?: string;

  @ApiMoment('Changed before this time')
  @IfSent()
  @IsMoment()
  updatedBefore?: string;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Looks into the trash instead.',
    example: true,
  })
  @IfSent()
  @IsIn(['true', 'false'], { message: 'must be true or false' })
  deleted?: 'true' | 'false';

  static readonly openName = 'metadata';
}
