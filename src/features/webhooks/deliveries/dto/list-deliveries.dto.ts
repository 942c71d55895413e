import { Filter } from '../../../../platform/openapi/filter.js';
import { Field } from '../../../../platform/openapi/field.js';
import { EVENT_TYPES, type EventType } from '../../../events/catalogue.js';
import { CreationOrderDto } from '../../../../platform/http/pagination/creation-order.dto.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../delivery.js';

/** The query of `GET /v1/webhooks/{id}/deliveries`. */
export class ListDeliveriesDto extends CreationOrderDto {
  @Field.oneOf(DELIVERY_STATUSES, {
    optional: true,
    description: 'Only those of this status.',
    example: 'failed',
  })
  status?: DeliveryStatus;

  @Field.oneOf(EVENT_TYPES, {
    optional: true,
    description: 'Only those of events of this type.',
    example: 'document.created',
  })
  eventType?: EventType;
}

/** The query of `GET /v1/deliveries`. */
export class ListAllDeliveriesDto extends ListDeliveriesDto {
  @Filter.id('webhook', 'Only those to this webhook.') webhookId?: string;

  @Filter.id('document', 'Only those of events of this document; it need not exist any more.')
  documentId?: string;

  @Filter.id('event', 'Only those of this event.') eventId?: string;
  @Filter.id('request', 'Only those of events that this request caused.') requestId?: string;
  @Filter.time('Only those of events at this time or later') since?: string;
  @Filter.time('Only those of events before this time') until?: string;
}
