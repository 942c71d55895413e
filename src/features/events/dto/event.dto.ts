import { Field } from '../../../platform/openapi/field.js';
import { sampleId } from '../../../platform/openapi/schemas.js';
import { EVENT_TYPES, type EventType } from '../catalogue.js';

class ActorDto {
  @Field.id('user') userId: string;

  @Field.id('key', { nullable: true, description: 'Null for a person who has signed in.' })
  keyId: string | null;
}

/** An event as webhooks receive it: lists show the thin form, one event alone is shown in full. */
export class EventDto {
  @Field.id('event') id: string;
  @Field.oneOf(EVENT_TYPES, { example: 'document.created' }) type: EventType;
  @Field.time() timestamp: string;
  @Field.constant('v1') apiVersion: 'v1';

  @Field.object(
    { additionalProperties: true },
    {
      description:
        'The resource the event is about. `data.document.version` gives the order of events of a document. Of a document that was removed for good since, only id, type, status and version are left, and `removed` is true.',
      example: {
        document: { id: sampleId('document'), type: 'report', status: 'draft', version: 1 },
      },
    },
  )
  data: Record<string, unknown>;

  @Field.object(ActorDto, {
    nullable: true,
    description: 'The key that caused the event, and its user; `null` when the service itself did.',
  })
  actor: ActorDto | null;

  @Field.id('request', {
    nullable: true,
    description: 'The request that caused it; `null` when none did.',
  })
  requestId: string | null;
}
