import { Field } from '../../../platform/openapi/field.js';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';

const STATUSES = ['active', 'inactive'] as const;

export type KeyStatus = (typeof STATUSES)[number];

/** The query of `GET /v1/keys`. */
export class ListKeysDto extends CreationOrderDto {
  @Field.oneOf(STATUSES, {
    optional: true,
    description: 'Only keys that work, or only revoked and expired ones.',
    example: 'active',
  })
  status?: KeyStatus;
}
