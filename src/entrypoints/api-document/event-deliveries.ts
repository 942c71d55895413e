import type { ParameterObject, ResponseObject, WebhooksObject } from '@nestjs/swagger';
import {
  EVENT_TYPE_DESCRIPTIONS,
  type EventTypeDescription,
} from '../../features/events/catalogue/event-types.js';
import { sampleId } from '../../platform/openapi/schemas.js';

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

/** The answers to a delivery that are not a success, for `components.responses`. */
export const RECEIVER_RESPONSES: Readonly<Record<string, ResponseObject>> = {
  ReceiverGone: { description: 'The receiver is gone. The service disables the webhook.' },
  NotReceived: {
    description: 'The service retries later and honors `Retry-After` of 429 and 503.',
  },
};

/** What the service posts to a registered webhook (https://www.standardwebhooks.com): every event of the catalogue. */
export const EVENT_DELIVERIES: WebhooksObject = Object.fromEntries(
  EVENT_TYPE_DESCRIPTIONS.map((event) => [event.type, delivery(event)]),
);

function delivery({
  type,
  description,
  schema,
  payload,
}: EventTypeDescription): WebhooksObject[string] {
  const [kind = ''] = type.split('.');
  const listeners =
    type === 'webhook.test'
      ? ''
      : `\n\nSent to every webhook that listens to \`${type}\`, \`${kind}.*\` or \`*\`.`;
  return {
    post: {
      operationId: `deliver${schema.replace(/Event$/, '')}`,
      tags: ['webhooks'],
      summary: type,
      description: `${description}${listeners}`,
      security: [],
      parameters: SIGNED,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${schema}` },
            example: payload,
          },
        },
      },
      responses: {
        '2XX': { description: 'Received. Nothing more is sent.' },
        '410': { $ref: '#/components/responses/ReceiverGone' },
        default: { $ref: '#/components/responses/NotReceived' },
      },
    },
  };
}
