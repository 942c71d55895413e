import { Field } from '../../../platform/openapi/field.js';
import { DEFAULT_GRACE_SECONDS, MAX_GRACE_SECONDS } from '../key-fields.js';

/** The body of `POST /v1/keys/{id}/rotate`. */
export class RotateKeyDto {
  @Field.integer({
    optional: true,
    max: MAX_GRACE_SECONDS,
    default: DEFAULT_GRACE_SECONDS,
    description:
      'How long the old key stays valid beside the new one, in seconds; 0 revokes it at once.',
    example: 3600,
    issue: `must be a whole number of seconds from 0 to ${String(MAX_GRACE_SECONDS)}`,
  })
  gracePeriodSeconds?: number;
}
