import { ApiPropertyOptional } from '@nestjs/swagger';
import { IfSent } from '../../../platform/http/envelope/field-decorators.js';
import { ApiTimestamp } from '../../../platform/openapi/property-decorators.js';
import { MAX_SECRET_LENGTH } from '../signing/webhook-secret.js';
import { IsOwnSecret } from './webhook-fields.js';
import { RegisteredWebhookDto } from './webhook.dto.js';

/** The body of `POST /v1/webhooks/{id}/rotate-secret`. */
export class RotateSecretDto {
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: MAX_SECRET_LENGTH,
    pattern: '^[\\x20-\\x7e]*$',
    writeOnly: true,
    description: 'As at the registration. Left out, the service makes one and shows it this once.',
    example: 'whsec_ZGV0ZXJtaW5pc3RpYyBleGFtcGxlcw==',
  })
  @IfSent()
  @IsOwnSecret()
  secret?: string;
}

/** The answer to a rotation. */
export class RotatedSecretDto extends RegisteredWebhookDto {
  @ApiTimestamp({
    nullable: true,
    description: 'Until then the secret before signs too; null when none does.',
    example: '2026-11-21T08:00:00.000Z',
  })
  previousSecretExpiresAt: string | null;
}
