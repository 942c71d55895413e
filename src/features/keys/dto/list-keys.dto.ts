import { Field } from '../../../platform/openapi/field.js';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';

const STATUSES = ['active', 'inactive'] as const;

/** Keys that programs send themselves, and those of connected apps. */
const KINDS = ['key', 'app'] as const;

/** Which keys to list. */
export type KeyFilter = Pick<ListKeysDto, 'status' | 'kind'>;

/** The query of `GET /v1/keys`. */
export class ListKeysDto extends CreationOrderDto {
  @Field.oneOf(STATUSES, {
    optional: true,
    description: 'Only keys that work, or only revoked and expired ones.',
    example: 'active',
  })
  status?: (typeof STATUSES)[number];

  @Field.oneOf(KINDS, {
    optional: true,
    description: 'Only keys that programs send themselves, or only those of connected apps.',
    example: 'app',
  })
  kind?: (typeof KINDS)[number];
}
