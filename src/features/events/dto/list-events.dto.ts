import { Field } from '../../../platform/openapi/field.js';
import { cursorIssue } from '../../../platform/http/pagination/page-query.dto.js';
import { Filter } from '../../../platform/openapi/filter.js';
import { CreationOrderDto } from '../../../platform/http/pagination/creation-order.dto.js';
import { eventIssue, MAX_EVENTS } from '../catalogue.js';

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
