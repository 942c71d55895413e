import { SecretField } from './webhook-fields.js';
import { Field } from '../../../platform/openapi/field.js';
import { RegisteredWebhookDto } from './webhook.dto.js';

/** The body of `POST /v1/webhooks/{id}/rotate-secret`. */
export class RotateSecretDto {
  @SecretField({
    description: 'As at the registration. Left out, the service makes one and shows it this once.',
    example: 'whsec_ZGV0ZXJtaW5pc3RpYyBleGFtcGxlcw==',
  })
  secret?: string;
}

/** The answer to a rotation. */
export class RotatedSecretDto extends RegisteredWebhookDto {
  @Field.time({
    nullable: true,
    description: 'Until then the secret before signs too; null when none does.',
    example: '2026-11-21T08:00:00.000Z',
  })
  previousSecretExpiresAt: string | null;
}
