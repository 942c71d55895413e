import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { IfSent } from '../../../platform/http/envelope/field-decorators.js';
import { DEFAULT_GRACE_SECONDS, MAX_GRACE_SECONDS } from '../key-fields.js';

const issue = {
  message: `must be a whole number of seconds from 0 to ${String(MAX_GRACE_SECONDS)}`,
};

/** The body of `POST /v1/keys/{id}/rotate`. */
export class RotateKeyDto {
  @ApiPropertyOptional({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MAX_GRACE_SECONDS,
    default: DEFAULT_GRACE_SECONDS,
    description:
      'How long the old key stays valid beside the new one, in seconds; 0 revokes it at once.',
    example: 3600,
  })
  @IfSent()
  @Max(MAX_GRACE_SECONDS, issue)
  @Min(0, issue)
  @IsInt(issue)
  gracePeriodSeconds?: number;
}
