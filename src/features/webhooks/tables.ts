import { DeliveryAttemptEntity } from './entities/delivery-attempt.entity.js';
import { WebhookClaimEntity } from './entities/webhook-claim.entity.js';
import { WebhookDeliveryEntity } from './entities/webhook-delivery.entity.js';
import { WebhookEntity } from './entities/webhook.entity.js';

export const WEBHOOKS_TABLES = [
  WebhookEntity,
  WebhookDeliveryEntity,
  DeliveryAttemptEntity,
  WebhookClaimEntity,
];
