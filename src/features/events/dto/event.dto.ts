import { parseMoment } from '../../../platform/basics/clock/moment.js';
import { decodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { EventFilter } from '../events.repository.js';
import { Field } from '../../../platform/openapi/field.js';
import { sampleId } from '../../../platform/openapi/schemas.js';
import {
  EVENT_TYPES,
  type EventType,
  eventIssue,
  MAX_EVENTS,
  typesOf,
} from '../catalogue/catalogue.js';
import { cursorIssue, CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';
import { Filter, MAX_VALUES } from '../../../platform/openapi/filter.js';
import { Transform } from 'class-transformer';

class ActorDto {
  @Field.id('user') userId: string;

  @Field.id('key', { nullable: true, description: 'Null for a signed-in user.' })
  keyId: string | null;
}

/** An event as webhooks receive it. Lists contain the thin form. Reading a single event returns the full form. */
export class EventDto {
  @Field.id('event') id: string;
  @Field.oneOf(EVENT_TYPES, { example: 'document.created' }) type: EventType;
  @Field.time() timestamp: string;
  @Field.constant('v1') apiVersion: 'v1';

  @Field.object(
    { additionalProperties: true },
    {
      description:
        'What the event is about. `data.document.version` orders the events of a document. If the document has been permanently deleted since, only its id, type, status and version remain, and `removed` is true.',
      example: {
        document: { id: sampleId('document'), type: 'report', status: 'draft', version: 1 },
      },
    },
  )
  data: Record<string, unknown>;

  @Field.object(ActorDto, {
    nullable: true,
    description:
      'The key that caused the event, and its user. Null if the service itself caused it.',
  })
  actor: ActorDto | null;

  @Field.id('request', {
    nullable: true,
    description: 'The request that caused the event. Null if no request did.',
  })
  requestId: string | null;
}

function typesProblem(types: unknown): string | undefined {
  const names = types as unknown[];
  if (names.length > MAX_EVENTS) return `must not contain more than ${String(MAX_EVENTS)}`;
  return names.map(eventIssue).find((issue) => issue !== undefined);
}

/** The query of `GET /v1/events`. */
export class ListEventsDto extends CreationOrderDto {
  @Filter.commaSeparated(
    { type: 'string', maxLength: 2000, pattern: '^[a-z_.*]+(,[a-z_.*]+)*$' },
    {
      max: MAX_EVENTS,
      description:
        'Only events of this type; `document.*` matches all document events. Separate several types with commas or repeat the parameter to match any of them.',
      example: ['document.created', 'document.deleted'],
      check: typesProblem,
    },
  )
  type?: string[];

  @Filter.id('document', 'Only events of this document, which may have been deleted.')
  documentId?: string;

  @Filter.id('request', 'Only events that this request caused.') requestId?: string;

  @Filter.time(
    'Only events at this time or later. To synchronize, use `after` instead: events commit after their time, so a later response can contain an earlier time. Format',
  )
  since?: string;

  @Filter.time('Only events before this time') until?: string;

  @Field.text({
    optional: true,
    max: 4096,
    pattern: '^[A-Za-z0-9_-]+$',
    description:
      'Follows events without loss, oldest first, in commit order. `start` begins with the oldest stored event, `now` with the next new one, and an event ID after that event. Then send each `meta.pagination.nextCursor`. It is never null, and valid until events after it expire. Combine `after` only with `limit`, `type`, `documentId` and `requestId`, without changing them.',
    example: 'start',
    check: (value) => cursorIssue(value, 'is not a cursor of this list'),
  })
  after?: string;
}

/** The query of `GET /v1/events/stream`. */
export class StreamEventsDto {
  @splitNames()
  @Field.text({
    optional: true,
    default: '*',
    max: 2000,
    pattern: '^[a-z_.*]+(,[a-z_.*]+)*$',
    description:
      'Comma-separated event types. `document.*` matches all document events, `*` all events.',
    example: 'document.created,document.updated',
    takesList: true,
    check: (names) => namesIssue(names as unknown[]),
  })
  types: string[] = ['*'];

  @Field.oneOf(['full', 'thin'], {
    optional: true,
    default: 'full',
    description: '`thin` leaves out the content of documents; they have `contentTruncated`.',
    example: 'thin',
  })
  payload: 'full' | 'thin' = 'full';

  @Filter.ids(
    'document',
    `Counts you as viewing these documents while the stream is open, and sends an event \`presence\` without an id at the beginning and whenever somebody comes, leaves or begins to edit. Its data is that of \`GET /v1/documents/{id}/presence\`. At most ${String(MAX_VALUES)}; unknown documents are skipped. Requires the scope \`documents:read\`.`,
  )
  presenceOf?: string[];

  @Field.text({
    optional: true,
    max: 4096,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'Like the header `Last-Event-ID`, which wins, for clients that cannot set it.',
    example: sampleId('event'),
    check: (value) => (typeof value === 'string' ? undefined : 'must be given once'),
  })
  lastEventId?: string;
}

/** Splits a string. Anything else, such as a repeated parameter, becomes a name that is not a string. */
function splitNames(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.split(',').map((name) => name.trim()) : [value],
  );
}

function namesIssue(names: readonly unknown[]): string | undefined {
  if (names.some((name) => typeof name !== 'string')) {
    return 'was given more than once; must be given once, with commas between names';
  }
  if (names.length > MAX_EVENTS) return `must not have more than ${String(MAX_EVENTS)} names`;
  return names.map(eventIssue).find((issue) => issue !== undefined);
}

/** Returns the filter of a valid query. */
export function filterOf(query: ListEventsDto): EventFilter {
  const { type, documentId, requestId, since, until } = query;
  return {
    types: type && typesOf(type),
    documentId: documentId === undefined ? undefined : decodeId('document', documentId),
    requestId,
    since: since === undefined ? undefined : parseMoment(since),
    until: until === undefined ? undefined : parseMoment(until),
  };
}
