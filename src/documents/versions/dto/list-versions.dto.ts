import { CreationOrderDto } from '../../../pagination/creation-order.dto.js';

/** The query of `GET /v1/documents/{id}/versions`. */
export class ListVersionsDto extends CreationOrderDto {}
