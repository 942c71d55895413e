import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { IfSent } from '../../../platform/http/envelope/field-decorators.js';
import {
  IsFilter,
  IsFilterId,
  IsMoment,
  List,
} from '../../../platform/http/envelope/filter-decorators.js';
import { ApiIdFilter, ApiMoment } from '../../../platform/openapi/property-decorators.js';
import { CreationOrderDto } from '../../../platform/http/pagination/sort.js';
import { eventIssue, MAX_EVENTS } from '../catalogue/catalogue.js';

function typesProblem(types: unknown): string | undefined {
  const names = types as unknown[];
  if (names.length > MAX_EVENTS) return `must not name more than ${String(MAX_EVENTS)}`;
  return names.map(eventIssue).find((issue) => issue !== undefined);
}

/** The query of `GET /v1/events`. */
export class ListEventsDto extends CreationOrderDto {
  @ApiPropertyOptional({
    type: 'array',
    maxItems: MAX_EVENTS,
    items: { type: 'string', maxLength: 2000, pattern: '^[a-z_.*]+(,[a-z_.*]+)*$' },
    description:
      'Only those of this type; `document.*` is all of documents. Several by repeating it, or with commas between; any of them.',
    example: ['document.created', 'document.deleted'],
  })
  @List()
  @IfSent()
  @IsFilter(typesProblem)
  type?: string[];

  @ApiIdFilter('document', 'Only those of this document; it need not exist any more.')
  @IfSent()
  @IsFilterId('document')
  documentId?: string;

  @ApiIdFilter('request', 'Only those that this request caused.')
  @IfSent()
  @IsFilterId('request')
  requestId?: string;

  @ApiMoment(
    'Only those at this time or later. Not for synchronization: events get their time before they commit, so a later answer can hold an earlier time. Use `after`',
  )
  @IfSent()
  @IsMoment()
  since?: string;

  @ApiMoment('Only those before this time')
  @IfSent()
  @IsMoment()
  until?: string;

  @ApiPropertyOptional({
    type: String,
    maxLength: 4096,
    pattern: '^[A-Za-z0-9_-]+$',
    description:
      'Follows events without loss: oldest first, in the order of their commits, which is the order of the stream. `start` begins with the oldest stored event, `now` with the next one, the id of an event behind that event. Then send `meta.pagination.nextCursor` of each answer; it is never null and stays valid until events behind it expire. Combine it with `limit`, `type`, `documentId` and `requestId` only, and keep these.',
    example: 'start',
  })
  @IfSent()
  @IsString({ message: 'must be given once' })
  @MaxLength(4096, { message: 'is not a cursor of events' })
  after?: string;
}
