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
import { Filter } from '../../../platform/openapi/filter.js';
import { Transform } from 'class-transformer';

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

function typesProblem(types: unknown): string | undefined {
  const names = types as unknown[];
  if (names.length > MAX_EVENTS) return `must not name more than ${String(MAX_EVENTS)}`;
  return names.map(eventIssue).find((issue) => issue !== undefined);
}

/** The query of `GET /v1/events`. */
export class ListEventsDto extends CreationOrderDto {
  @Filter.commaSeparated(
    { type: 'string', maxLength: 2000, pattern: '^[a-z_.*]+(,[a-z_.*]+)*$' },
    {
      max: MAX_EVENTS,
      description:
        'Only those of this type; `document.*` is all of documents. Several by repeating it, or with commas between; any of them.',
      example: ['document.created', 'document.deleted'],
      check: typesProblem,
    },
  )
  type?: string[];

  @Filter.id('document', 'Only those of this document; it need not exist any more.')
  documentId?: string;

  @Filter.id('request', 'Only those that this request caused.') requestId?: string;

  @Filter.time(
    'Only those at this time or later. Not for synchronization: events get their time before they commit, so a later answer can hold an earlier time. Use `after`',
  )
  since?: string;

  @Filter.time('Only those before this time') until?: string;

  @Field.text({
    optional: true,
    max: 4096,
    pattern: '^[A-Za-z0-9_-]+$',
    description:
      'Follows events without loss: oldest first, in the order of their commits, which is the order of the stream. `start` begins with the oldest stored event, `now` with the next one, the id of an event behind that event. Then send `meta.pagination.nextCursor` of each answer; it is never null and stays valid until events behind it expire. Combine it with `limit`, `type`, `documentId` and `requestId` only, and keep these.',
    example: 'start',
    check: (value) => cursorIssue(value, 'is not a cursor of events'),
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
      'Names of events between commas; `document.*` is all of documents, `*` all there are.',
    example: 'document.created,document.updated',
    check: (names) => namesIssue(names as unknown[]),
  })
  types: string[] = ['*'];
}

/** Splits one text. Anything else, such as a repeated parameter, becomes a name that is not a text. */
function splitNames(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.split(',').map((name) => name.trim()) : [value],
  );
}

function namesIssue(names: readonly unknown[]): string | undefined {
  if (names.some((name) => typeof name !== 'string')) {
    return 'must be given once; put commas between names';
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
