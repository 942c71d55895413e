import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';
import { Field } from '../../../platform/openapi/field.js';
import { EVENT_TYPES, type EventType } from '../catalogue/catalogue.js';
import { EVENT_TYPE_DESCRIPTIONS, type EventTypeDescription } from '../catalogue/event-types.js';

/** The query of `GET /v1/event-types`. */
export class ListEventTypesDto extends CreationOrderDto {
  @Field.oneOf(['asc', 'desc'], {
    optional: true,
    default: 'asc',
    description: 'The order of the catalog, or the reverse.',
    example: 'asc',
  })
  override order: 'asc' | 'desc' = 'asc';
}

export class EventTypeDto implements EventTypeDescription {
  @Field.oneOf(EVENT_TYPES, { example: 'document.created' }) type: EventType;

  @Field.text({
    max: 500,
    description: 'When it is sent.',
    example: 'A document was created or imported.',
  })
  description: string;

  @Field.text({
    max: 64,
    pattern: '^[A-Za-z]+$',
    description: 'The schema of its payload in `/v1/openapi.json`, below `components.schemas`.',
    example: 'DocumentCreatedEvent',
  })
  schema: string;

  @Field.object(
    { additionalProperties: true },
    {
      description: 'An example of the payload that webhooks with `payload: "full"` receive.',
      example: EVENT_TYPE_DESCRIPTIONS[0]?.payload,
    },
  )
  payload: Record<string, unknown>;
}
