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
    description: 'The same for every attempt. Use it to ignore duplicates.',
    schema: { type: 'string', maxLength: 64, pattern: '^[a-z]+_[0-9a-z]+$' },
    example: sampleId('event'),
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description:
      'When this attempt was signed, as a Unix timestamp in seconds. Reject old timestamps.',
    schema: { type: 'string', maxLength: 12, pattern: '^[0-9]+$' },
    example: '1795161600',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` with the secret; while a secret is being rotated, two signatures separated by a space. Any Standard Webhooks library can verify it.',
    schema: {
      type: 'string',
      maxLength: 200,
      pattern: '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$',
    },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

/** The error responses to a delivery, for `components.responses`. */
export const RECEIVER_RESPONSES: Readonly<Record<string, ResponseObject>> = {
  ReceiverGone: { description: 'The receiver no longer exists. The service disables the webhook.' },
  NotReceived: {
    description: 'Not received. The service retries later and honors `Retry-After` of 429 and 503.',
  },
};

/** The requests that the service sends to webhooks (https://www.standardwebhooks.com), one per event type. */
export const EVENT_DELIVERIES: WebhooksObject = Object.fromEntries(
  EVENT_TYPE_DESCRIPTIONS.map((event) => [event.type, delivery(event)]),
);

function delivery({ type, description, schema }: EventTypeDescription): WebhooksObject[string] {
  return {
    post: {
      operationId: `deliver${schema.replace(/Event$/, '')}`,
      tags: ['webhooks'],
      summary: type,
      description,
      security: [],
      parameters: SIGNED,
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
        },
      },
      responses: {
        '2XX': { description: 'Delivered.' },
        '410': { $ref: '#/components/responses/ReceiverGone' },
        default: { $ref: '#/components/responses/NotReceived' },
      },
    },
  };
}
