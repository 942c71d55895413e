import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../auth/authentication.js';
import type { Principal } from '../auth/principal.js';
import { Answer } from '../envelope/answer.js';
import { EventDto } from './dto/event.dto.js';
import { ListEventsDto } from './dto/list-events.dto.js';
import { EventList } from './event-list.js';

@ApiTags('events')
@Controller('events')
export class EventsController {
  constructor(private readonly events: EventList) {}

  @Get()
  @RequireScope('events:read')
  @ApiOperation({ summary: 'List events', description: 'Newest first, in their thin form.' })
  @ApiOkResponse({ type: EventDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListEventsDto,
  ): Promise<Answer> {
    const { rows, pagination } = await this.events.list(accountId, query);
    return new Answer(`[${rows.map(({ body }) => body).join(',')}]`, { pagination });
  }

  @Get(':id')
  @RequireScope('events:read')
  @ApiOperation({ summary: 'Read an event', description: 'In full, as webhooks receive it.' })
  @ApiOkResponse({ type: EventDto, description: 'The event.' })
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
  ): Promise<Answer> {
    return new Answer(await this.events.find(accountId, id));
  }
}
