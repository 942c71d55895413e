import { CreationOrderDto } from '../../pagination/creation-order.dto.js';

/** The query of `GET /v1/jobs`. */
export class ListJobsDto extends CreationOrderDto {}
