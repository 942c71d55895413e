import { CreationOrderDto } from '../../pagination/creation-order.dto.js';

/** The query of `GET /v1/events`. */
export class ListEventsDto extends CreationOrderDto {}
