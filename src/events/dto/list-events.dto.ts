import { IfSent } from '../../envelope/field-decorators.js';
import { IsFilterId } from '../../envelope/filter-decorators.js';
import { ApiIdFilter } from '../../openapi/property-decorators.js';
import { CreationOrderDto } from '../../pagination/creation-order.dto.js';

/** The query of `GET /v1/events`. */
export class ListEventsDto extends CreationOrderDto {
  @ApiIdFilter('request', 'Only those that this request caused.')
  @IfSent()
  @IsFilterId('request')
  requestId?: string;
}
