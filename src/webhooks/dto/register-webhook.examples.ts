import type { RegisterWebhookDto } from './register-webhook.dto.js';

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
  thin: {
    summary: 'Told what changed, without contents',
    value: { url: 'https://example.com/webhooks', events: ['*'], payload: 'thin' },
  },
};
