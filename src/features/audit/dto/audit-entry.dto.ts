import { ApiProperty } from '@nestjs/swagger';
import {
  ApiId,
  ApiText,
  ApiTimestamp,
  sampleId,
} from '../../../platform/openapi/property-decorators.js';
import {
  AUDIT_ACTIONS,
  AUDIT_RESOURCES,
  type AuditAction,
  type AuditResource,
} from '../audit-actions.js';
import { MAX_USER_AGENT } from '../../../platform/network/user-agent.js';

class AuditedResourceDto {
  @ApiProperty({ enum: AUDIT_RESOURCES, example: 'document' })
  type: AuditResource;

  @ApiProperty({
    type: String,
    nullable: true,
    pattern: '^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    maxLength: 64,
    description: 'Its public id, also of what does not exist any more.',
    example: sampleId('document'),
  })
  id: string | null;
}

class AuditActorDto {
  @ApiId('user')
  userId: string;

  @ApiText({
    maxLength: 200,
    nullable: true,
    description: 'The name of the user as it is now.',
    example: 'Ada Lovelace',
  })
  userName: string | null;

  @ApiId('key', { nullable: true })
  keyId: string | null;
}

/** Who did what to which resource, and from where. */
export class AuditEntryDto {
  @ApiId('audit')
  id: string;

  @ApiProperty({ enum: AUDIT_ACTIONS, example: 'document.create' })
  action: AuditAction;

  @ApiProperty({ type: AuditedResourceDto })
  resource: AuditedResourceDto;

  @ApiProperty({
    type: AuditActorDto,
    nullable: true,
    description:
      'The key that was used, and its user. Null for what no key did: `details.by` is then `operator` or `service`.',
  })
  actor: AuditActorDto | null;

  @ApiId('request', { nullable: true, description: 'The request that did it.' })
  requestId: string | null;

  @ApiText({
    maxLength: 64,
    nullable: true,
    description:
      'The IP address of the client; null where no client did it, or the proxy in front names no address.',
    example: '192.0.2.7',
  })
  clientAddress: string | null;

  @ApiText({
    maxLength: MAX_USER_AGENT,
    nullable: true,
    description: `The first ${String(MAX_USER_AGENT)} characters of the header \`User-Agent\`.`,
    example: 'curl/8.5.0',
  })
  userAgent: string | null;

  @ApiTimestamp()
  createdAt: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What else is worth knowing, by action. Never content, keys or secrets.',
    example: { version: 2, changes: ['title'] },
  })
  details: Record<string, unknown>;
}
