import { parseMoment } from '../../../../platform/basics/clock/moment.js';
import { decodeId, type IdKind } from '../../../../platform/basics/identifiers/identifiers.js';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IfSent } from '../../../../platform/http/envelope/field-decorators.js';
import { IsFilterId, IsMoment } from '../../../../platform/http/envelope/filter-decorators.js';
import { EVENT_TYPES, type EventType } from '../../../events/catalogue.js';
import { ApiIdFilter, ApiMoment } from '../../../../platform/openapi/property-decorators.js';
import { CreationOrderDto } from '../../../../platform/http/pagination/creation-order.dto.js';
import { DELIVERY_STATUSES, type DeliveryFilter, type DeliveryStatus } from '../delivery.js';

/** The query of `GET /v1/webhooks/{id}/deliveries`. */
export class ListDeliveriesDto extends CreationOrderDto {
  @ApiPropertyOptional({
    enum: DELIVERY_STATUSES,
    description: 'Only those of this status.',
    example: 'failed',
  })
  @IfSent()
  @IsIn(DELIVERY_STATUSES, { message: `must be one of ${DELIVERY_STATUSES.join(', ')}` })
  status?: DeliveryStatus;

  @ApiPropertyOptional({
    enum: EVENT_TYPES,
    description: 'Only those of events of this type.',
    example: 'document.created',
  })
  @IfSent()
  @IsIn(EVENT_TYPES, { message: `must be one of ${EVENT_TYPES.join(', ')}` })
  eventType?: EventType;
}

/** The query of `GET /v1/deliveries`. */
export class ListAllDeliveriesDto extends ListDeliveriesDto {
  @ApiIdFilter('webhook', 'Only those to this webhook.')
  @IfSent()
  @IsFilterId('webhook')
  webhookId?: string;

  @ApiIdFilter('document', 'Only those of events of this document; it need not exist any more.')
  @IfSent()
  @IsFilterId('document')
  documentId?: string;

  @ApiIdFilter('event', 'Only those of this event.')
  @IfSent()
  @IsFilterId('event')
  eventId?: string;

  @ApiIdFilter('request', 'Only those of events that this request caused.')
  @IfSent()
  @IsFilterId('request')
  requestId?: string;

  @ApiMoment('Only those of events at this time or later')
  @IfSent()
  @IsMoment()
  since?: string;

  @ApiMoment('Only those of events before this time')
  @IfSent()
  @IsMoment()
  until?: string;
}

/** Returns the filter of a valid query. */
export function filterOf(query: ListAllDeliveriesDto): DeliveryFilter {
  const { status, eventType, requestId, since, until } = query;
  const uuid = (kind: IdKind, id?: string) => (id === undefined ? undefined : decodeId(kind, id));
  return {
    status,
    eventType,
    requestId,
    webhookId: uuid('webhook', query.webhookId),
    documentId: uuid('document', query.documentId),
    eventId: uuid('event', query.eventId),
    since: since === undefined ? undefined : parseMoment(since),
    until: until === undefined ? undefined : parseMoment(until),
  };
}
