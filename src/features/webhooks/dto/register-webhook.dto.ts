import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { CheckedBy, IfSent, IsRequired } from '../../../platform/http/envelope/field-decorators.js';
import { eventProblems, MAX_EVENTS, SELECTABLE_EVENTS } from '../../events/catalogue/catalogue.js';
import { ApiText } from '../../../platform/openapi/property-decorators.js';
import { registeredUrlProblems } from '../settings/local-receivers.js';
import { MAX_URL_LENGTH } from '../settings/receiver-url.js';
import { MAX_SECRET_LENGTH } from '../signing/webhook-secret.js';
import { filterProblems, type WebhookFilter } from '../settings/webhook-filter.js';
import { headerProblems } from '../settings/webhook-headers.js';
import {
  HEADERS_SCHEMA,
  IsDescription,
  IsEventSelection,
  IsOwnSecret,
  IsReceiverUrl,
  MAX_DESCRIPTION_CHARACTERS,
  PAYLOADS,
  WebhookFilterDto,
} from './webhook-fields.js';

/** The body of `POST /v1/webhooks`. Of several decorators on a field the lowest is checked first. */
export class RegisterWebhookDto {
  @ApiProperty({
    format: 'uri',
    maxLength: MAX_URL_LENGTH,
    description:
      'Where events are posted to: https, a public host, no credentials and no fragment.',
    example: 'https://example.com/webhooks',
  })
  @IsReceiverUrl()
  @CheckedBy(registeredUrlProblems)
  @IsRequired()
  url: string;

  @ApiProperty({
    enum: SELECTABLE_EVENTS,
    isArray: true,
    minItems: 1,
    maxItems: MAX_EVENTS,
    description:
      'Names of events; `document.*` is all of documents, `*` all there are, also later ones.',
    example: ['document.created', 'document.updated'],
  })
  @IsEventSelection()
  @CheckedBy(eventProblems)
  @IsRequired()
  events: string[];

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: MAX_SECRET_LENGTH,
    pattern: '^[\\x20-\\x7e]*$',
    writeOnly: true,
    description:
      'Signs the deliveries. Printable ASCII, at least 24 characters advised; what follows `whsec_` must be base64. ' +
      'Left out, the service makes one and shows it in the answer.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  @IfSent()
  @IsOwnSecret()
  secret?: string;

  @ApiText({
    required: false,
    nullable: true,
    maxLength: MAX_DESCRIPTION_CHARACTERS,
    example: 'Search index',
  })
  @IsOptional()
  @IsDescription()
  description?: string | null;

  @ApiPropertyOptional({
    ...HEADERS_SCHEMA,
    nullable: true,
    description:
      'Headers of your own, sent with every delivery, such as a token of the receiver: at most 20, together 4 KiB. They are kept encrypted, and no answer shows them.',
    example: { Authorization: 'Bearer 3rMv8kTq2LxWn5Zc' },
  })
  @CheckedBy(headerProblems)
  headers?: Record<string, string> | null;

  @ApiPropertyOptional({
    type: WebhookFilterDto,
    nullable: true,
    description:
      'Only events of documents that have one of the values of each kind that is named, before or after the change. Events that are about no document, such as `webhook.disabled`, come whatever it says.',
  })
  @CheckedBy(filterProblems)
  filter?: WebhookFilter | null;

  @ApiPropertyOptional({
    enum: PAYLOADS,
    default: 'full',
    description: '`full` sends the whole resource, `thin` its id, version and status.',
  })
  @IfSent()
  @IsIn(PAYLOADS, { message: 'must be full or thin' })
  payload: 'full' | 'thin' = 'full';
}

type Example = { summary: string; value: Partial<RegisterWebhookDto> };

/** Bodies of `POST /v1/webhooks` that the API document shows. */
export const REGISTER_WEBHOOK_EXAMPLES: Readonly<Record<string, Example>> = {
  ownSecret: {
    summary: 'With a secret of your own',
    value: {
      url: 'https://example.com/webhooks',
      events: ['document.created', 'document.updated'],
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    },
  },
  madeSecret: {
    summary: 'With a secret that the service makes, for everything about documents',
    value: {
      url: 'https://example.com/webhooks',
      events: ['document.*'],
      description: 'Search index',
    },
  },
  filtered: {
    summary: 'For the reports of one project, with a token for the receiver',
    value: {
      url: 'https://example.com/webhooks',
      events: ['document.published'],
      headers: { Authorization: 'Bearer 3rMv8kTq2LxWn5Zc' },
      filter: { types: ['report'], projects: ['apollo'] },
    },
  },
  thin: {
    summary: 'Told what changed, without contents',
    value: { url: 'https://example.com/webhooks', events: ['*'], payload: 'thin' },
  },
};
