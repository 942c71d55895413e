import { Field } from '../../../../platform/openapi/field.js';

/** The body of `POST /v1/webhooks/{id}/recover`. */
export class RecoverDto {
  @Field.time({
    max: 35,
    description: 'Events from then on; the time of the event counts, not that of an attempt.',
    example: '2026-11-20T00:00:00Z',
  })
  since: string;
}

/** The answer to a recovery. */
export class RecoveryDto {
  @Field.integer({ description: 'How many deliveries are sent anew.', example: 42 })
  recovered: number;

  @Field.flag({
    description: 'There are more than one request takes up: send it again.',
    example: false,
  })
  hasMore: boolean;
}
