import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentPrincipal, RequireScope } from '../auth/auth.decorators.js';
import type { Access } from '../auth/access/access.js';
import { CurrentAccess, Reach } from '../auth/access/reach.decorators.js';
import { requireScope } from '../auth/guards/scope.guard.js';
import type { Principal } from '../auth/principal.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { Refuses, WithoutEnvelope } from '../../platform/openapi/route-decorators.js';
import { sampleId } from '../../platform/openapi/schemas.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { EventTypeDto, ListEventTypesDto } from './dto/event-type.dto.js';
import { EventDto, ListEventsDto, StreamEventsDto } from './dto/event.dto.js';
import { EventsService } from './events.service.js';
import { endHeadRequest, STREAM_EXAMPLE } from './stream/event-stream.js';
import { EventStreams, scopesFor } from './stream/event-streams.js';
import { EVENTS } from './events.refusals.js';

@ApiTags('events')
@Controller('events')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly streams: EventStreams,
  ) {}

  @Get()
  @RequireScope('events:read')
  @Reach('visible')
  @ApiOperation({
    summary: 'List events',
    description:
      'Newest first, in their thin form. All filters must match; several types match any of them. To follow events ' +
      'without loss, poll with `after`: while `hasMore` is true, request the next page right away; otherwise wait 1 to 10 ' +
      'seconds. With `after`, `total` counts at most 10,000 events after that position.',
  })
  @Refuses(EVENTS.list)
  @ApiOkResponse({ type: EventDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentAccess() access: Access,
    @Query() query: ListEventsDto,
    @Req() { query: sent }: Request,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.events.list(access, query, sent);
    return new ApiResponse(`[${rows.map(({ body }) => body).join(',')}]`, { pagination });
  }

  /** Declared before `:id`, whose pattern matches this path too. */
  @Get('stream')
  @RequireScope('events:read')
  @Reach('visible')
  @WithoutEnvelope()
  @ApiOperation({
    operationId: 'streamEvents',
    summary: 'Follow events as they happen',
    description:
      'Sends server-sent events: `id` is the id of the event, `event` its type, and `data` the event as webhooks ' +
      'receive it. Comments keep the connection alive. To resume, send the last id as `Last-Event-ID`: the stream ' +
      'continues after that event, in order and without duplicates. Without it, the stream starts now. If events after ' +
      'that position have expired, the response is 400 with `details.oldestCursor`. Errors before the stream starts use ' +
      'the envelope.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'ID of the last event you received; the stream resumes after it. Also accepts a cursor of `GET /v1/events?after=` with the same types and no other filter.',
    schema: { type: 'string', maxLength: 4096, pattern: '^[A-Za-z0-9_-]+$' },
    example: sampleId('event'),
  })
  @ApiOkResponse({
    description:
      'The stream. It ends when you disconnect, the key expires, or the service restarts.',
    content: { 'text/event-stream': { example: STREAM_EXAMPLE } },
  })
  @Refuses(EVENTS.stream)
  async stream(
    @CurrentPrincipal() principal: Principal,
    @Query() query: StreamEventsDto,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const { types, payload, presenceOf = [] } = query;
    const request = {
      principal,
      selection: types,
      isThin: payload === 'thin',
      presenceOf: presenceOf.map((id) => uuidOf('document', id)),
      lastEventId: lastEventId ?? query.lastEventId ?? '',
    };
    for (const scope of scopesFor(request)) requireScope(principal, scope);
    if (!endHeadRequest(response)) await this.streams.open(request, response);
  }

  @Get(':id')
  @RequireScope('events:read')
  @Reach('visible')
  @ApiOperation({
    summary: 'Read an event',
    description: 'Returns the full event, as webhooks receive it.',
  })
  @ApiOkResponse({ type: EventDto, description: 'The event.' })
  async read(@CurrentAccess() access: Access, @Param('id') id: string): Promise<ApiResponse> {
    return new ApiResponse(await this.events.find(access, id));
  }
}

@ApiTags('events')
@Controller('event-types')
export class EventTypesController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @RequireScope('events:read')
  @Reach('none')
  @ApiOperation({
    operationId: 'listEventTypes',
    summary: 'List event types',
    description:
      'Lists the event types that a webhook can select, each with an example payload. The list matches `webhooks` in the API document.',
  })
  @ApiOkResponse({ type: EventTypeDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListEventTypesDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.events.listTypes(accountId, query);
    return new ApiResponse(JSON.stringify(rows), { pagination });
  }
}
