import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { CheckedBy } from '../../envelope/field-decorators.js';
import { parseMoment } from '../../clock/moment.js';
import { decodeAnyId, decodeId } from '../../identifiers/identifiers.js';
import { idSchema, sampleId } from '../../openapi/property-decorators.js';
import { CreationOrderDto } from '../../pagination/creation-order.dto.js';
import {
  AUDIT_ACTIONS,
  AUDIT_RESOURCES,
  type AuditAction,
  type AuditResource,
} from '../audit-entry.js';
import type { AuditFilters } from '../audit-filters.js';
import {
  actionProblems,
  idProblems,
  resourceIdProblems,
  resourceTypeProblems,
  timeProblems,
} from './filter-problems.js';

const TIME = { type: String, format: 'date-time', maxLength: 35 } as const;

/** The query of `GET /v1/audit`. */
export class ListAuditDto extends CreationOrderDto {
  @ApiPropertyOptional({
    enum: AUDIT_ACTIONS,
    description: 'Only this action.',
    example: 'document.create',
  })
  @IsOptional()
  @CheckedBy(actionProblems)
  action?: AuditAction;

  @ApiPropertyOptional({
    enum: AUDIT_RESOURCES,
    description: 'Only what was done to resources of this kind.',
    example: 'document',
  })
  @IsOptional()
  @CheckedBy(resourceTypeProblems)
  resourceType?: AuditResource;

  @ApiPropertyOptional({
    type: String,
    pattern: '^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    maxLength: 64,
    description:
      'Only what was done to this resource, of whatever kind; it need not exist any more.',
    example: sampleId('document'),
  })
  @IsOptional()
  @CheckedBy(resourceIdProblems)
  resourceId?: string;

  @ApiPropertyOptional({
    ...idSchema('user'),
    type: String,
    description: 'Only what this user did.',
    example: sampleId('user'),
  })
  @IsOptional()
  @CheckedBy(idProblems('userId', 'user'))
  userId?: string;

  @ApiPropertyOptional({
    ...idSchema('key'),
    type: String,
    description: 'Only what was done with this key.',
    example: sampleId('key'),
  })
  @IsOptional()
  @CheckedBy(idProblems('keyId', 'key'))
  keyId?: string;

  @ApiPropertyOptional({
    ...TIME,
    description:
      'Only entries of this time and later; a time with its zone, or a day, which begins in UTC.',
    example: '2026-11-01T00:00:00Z',
  })
  @IsOptional()
  @CheckedBy(timeProblems('after'))
  after?: string;

  @ApiPropertyOptional({
    ...TIME,
    description:
      'Only entries before this time; a time with its zone, or a day, which begins in UTC.',
    example: '2026-12-01T00:00:00Z',
  })
  @IsOptional()
  @CheckedBy(timeProblems('before'))
  before?: string;
}

/** The filters of a query that was found valid. */
export function filtersOf(query: ListAuditDto): AuditFilters {
  const { action, resourceType, resourceId, userId, keyId, after, before } = query;
  const resource = resourceId === undefined ? undefined : decodeAnyId(resourceId);
  return {
    action,
    // An id says its kind.
    resourceType: resourceType ?? resource?.kind,
    resourceId: resource?.uuid,
    userId: userId === undefined ? undefined : decodeId('user', userId),
    keyId: keyId === undefined ? undefined : decodeId('key', keyId),
    after: after === undefined ? undefined : parseMoment(after),
    before: before === undefined ? undefined : parseMoment(before),
  };
}
