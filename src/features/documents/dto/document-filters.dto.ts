import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { CheckedBy, IfSent } from '../../../platform/http/envelope/field-decorators.js';
import {
  AreFilterIds,
  IsMoment,
  List,
  MAX_VALUES,
  Several,
} from '../../../platform/http/envelope/filter-decorators.js';
import {
  ApiMoment,
  ApiSeveral,
  idSchema,
  KEPT_TEXT,
  sampleId,
  WITH_COMMAS,
} from '../../../platform/openapi/property-decorators.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from '../document-fields.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import {
  IsFilterTexts,
  IsSearch,
  MAX_SEARCH_CHARACTERS,
  metadataFilterProblems,
} from './filter-fields.js';
import { MAX_METADATA_BYTES } from '../../content/open-objects.js';
import { MAX_EXTERNAL_ID_CHARACTERS } from '../../content/text-fields.js';

const ApiFilter = (description: string, example: string) =>
  ApiSeveral({ type: 'string', maxLength: MAX_METADATA_BYTES, pattern: KEPT_TEXT }, description, [
    example,
  ]);

/** Most ids of one request. */
const MAX_IDS = 100;

/** Any keys, each with a value. */
const METADATA_FILTER = {
  type: 'object',
  style: 'deepObject',
  explode: true,
  maxProperties: MAX_VALUES,
  additionalProperties: { type: 'string', maxLength: MAX_METADATA_BYTES, pattern: KEPT_TEXT },
} as ApiPropertyOptions;

/** Which documents are meant. All conditions must hold; several values of one are alternatives. */
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

  @ApiPropertyOptional({
    ...WITH_COMMAS,
    type: 'array',
    maxItems: MAX_IDS,
    items: idSchema('document'),
    description:
      'With one of these ids, with commas between or repeated; ids that are unknown are absent. `limit` and `sort` hold as ever.',
    example: [sampleId('document')],
  })
  @List()
  @IfSent()
  @AreFilterIds('document', MAX_IDS)
  ids?: string[];

  @ApiSeveral(
    { type: 'string', maxLength: MAX_EXTERNAL_ID_CHARACTERS, pattern: KEPT_TEXT },
    'With this `externalId`. Repeat it for several: any of them.',
    ['crm/4711'],
    MAX_IDS,
  )
  @Several()
  @IfSent()
  @IsFilterTexts(MAX_IDS)
  externalId?: string[];

  @ApiSeveral(
    { type: 'string', enum: [...DOCUMENT_TYPES] },
    'Of this type. Repeat it for several: any of them.',
    ['report'],
  )
  @Several()
  @IfSent()
  @IsIn(DOCUMENT_TYPES, { each: true, message: `must be one of ${DOCUMENT_TYPES.join(', ')}` })
  type?: DocumentType[];

  @ApiSeveral(
    { type: 'string', enum: [...DOCUMENT_STATUSES] },
    'In this status. Repeat it for several: any of them.',
    ['draft', 'in_review'],
  )
  @Several()
  @IfSent()
  @IsIn(DOCUMENT_STATUSES, {
    each: true,
    message: `must be one of ${DOCUMENT_STATUSES.join(', ')}`,
  })
  status?: DocumentStatus[];

  @ApiFilter(
    'With this tag in `metadata.tags`. Repeat it for several tags: all must be there.',
    'finance',
  )
  @Several()
  @IfSent()
  @IsFilterTexts()
  tag?: string[];

  @ApiFilter(
    'With exactly this `metadata.department`. Repeat it for several: any of them.',
    'Sales',
  )
  @Several()
  @IfSent()
  @IsFilterTexts()
  department?: string[];

  @ApiFilter('With exactly this `metadata.project`. Repeat it for several: any of them.', 'Apollo')
  @Several()
  @IfSent()
  @IsFilterTexts()
  project?: string[];

  /** Pairs of what follows `metadata.` and the value, a list when it is repeated. */
  @ApiPropertyOptional({
    ...METADATA_FILTER,
    description:
      'With this value under the key: `metadata[region]=eu`, or `metadata.region=eu`. A dot goes into an object, or is part of the key: `metadata[client.name]=Acme`. Texts, numbers and booleans are compared as they were sent, in lists each item. At most 20 keys; a repeated one is `or`.',
    example: { region: 'eu' },
  })
  @IsOptional()
  @CheckedBy(metadataFilterProblems)
  metadata?: [string, string | string[]][];

  @ApiSeveral(idSchema('user'), 'Created by this user. Repeat it for several: any of them.', [
    sampleId('user'),
  ])
  @Several()
  @IfSent()
  @AreFilterIds('user')
  createdBy?: string[];

  @ApiSeveral(
    idSchema('template'),
    'Created from this template. Repeat it for several: any of them.',
    [sampleId('template')],
  )
  @Several()
  @IfSent()
  @AreFilterIds('template')
  templateId?: string[];

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
