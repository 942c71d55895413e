import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IfSent } from '../../../envelope/field-decorators.js';
import { EVENT_TYPES, type EventType } from '../../../events/catalogue.js';
import { CreationOrderDto } from '../../../pagination/creation-order.dto.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../delivery.js';

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
