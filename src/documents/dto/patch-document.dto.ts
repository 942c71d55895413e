import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { isObject } from '../../envelope/json-text.js';
import { CheckedBy, IfSent } from '../../envelope/field-decorators.js';
import type { FieldProblem } from '../../errors/app-error.js';
import { ApiText } from '../../openapi/property-decorators.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from '../document-status.js';
import { DOCUMENT_TYPES, type DocumentType } from '../document-type.js';
import { AI_SETTINGS_PATCH, METADATA_PATCH } from './open-objects.js';
import { AcceptsReadOnlyFields } from './read-only-fields.js';
import { IsContent, IsTitle, MAX_CONTENT_BYTES, MAX_TITLE_CHARACTERS } from './text-fields.js';

const objectOrNull =
  (field: string) =>
  (value: unknown): FieldProblem[] =>
    value === null || isObject(value)
      ? []
      : [{ field, issue: 'must be an object, or null to empty it' }];

/** The body of `PATCH /v1/documents/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsReadOnlyFields()
export class PatchDocumentDto {
  @ApiText({
    required: false,
    minLength: 1,
    maxLength: MAX_TITLE_CHARACTERS,
    description: 'Kept as sent. Not only white space.',
    example: 'Quarterly report, final',
  })
  @IfSent()
  @IsTitle()
  title?: string;

  @ApiPropertyOptional({
    enum: [...DOCUMENT_TYPES, null],
    nullable: true,
    description: 'Null makes it a `document`.',
    example: 'report',
  })
  @IsOptional()
  @IsIn(DOCUMENT_TYPES, { message: `must be one of ${DOCUMENT_TYPES.join(', ')}` })
  type?: DocumentType | null;

  @ApiText({
    required: false,
    nullable: true,
    maxLength: MAX_CONTENT_BYTES,
    description: 'At most 1 MiB of UTF-8. Null empties it.',
    example: '# Results\n\nRevenue grew by 13 %.',
  })
  @IsOptional()
  @IsContent()
  content?: string | null;

  @ApiPropertyOptional(METADATA_PATCH)
  @CheckedBy(objectOrNull('metadata'))
  metadata?: Record<string, unknown> | null;

  @ApiPropertyOptional(AI_SETTINGS_PATCH)
  @CheckedBy(objectOrNull('aiSettings'))
  aiSettings?: Record<string, unknown> | null;

  @ApiPropertyOptional({
    enum: DOCUMENT_STATUSES,
    description:
      'draft and in_review turn into each other and into published; published turns into draft; any turns into archived, and archived into draft.',
    example: 'in_review',
  })
  @IfSent()
  @IsIn(DOCUMENT_STATUSES, { message: `must be one of ${DOCUMENT_STATUSES.join(', ')}` })
  status?: DocumentStatus;
}
