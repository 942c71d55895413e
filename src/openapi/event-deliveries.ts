import type { ParameterObject, SchemaObject, WebhooksObject } from '@nestjs/swagger';
import type { EventType } from '../events/catalogue.js';
import { sampleId } from './property-decorators.js';

/** What a delivery of an event about a webhook carries; its full and its thin form are the same. */
const webhookEvent = (type: EventType): SchemaObject => ({
  allOf: [
    { $ref: '#/components/schemas/EventDto' },
    {
      properties: {
        type: { type: 'string', enum: [type] },
        data: {
          type: 'object',
          required: ['webhook'],
          properties: { webhook: { $ref: '#/components/schemas/WebhookDto' } },
        },
      },
    },
  ],
});

/** What a delivery of `document.created` carries; other events of documents have the same form. */
export const EVENT_SCHEMAS: Readonly<Record<string, SchemaObject>> = {
  WebhookTestEvent: webhookEvent('webhook.test'),
  WebhookDisabledEvent: webhookEvent('webhook.disabled'),
  DocumentCreatedEvent: {
    allOf: [
      { $ref: '#/components/schemas/EventDto' },
      {
        properties: {
          type: { type: 'string', enum: ['document.created'] },
          data: {
            type: 'object',
            required: ['document'],
            properties: {
              document: {
                anyOf: [
                  { $ref: '#/components/schemas/DocumentDto' },
                  { $ref: '#/components/schemas/DocumentReferenceDto' },
                ],
              },
            },
          },
        },
      },
    ],
  },
};

const SIGNED: ParameterObject[] = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The same at every attempt: ignore what you have had already.',
    schema: { type: 'string', maxLength: 64, pattern: '^[a-z]+_[0-9a-z]+$' },
    example: sampleId('event'),
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was signed, in seconds since 1970 (UTC). Refuse what is old.',
    schema: { type: 'string', maxLength: 12, pattern: '^[0-9]+$' },
    example: '1795161600',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret; two of them, parted by a space, while a secret is being rotated. Any Standard Webhooks library verifies it.',
    schema: {
      type: 'string',
      maxLength: 200,
      pattern: '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$',
    },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

const GUARANTEE =
  'At least once: every attempt carries the same body and a signature of its own. Answer 2xx within 15 seconds.';

/** What the service posts to a registered webhook (https://www.standardwebhooks.com). */
export const EVENT_DELIVERIES: WebhooksObject = {
  'document.created': delivery({
    operationId: 'deliverDocumentCreated',
    summary: 'A document was created',
    description: 'Sent to every webhook that listens to `document.created`, `document.*` or `*`.',
    schema: 'DocumentCreatedEvent',
  }),
  'webhook.test': delivery({
    operationId: 'deliverWebhookTest',
    summary: 'A webhook is tested',
    description: 'Sent to the webhook that is tested, whatever it listens to.',
    schema: 'WebhookTestEvent',
  }),
  'webhook.disabled': delivery({
    operationId: 'deliverWebhookDisabled',
    summary: 'A webhook was disabled',
    description:
      'On request, because its receiver answered 410, or after 5 days without a success. Sent to the other webhooks that listen to `webhook.disabled`, `webhook.*` or `*`.',
    schema: 'WebhookDisabledEvent',
  }),
};

interface Described {
  operationId: string;
  summary: string;
  description: string;
  /** Name of the schema of its body. */
  schema: string;
}

function delivery({
  operationId,
  summary,
  description,
  schema,
}: Described): WebhooksObject[string] {
  return {
    post: {
      operationId,
      tags: ['webhooks'],
      summary,
      description: `${description} ${GUARANTEE}`,
      security: [],
      parameters: SIGNED,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
      },
      responses: {
        '2XX': { description: 'Received. Nothing more is sent.' },
        '410': { description: 'Nobody is there any more: the webhook is disabled.' },
        default: { description: 'Tried again later; `Retry-After` of 429 and 503 is honoured.' },
      },
    },
  };
}
