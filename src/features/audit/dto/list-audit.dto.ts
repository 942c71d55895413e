import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { CheckedBy } from '../../../platform/http/envelope/field-decorators.js';
import { parseMoment } from '../../../platform/basics/clock/moment.js';
import { nearestName } from '../../../platform/http/envelope/nearest-name.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import {
  decodeAnyId,
  decodeId,
  ID_PREFIXES,
  type IdKind,
} from '../../../platform/basics/identifiers/identifiers.js';
import { idSchema, sampleId } from '../../../platform/openapi/property-decorators.js';
import { CreationOrderDto } from '../../../platform/http/pagination/sort.js';
import {
  AUDIT_ACTIONS,
  AUDIT_RESOURCES,
  type AuditAction,
  type AuditResource,
} from '../audit-actions.js';
import type { AuditFilters } from '../audit.repository.js';

type Check = (value: unknown) => FieldProblem[];

/** What is wrong with an action to filter by; an unknown one is told the nearest known. */
export const actionProblems = knownName('action', AUDIT_ACTIONS);
const resourceTypeProblems = knownName('resourceType', AUDIT_RESOURCES);

const resourceIdProblems: Check = (value) =>
  typeof value === 'string' && decodeAnyId(value) !== undefined
    ? []
    : [{ field: 'resourceId', issue: `must be an id, such as ${ID_PREFIXES.document}_…` }];

/** What is wrong with the id of a user, a key or a request. One that is well formed and unknown matches nothing. */
function idProblems(field: string, kind: IdKind): Check {
  return (value) =>
    typeof value === 'string' && decodeId(kind, value) !== undefined
      ? []
      : [{ field, issue: `must be the id of a ${kind}, ${ID_PREFIXES[kind]}_…` }];
}

function timeProblems(field: string): Check {
  return (value) =>
    typeof value === 'string' && parseMoment(value)
      ? []
      : [
          {
            field,
            issue:
              'must be a time with its zone, such as 2027-01-31T00:00:00Z, or a day, such as 2027-01-31, given once',
          },
        ];
}

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
    ...idSchema('request'),
    type: String,
    description: 'Only what this request did.',
    example: sampleId('request'),
  })
  @IsOptional()
  @CheckedBy(idProblems('requestId', 'request'))
  requestId?: string;

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
  const { action, resourceType, resourceId, userId, keyId, requestId, after, before } = query;
  const resource = resourceId === undefined ? undefined : decodeAnyId(resourceId);
  return {
    action,
    // An id says its kind.
    resourceType: resourceType ?? resource?.kind,
    resourceId: resource?.uuid,
    userId: userId === undefined ? undefined : decodeId('user', userId),
    keyId: keyId === undefined ? undefined : decodeId('key', keyId),
    requestId,
    after: after === undefined ? undefined : parseMoment(after),
    before: before === undefined ? undefined : parseMoment(before),
  };
}

function knownName(field: string, known: readonly string[]): Check {
  return (value) => {
    if (typeof value !== 'string') return [{ field, issue: 'must be given once' }];
    if (known.includes(value)) return [];
    const nearest = nearestName(value, known);
    const hint = nearest ? `did you mean '${nearest}'?` : `known are ${known.join(', ')}`;
    return [{ field, issue: `is not known; ${hint}` }];
  };
}
