import { Field } from '../../../platform/openapi/field.js';
import { filterProblems, type WebhookFilter } from '../webhook-filter.js';
import { headerProblems } from '../webhook-headers.js';
import {
  PAYLOADS,
  WebhookFilterDto,
  UrlField,
  EventsField,
  SecretField,
  DescriptionField,
  HEADERS,
} from './webhook-fields.js';

/** The body of `POST /v1/webhooks`. */
export class RegisterWebhookDto {
  @UrlField({
    description:
      'Where events are posted to: https, a public host, no credentials and no fragment.',
    example: 'https://example.com/webhooks',
  })
  url: string;

  @EventsField({
    description:
      'Names of events; `document.*` is all of documents, `*` all there are, also later ones.',
    example: ['document.created', 'document.updated'],
  })
  events: string[];

  @SecretField({
    description:
      'Signs the deliveries. Printable ASCII, at least 24 characters advised; what follows `whsec_` must be base64. ' +
      'Left out, the service makes one and shows it in the answer.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  secret?: string;

  @DescriptionField()
  description?: string | null;

  @Field.object(HEADERS, {
    optional: true,
    nullable: true,
    description:
      'Headers of your own, sent with every delivery, such as a token of the receiver: at most 20, together 4 KiB. They are kept encrypted, and no answer shows them.',
    example: { Authorization: 'Bearer 3rMv8kTq2LxWn5Zc' },
    check: headerProblems,
  })
  headers?: Record<string, string> | null;

  @Field.object(WebhookFilterDto, {
    optional: true,
    nullable: true,
    description:
      'Only events of documents that have one of the values of each kind that is named, before or after the change. Events that are about no document, such as `webhook.disabled`, come whatever it says.',
    check: filterProblems,
  })
  filter?: WebhookFilter | null;

  @Field.oneOf(PAYLOADS, {
    optional: true,
    default: 'full',
    description: '`full` sends the whole resource, `thin` its id, version and status.',
  })
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
