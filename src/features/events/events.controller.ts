import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentPrincipal, RequireScope } from '../access/auth/authentication.js';
import type { Principal } from '../access/auth/principal.js';
import { parseMoment } from '../../platform/basics/clock/moment.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { invalidFields, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import { decodeId } from '../../platform/basics/identifiers/identifiers.js';
import { Refuses, WithoutEnvelope } from '../../platform/openapi/route-decorators.js';
import { sampleId } from '../../platform/openapi/property-decorators.js';
import { typesOf } from './catalogue.js';
import { EventDto } from './dto/event.dto.js';
import { ListEventsDto } from './dto/list-events.dto.js';
import { StreamEventsDto } from './dto/stream-events.dto.js';
import type { EventFilter } from './event-listing.js';
import { EventsService } from './events.service.js';
import { FollowedEvents, type FollowRequest } from './followed-events.js';
import { STREAM_EXAMPLE, writeStreamHead } from './stream/event-stream.js';
import { EventStreams } from './stream/event-streams.js';
import { EVENTS } from './events.refusals.js';

/** Parameters of the list that give it another order or part than `after` does. */
const EXCLUDED_BY_AFTER = ['page', 'cursor', 'sort', 'order', 'since', 'until'];

@ApiTags('events')
@Controller('events')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly followed: FollowedEvents,
    private readonly streams: EventStreams,
  ) {}

  @Get()
  @RequireScope('events:read')
  @ApiOperation({
    summary: 'List events',
    description:
      'Newest first, in their thin form. Filters can be combined; all must match, of several types any. To follow events ' +
      'without loss, poll with `after`: while `hasMore` is true ask again at once, otherwise wait, 1 second at first and up ' +
      'to 10 seconds while nothing happens. `total` then counts the events behind the given place, among the next 10,000.',
  })
  @Refuses(EVENTS.list)
  @ApiOkResponse({ type: EventDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListEventsDto,
    @Req() { query: sent }: Request,
  ): Promise<ApiResponse> {
    const filter = filterOf(query);
    const { rows, pagination } =
      query.after === undefined
        ? await this.events.list(accountId, filter, query)
        : await this.followed.read(followRequest(accountId, query, filter, query.after, sent));
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
      'everything that followed comes, once and in the same order. Without it the stream begins now. If events that ' +
      'followed have expired, the answer is 400 with `details.oldestCursor`, so that no gap goes unnoticed. Failures ' +
      'before the stream begins are in the envelope.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'The id of the last event that you have had, to resume behind it; or a cursor of `GET /v1/events?after=` with the same types and no other filter.',
    schema: { type: 'string', maxLength: 4096, pattern: '^[A-Za-z0-9_-]+$' },
    example: sampleId('event'),
  })
  @ApiOkResponse({
    description: 'The stream. It goes on until you leave, the key ends, or the service restarts.',
    content: { 'text/event-stream': { example: STREAM_EXAMPLE } },
  })
  @Refuses(EVENTS.stream)
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

/** Throws `bad_request` for parameters that were sent beside `after` and contradict it. */
function followRequest(
  accountId: string,
  { type, documentId, requestId, limit }: ListEventsDto,
  filter: EventFilter,
  after: string,
  query: object,
): FollowRequest {
  const [first, ...others] = EXCLUDED_BY_AFTER.filter((name) => Object.hasOwn(query, name)).map(
    (field): FieldProblem => ({
      field,
      issue: 'cannot be combined with after, which has an order and places of its own',
    }),
  );
  if (first) throw invalidFields([first, ...others]);
  return { accountId, after, limit, filter, sent: { types: type, documentId, requestId } };
}
