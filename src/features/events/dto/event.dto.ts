import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTimestamp, sampleId } from '../../../platform/openapi/property-decorators.js';
import { EVENT_TYPES, type EventType } from '../catalogue/catalogue.js';

class ActorDto {
  @ApiId('user')
  userId: string;

  @ApiId('key', { nullable: true, description: 'Null for a person who has signed in.' })
  keyId: string | null;
}

/** An event as webhooks receive it: lists show the thin form, one event alone is shown in full. */
export class EventDto {
  @ApiId('event')
  id: string;

  @ApiProperty({ enum: EVENT_TYPES, example: 'document.created' })
  type: EventType;

  @ApiTimestamp()
  timestamp: string;

  @ApiProperty({ enum: ['v1'], example: 'v1' })
  apiVersion: 'v1';

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'The resource the event is about. `data.document.version` gives the order of events of a document. Of a document that was removed for good since, only id, type, status and version are left, and `removed` is true.',
    example: {
      document: { id: sampleId('document'), type: 'report', status: 'draft', version: 1 },
    },
  })
  data: Record<string, unknown>;

  @ApiProperty({
    type: ActorDto,
    nullable: true,
    description: 'The key that caused the event, and its user; `null` when the service itself did.',
  })
  actor: ActorDto | null;

  @ApiId('request', {
    nullable: true,
    description: 'The request that caused it; `null` when none did.',
  })
  requestId: string | null;
}
