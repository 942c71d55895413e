import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentPrincipal, RequireScope } from '../auth/authentication.js';
import type { Principal } from '../auth/principal.js';
import { parseMoment } from '../clock/moment.js';
import { ApiResponse } from '../envelope/api-response.js';
import { decodeId } from '../identifiers/identifiers.js';
import { Refuses, WithoutEnvelope } from '../openapi/route-decorators.js';
import { idSchema, sampleId } from '../openapi/property-decorators.js';
import { typesOf } from './catalogue.js';
import { EventDto } from './dto/event.dto.js';
import { ListEventsDto } from './dto/list-events.dto.js';
import { StreamEventsDto } from './dto/stream-events.dto.js';
import type { EventFilter } from './event-listing.js';
import { EventsService } from './events.service.js';
import { STREAM_EXAMPLE, writeStreamHead } from './stream/event-stream.js';
import { EventStreams, tooManyStreams, unknownLastEvent } from './stream/event-streams.js';

@ApiTags('events')
@Controller('events')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly streams: EventStreams,
  ) {}

  @Get()
  @RequireScope('events:read')
  @ApiOperation({
    summary: 'List events',
    description:
      'Newest first, in their thin form. Filters can be combined; all must match, of several types any.',
  })
  @ApiOkResponse({ type: EventDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListEventsDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.events.list(accountId, filterOf(query), query);
    return new ApiResponse(`[${rows.map(({ body }) => body).join(',')}]`, { pagination });
  }

  /** Before the route of one event, whose pattern its path fits too. */
  @Get('stream')
  @RequireScope('events:read')
  @WithoutEnvelope()
  @ApiOperation({
    operationId: 'streamEvents',
    summary: 'Follow events as they happen',
    description:
      'Server-sent events: `id` is the id of the event, `event` its type, `data` the event in full, as webhooks receive ' +
      'it. A comment comes when nothing else does. To resume after a break send the last id as `Last-Event-ID`: ' +
      'everything that followed comes, once and in the same order. Without it the stream begins now. Failures before ' +
      'the stream begins are in the envelope.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The id of the last event that you have had, to resume behind it.',
    schema: idSchema('event'),
    example: sampleId('event'),
  })
  @ApiOkResponse({
    description: 'The stream. It goes on until you leave, the key ends, or the service restarts.',
    content: { 'text/event-stream': { example: STREAM_EXAMPLE } },
  })
  @Refuses('Event not kept', unknownLastEvent())
  @Refuses('Too many streams', tooManyStreams())
  async stream(
    @CurrentPrincipal() principal: Principal,
    @Query() { types }: StreamEventsDto,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() { method }: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (method === 'HEAD') {
      writeStreamHead(response);
      response.end();
      return;
    }
    const request = { principal, selection: types, lastEventId: lastEventId ?? '' };
    await this.streams.open(request, response);
  }

  @Get(':id')
  @RequireScope('events:read')
  @ApiOperation({ summary: 'Read an event', description: 'In full, as webhooks receive it.' })
  @ApiOkResponse({ type: EventDto, description: 'The event.' })
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
  ): Promise<ApiResponse> {
    return new ApiResponse(await this.events.find(accountId, id));
  }
}

/** The filter of a query that was found valid. */
function filterOf({ type, documentId, requestId, since, until }: ListEventsDto): EventFilter {
  return {
    types: type && typesOf(type),
    documentId: documentId === undefined ? undefined : decodeId('document', documentId),
    requestId,
    since: since === undefined ? undefined : parseMoment(since),
    until: until === undefined ? undefined : parseMoment(until),
  };
}
