import { Field } from '../../../platform/openapi/field.js';
import { KEPT_TEXT } from '../../../platform/openapi/schemas.js';
import { SELECTABLE_EVENTS } from '../../events/catalogue/catalogue.js';
import { MAX_URL_LENGTH } from '../settings/receiver-url.js';
import { MAX_SECRET_LENGTH } from '../signing/webhook-secret.js';
import { HEADERS, WebhookFilterDto } from './webhook-fields.js';

/** A webhook in responses, without its secret. */
export class WebhookDto {
  @Field.id('webhook') id: string;
  @Field.uri({ max: MAX_URL_LENGTH, example: 'https://example.com/webhooks' }) url: string;

  @Field.list(SELECTABLE_EVENTS, {
    max: SELECTABLE_EVENTS.length,
    example: ['document.created', 'document.updated'],
  })
  events: readonly string[];

  @Field.oneOf(['full', 'thin'], { example: 'full' }) payload: 'full' | 'thin';
  @Field.oneOf(['active', 'disabled'], { example: 'active' }) status: 'active' | 'disabled';
  @Field.text({ max: 500, nullable: true, example: 'Search index' }) description: string | null;

  @Field.text({
    max: 4,
    description: 'The last four characters, to identify it. Fewer for a short secret.',
    example: 'JYtw',
  })
  secretPreview: string;

  @Field.object(HEADERS, {
    description: 'Custom headers, sent with every delivery. Only the end of each value is shown.',
    example: { Authorization: '••••x4Qz' },
  })
  headers: Record<string, string>;

  @Field.object(WebhookFilterDto, {
    nullable: true,
    description: 'Documents whose events are sent. Null: all.',
  })
  filter: WebhookFilterDto | null;

  @Field.text({
    max: 1000,
    nullable: true,
    description: 'Why it is disabled. Null while active.',
    example: null,
  })
  disabledReason: string | null;

  @Field.time({
    nullable: true,
    description: 'When it was disabled. Null while active.',
    example: null,
  })
  disabledAt: string | null;

  @Field.time({
    nullable: true,
    description: 'The first failure since the last success, or null.',
    example: null,
  })
  failingSince: string | null;

  @Field.time({
    nullable: true,
    description:
      'After ten consecutive failures, deliveries wait for an attempt at this time to succeed.',
    example: null,
  })
  nextProbeAt: string | null;

  @Field.time({ nullable: true, example: '2026-11-21T09:30:00.000Z' })
  lastDeliveryAt: string | null;

  @Field.time() createdAt: string;
  @Field.time() updatedAt: string;
}

/** The response to a registration. */
export class RegisteredWebhookDto extends WebhookDto {
  @Field.secret({
    optional: true,
    max: MAX_SECRET_LENGTH,
    pattern: KEPT_TEXT,
    description: 'The generated secret, if you sent none, shown only once.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  secret?: string | null;

  @Field.time({ nullable: true, description: 'Null: nothing has been sent yet.', example: null })
  declare lastDeliveryAt: string | null;
}

/** The response to a deletion. */
export class DeletedWebhookDto {
  @Field.id('webhook') id: string;
  @Field.constant(true) deleted: true;
}
