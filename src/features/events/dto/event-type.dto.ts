import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { CreationOrderDto } from '../../../platform/http/pagination/creation-order.dto.js';
import { EVENT_TYPES, type EventType } from '../catalogue.js';
import { EVENT_TYPE_DESCRIPTIONS, type EventTypeDescription } from '../event-types.js';

/** The query of `GET /v1/event-types`. */
export class ListEventTypesDto extends CreationOrderDto {
  @ApiPropertyOptional({
    enum: ['asc', 'desc'],
    default: 'asc',
    description: 'The order of the catalogue, or the reverse.',
    example: 'asc',
  })
  @IsIn(['asc', 'desc'], { message: 'must be asc or desc' })
  override order: 'asc' | 'desc' = 'asc';
}

/** A type of events. */
export class EventTypeDto implements EventTypeDescription {
  @ApiProperty({ enum: EVENT_TYPES, example: 'document.created' })
  type: EventType;

  @ApiProperty({
    maxLength: 500,
    pattern: '^[^\\u0000]*$',
    description: 'When it is sent.',
    example: 'A document was created or imported.',
  })
  description: string;

  @ApiProperty({
    maxLength: 64,
    pattern: '^[A-Za-z]+$',
    description: 'The schema of its payload in `/v1/openapi.json`, below `components.schemas`.',
    example: 'DocumentCreatedEvent',
  })
  schema: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'An example of what webhooks with `payload: "full"` receive.',
    example: EVENT_TYPE_DESCRIPTIONS[0]?.payload,
  })
  payload: Record<string, unknown>;
}
