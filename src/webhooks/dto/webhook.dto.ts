import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SELECTABLE_EVENTS } from '../event-selection.js';

/** A webhook as every answer shows it; its secret is not in it. */
export class WebhookDto {
  @ApiProperty({ example: 'wh_01kam3k0v5e0rbk1y2c9q4w7zt' })
  id: string;

  @ApiProperty({ format: 'uri', example: 'https://example.com/webhooks' })
  url: string;

  @ApiProperty({
    enum: SELECTABLE_EVENTS,
    isArray: true,
    example: ['document.created', 'document.updated'],
  })
  events: readonly string[];

  @ApiProperty({ enum: ['full', 'thin'], example: 'full' })
  payload: 'full' | 'thin';

  @ApiProperty({ enum: ['active', 'disabled'], example: 'active' })
  status: 'active' | 'disabled';

  @ApiProperty({ type: String, nullable: true, example: 'Search index' })
  description: string | null;

  @ApiProperty({
    description:
      'The last four characters of the secret, to recognise it by; fewer of a short secret.',
    example: 'JYtw',
  })
  secretPreview: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why deliveries have stopped, when `status` is `disabled`.',
    example: null,
  })
  disabledReason: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: '2026-11-21T09:30:00.000Z',
  })
  lastDeliveryAt: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  createdAt: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  updatedAt: string;
}

/** The answer to a registration. */
export class RegisteredWebhookDto extends WebhookDto {
  @ApiPropertyOptional({
    description: 'The secret the service made because none was sent. It is shown this once.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  secret?: string;
}

/** The answer to a deletion. */
export class DeletedWebhookDto {
  @ApiProperty({ example: 'wh_01kam3k0v5e0rbk1y2c9q4w7zt' })
  id: string;

  @ApiProperty({ enum: [true], example: true })
  deleted: true;
}
