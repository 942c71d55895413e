import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { parseTimestamp } from '../../../../platform/basics/clock/moment.js';
import { IsRequired } from '../../../../platform/http/envelope/field-decorators.js';
import { ApiInteger, ApiTimestamp } from '../../../../platform/openapi/property-decorators.js';

const isTimestamp = {
  name: 'isTimestamp',
  validator: {
    validate: (value: unknown) => typeof value === 'string' && parseTimestamp(value) !== undefined,
  },
};

/** The body of `POST /v1/webhooks/{id}/recover`. */
export class RecoverDto {
  @ApiTimestamp({
    maxLength: 35,
    description: 'Events from then on; the time of the event counts, not that of an attempt.',
    example: '2026-11-20T00:00:00Z',
  })
  @ValidateBy(isTimestamp, {
    message: 'must be a time with its zone, such as 2026-11-20T00:00:00Z',
  })
  @IsRequired()
  since: string;
}

/** The answer to a recovery. */
export class RecoveryDto {
  @ApiInteger({
    minimum: 0,
    maximum: 2_147_483_647,
    description: 'How many deliveries are sent anew.',
    example: 42,
  })
  recovered: number;

  @ApiProperty({
    type: Boolean,
    description: 'There are more than one request takes up: send it again.',
    example: false,
  })
  hasMore: boolean;
}
