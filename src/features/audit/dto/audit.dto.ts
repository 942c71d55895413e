import { Field, type Check } from '../../../platform/openapi/field.js';
import { Filter, isMoment } from '../../../platform/openapi/filter.js';
import { parseMoment } from '../../../platform/basics/clock/moment.js';
import { nearestName } from '../../../platform/http/envelope/nearest-name.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import {
  decodeAnyId,
  decodeId,
  ID_PREFIXES,
} from '../../../platform/basics/identifiers/identifiers.js';
import { sampleId } from '../../../platform/openapi/schemas.js';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';
import {
  AUDIT_ACTIONS,
  AUDIT_RESOURCES,
  type AuditAction,
  type AuditResource,
} from '../audit-actions.js';
import type { AuditFilters } from '../audit.repository.js';
import { MAX_USER_AGENT } from '../../../platform/network/user-agent.js';

/** Returns the problem of an unknown action, with the nearest known one. */
export const actionProblems = knownName('action', AUDIT_ACTIONS);
const resourceTypeProblems = knownName('resourceType', AUDIT_RESOURCES);

const resourceIdProblem: Check = (value) =>
  typeof value === 'string' && decodeAnyId(value) !== undefined
    ? undefined
    : `must be an id, such as ${ID_PREFIXES.document}_…`;

/** The query of `GET /v1/audit`. */
export class ListAuditDto extends CreationOrderDto {
  @Field.oneOf(AUDIT_ACTIONS, {
    optional: true,
    description: 'Only entries of this action.',
    example: 'document.create',
    check: actionProblems,
  })
  action?: AuditAction;

  @Field.oneOf(AUDIT_RESOURCES, {
    optional: true,
    description: 'Only entries about resources of this kind.',
    example: 'document',
    check: resourceTypeProblems,
  })
  resourceType?: AuditResource;

  @Field.text({
    optional: true,
    max: 64,
    pattern: '^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    description: 'Only entries about this resource, which may have been deleted.',
    example: sampleId('document'),
    check: resourceIdProblem,
  })
  resourceId?: string;

  @Filter.id('user', 'Only actions of this user.')
  userId?: string;

  @Filter.id('key', 'Only actions with this key.')
  keyId?: string;

  @Filter.id('request', 'Only actions of this request.')
  requestId?: string;

  @Field.time({
    optional: true,
    max: 35,
    description: 'Only entries at this time or later: a time with a UTC offset, or a day in UTC.',
    example: '2026-11-01T00:00:00Z',
    check: isMoment,
  })
  after?: string;

  @Field.time({
    optional: true,
    max: 35,
    description: 'Only entries before this time: a time with a UTC offset, or a day in UTC.',
    example: '2026-12-01T00:00:00Z',
    check: isMoment,
  })
  before?: string;
}

/** Returns the filters of a valid query. */
export function filtersOf(query: ListAuditDto): AuditFilters {
  const { action, resourceType, resourceId, userId, keyId, requestId, after, before } = query;
  const resource = resourceId === undefined ? undefined : decodeAnyId(resourceId);
  return {
    action,
    // The prefix of an id determines its kind.
    resourceType: resourceType ?? resource?.kind,
    resourceId: resource?.uuid,
    userId: userId === undefined ? undefined : decodeId('user', userId),
    keyId: keyId === undefined ? undefined : decodeId('key', keyId),
    requestId,
    after: after === undefined ? undefined : parseMoment(after),
    before: before === undefined ? undefined : parseMoment(before),
  };
}

function knownName(field: string, known: readonly string[]) {
  return (value: unknown): FieldProblem[] => {
    if (typeof value !== 'string') return [{ field, issue: 'must be given once' }];
    if (known.includes(value)) return [];
    const nearest = nearestName(value, known);
    const hint = nearest ? `did you mean '${nearest}'?` : `known are ${known.join(', ')}`;
    return [{ field, issue: `is unknown; ${hint}` }];
  };
}

class AuditedResourceDto {
  @Field.oneOf(AUDIT_RESOURCES, { example: 'document' }) type: AuditResource;

  @Field.text({
    nullable: true,
    pattern: '^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    max: 64,
    description: 'The public ID of the resource, which may have been deleted.',
    example: sampleId('document'),
  })
  id: string | null;
}

class AuditActorDto {
  @Field.id('user') userId: string;

  @Field.text({
    max: 200,
    nullable: true,
    description: 'The current name of the user.',
    example: 'Ada Lovelace',
  })
  userName: string | null;

  @Field.id('key', { nullable: true }) keyId: string | null;
}

/** An entry of the audit log: who did what to which resource, and from where. */
export class AuditEntryDto {
  @Field.id('audit') id: string;
  @Field.oneOf(AUDIT_ACTIONS, { example: 'document.create' }) action: AuditAction;
  @Field.object(AuditedResourceDto) resource: AuditedResourceDto;

  @Field.object(AuditActorDto, {
    nullable: true,
    description:
      'The key that was used, and its user. Null if no key was used: `details.by` is then `operator` or `service`.',
  })
  actor: AuditActorDto | null;

  @Field.id('request', { nullable: true, description: 'The request that caused it.' })
  requestId: string | null;

  @Field.text({
    max: 64,
    nullable: true,
    description:
      'The IP address of the client. Null if there was no client, or if the proxy in front sends no valid address.',
    example: '192.0.2.7',
  })
  clientAddress: string | null;

  @Field.text({
    max: MAX_USER_AGENT,
    nullable: true,
    description: `The first ${String(MAX_USER_AGENT)} characters of the header \`User-Agent\`.`,
    example: 'curl/8.5.0',
  })
  userAgent: string | null;

  @Field.time() createdAt: string;

  @Field.object(
    { additionalProperties: true },
    {
      description:
        'Further details, depending on the action. Never contains content, keys or secrets.',
      example: { version: 2, changes: ['title'] },
    },
  )
  details: Record<string, unknown>;
}
