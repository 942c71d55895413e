import { Field } from '../../../platform/openapi/field.js';
import { sampleId } from '../../../platform/openapi/schemas.js';
import {
  AUDIT_ACTIONS,
  AUDIT_RESOURCES,
  type AuditAction,
  type AuditResource,
} from '../audit-actions.js';
import { MAX_USER_AGENT } from '../../../platform/network/user-agent.js';

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
