import { ApiProperty } from '@nestjs/swagger';
import {
  ApiId,
  ApiSecret,
  ApiText,
  ApiTimestamp,
  KEPT_TEXT,
} from '../../../platform/openapi/property-decorators.js';
import { SELECTABLE_EVENTS } from '../../events/catalogue/catalogue.js';
import { MAX_URL_LENGTH } from '../settings/receiver-url.js';
import { MAX_SECRET_LENGTH } from '../signing/webhook-secret.js';
import { HEADERS_SCHEMA, WebhookFilterDto } from './webhook-fields.js';

/** A webhook as every answer shows it; its secret is not in it. */
export class WebhookDto {
  @ApiId('webhook')
  id: string;

  @ApiProperty({
    format: 'uri',
    maxLength: MAX_URL_LENGTH,
    example: 'https://example.com/webhooks',
  })
  url: string;

  @ApiProperty({
    enum: SELECTABLE_EVENTS,
    isArray: true,
    maxItems: SELECTABLE_EVENTS.length,
    example: ['document.created', 'document.updated'],
  })
  events: readonly string[];

  @ApiProperty({ enum: ['full', 'thin'], example: 'full' })
  payload: 'full' | 'thin';

  @ApiProperty({ enum: ['active', 'disabled'], example: 'active' })
  status: 'active' | 'disabled';

  @ApiText({ maxLength: 500, nullable: true, example: 'Search index' })
  description: string | null;

  @ApiText({
    maxLength: 4,
    description:
      'The last four characters of the secret, to recognise it by; fewer of a short secret.',
    example: 'JYtw',
  })
  secretPreview: string;

  @ApiProperty({
    ...HEADERS_SCHEMA,
    description:
      'Its own headers, sent with every delivery; of their values only the end is shown.',
    example: { Authorization: '••••x4Qz' },
  })
  headers: Record<string, string>;

  @ApiProperty({
    type: WebhookFilterDto,
    nullable: true,
    description: 'Which documents it hears of; null of all.',
  })
  filter: WebhookFilterDto | null;

  @ApiText({
    maxLength: 1000,
    nullable: true,
    description: 'Why deliveries have stopped, when `status` is `disabled`.',
    example: null,
  })
  disabledReason: string | null;

  @ApiTimestamp({ nullable: true, description: 'Since when it is `disabled`.', example: null })
  disabledAt: string | null;

  @ApiTimestamp({
    nullable: true,
    description: 'The first failed attempt since the last success; null while all is well.',
    example: null,
  })
  failingSince: string | null;

  @ApiTimestamp({
    nullable: true,
    description:
      'After ten failures in a row deliveries wait until one gets through; the next is tried at this time.',
    example: null,
  })
  nextProbeAt: string | null;

  @ApiTimestamp({ nullable: true, example: '2026-11-21T09:30:00.000Z' })
  lastDeliveryAt: string | null;

  @ApiTimestamp()
  createdAt: string;

  @ApiTimestamp()
  updatedAt: string;
}

/** The answer to a registration. */
export class RegisteredWebhookDto extends WebhookDto {
  @ApiSecret({
    required: false,
    maxLength: MAX_SECRET_LENGTH,
    pattern: KEPT_TEXT,
    description: 'The secret the service made because none was sent. It is shown this once.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  secret?: string | null;

  @ApiTimestamp({ nullable: true, description: 'Null: nothing was sent yet.', example: null })
  declare lastDeliveryAt: string | null;
}

/** The answer to a deletion. */
export class DeletedWebhookDto {
  @ApiId('webhook')
  id: string;

  @ApiProperty({ enum: [true], example: true })
  deleted: true;
}
