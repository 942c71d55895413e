import { ApiPropertyOptional } from '@nestjs/swagger';
import { IfSent } from '../../envelope/field-decorators.js';
import { IsFilter, IsFilterId, IsMoment, List } from '../../envelope/filter-decorators.js';
import { ApiIdFilter, ApiMoment } from '../../openapi/property-decorators.js';
import { CreationOrderDto } from '../../pagination/creation-order.dto.js';
import { eventIssue, MAX_EVENTS } from '../catalogue.js';

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

  @ApiMoment('Only those at this time or later')
  @IfSent()
  @IsMoment()
  since?: string;

  @ApiMoment('Only those before this time')
  @IfSent()
  @IsMoment()
  until?: string;
}
