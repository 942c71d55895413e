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
    description: 'Only this action.',
    example: 'document.create',
    check: actionProblems,
  })
  action?: AuditAction;

  @Field.oneOf(AUDIT_RESOURCES, {
    optional: true,
    description: 'Only what was done to resources of this kind.',
    example: 'document',
    check: resourceTypeProblems,
  })
  resourceType?: AuditResource;

  @Field.text({
    optional: true,
    max: 64,
    pattern: '^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    description:
      'Only what was done to this resource, of whatever kind; it need not exist any more.',
    example: sampleId('document'),
    check: resourceIdProblem,
  })
  resourceId?: string;

  @Filter.id('user', 'Only what this user did.')
  userId?: string;

  @Filter.id('key', 'Only what was done with this key.')
  keyId?: string;

  @Filter.id('request', 'Only what this request did.')
  requestId?: string;

  @Field.time({
    optional: true,
    max: 35,
    description:
      'Only entries of this time and later; a time with its zone, or a day, which begins in UTC.',
    example: '2026-11-01T00:00:00Z',
    check: isMoment,
  })
  after?: string;

  @Field.time({
    optional: true,
    max: 35,
    description:
      'Only entries before this time; a time with its zone, or a day, which begins in UTC.',
    example: '2026-12-01T00:00:00Z',
    check: isMoment,
  })
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

function knownName(field: string, known: readonly string[]) {
  return (value: unknown): FieldProblem[] => {
    if (typeof value !== 'string') return [{ field, issue: 'must be given once' }];
    if (known.includes(value)) return [];
    const nearest = nearestName(value, known);
    const hint = nearest ? `did you mean '${nearest}'?` : `known are ${known.join(', ')}`;
    return [{ field, issue: `is not known; ${hint}` }];
  };
}

class AuditedResourceDto {
  @Field.oneOf(AUDIT_RESOURCES, { example: 'document' }) type: AuditResource;

  @Field.text({
    nullable: true,
    pattern: '^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    max: 64,
    description: 'Its public id, also of what does not exist any more.',
    example: sampleId('document'),
  })
  id: string | null;
}

class AuditActorDto {
  @Field.id('user') userId: string;

  @Field.text({
    max: 200,
    nullable: true,
    description: 'The name of the user as it is now.',
    example: 'Ada Lovelace',
  })
  userName: string | null;

  @Field.id('key', { nullable: true }) keyId: string | null;
}

/** Who did what to which resource, and from where. */
export class AuditEntryDto {
  @Field.id('audit') id: string;
  @Field.oneOf(AUDIT_ACTIONS, { example: 'document.create' }) action: AuditAction;
  @Field.object(AuditedResourceDto) resource: AuditedResourceDto;

  @Field.object(AuditActorDto, {
    nullable: true,
    description:
      'The key that was used, and its user. Null for what no key did: `details.by` is then `operator` or `service`.',
  })
  actor: AuditActorDto | null;

  @Field.id('request', { nullable: true, description: 'The request that did it.' })
  requestId: string | null;

  @Field.text({
    max: 64,
    nullable: true,
    description:
      'The IP address of the client; null where no client did it, or the proxy in front names no address.',
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
      description: 'What else is worth knowing, by action. Never content, keys or secrets.',
      example: { version: 2, changes: ['title'] },
    },
  )
  details: Record<string, unknown>;
}
