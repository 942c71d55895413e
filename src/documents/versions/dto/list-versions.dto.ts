import { PageQueryDto } from '../../../pagination/page-query.dto.js';

/** The query of `GET /v1/documents/{id}/versions`. */
export class ListVersionsDto extends PageQueryDto {}
