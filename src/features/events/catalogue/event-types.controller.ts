import { Controller, Get, Query } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiTags,
} from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { CurrentPrincipal, RequireScope } from '../../access/auth/authentication.js';
import type { Principal } from '../../access/auth/principal.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';
import { readNumberedItems } from '../../../platform/http/pagination/read-page.js';
import { EVENT_TYPES, type EventType } from './catalogue.js';
import { EVENT_TYPE_DESCRIPTIONS, type EventTypeDescription } from './event-types.js';

/** The query of `GET /v1/event-types`. */
class ListEventTypesDto extends CreationOrderDto {
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

/** What webhooks can listen to, for who builds a receiver. */
@ApiTags('events')
@Controller('event-types')
export class EventTypesController {
  @Get()
  @RequireScope('events:read')
  @ApiOperation({
    operationId: 'listEventTypes',
    summary: 'List the types of events',
    description:
      'All that a webhook can listen to, with an example of what it receives. The same list as `webhooks` of the API document.',
  })
  @ApiOkResponse({ type: EventTypeDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListEventTypesDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await readNumberedItems(
      {
        ownerId: accountId,
        total: EVENT_TYPE_DESCRIPTIONS.length,
        read: (first, last) => Promise.resolve(EVENT_TYPE_DESCRIPTIONS.slice(first - 1, last)),
      },
      query,
    );
    return new ApiResponse(JSON.stringify(rows), { pagination });
  }
}
