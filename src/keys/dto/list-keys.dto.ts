import { CreationOrderDto } from '../../pagination/creation-order.dto.js';

/** The query of `GET /v1/keys`. */
export class ListKeysDto extends CreationOrderDto {}
