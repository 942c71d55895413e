import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '../catalogue.js';

class ActorDto {
  @ApiProperty({ example: 'user_01kam3k0v5e0rbk1y2c9q4w7zt' })
  userId: string;

  @ApiProperty({ example: 'key_01kam3k0v5e0rbk1y2c9q4w7zt' })
  keyId: string;
}

/** An event as webhooks receive it: lists show the thin form, one event alone is shown in full. */
export class EventDto {
  @ApiProperty({ example: 'evt_01kam3k0v5e0rbk1y2c9q4w7zt' })
  id: string;

  @ApiProperty({ enum: EVENT_TYPES, example: 'document.created' })
  type: EventType;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  timestamp: string;

  @ApiProperty({ enum: ['v1'], example: 'v1' })
  apiVersion: 'v1';

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'The resource the event is about. `data.document.version` gives the order of events of a document.',
    example: { document: { id: 'doc_01kam3k0v5e0rbk1y2c9q4w7zt', version: 1, status: 'draft' } },
  })
  data: Record<string, unknown>;

  @ApiProperty({ type: ActorDto, description: 'The key that caused the event, and its user.' })
  actor: ActorDto;

  @ApiProperty({ example: 'req_01kam3k0v5e0rbk1y2c9q4w7zt' })
  requestId: string;
}
